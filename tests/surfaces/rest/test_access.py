"""Every operation × role × somebody else's user or tenant: refused where it should be, and nothing is let out."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from service_samples import ALL, SECRET, Desk, fill, open_desk, problem

from groundwire.types.access import Issued, Role

READ, PROPOSE, REVIEW, ADMIN = Role.READ, Role.PROPOSE, Role.REVIEW, Role.ADMIN


@dataclass(frozen=True)
class Row:
    """One operation: what to send (for ada), and the roles of which any one suffices."""

    method: str
    path: str
    roles: frozenset[Role]
    body: dict[str, Any] | None = None
    params: tuple[tuple[str, str], ...] = ()

    @property
    def names_user_in_body(self) -> bool:
        return self.body is not None


def row(method: str, path: str, *roles: Role, body: dict[str, Any] | None = None, **params: str) -> Row:
    return Row(method, path, frozenset(roles), body, tuple(params.items()))


TURNS = [{"speaker": "user", "text": "I love ramen."}]
KNOWN = {"entities": [{"name": "Paris", "type": "city", "attributes": {"country": "France"}}]}
TABLE = (
    row("POST", "/v1/memories", PROPOSE, body={"content": "I have a cat.", "source": "user"}),
    row("POST", "/v1/conversations", PROPOSE, body={"turns": TURNS}),
    row("GET", "/v1/memories", READ),
    row("GET", "/v1/memories/{memory_id}", READ),
    row("GET", "/v1/memories/{memory_id}/history", READ),
    row("DELETE", "/v1/memories/{memory_id}", REVIEW, ADMIN, reason="asked to"),
    row("POST", "/v1/search", READ, body={"query": "where do I live"}),
    row("POST", "/v1/verify", READ, body={"text": "You live in Paris."}),
    row("POST", "/v1/judge", READ, body={"claim": "You live in Paris."}),
    row("POST", "/v1/detect", READ, PROPOSE, body={"response": "Paris is in Spain.", "knowledge": KNOWN}),
    row("POST", "/v1/gate", PROPOSE, body={"content": "I have a cat.", "source": "user"}),
    row("POST", "/v1/extract", PROPOSE, body={"turns": TURNS}),
    row("GET", "/v1/reviews", REVIEW),
    row("GET", "/v1/reviews/{review_id}", REVIEW),
    row("POST", "/v1/reviews/{review_id}/approve", REVIEW, body={}),
    row("POST", "/v1/reviews/{review_id}/edit", REVIEW, body={"content": "The office uses PostgreSQL 16."}),
    row("POST", "/v1/reviews/{review_id}/reject", REVIEW, body={"reason": "never said so"}),
    row("GET", "/v1/contradictions", READ),
    row("GET", "/v1/rejections", READ),
    row("GET", "/v1/rejections/summary", READ),
    row("GET", "/v1/verdicts", READ),
    row("GET", "/v1/audit", REVIEW, ADMIN),
    row("GET", "/v1/users", REVIEW, ADMIN),
    row("POST", "/v1/sessions", PROPOSE, body={"id": "chat-9"}),
    row("GET", "/v1/sessions", READ),
    row("GET", "/v1/sessions/{session_id}", READ),
    row("POST", "/v1/sessions/{session_id}/end", PROPOSE, body={}),
    row("GET", "/v1/values", READ),
    row("PUT", "/v1/values", PROPOSE, body={"values": {"/a": 1}}),
)
BY_NAME = {f"{r.method} {r.path}": r for r in TABLE}
WITHOUT_USER = {"POST /v1/extract", "GET /v1/users"}
"""These are about nobody in particular."""


@dataclass(frozen=True)
class House:
    desk: Desk
    ids: dict[str, str]

    def send(self, one: Row, key: Issued | None, *, of: str = "ada default", **named: str) -> Any:
        """The operation on something of `of`; `named` are the user and tenant that the request itself names."""
        path = one.path
        for what in ("memory", "review", "session"):
            path = path.replace(f"{{{what}_id}}", self.ids[f"{what} {of}"])
        if one.body is not None:
            return self.desk.call(one.method, path, key, params=dict(one.params), json={**one.body, **named})
        return self.desk.call(one.method, path, key, params=dict(one.params) | named)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A store that is filled once and copied for every test."""
    path = tmp_path_factory.mktemp("filled") / "memory.db"
    with open_desk(path) as desk:
        return path, fill(desk.gw)


