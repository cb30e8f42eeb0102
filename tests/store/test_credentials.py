"""Keys of the service in a store: hashed, tenant by tenant, on record."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from store_samples import NOW

from groundwire.errors import IllegalChange, InvalidInput, NotFound, NotRecognised, StoreReadOnly
from groundwire.memory.keyring import Keyring
from groundwire.memory.once import KEPT, Once
from groundwire.memory.protocols import Store
from groundwire.store.sql import open_store
from groundwire.types import Scope
from groundwire.types.access import Role
from groundwire.types.records import Act

ADA = Scope("ada")


def keyring(store: Store) -> Keyring:
    return Keyring(store, lambda: NOW)


def test_a_key_is_recognised_by_its_token_alone(store: Store):
    made = keyring(store).create("desk", roles=[Role.READ], owner="ada", sources=["user"])
    found = keyring(store).recognise(made.token)
    assert found == made.credential
    assert (found.owner, found.tenant, found.roles, found.sources) == ("ada", "default", {Role.READ}, {"user"})
    assert found.covers(ADA)
    assert not found.covers(Scope("bob"))
    assert not found.covers(Scope("ada", "other"))


def test_a_key_for_everybody_stays_within_its_tenant(store: Store):
    made = keyring(store).create("desk", roles=[Role.READ], tenant="acme", sources=None)
    assert made.credential.covers(Scope("anybody", "acme"))
    assert not made.credential.covers(Scope("anybody", "default"))
    assert keyring(store).recognise(made.token).sources is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=100))
def test_whatever_else_is_presented_is_nobodys(store: Store, text: str):
    with pytest.raises(NotRecognised):
        keyring(store).recognise(text)


@pytest.mark.requirement("SEC-017")
def test_no_secret_is_kept(tmp_path: Path):
    path = tmp_path / "memory.db"
    with open_store(path, NOW) as store:
        made = keyring(store).create("desk", roles=list(Role))
    secret = made.token.rpartition("_")[2].encode()
    assert all(secret not in file.read_bytes() for file in tmp_path.iterdir())
    with open_store(path, NOW) as store:
        assert keyring(store).recognise(made.token).id == made.credential.id
        assert secret.decode() not in repr(store.audit.entries(Scope("*"), limit=10))


def test_every_secret_is_another(store: Store):
    tokens = {keyring(store).create("x", roles=[Role.READ]).token for _ in range(50)}
    assert len(tokens) == 50


def test_a_revoked_key_is_as_unknown_as_a_wrong_one(store: Store):
    ring = keyring(store)
    made = ring.create("desk", roles=[Role.READ])
    revoked = ring.revoke(made.credential.id, by="root")
    assert revoked.revoked_at == NOW
    assert ring.revoke(made.credential.id).revoked_at == NOW, "revoking again changes nothing"
    for call in (lambda: ring.recognise(made.token), lambda: ring.look_up(made.credential.id)):
        with pytest.raises(NotRecognised) as error:
            call()
        assert str(error.value).startswith("the key is unknown")
    with pytest.raises(NotFound):
        ring.revoke("key_nothing")
    actions = [(e.actor, e.action, e.target) for e in store.audit.entries(Scope("*"), limit=10)]
    assert actions == [
        ("root", "revoke_key", made.credential.id),
        ("operator", "create_key", made.credential.id),
    ]


def test_use_is_noted_roughly(store: Store):
    ring = keyring(store)
    made = ring.create("desk", roles=[Role.READ])
    assert ring.is_due(made.credential)
    ring.note_use(made.credential)
    used = ring.recognise(made.token)
    assert used.last_used == NOW
    assert not ring.is_due(used)
    assert Keyring(store, lambda: NOW + timedelta(minutes=1)).is_due(used)


def test_keys_are_listed_by_tenant(store: Store):
    ring = keyring(store)
    assert ring.is_empty
    for tenant in ("acme", "acme", "default"):
        ring.create("x", roles=[Role.READ], tenant=tenant)
    assert not ring.is_empty
    assert len(ring.list()) == 3
    assert {credential.tenant for credential in ring.list("acme")} == {"acme"}


def test_a_key_needs_a_role_and_names_within_limits(store: Store):
    ring = keyring(store)
    with pytest.raises(InvalidInput, match="roles"):
        ring.create("x", roles=[])
    for wrong in (
        {"name": "x", "owner": "*"},
        {"name": " "},
        {"name": "x" * 600},
        {"name": "x", "owner": "\x00"},
        {"name": "x", "tenant": ""},
    ):
        with pytest.raises(InvalidInput):
            ring.create(**{"roles": [Role.READ], **wrong})  # type: ignore[arg-type]


def test_a_store_that_is_read_only_still_recognises(tmp_path: Path):
    path = tmp_path / "memory.db"
    with open_store(path, NOW) as store:
        made = keyring(store).create("desk", roles=[Role.READ])
    with open_store(path, NOW, read_only=True) as store:
        found = keyring(store).recognise(made.token)
        keyring(store).note_use(found)
        with pytest.raises(StoreReadOnly):
            keyring(store).revoke(found.id)


# ── requests that arrive twice ──────────────────────────────────────────────────────────────────


def answer(store: Store, key: str = "one", fingerprint: str = "f", body: str = "{}", when: timedelta = timedelta()):
    return Once(store, lambda: NOW + when).answer(ADA, "key_a", key, fingerprint, lambda: (201, body))


def test_an_answer_is_kept_for_a_day(store: Store):
    assert answer(store, body='"first"') == (answer(store, body='"second"')[0], False)
    kept, is_old = answer(store, body='"third"', when=KEPT - timedelta(seconds=1))
    assert (kept.body, kept.status, is_old) == ('"first"', 201, True)
    assert answer(store, body='"fourth"', when=KEPT + timedelta(seconds=1))[0].body == '"fourth"'


def test_another_request_is_refused_and_a_failure_leaves_nothing(store: Store):
    answer(store)
    with pytest.raises(IllegalChange, match="another request"):
        answer(store, fingerprint="g")

    def fail() -> tuple[int, str]:
        store.sessions.put(ADA, {"/a": 1}, NOW)
        raise NotFound("thing", "x")

    with pytest.raises(NotFound):
        Once(store, lambda: NOW).answer(ADA, "key_a", "two", "f", fail)
    assert store.sessions.values(ADA) == {}
    assert store.replies.find("key_a", "two") is None


def test_forgetting_an_owner_erases_their_answers(store: Store):
    answer(store, body='"secret"')
    store.memories.forget_owner(ADA, Act("ada", NOW, "x"))
    with pytest.raises(IllegalChange, match="erased"):
        answer(store)
