"""A conversation remembered: extracted, grounded, gated and kept as a whole."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

from groundwire import Groundwire
from groundwire.memory.candidates import RejectionReason, Turn
from groundwire.memory.receipts import IngestionTier
from groundwire.types import MemoryKind, MemoryStatus
from remembered import ADA, NOW, at, audit_of, open_memory, remember, store_of, texts

TALK = [
    Turn("user", "Hi! I am a nurse and I live in Porto."),
    Turn("assistant", "You must love fado. You have two cats."),
    Turn("user", "My sister works at Bosch. Maybe I will move to Oslo."),
]


@pytest.fixture
def gw() -> Iterator[Groundwire]:
    with open_memory() as opened:
        yield opened


def item(text: str, kind: str = "USER_FACT", confidence: float = 0.95) -> dict[str, Any]:
    return {"text": text, "type": kind, "confidence": confidence, "reasoning": "it was said"}


def test_what_the_user_said_is_stored_and_what_others_said_is_not(gw: Groundwire):
    done = gw.remember_conversation(TALK, user="ada", now=NOW)
    stored = texts(list(store_of(gw).memories.list(ADA)))
    assert any("nurse" in text for text in stored) and any("Porto" in text for text in stored)
    assert not any(word in text for text in stored for word in ("cats", "fado", "Oslo"))
    assert all(kept.receipt.tier is IngestionTier.AUTO_APPROVE for kept in done.remembered)
    memory = done.remembered[0].memory
    assert memory is not None and (memory.source, memory.kind) == ("conversation", MemoryKind.USER_FACT)
    assert gw.recall("nurse", user="ada", now=at(31)) == []  # it fades unless it is said again


@pytest.mark.requirement("ING-002")
def test_every_stage_can_stop_a_candidate_and_they_come_in_this_order(gw: Groundwire, monkeypatch: pytest.MonkeyPatch):
    order: list[str] = []
    stages = {
        "groundwire.memory.intake.find_nonsense": "extraction",
        "groundwire.memory.grounding.Grounder.ground": "grounding",
        "groundwire.memory.checks.weigh_hedges": "hedges",
        "groundwire.memory.provenance.CitationVerifier.verify": "citations",
        "groundwire.memory.dedup.DedupChecker.check_duplicate": "dedup",
        "groundwire.memory.conflicts.ConflictChecker.find_conflict": "contradiction",
        "groundwire.memory.gate.determine_tier": "tier",
        "groundwire.store.memories.SqlMemories.add": "store",
    }
    for path, stage in stages.items():
        _watch(monkeypatch, path, stage, order)
    gw.remember_conversation("User: I am a nurse.", user="ada", now=NOW)
    assert order == list(stages.values())
    order.clear()
    remember(gw, "I live in Porto.")  # submitted directly, it enters at the hedges
    assert order == list(stages.values())[2:]


def _watch(monkeypatch: pytest.MonkeyPatch, path: str, stage: str, order: list[str]) -> None:
    """Note that a function of a module, or a method of one of its classes, is called."""
    parts = path.split(".")
    owner: Any = importlib.import_module(".".join(parts[:3]))
    for name in parts[3:-1]:
        owner = getattr(owner, name)
    original = getattr(owner, parts[-1])

    def watched(*given: Any, **others: Any) -> Any:
        order.append(stage)
        return original(*given, **others)

    monkeypatch.setattr(owner, parts[-1], watched)


@pytest.mark.requirement("EXT-040")
def test_what_is_extracted_again_confirms_the_memory(gw: Groundwire):
    first = gw.remember_conversation("User: I am a nurse.", user="ada", now=NOW).remembered[0].memory
    again = gw.remember_conversation("User: As I said, I am a nurse.", user="ada", now=at(20)).remembered[0]
    assert first is not None and again.memory is not None
    assert (again.is_confirmation, again.memory.id, again.memory.mentions) == (True, first.id, 2)
    assert again.memory.last_confirmed == at(20)
    assert store_of(gw).memories.count(ADA) == 1 and store_of(gw).logs.rejections(ADA) == ()
    assert texts(gw.recall("nurse", user="ada", now=at(45))) == ["I am a nurse"]


def test_a_change_that_the_user_tells_supersedes(gw: Groundwire):
    remember(gw, "I work at Google.")
    (kept,) = gw.remember_conversation("User: I work at Amazon now.", user="ada", now=at(5)).remembered
    assert [(old.text, old.status) for old in kept.superseded] == [("I work at Google.", MemoryStatus.SUPERSEDED)]


def test_what_contradicts_without_telling_a_change_waits_for_review(gw: Groundwire):
    remember(gw, "I work at Google.")
    (kept,) = gw.remember_conversation("User: I work at Amazon.", user="ada", now=at(5)).remembered
    assert (kept.receipt.code, kept.memory) == ("proposal", None)
    (waiting,) = gw.reviews("ada").pending()
    assert (waiting.queue_id, waiting.proposer) == (kept.review_id, "extractor")
    assert "contradicts what is known" in waiting.validation_result["reason"]
    approved = gw.reviews("ada").approve(waiting.queue_id, now=at(6)).memory
    assert approved is not None and approved.text == "I work at Amazon"


def test_speculation_that_an_extractor_proposes_is_blocked_by_the_gate(gw: Groundwire):
    source = "User: I think I work best in the morning."
    done = gw.remember_conversation(
        source, user="ada", candidates=[item("I think I work best in the morning")], now=NOW
    )
    assert all(kept.memory is None for kept in done.remembered)
    assert store_of(gw).memories.count(ADA) == 0
    assert len(store_of(gw).logs.rejections(ADA)) == 1


@pytest.mark.requirement("STO-011", "STO-012")
def test_rejections_say_what_was_made_up_and_what_is_not_there(gw: Groundwire):
    source = "User: We discussed music production in FL Studio."
    invented, absent = "Works as a professional FL Studio producer", "The user owns a boat"
    gw.remember_conversation(source, user="ada", candidates=[item(invented), item(absent)], now=NOW)
    found = {r.extracted_text: r for r in store_of(gw).logs.rejections(ADA)}
    assert found[invented].rejection_reason == RejectionReason.HALLUCINATION.value
    assert found[absent].rejection_reason == RejectionReason.NOT_GROUNDED.value
    remember(gw, "I think we should use Redis.")
    for rejection in store_of(gw).logs.rejections(ADA):
        assert {"exact_match", "key_phrases", "semantic_similarity", "reason"} <= rejection.validation_details.keys()


@pytest.mark.requirement("STO-014")
def test_the_log_of_a_run_tells_what_was_really_stored(gw: Groundwire):
    remember(gw, "I work at Google.")
    remember(gw, "I am a nurse.")
    done = gw.remember_conversation("User: I work at Amazon. I am a nurse. I live in Porto.", user="ada", now=at(1))
    stages = [line.split("]")[0].strip("[") for line in done.log]
    assert list(dict.fromkeys(stages)) == ["EXTRACTION", "EXTRACT", "VALIDATE", "GATE", "STORE", "RESULT"]
    assert done.log[-2:] == ("[STORE] 1 memories, 1 confirmed, 1 waiting for review", "[RESULT] 1/3 extractions stored")


def test_nonsense_from_an_extractor_is_logged_and_stops_nothing(gw: Groundwire):
    junk: list[object] = [
        item("I am a nurse"),
        item("half \ud800 a pair"),
        item("a\x00b"),
        {"text": "x" * 9_000, "type": "USER_FACT", "confidence": 0.9, "reasoning": ""},
        item("I live in Porto", "WIZARDRY"),
        {"quotes": ["y" * 30_000]},
        "nothing",
        None,
    ]
    done = gw.remember_conversation("User: I am a nurse.", user="ada", candidates=junk, now=NOW)
    assert texts(list(store_of(gw).memories.list(ADA))) == ["I am a nurse"]
    assert len(store_of(gw).logs.rejections(ADA)) == len(done.extraction.rejected) == 7


def test_a_conversation_is_kept_as_a_whole_or_not_at_all(gw: Groundwire, monkeypatch: pytest.MonkeyPatch):
    add, added = store_of(gw).memories.add, list[str]()

    def add_once(*given: Any, **others: Any) -> Any:
        if added:
            raise RuntimeError("pulled the plug")
        added.append("one")
        return add(*given, **others)

    monkeypatch.setattr(store_of(gw).memories, "add", add_once)
    with pytest.raises(RuntimeError):
        gw.remember_conversation("User: I am a nurse. I live in Porto.", user="ada", now=NOW)
    monkeypatch.undo()
    assert added and list(store_of(gw).export()) == [] and store_of(gw).logs.outcomes(ADA) == ()


def test_a_full_queue_refuses_one_candidate_and_keeps_the_others(gw: Groundwire):
    remember(gw, "I work at Google.")
    for number in range(100):
        remember(gw, f"The host db{number} listens on port {4000 + number}.", source="ai_synthesis")
    done = gw.remember_conversation("User: I work at Amazon. I am a nurse.", user="ada", now=at(1))
    assert [kept.memory.text for kept in done.remembered if kept.memory] == ["I am a nurse"]
    assert any("refused" in line and "100 items" in line for line in done.log)
    assert audit_of(gw, "enqueue")[-1][2] == "refused: QueueFull"


def test_an_empty_conversation_gives_nothing(gw: Groundwire):
    done = gw.remember_conversation("", user="ada", now=NOW)
    assert (done.remembered, done.extraction.count) == ((), 0)