@pytest.fixture
def house(filled: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[House]:
    path, ids = filled
    with open_desk(Path(shutil.copy(path, tmp_path))) as desk:
        yield House(desk, ids)


def test_the_table_has_every_operation(house: House):
    document = house.desk.client.get("/openapi.json").json()
    operations = {f"{m.upper()} {path}" for path, methods in document["paths"].items() for m in methods}
    assert operations - {"GET /healthz", "GET /readyz", "GET /metrics"} == set(BY_NAME)


@pytest.mark.requirement("SEC-017")
@pytest.mark.parametrize("name", BY_NAME)
def test_each_role_opens_what_it_should_and_nothing_else(house: House, name: str):
    one = BY_NAME[name]
    for role in Role:
        response = house.send(one, house.desk.key(role))
        if role in one.roles:
            assert response.status_code not in (401, 403), (role, response.text)
        else:
            assert problem(response)["title"] == "Not permitted", role
            assert "role" in problem(response)["detail"]


@pytest.mark.parametrize("name", BY_NAME)
def test_without_a_key_that_holds_nothing_opens(house: House, name: str):
    one, keyring = BY_NAME[name], house.desk.gw.keys()
    revoked, good = house.desk.key(), house.desk.key()
    keyring.revoke(revoked.credential.id)
    wrong = good._replace(token=good.token[:-1] + ("0" if good.token[-1] != "0" else "1"))
    mixed = good._replace(token=f"{good.token[:20]}_{house.desk.key().token[21:]}")
    answers = [house.send(one, key) for key in (None, revoked, wrong, mixed, good._replace(token="gwk_x"))]
    assert [answer.status_code for answer in answers] == [401] * 5
    assert {answer.headers["www-authenticate"] for answer in answers} == {"Bearer"}
    assert len({problem(answer)["detail"] for answer in answers[1:]}) == 1, "which way it is wrong is not told"


@pytest.mark.requirement("SEC-003")
@pytest.mark.parametrize("name", [name for name in BY_NAME if name not in WITHOUT_USER])
def test_a_request_that_names_somebody_else_is_refused(house: House, name: str):
    """A key of one owner, with every role; whom a request names only ever narrows that."""
    one, key = BY_NAME[name], house.desk.key(*ALL)
    answers = [house.send(one, key, of="bob default", user="bob")]
    if one.body is not None:
        answers.append(house.send(one, key, of="ada other", tenant="other"))
        answers.append(house.send(one, key, of="bob default", user="bob", tenant="default"))
    for answer in answers:
        assert answer.status_code == 403, answer.text
        assert SECRET not in answer.text


@pytest.mark.requirement("SEC-003")
@pytest.mark.parametrize("name", BY_NAME)
def test_what_belongs_to_others_is_as_unknown_as_what_never_was(house: House, name: str):
    """Ids of bob's and of the other tenant's things, asked for with keys that do not cover them."""
    one = BY_NAME[name]
    own, everybody = house.desk.key(*ALL), house.desk.key(*ALL, owner=None)
    for key, of in ((own, "bob default"), (own, "ada other"), (everybody, "ada other")):
        named = {"user": "ada"} if key is everybody and name not in WITHOUT_USER else {}
        answer = house.send(one, key, of=of, **named)
        if "_id}" in one.path:
            assert answer.status_code == 404, answer.text
        if not (name == "GET /v1/users" and key is everybody):
            assert SECRET not in answer.text
    assert house.desk.gw.ledger("bob").memory(house.ids["memory bob default"]).text.endswith(f"{SECRET}.")
    assert len(house.desk.gw.reviews("bob").pending()) == 1


def test_a_key_for_everybody_has_to_say_who_is_meant(house: House):
    key = house.desk.key(*ALL, owner=None)
    assert problem(house.desk.get("/v1/memories", key))["errors"][0]["field"] == "user"
    assert SECRET in house.desk.get("/v1/memories", key, params={"user": "bob"}).text
    assert problem(house.desk.get("/v1/memories", key, params={"user": "bob "}))["status"] == 422


def test_a_key_is_taken_from_either_header_and_from_nowhere_else(house: House):
    token = house.desk.key(READ).token
    client = house.desk.client
    assert client.get("/v1/memories", headers={"X-API-Key": token}).status_code == 200
    assert client.get("/v1/memories", headers={"Authorization": f"bearer  {token} "}).status_code == 200
    assert client.get("/v1/memories", params={"token": token, "api_key": token}).status_code == 401
    assert client.get("/v1/memories", headers={"Authorization": f"Basic {token}"}).status_code == 401
    assert client.get("/v1/memories", headers={"Authorization": token}).status_code == 401
    assert client.get("/v1/nowhere").status_code == 401, "what there is under /v1 is for those with a key"


@pytest.mark.requirement("SEC-017", "REV-005")
def test_the_key_that_proposed_an_item_never_decides_on_it(house: House):
    desk = house.desk
    everything, other = desk.key(*ALL, sources=["ai_synthesis"]), desk.key(REVIEW)
    claim = {"content": "The team uses Rust 1.80.", "source": "ai_synthesis"}
    review = desk.post("/v1/memories", everything, claim).json()["review_id"]
    for verb, body in (("approve", {}), ("edit", {"content": "The team uses Rust."}), ("reject", {"reason": "no"})):
        refused = desk.post(f"/v1/reviews/{review}/{verb}", everything, body)
        assert problem(refused)["detail"] == "the credential that proposed a memory cannot decide on it"
    assert desk.post(f"/v1/reviews/{review}/approve", other, {}).json()["stored"] is True
    trail = [(e.actor, e.outcome) for e in desk.gw.ledger("ada").audit(target=review).items if e.action == "approve"]
    assert trail == [("ada", "ok"), ("ada", "refused: NotPermitted"), ("ada", "refused: NotPermitted")]


@pytest.mark.requirement("SEC-002")
def test_a_source_that_the_key_may_not_claim_is_taken_for_the_models_words(house: House):
    desk = house.desk
    agent = desk.key(PROPOSE, sources=["ai_synthesis"])
    person = desk.key(PROPOSE, sources=["user"])
    body = {"content": "I have a parrot.", "source": "user"}
    waits = desk.post("/v1/memories", agent, body)
    assert waits.status_code == 202
    assert any("source_not_permitted" in entry for entry in waits.json()["checks_failed"])
    assert desk.post("/v1/gate", agent, body).json()["tier"] != "auto_approve"
    assert desk.post("/v1/memories", person, {**body, "content": "I have a canary."}).status_code == 201


@pytest.mark.requirement("SEC-002")
def test_a_conversation_is_nobodys_word_without_its_turns(house: House):
    desk = house.desk
    key = desk.key(PROPOSE, sources=["conversation"])
    body = {"content": "I prefer tabs over spaces.", "source": "conversation", "memory_type": "preference"}
    assert desk.post("/v1/memories", key, body).status_code == 202
    said = {**body, "content": "I prefer tea.", "turns": [{"speaker": "user", "text": "I prefer tea."}]}
    assert desk.post("/v1/memories", key, said).status_code == 201


def test_detecting_about_somebody_needs_the_role_that_may_queue(house: House):
    about = {"response": "You live in Paris.", "user": "ada"}
    assert house.desk.post("/v1/detect", house.desk.key(READ), about).status_code == 403
    assert house.desk.post("/v1/detect", house.desk.key(PROPOSE), about).status_code == 200


@pytest.mark.requirement("SEC-008")
def test_nobody_names_a_folder_of_the_server(house: House):
    key = house.desk.key(*ALL)
    body = {"content": "Per ADR-1, we use Rust.", "source": "adr", "repository": "/etc"}
    for path in ("/v1/memories", "/v1/gate"):
        assert problem(house.desk.post(path, key, body))["errors"][0]["field"] == "repository"
