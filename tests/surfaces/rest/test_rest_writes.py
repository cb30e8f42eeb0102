"""Writes over the network: receipts, idempotency keys, versions, decisions, forgetting."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from service_samples import Desk, open_desk, problem

from groundwire import Groundwire
from groundwire.types.access import Role

SAID = {"content": "I live in Berlin.", "source": "user"}
CLAIMED = {"content": "The service uses PostgreSQL 15.", "source": "ai_synthesis"}


def test_a_claim_is_answered_with_its_receipt(desk: Desk):
    key = desk.key()
    stored = desk.post("/v1/memories", key, SAID)
    assert stored.status_code == 201
    assert stored.headers["location"] == f"/v1/memories/{stored.json()['memory_id']}"
    assert stored.json()["tier"] == "auto_approve"
    again = desk.post("/v1/memories", key, SAID)
    assert (again.status_code, again.json()["confirmed"]) == (200, True)
    waits = desk.post("/v1/memories", key, CLAIMED)
    assert (waits.status_code, waits.json()["tier"]) == (202, "flag_review")
    refused = desk.post("/v1/memories", key, {"content": "I think it may rain.", "source": "ai_synthesis"})
    assert (refused.status_code, refused.json()["tier"], refused.json()["stored"]) == (200, "block", False)


def test_a_newer_statement_supersedes_and_the_history_tells(desk: Desk):
    key = desk.key()
    first = desk.post("/v1/memories", key, SAID).json()["memory_id"]
    second = desk.post("/v1/memories", key, {"content": "I moved to Porto.", "source": "user"}).json()
    assert [old["id"] for old in second["superseded"]] == [first]
    told = desk.get(f"/v1/memories/{second['memory_id']}/history", key).json()["history"]
    assert [entry["text"] for entry in told] == ["I live in Berlin.", "I moved to Porto."]


# ── idempotency ─────────────────────────────────────────────────────────────────────────────────


def test_a_request_that_arrives_twice_is_carried_out_once(desk: Desk):
    key = desk.key()
    first = desk.post("/v1/memories", key, CLAIMED, Idempotency_Key="one")
    again = desk.post("/v1/memories", key, CLAIMED, Idempotency_Key="one")
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.content == again.content
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert len(desk.gw.reviews("ada").pending()) == 1


def test_another_request_under_the_same_key_is_a_conflict(desk: Desk):
    key = desk.key()
    desk.post("/v1/memories", key, CLAIMED, Idempotency_Key="one")
    other = desk.post("/v1/memories", key, SAID, Idempotency_Key="one")
    assert problem(other)["status"] == 409
    elsewhere = desk.post("/v1/sessions", key, {"id": "s"}, Idempotency_Key="one")
    assert problem(elsewhere)["status"] == 409
    assert desk.gw.ledger("ada").memories().items == ()


def test_keys_of_different_callers_do_not_meet(desk: Desk):
    ada, bob = desk.key(), desk.key(owner="bob")
    assert desk.post("/v1/memories", ada, SAID, Idempotency_Key="one").status_code == 201
    theirs = desk.post("/v1/memories", bob, SAID, Idempotency_Key="one")
    assert theirs.status_code == 201
    assert "idempotency-replayed" not in theirs.headers


def test_what_failed_is_not_kept_and_may_be_tried_again(desk: Desk):
    key = desk.key()
    unknown = desk.post("/v1/reviews/nothing/approve", key, {}, Idempotency_Key="one")
    assert unknown.status_code == 404
    assert desk.post("/v1/memories", key, SAID, Idempotency_Key="one").status_code == 201


@pytest.mark.parametrize("bad", ["", "x" * 256, "with space", "tab\t"])
def test_an_idempotency_key_has_a_form(desk: Desk, bad: str):
    answer = desk.post("/v1/memories", desk.key(), SAID, Idempotency_Key=bad)
    assert problem(answer)["errors"][0]["field"] == "Idempotency-Key"


def test_many_at_once_under_one_key_are_one(tmp_path: Path):
    with open_desk(tmp_path / "memory.db") as desk, ThreadPoolExecutor(8) as pool:
        key = desk.key()
        sent = [pool.submit(desk.post, "/v1/memories", key, CLAIMED, Idempotency_Key="one") for _ in range(8)]
        answers = [one.result() for one in sent]
        assert {answer.status_code for answer in answers} == {202}
        assert len({answer.content for answer in answers}) == 1
        assert len(desk.gw.reviews("ada").pending()) == 1


def test_answers_outlive_the_process(tmp_path: Path):
    path = tmp_path / "memory.db"
    with open_desk(path) as desk:
        key = desk.key()
        first = desk.post("/v1/memories", key, SAID, Idempotency_Key="one")
    with open_desk(path) as desk:
        again = desk.post("/v1/memories", key, SAID, Idempotency_Key="one")
    assert again.content == first.content


def test_forgetting_erases_kept_answers_and_nothing_is_carried_out_again(desk: Desk, tmp_path: Path):
    key = desk.key()
    secret = {"content": "My favourite colour is chartreuse.", "source": "user"}
    id = desk.post("/v1/memories", key, secret, Idempotency_Key="one").json()["memory_id"]
    gone = desk.call("DELETE", f"/v1/memories/{id}", key, params={"reason": "asked to"})
    assert gone.json()["purged"] is True
    replayed = desk.post("/v1/memories", key, secret, Idempotency_Key="one")
    assert problem(replayed)["status"] == 409
    assert "erased" in problem(replayed)["detail"]
    assert desk.gw.ledger("ada").memories().items == ()
    desk.gw.close()
    assert all(b"chartreuse" not in file.read_bytes() for file in tmp_path.glob("memory.db*"))


# ── versions ────────────────────────────────────────────────────────────────────────────────────


def test_a_memory_has_a_version_that_changes_with_it(desk: Desk):
    key = desk.key()
    id = desk.post("/v1/memories", key, SAID).json()["memory_id"]
    first = desk.get(f"/v1/memories/{id}", key)
    etag = first.headers["etag"]
    unchanged = desk.get(f"/v1/memories/{id}", key, headers={"If-None-Match": f'"x", W/{etag}'})
    assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", etag)
    desk.post("/v1/memories", key, SAID)  # said again: one more mention
    changed = desk.get(f"/v1/memories/{id}", key, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != etag


@pytest.mark.parametrize("key_header", [{}, {"Idempotency-Key": "one"}])
def test_forgetting_with_a_version_spares_what_has_changed(desk: Desk, key_header: dict[str, str]):
    key = desk.key()
    id = desk.post("/v1/memories", key, SAID).json()["memory_id"]
    path, params = f"/v1/memories/{id}", {"reason": "asked to"}
    etag = desk.get(path, key).headers["etag"]
    desk.post("/v1/memories", key, SAID)
    stale = desk.call("DELETE", path, key, params=params, headers={"If-Match": etag, **key_header})
    assert problem(stale)["status"] == 412
    fresh = desk.get(path, key).headers["etag"]
    gone = desk.call("DELETE", path, key, params=params, headers={"If-Match": fresh, **key_header})
    assert gone.status_code == 200
    assert [stone["id"] for stone in gone.json()["forgotten"]] == [id]
    assert gone.json()["purged"] is True
    assert desk.get(path, key).status_code == 404


def test_forgetting_needs_a_reason(desk: Desk):
    key = desk.key()
    id = desk.post("/v1/memories", key, SAID).json()["memory_id"]
    assert problem(desk.call("DELETE", f"/v1/memories/{id}", key))["errors"][0]["field"] == "reason"
    blank = desk.call("DELETE", f"/v1/memories/{id}", key, params={"reason": " "})
    assert problem(blank)["status"] == 422


# ── decisions ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("REV-004", "REV-009", "REV-012")
def test_a_reviewer_lists_looks_and_decides(desk: Desk):
    agent = desk.key(Role.PROPOSE, sources=["ai_synthesis"])
    reviewer = desk.key(Role.REVIEW, owner=None, name="desk")
    who = {"user": "ada"}
    claims = [f"The service uses {thing}." for thing in ("PostgreSQL 15", "Redis 7", "nginx 1.27")]
    ids = [desk.post("/v1/memories", agent, {**CLAIMED, "content": c}).json()["review_id"] for c in claims]
    listed = desk.get("/v1/reviews", reviewer, params=who).json()["pending"]
    assert [item["review_id"] for item in listed] == ids
    assert desk.get(f"/v1/reviews/{ids[0]}", reviewer, params=who).json()["proposer"] == agent.credential.id
    approved = desk.post(f"/v1/reviews/{ids[0]}/approve", reviewer, who).json()
    assert approved["memory"]["text"] == claims[0]
    edited = desk.post(f"/v1/reviews/{ids[1]}/edit", reviewer, {**who, "content": "The service uses Redis 8."}).json()
    assert edited["memory"]["evidence"]["metadata"]["original"] == claims[1]
    rejected = desk.post(f"/v1/reviews/{ids[2]}/reject", reviewer, {**who, "reason": "never said so"}).json()
    assert (rejected["state"], rejected["reason"]) == ("rejected", "never said so")
    name = f"desk [{reviewer.credential.id}]"
    assert rejected["decided_by"] == name
    twice = desk.post(f"/v1/reviews/{ids[2]}/approve", reviewer, who)
    assert problem(twice)["status"] == 409
    trail = desk.get("/v1/audit", reviewer, params=who).json()["audit"]
    done = [entry["action"] for entry in trail if entry["actor"] == name and entry["outcome"] == "ok"]
    assert [action for action in done if action != "add"] == ["reject", "approve", "approve", "view", "view"]


def test_sessions_and_values_are_kept(desk: Desk):
    key = desk.key()
    begun = desk.post("/v1/sessions", key, {"metadata": {"channel": "web"}})
    assert begun.status_code == 201
    path = f"/v1/sessions/{begun.json()['id']}"
    assert desk.get(path, key).json()["ended_at"] is None
    ended = desk.post(f"{path}/end", key, {}).json()["ended_at"]
    assert desk.post(f"{path}/end", key, {}).json()["ended_at"] == ended
    assert problem(desk.post("/v1/sessions", key, {"id": begun.json()["id"]}))["status"] == 422
    values = {"/a/1": {"deep": [1, None]}, "/a_2": "x", "/a%": 0}
    assert desk.call("PUT", "/v1/values", key, json={"values": values}).status_code == 200
    assert desk.get("/v1/values", key, params={"prefix": "/a/"}).json()["values"] == {"/a/1": {"deep": [1, None]}}
    assert desk.get("/v1/values", key).json()["values"] == values


def test_what_a_write_acknowledged_is_there_after_the_end(tmp_path: Path):
    """A call that outlives its request is finished before the store is closed."""
    path, entered, leave = tmp_path / "memory.db", threading.Event(), threading.Event()
    with open_desk(path, serve_seconds=0.5) as desk:
        key = desk.introduce(desk.key())
        _slow_down(desk.gw, entered, leave)
        late = desk.post("/v1/memories", key, SAID, Idempotency_Key="one")
        assert problem(late)["status"] == 504
        assert entered.is_set()
        leave.set()
    with open_desk(path) as desk:
        again = desk.post("/v1/memories", key, SAID, Idempotency_Key="one")
        assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")
        assert len(desk.gw.ledger("ada").memories().items) == 1


def _slow_down(gw: Groundwire, entered: threading.Event, leave: threading.Event) -> None:
    remember = gw.remember

    def wait(*given: Any, **named: Any) -> Any:
        entered.set()
        leave.wait(30)
        return remember(*given, **named)

    gw.remember = wait  # type: ignore[method-assign]
