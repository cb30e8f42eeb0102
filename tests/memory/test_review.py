"""Review: nothing doubtful enters without a person, nobody approves what they proposed, everything is on record."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire import Groundwire
from groundwire.errors import IllegalChange, InvalidInput, NotFound, NotPermitted, QueueFull, RejectionError
from groundwire.memory.candidates import Turn
from groundwire.memory.receipts import IngestionTier
from groundwire.memory.review import ReviewQueue
from groundwire.memory.stored import marks_of
from groundwire.types import Confidence, EvidenceObject, Memory, MemoryStatus, Scope
from groundwire.types.records import Act, PendingMemory, ReviewState
from remembered import ADA, NOW, at, audit_of, open_memory, propose, remember, store_of, texts


@pytest.fixture
def gw() -> Iterator[Groundwire]:
    with open_memory() as opened:
        yield opened


CONFIDENT = [
    "The API returns JSON for REST responses.",
    "OAuth2 is the authentication mechanism.",
    "The service uses PostgreSQL 15.",
    "The user was born in Lyon.",
]


@pytest.mark.requirement("REV-013")
@pytest.mark.parametrize("content", CONFIDENT)
@pytest.mark.parametrize("source", ["ai_synthesis", "conversation", "chat", "somebody"])
def test_a_confident_assertion_without_grounding_always_waits_for_a_person(gw: Groundwire, content: str, source: str):
    kept = remember(gw, content, source=source, credential="agent")
    assert (kept.receipt.tier, kept.memory) == (IngestionTier.FLAG_REVIEW, None)
    (item,) = gw.reviews("ada").pending()
    assert (item.queue_id, item.content, item.source, item.proposer) == (kept.review_id, content, source, "agent")
    assert item.validation_result["code"] == kept.receipt.code
    assert gw.recall(content, user="ada", now=NOW) == []


def test_an_approved_item_is_stored_with_its_reviewer_and_the_trust_of_a_review(gw: Groundwire):
    review_id = propose(gw, "The service uses PostgreSQL 15.")
    kept = gw.reviews("ada").approve(review_id, credential="console", now=at(1))
    assert kept.memory is not None and kept.memory.evidence is not None
    assert (kept.memory.trust, kept.memory.valid_from, kept.receipt.code) == (0.85, at(1), "approved_by_reviewer")
    noted = kept.memory.evidence.metadata
    assert (noted["reviewer"], noted["proposer"], noted["queue_id"]) == ("ada", "agent", review_id)
    assert "without grounding" in noted["reason"]
    assert gw.reviews("ada").pending() == ()
    assert texts(gw.recall("PostgreSQL", user="ada", now=at(2))) == ["The service uses PostgreSQL 15."]


@pytest.mark.requirement("REV-011")
def test_a_duplicate_that_came_meanwhile_is_reported_and_not_stored(gw: Groundwire):
    review_id = propose(gw, "The user lives in Porto.")
    other = propose(gw, "The user speaks Dutch.")
    memory = Memory("m2", "The user lives in Porto.", owner="ada")
    store_of(gw).memories.add(memory, Act("ada", NOW), fingerprints=marks_of(memory.text))
    with pytest.raises(RejectionError, match="Duplicate of the existing memory m2"):
        gw.reviews("ada").approve(review_id, now=at(1))
    (item, _) = gw.reviews("ada").pending()
    assert (item.queue_id, item.error, item.state) == (review_id, "RejectionError", ReviewState.PENDING)
    assert store_of(gw).memories.count(ADA) == 1
    assert gw.reviews("ada").approve(other, now=at(1)).memory is not None


@pytest.mark.requirement("REV-011")
def test_a_contradiction_that_came_meanwhile_is_reported_with_the_approval(gw: Groundwire):
    review_id = propose(gw, "The user works at Amazon.")
    stored = remember(gw, "I work at Google.").memory
    assert stored is not None
    kept = gw.reviews("ada").approve(review_id, now=at(1))
    assert kept.receipt.conflicting_memory_id == stored.id
    assert kept.memory is not None and kept.memory.evidence is not None
    assert kept.memory.evidence.metadata["contradicts"] == stored.id
    current = store_of(gw).memories.get(ADA, stored.id)
    assert current is not None and current.status is MemoryStatus.ACTIVE


def test_a_reviewer_may_say_what_an_approval_replaces(gw: Groundwire):
    stored = remember(gw, "I work at Google.").memory
    assert stored is not None
    review_id = propose(gw, "The user works at Amazon.")
    kept = gw.reviews("ada").approve(review_id, replaces=[stored.id], now=at(1))
    assert [(old.id, old.status, old.why) for old in kept.superseded] == [
        (stored.id, MemoryStatus.SUPERSEDED, "replaced by a reviewer")
    ]


def test_what_has_ended_since_is_not_replaced_again(gw: Groundwire):
    stored = remember(gw, "I work at Google.").memory
    review_id = propose(gw, "The user works at Amazon.")
    later = remember(gw, "I now work at Globex.").memory
    assert stored is not None and later is not None
    kept = gw.reviews("ada").approve(review_id, replaces=[stored.id], now=at(1))
    assert kept.memory is not None and kept.superseded == ()
    assert [memory.superseded_by for memory in (store_of(gw).memories.get(ADA, stored.id),) if memory] == [later.id]


def test_a_store_that_does_not_answer_approves_nothing(gw: Groundwire, monkeypatch: pytest.MonkeyPatch):
    review_id = propose(gw, "The user speaks Dutch.")

    def fail(*_: object, **__: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(store_of(gw).memories, "find_marked", fail)
    with pytest.raises(RejectionError, match="dedup_failed"):
        gw.reviews("ada").approve(review_id, now=at(1))
    monkeypatch.undo()
    assert [item.queue_id for item in gw.reviews("ada").pending()] == [review_id]


@pytest.mark.requirement("REV-012")
def test_an_edited_text_is_stored_with_the_original_and_the_editor(gw: Groundwire):
    review_id = propose(gw, "The service uses PostgreSQL 15.")
    kept = gw.reviews("ada").edit(review_id, content="The service uses PostgreSQL 16.", now=at(1))
    assert kept.memory is not None and kept.memory.evidence is not None
    assert kept.memory.text == kept.memory.evidence.claim == "The service uses PostgreSQL 16."
    noted = kept.memory.evidence.metadata
    assert (noted["original"], noted["editor"]) == ("The service uses PostgreSQL 15.", "ada")


@pytest.mark.requirement("REV-012")
def test_hedge_rules_hold_for_an_edited_text(gw: Groundwire):
    review_id = propose(gw, "The service uses PostgreSQL 15.")
    with pytest.raises(RejectionError, match="speculation"):
        gw.reviews("ada").edit(review_id, content="I think the service uses PostgreSQL.", now=at(1))
    (item,) = gw.reviews("ada").pending()
    assert (item.content, item.edited) == ("The service uses PostgreSQL 15.", None)
    assert store_of(gw).memories.count(ADA) == 0


@pytest.mark.requirement("REV-004", "REV-005", "REV-009")
def test_neither_the_proposing_credential_nor_a_stranger_decides(gw: Groundwire):
    review_id = propose(gw, "The user speaks Dutch.")
    queue = gw.reviews("ada")
    with pytest.raises(NotPermitted, match="proposed"):
        queue.approve(review_id, credential="agent")
    with pytest.raises(NotPermitted, match="no reviewer"):
        queue.approve(review_id, reviewer="bob")
    with pytest.raises(NotPermitted):
        queue.pending(reviewer="bob")
    with pytest.raises(InvalidInput, match="reason"):
        queue.reject(review_id, reason=" ")
    rejected = gw.reviews("ada", reviewers=["grace"]).reject(review_id, reason="not so", reviewer="grace")
    assert (rejected.state, rejected.decided_by) == (ReviewState.REJECTED, "grace")
    with pytest.raises(IllegalChange):
        queue.approve(review_id)
    assert [(actor, outcome) for actor, _, outcome in audit_of(gw, "approve")] == [
        ("ada", "refused: NotPermitted"),
        ("bob", "refused: NotPermitted"),
        ("ada", "refused: IllegalChange"),
    ]
    assert ("bob", "", "refused: NotPermitted") in audit_of(gw, "view")
    assert audit_of(gw, "reject") == [("grace", review_id, "ok")]
    assert store_of(gw).memories.count(ADA) == 0


@pytest.mark.requirement("REV-006", "SEC-003")
def test_somebody_else_s_item_is_as_unknown_as_none(gw: Groundwire):
    review_id = propose(gw, "The user speaks Dutch.")
    for queue in (gw.reviews("bob"), gw.reviews("ada", "other tenant")):
        assert queue.pending() == ()
        for call in (lambda q=queue: q.show(review_id), lambda q=queue: q.approve(review_id)):
            with pytest.raises(NotFound) as foreign:
                call()
            assert str(foreign.value) == f"there is no item for review {review_id!r} here"
    with pytest.raises(InvalidInput, match="user"):
        gw.reviews()


def test_an_item_is_shown_with_its_source_its_neighbours_and_the_difference(gw: Groundwire):
    stored = remember(gw, "I work at Google.").memory
    assert stored is not None
    turns = [Turn("user", "Hello! I work at Amazon."), Turn("assistant", "Noted.")]
    gw.remember_conversation(turns, user="ada", now=at(1))
    (item,) = gw.reviews("ada").pending()
    view = gw.reviews("ada").show(item.queue_id, now=at(1))
    (quote,) = view.quotes
    assert turns[quote.turn].text[quote.span.start : quote.span.end] == quote.text == "I work at Amazon."
    assert view.conflict == stored
    assert [near.memory.id for near in view.nearest] == [stored.id]
    assert view.diff == ("  I", "  work", "  at", "- Google.", "+ Amazon")


def test_bulk_previews_without_changing_anything_and_then_decides_each_by_itself(gw: Groundwire):
    dutch, piano, own = (
        propose(gw, "The user speaks Dutch."),
        propose(gw, "The user plays the piano."),
        propose(gw, "The user owns a boat.", credential="reviewer"),
    )
    queue, wanted = gw.reviews("ada"), [dutch, piano, own, "nonsense"]
    preview = queue.bulk(wanted, "approve")
    assert (preview.is_preview, [entry.is_done for entry in preview.entries]) == (True, [True, True, False, False])
    assert len(queue.pending()) == 3 and store_of(gw).memories.count(ADA) == 0
    done = queue.bulk(wanted, "approve", preview=False, now=at(1))
    assert [entry.error for entry in done.entries] == [entry.error for entry in preview.entries]
    assert [entry.memory_id is not None for entry in done.entries] == [True, True, False, False]
    assert [item.queue_id for item in queue.pending()] == [own]
    again = queue.bulk([dutch, own], "reject", reason="no", credential="console", preview=False)
    assert [entry.is_done for entry in again.entries] == [False, True]
    with pytest.raises(InvalidInput, match="reason"):
        queue.bulk([own], "reject")
    with pytest.raises(InvalidInput, match="action"):
        queue.bulk([own], "burn")


@pytest.mark.requirement("REV-008")
def test_many_approvals_of_one_item_store_it_once(tmp_path: Path):
    with open_memory(tmp_path / "memory.db") as gw:
        review_id = propose(gw, "The user speaks Dutch.")
        outcomes: list[str] = []
        ready = threading.Barrier(6)

        def approve() -> None:
            ready.wait()
            try:
                gw.reviews("ada").approve(review_id, now=at(1))
                outcomes.append("stored")
            except IllegalChange:
                outcomes.append("too late")

        threads = [threading.Thread(target=approve) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["stored", *["too late"] * 5]
        assert store_of(gw).memories.count(ADA) == 1


def test_an_approval_that_dies_half_way_leaves_the_item_and_nothing_else(
    gw: Groundwire, monkeypatch: pytest.MonkeyPatch
):
    review_id = propose(gw, "The user speaks Dutch.")
    reviews = store_of(gw).reviews

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("groundwire.store.reviews.replace", die)
    with pytest.raises(KeyboardInterrupt):
        gw.reviews("ada").approve(review_id, now=at(1))
    monkeypatch.undo()
    assert [item.queue_id for item in reviews.pending(ADA, Act("ada", NOW))] == [review_id]
    assert store_of(gw).memories.count(ADA) == 0
    assert store_of(gw).check() == ()
    assert gw.reviews("ada").approve(review_id, now=at(1)).memory is not None


@pytest.mark.requirement("REV-007")
def test_beyond_the_limit_a_claim_is_refused_recorded_and_displaces_nothing(gw: Groundwire):
    kept = [propose(gw, f"The host db{number} listens on port {4000 + number}.") for number in range(100)]
    with pytest.raises(QueueFull, match="100 items"):
        remember(gw, "The cache listens on port 9999.", source="ai_synthesis", credential="agent")
    assert [item.queue_id for item in gw.reviews("ada").pending(limit=200)] == kept
    assert audit_of(gw, "enqueue")[-1][2] == "refused: QueueFull"
    assert store_of(gw).memories.count(ADA) == 0


@pytest.mark.requirement("REV-001", "REV-002", "REV-003")
def test_the_asynchronous_queue_stores_through_its_callback(gw: Groundwire):
    store = store_of(gw)

    def keep(item: PendingMemory) -> str:
        return store.memories.add(Memory("", item.content, owner=item.user_id), Act(item.user_id, NOW)).id

    async def use() -> None:
        queue = ReviewQueue(keep, reviews=store.reviews, now=lambda: NOW)
        evidence = EvidenceObject("said", NOW, Confidence.MEDIUM)
        ids = [
            await queue.enqueue("ada", f"Claim {n}.", "fact", "ai_synthesis", evidence, {"n": n}, proposer="agent")
            for n in range(3)
        ]
        await queue.enqueue("bob", "Other claim.", "fact", "ai_synthesis", evidence, {}, proposer="agent")
        waiting = await queue.get_pending("ada", 2)
        assert [item.queue_id for item in waiting] == ids[:2]
        assert (waiting[0].submitted_at, waiting[0].evidence, waiting[0].validation_result) == (NOW, evidence, {"n": 0})
        assert await queue.get_by_id(ids[0], "bob") is None
        found = await queue.get_by_id(ids[0], "ada")
        assert found is not None and found.content == "Claim 0."
        memory_id = await queue.approve(ids[0], "ada")
        stored = store.memories.get(ADA, memory_id)
        assert stored is not None and stored.text == "Claim 0."
        rejected = await queue.reject(ids[1], "ada", "not so")
        assert rejected.reason == "not so"
        assert [item.queue_id for item in await queue.get_pending("ada")] == ids[2:]

    asyncio.run(use())
    assert store.memories.count(Scope("bob")) == 0
