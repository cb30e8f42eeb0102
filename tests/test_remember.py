"""Remembering: the gate decides, one transaction carries it out, and what cannot be checked never gets in."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire import Groundwire
from groundwire.errors import InvalidInput, ModelUnavailable, StoreFull, StoreReadOnly, StoreUnavailable
from groundwire.memory.receipts import IngestionTier
from groundwire.store.sqlite import Sqlite
from groundwire.types import MemoryStatus, Scope
from remembered import ADA, NOW, at, audit_of, open_memory, propose, remember, store_of, texts

BLOCK, REVIEW, APPROVE = IngestionTier.BLOCK, IngestionTier.FLAG_REVIEW, IngestionTier.AUTO_APPROVE


@pytest.fixture
def gw() -> Iterator[Groundwire]:
    with open_memory() as opened:
        yield opened


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    records = tmp_path / "docs" / "adr"
    records.mkdir(parents=True)
    (records / "ADR-003-use-postgresql.md").write_text("We store orders in PostgreSQL.\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


# ── three tiers, three places ───────────────────────────────────────────────────────────────────


def test_every_claim_goes_to_exactly_one_place_and_its_receipt_into_the_audit_trail(gw: Groundwire):
    stored = remember(gw, "I work at Google.")
    queued = remember(gw, "The service uses PostgreSQL 15.", source="ai_synthesis", credential="agent")
    refused = remember(gw, "I think we should use Redis.")
    assert [k.receipt.tier for k in (stored, queued, refused)] == [APPROVE, REVIEW, BLOCK]
    assert [(k.is_stored, k.review_id is not None) for k in (stored, queued, refused)] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert stored.memory is not None
    assert texts(list(store_of(gw).memories.list(ADA))) == ["I work at Google."]
    assert [item.queue_id for item in gw.reviews("ada").pending()] == [queued.review_id]
    (rejection,) = store_of(gw).logs.rejections(ADA)
    assert rejection.extracted_text == "I think we should use Redis."
    assert audit_of(gw, "gate") == [
        ("operator", stored.memory.id, "auto_approve"),
        ("agent", queued.review_id, "flag_review"),
        ("operator", "", "block"),
    ]


@pytest.mark.requirement("ING-034")
def test_trust_is_set_when_a_memory_enters(gw: Groundwire, repository: Path):
    given: dict[str, dict[str, Any]] = {
        "I work at Google.": {"source": "user"},
        "OAuth2 is required.": {"source": "documentation"},
        "The build runs nightly.": {"source": "manual"},
        "Per ADR-003, we use PostgreSQL.": {"source": "ai_synthesis", "repository": str(repository)},
    }
    trusts: dict[str, float] = {}
    for content, others in given.items():
        memory = remember(gw, content, **others).memory
        assert memory is not None
        trusts[content] = memory.trust
    assert list(trusts.values()) == [0.90, 0.80, 0.80, 0.90]
    reviewed = gw.reviews("ada").approve(propose(gw, "The user speaks Dutch."), now=NOW).memory
    assert reviewed is not None and reviewed.trust == 0.85
    heard = gw.remember_conversation("User: I am a nurse.", user="ada", now=NOW).remembered[0].memory
    assert heard is not None and heard.trust == heard.confidence == 0.80


@pytest.mark.requirement("STO-005")
def test_a_memory_leads_back_to_its_source_its_citations_its_tier_and_its_reviewer(gw: Groundwire, repository: Path):
    cited = remember(gw, "Per ADR-003, we use PostgreSQL.", source="adr", repository=str(repository)).memory
    assert cited is not None and cited.evidence is not None
    noted = cited.evidence.metadata
    assert (cited.source, cited.evidence.source_id, noted["tier"]) == ("adr", "ADR-003", "auto_approve")
    assert noted["citations"][0]["status"] == "verified" and "verified citation" in noted["reason"]
    review_id = propose(gw, "The user speaks Dutch.")
    reviewed = gw.reviews("ada").approve(review_id, now=at(1)).memory
    assert reviewed is not None and reviewed.evidence is not None
    noted = reviewed.evidence.metadata
    assert (noted["source"], noted["tier"], noted["reviewer"]) == ("ai_synthesis", "flag_review", "ada")
    heard = gw.remember_conversation("User: I am a nurse.", user="ada", now=NOW).remembered[0].memory
    assert heard is not None and heard.evidence is not None
    assert heard.evidence.metadata["quotes"][0]["text"] == "I am a nurse."
    assert all(memory.evidence is not None for memory in store_of(gw).memories.list(ADA))


@pytest.mark.requirement("SEC-002")
def test_a_credential_cannot_claim_a_source_that_is_not_its_own(gw: Groundwire):
    own = frozenset({"ai_synthesis", "conversation"})
    for source in ("user", "documentation", "adr", "commit", "manual"):
        kept = remember(gw, f"The user likes {source}.", source=source, credential="agent", allowed_sources=own)
        assert (kept.receipt.tier, kept.memory) == (REVIEW, None)
        assert kept.receipt.evidence.metadata["claimed_source"] == source
    assert {item.source for item in gw.reviews("ada").pending()} == {"ai_synthesis"}
    heard = gw.remember_conversation("User: I am a nurse.", user="ada", allowed_sources=own, now=NOW)
    assert [kept.is_stored for kept in heard.remembered] == [False]


@pytest.mark.requirement("SEC-001")
def test_the_lines_of_defence_stand_in_order_and_one_switched_off_is_on_record(repository: Path):
    said = "I think we use PostgreSQL per ADR-003."
    with open_memory() as gw:
        everything: dict[str, Any] = {"source": "ai_synthesis", "repository": str(repository), "credential": "agent"}
        assert remember(gw, said, **everything).receipt.code == "speculation"  # whatever is cited
        first = remember(gw, "Per ADR-003, we use PostgreSQL.", **everything)
        assert first.receipt.code == "verified_citation"
        assert remember(gw, "Per ADR-003, we use PostgreSQL.", **everything).receipt.code == "duplicate"
        assert remember(gw, "Per ADR-099, deploys run on Fridays.", **everything).receipt.code == "citation_not_found"
        assert remember(gw, "The office has a garden.", source="user").receipt.code == "trusted_source"
        assert remember(gw, "The office has a pool.", **everything).receipt.code == "ungrounded_assertion"
        assert _switched_off(gw) == []
    with open_memory(auto_approve_ai_synthesis=True) as gw:
        remember(gw, "I work at Google.")
        assert _switched_off(gw) == ["what a model concludes may be approved without a reviewer"]


def _switched_off(gw: Groundwire) -> list[str]:
    (entry, *_) = [e for e in store_of(gw).audit.entries(ADA) if e.action == "gate"]
    assert entry.details is not None
    return entry.details["switched_off"]


# ── said again ──────────────────────────────────────────────────────────────────────────────────


def test_what_is_said_again_confirms_and_is_no_second_memory(gw: Groundwire):
    first = remember(gw, "I work at Google.").memory
    again = remember(gw, "i work at google", 3)
    assert first is not None and again.memory is not None
    assert (again.receipt.code, again.is_confirmation, again.memory.id) == ("duplicate", True, first.id)
    assert (again.memory.mentions, again.memory.last_confirmed) == (2, at(3))
    assert (again.memory.trust, again.memory.valid_from) == (first.trust, first.valid_from)
    assert store_of(gw).memories.count(ADA) == 1
    assert store_of(gw).logs.rejections(ADA) == ()


def test_a_model_that_repeats_a_memory_confirms_nothing(gw: Groundwire):
    first = remember(gw, "I work at Google.").memory
    echoed = remember(gw, "I work at Google.", 3, source="ai_synthesis", credential="agent")
    assert (echoed.receipt.tier, echoed.memory, echoed.review_id) == (BLOCK, None, None)
    assert first is not None and store_of(gw).memories.get(ADA, first.id) == first
    assert len(store_of(gw).logs.rejections(ADA)) == 1


def test_a_claim_that_waits_already_is_not_queued_twice(gw: Groundwire):
    review_id = propose(gw, "The user speaks Dutch.")
    again = remember(gw, "The user speaks Dutch!", source="ai_synthesis", credential="agent")
    assert (again.receipt.code, again.review_id, again.memory) == ("duplicate", review_id, None)
    assert len(gw.reviews("ada").pending()) == 1


def test_what_ended_at_its_horizon_is_news_when_it_is_said_again(gw: Groundwire):
    first = remember(gw, "I am on holiday.", validity_horizon=at(7))
    later = remember(gw, "I am on holiday.", 300, validity_horizon=at(307))
    assert later.is_stored and not later.is_confirmation
    assert first.memory is not None and later.memory is not None and first.memory.id != later.memory.id


# ── changed ─────────────────────────────────────────────────────────────────────────────────────

CHANGES = [
    ("I work at Google.", "I work at Amazon now.", "employer changed"),
    ("I work at Google.", "I left Google and joined Stripe.", "employer changed"),
    ("I work at Google.", "I no longer work at Google.", "employer ended"),
    ("I live in Porto.", "I moved to Berlin.", "location changed"),
    ("My favorite color is red.", "My favorite color is now blue.", "favorite color changed"),
    ("I am married.", "I got divorced.", "marital status changed"),
]


@pytest.mark.parametrize(("old", "new", "why"), CHANGES)
def test_a_stated_change_supersedes_and_overwrites_nothing(gw: Groundwire, old: str, new: str, why: str):
    before = remember(gw, old).memory
    kept = remember(gw, new, 5)
    assert before is not None and kept.memory is not None
    (ended,) = kept.superseded
    assert (ended.id, ended.text, ended.status, ended.why) == (before.id, old, MemoryStatus.SUPERSEDED, why)
    assert (ended.valid_to, ended.superseded_by, kept.memory.supersedes) == (at(5), kept.memory.id, before.id)
    assert texts(gw.history(user="ada", memory_id=kept.memory.id)) == [old, new]


@pytest.mark.requirement("ING-012")
def test_what_merely_differs_is_kept_beside_the_old_one_and_disclosed(gw: Groundwire):
    before = remember(gw, "I work at Google.").memory
    kept = remember(gw, "I work at Amazon.", 5)
    assert before is not None and kept.memory is not None and kept.memory.evidence is not None
    assert (kept.receipt.tier, kept.superseded) == (APPROVE, ())
    assert kept.receipt.conflicting_memory_id == kept.memory.evidence.metadata["contradicts"] == before.id
    report = gw.verify("You work at Amazon.", user="ada", now=at(6))
    assert report.requires_disclosure and {d.slot_type for d in report.contradictions} == {"employer"}
    model = remember(gw, "The user works at Shell.", 7, source="ai_synthesis", credential="agent")
    assert (model.receipt.code, model.memory) == ("contradiction", None)
    assert model.receipt.conflicting_memory_id in (before.id, kept.memory.id)


def test_a_change_ends_all_that_competed(gw: Groundwire):
    for day, employer in enumerate(("Google", "Amazon")):
        remember(gw, f"I work at {employer}.", day)
    kept = remember(gw, "I just started at Stripe.", 5)
    assert sorted(texts(list(kept.superseded))) == ["I work at Amazon.", "I work at Google."]
    assert texts(gw.recall("my employer", user="ada", now=at(6))) == ["I just started at Stripe."]


def test_a_memory_that_says_more_than_what_changed_is_not_lost(gw: Groundwire):
    remember(gw, "I work at Google and live in Porto.")
    kept = remember(gw, "I moved to Berlin.", 5)
    assert kept.is_stored and kept.superseded == ()


def test_somebody_else_s_change_ends_nothing_of_the_user(gw: Groundwire):
    remember(gw, "I live in Porto.")
    assert remember(gw, "My brother moved to Berlin.", 5).superseded == ()


def test_a_statement_holds_since_the_day_it_names(gw: Groundwire):
    remember(gw, "I live in Porto.", -100)
    kept = remember(gw, "I moved to Berlin in May.")
    assert kept.memory is not None and kept.memory.valid_from is not None
    assert (kept.memory.valid_from.month, kept.superseded[0].valid_to) == (5, kept.memory.valid_from)
    impossible = remember(gw, "I moved to Oslo in April.", 1).memory
    assert impossible is not None and impossible.valid_from == at(1)  # April is before Berlin began


# ── all or nothing ──────────────────────────────────────────────────────────────────────────────

BREAKS = [
    ("audit", "record", "I work at Amazon now."),
    ("logs", "record_outcomes", "I work at Amazon now."),
    ("audit", "record", "I work at Google."),
    ("audit", "record", "I think we should use Redis."),
    ("logs", "record_rejections", "I think we should use Redis."),
]


@pytest.mark.parametrize(("part", "call", "content"), BREAKS)
def test_a_write_that_fails_half_way_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, call: str, content: str
):
    with open_memory(tmp_path / "memory.db") as gw:
        remember(gw, "I work at Google.")
        store = store_of(gw)
        before = list(store.export()), store.audit.entries(ADA), store.logs.outcomes(ADA), store.changes(ADA)

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("pulled the plug")

        monkeypatch.setattr(getattr(store, part), call, fail)
        with pytest.raises(RuntimeError, match="pulled the plug"):
            remember(gw, content, 1)
        monkeypatch.undo()
        after = list(store.export()), store.audit.entries(ADA), store.logs.outcomes(ADA), store.changes(ADA)
        assert after == before and store.logs.rejections(ADA) == () and store.check() == ()


def test_a_claim_that_somebody_else_stores_meanwhile_is_stored_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "memory.db"
    with open_memory(path) as one, open_memory(path) as other:
        remember(other, "My name is Ada.")
        rememberer = one._open_memory().rememberer  # pyright: ignore[reportPrivateUsage]
        decide, raced = rememberer._decide, list[bool]()  # pyright: ignore[reportPrivateUsage]

        def decide_slowly(*given: object) -> object:
            receipt = decide(*given)  # pyright: ignore[reportArgumentType]
            if not raced:
                raced.append(remember(other, "I work at Google.").is_stored)
            return receipt

        monkeypatch.setattr(rememberer, "_decide", decide_slowly)
        kept = remember(one, "I work at Google.", 1)
        assert raced == [True] and kept.is_confirmation
        assert texts(list(store_of(one).memories.list(ADA))).count("I work at Google.") == 1


def test_a_read_only_store_is_refused_before_the_gate_is_asked(tmp_path: Path):
    path = tmp_path / "memory.db"
    with open_memory(path) as gw:
        remember(gw, "I work at Google.")
    path.chmod(0o444)
    with open_memory(path) as gw:
        with pytest.raises(StoreReadOnly):
            remember(gw, "I live in Porto.")
        assert texts(gw.recall("my employer", user="ada", now=at(1))) == ["I work at Google."]
        report = gw.verify("You work at Google.", user="ada", now=at(1))
        assert report.grounded and report.metadata["verdict_log"] == "the store is read-only"
        with pytest.raises(StoreReadOnly):
            gw.forget("x", user="ada", reason="asked to")


def test_a_full_disk_keeps_what_was_acknowledged_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    connect = Sqlite._connect  # pyright: ignore[reportPrivateUsage]

    def connect_small(self: Sqlite) -> sqlite3.Connection:
        connection = connect(self)
        connection.execute("PRAGMA max_page_count=120")
        return connection

    monkeypatch.setattr(Sqlite, "_connect", connect_small)
    with open_memory(tmp_path / "memory.db") as gw:
        kept: list[str] = []
        with pytest.raises(StoreFull):
            for number in range(400):
                memory = remember(gw, f"The host number {number} is called db{number}. " * 8, source="manual").memory
                assert memory is not None
                kept.append(memory.id)
        assert kept and [m.id for m in store_of(gw).memories.list(ADA)] == kept
        assert store_of(gw).check() == ()
        assert gw.recall("host", user="ada", now=at(1))


@pytest.mark.requirement("OPS-018")
@pytest.mark.parametrize("broken", ["find_marked", "search"])
def test_a_store_that_does_not_answer_leads_to_review_or_refusal(
    gw: Groundwire, monkeypatch: pytest.MonkeyPatch, broken: str
):
    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailable("it is gone", "look for it")

    monkeypatch.setattr(store_of(gw).memories, broken, fail)
    kept = remember(gw, "I work at Google.")
    assert (kept.receipt.tier, kept.memory) == (REVIEW, None) and kept.receipt.code == "dedup_failed"
    monkeypatch.undo()
    assert store_of(gw).memories.count(ADA) == 0


@pytest.mark.requirement("OPS-018")
def test_a_judge_that_is_missing_or_breaks_approves_nothing(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = {"judge": "base-alone", "models_folder": str(tmp_path / "none"), "verify_claim_relevance": True}
    with open_memory(**settings) as gw:
        with pytest.raises(ModelUnavailable, match="groundwire models install base"):
            remember(gw, "Per ADR-003, we use PostgreSQL.", source="adr", repository=str(repository))
        with pytest.raises(ModelUnavailable):
            gw.remember_conversation("User: I am a nurse.", user="ada", now=NOW)
        assert store_of(gw).memories.count(ADA) == 0
    with open_memory() as gw:
        remember(gw, "I work at Google.")

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("the judge is ill")

        monkeypatch.setattr("groundwire.judge.judge.RulesJudge.judge", fail)
        kept = remember(gw, "I work at Amazon.", 1)
        assert (kept.receipt.tier, kept.memory) == (REVIEW, None)


@pytest.mark.requirement("OPS-018")
def test_an_unreachable_citation_approves_nothing(gw: Groundwire):
    kept = remember(gw, "See https://docs.example.com/api for the limits.", source="ai_synthesis", credential="agent")
    assert (kept.receipt.tier, kept.memory) == (REVIEW, None)


# ── what is refused ─────────────────────────────────────────────────────────────────────────────

NONSENSE = [
    ({"content": " "}, "content"),
    ({"content": "a\x00b"}, "content"),
    ({"content": "half \ud800"}, "content"),
    ({"content": "x" * 8_193}, "content"),
    ({"user": " "}, "user"),
    ({"tenant": ""}, "tenant"),
    ({"credential": ""}, "credential"),
    ({"now": NOW.replace(tzinfo=None)}, "now"),
    ({"valid_from": NOW.replace(tzinfo=None)}, "valid_from"),
    ({"metadata": {"much": "x" * 20_000}}, "metadata"),
]


@pytest.mark.parametrize(("wrong", "field"), NONSENSE)
def test_what_no_memory_can_be_is_refused_and_leaves_nothing(gw: Groundwire, wrong: dict[str, object], field: str):
    given: dict[str, object] = {"content": "I work at Google.", "user": "ada", "now": NOW, **wrong}
    with pytest.raises(InvalidInput) as refused:
        gw.remember(**given)  # pyright: ignore[reportArgumentType]
    assert refused.value.field == field
    assert list(store_of(gw).export()) == [] and store_of(gw).audit.entries(ADA) == ()


def test_owners_and_tenants_never_meet(gw: Groundwire):
    remember(gw, "I work at Google.")
    assert remember(gw, "I work at Google.", user="bob").is_confirmation is False
    assert remember(gw, "I work at Amazon now.", user="bob", tenant="other").superseded == ()
    assert gw.recall("employer", user="bob", tenant="third", now=at(1)) == []
    assert gw.history(user="carl") == []
    assert store_of(gw).memories.count(Scope("bob", "other")) == 1


def test_a_store_of_no_known_kind_is_explained():
    with open_memory() as gw:
        gw._place = "redis://ann:hunter2@db/memory"  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(StoreUnavailable, match="name a file") as refused:
            remember(gw, "I work at Google.")
        assert "hunter2" not in str(refused.value)


def test_nothing_is_opened_before_it_is_needed(tmp_path: Path):
    path = tmp_path / "memory.db"
    with open_memory(path) as gw:
        gw.verify("You work at Bosch.", memories=["I work at Bosch."])
        assert not path.exists()
        remember(gw, "I work at Google.")
    assert path.exists()
    with open_memory(path) as gw:
        assert texts(gw.recall("employer", user="ada", now=at(1))) == ["I work at Google."]


def test_the_gate_decides_over_the_store_and_writes_nothing(gw: Groundwire):
    from groundwire.memory.checks import Candidate

    stored = remember(gw, "I work at Google.").memory
    changes = store_of(gw).changes()
    receipt = gw.gate(Candidate("I work at Google.", "fact", "user", "ada"), now=at(1))
    assert stored is not None and (receipt.code, receipt.conflicting_memory_id) == ("duplicate", stored.id)
    assert gw.gate(Candidate("I work at Google.", "fact", "user", "ada"), existing=(), now=at(1)).approved
    assert gw.gate(Candidate("I work at Google.", "fact", "user", "bob"), now=at(1)).approved
    assert store_of(gw).changes() == changes
