"""From a conversation to what is kept and what an answer may rest on, on every backend there is.

The single steps have tests of their own: exact quotes, key phrases, similarity and invented candidates in
tests/memory/test_grounding.py, scores in test_confidence.py, types in test_extraction.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire import Groundwire, Verdict
from groundwire.memory.candidates import Method, RejectionReason, Turn
from groundwire.memory.receipts import IngestionTier
from groundwire.types import MemoryKind
from remembered import ADA, NOW, at, open_memory, store_of, texts

BACKENDS = ("memory", "file")
TALK = [
    Turn("user", "I am a nurse. I live in Porto. I prefer short answers."),
    Turn("assistant", "You have two cats."),
]


def item(text: str, kind: str = "USER_FACT", confidence: float = 0.95) -> dict[str, object]:
    return {"text": text, "type": kind, "confidence": confidence, "reasoning": "it was said"}


@pytest.fixture(params=BACKENDS)
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Groundwire]]:
    """Opens the same memory again and again, as far as the backend outlives a process."""
    opened: list[Groundwire] = []

    def open_one() -> Groundwire:
        if request.param == "memory" and opened:
            return opened[0]
        context = open_memory(tmp_path / "memory.db" if request.param == "file" else None)
        opened.append(context.__enter__())
        return opened[-1]

    yield open_one
    for gw in opened:
        gw.close()


@pytest.mark.requirement("OPS-019")
def test_a_conversation_is_extracted_grounded_scored_typed_and_stored(opener: Callable[[], Groundwire]):
    done = opener().remember_conversation(TALK, user="ada", now=NOW)
    kept = {memory.text: memory for memory in store_of(opener()).memories.list(ADA)}
    assert {"I am a nurse", "I live in Porto", "I prefer short answers"} == kept.keys()
    assert all(0.0 <= proposal.confidence <= 0.99 for proposal in done.extraction.stored)
    assert {memory.kind for memory in kept.values()} <= set(MemoryKind)
    assert all(memory.evidence is not None and memory.evidence.metadata["quotes"] for memory in kept.values())


@pytest.mark.requirement("OPS-019")
def test_what_was_said_is_grounded_and_inventions_are_logged(opener: Callable[[], Groundwire]):
    candidates = [item("I am a nurse"), item("The user lives in Porto"), item("I own a boat"), item("I am a surgeon")]
    done = opener().remember_conversation(TALK, user="ada", candidates=candidates, now=NOW)
    methods = {proposal.candidate.text: proposal.grounding.method for proposal in done.extraction.stored}
    assert methods == dict.fromkeys(("I am a nurse", "The user lives in Porto"), Method.EXACT_QUOTE)
    log = {entry.extracted_text: entry.rejection_reason for entry in store_of(opener()).logs.rejections(ADA)}
    assert log.keys() == {"I own a boat", "I am a surgeon"}
    assert set(log.values()) <= {reason.value for reason in RejectionReason}
    assert opener().rejections(user="ada").total == 4


@pytest.mark.requirement("OPS-019")
def test_an_answer_sees_every_write_at_once(opener: Callable[[], Groundwire]):
    reader, writer = opener(), opener()

    def ask(text: str) -> Verdict:
        return reader.verify(text, user="ada", now=at(1)).claims[0].verdict

    assert ask("You live in Porto.") is Verdict.INSUFFICIENT
    kept = writer.remember("I live in Porto.", user="ada", now=NOW).memory
    assert kept is not None and ask("You live in Porto.") is Verdict.SUPPORTED
    writer.remember("I moved to Oslo.", user="ada", now=at(0.5))
    assert ask("You live in Porto.") is Verdict.REFUTED
    assert texts(reader.recall("where do I live", user="ada", now=at(1))) == ["I moved to Oslo."]
    writer.forget(kept.id, user="ada", reason="asked to", now=at(1))
    assert [memory.text for memory in store_of(reader).memories.list(ADA)] == ["I moved to Oslo."]


@pytest.mark.requirement("OPS-019")
def test_every_gate_lands_where_it_says(opener: Callable[[], Groundwire]):
    gw = opener()
    outcomes = {
        text: gw.remember(text, user="ada", source=source, credential="agent", now=NOW)
        for text, source in (
            ("I work at Globex.", "user"),
            ("i work at globex", "user"),
            ("I think we use Redis.", "user"),
            ("The API may time out.", "documentation"),
            ("The cluster has nine nodes.", "ai_synthesis"),
        )
    }
    tiers = [(kept.receipt.tier, kept.receipt.code) for kept in outcomes.values()]
    assert tiers == [
        (IngestionTier.AUTO_APPROVE, "trusted_source"),
        (IngestionTier.BLOCK, "duplicate"),
        (IngestionTier.BLOCK, "speculation"),
        (IngestionTier.FLAG_REVIEW, "technical_hedge"),
        (IngestionTier.FLAG_REVIEW, "ungrounded_assertion"),
    ]
    waiting = opener().reviews("ada").pending()
    assert [entry.content for entry in waiting] == ["The API may time out.", "The cluster has nine nodes."]
    opener().reviews("ada").approve(waiting[1].queue_id, now=at(1))
    stored = [memory.text for memory in store_of(opener()).memories.list(ADA)]
    assert stored == ["I work at Globex.", "The cluster has nine nodes."]
    assert store_of(opener()).check() == ()
