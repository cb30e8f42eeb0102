"""Detections by path: what is kept of a turn, and what recurs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import pytest
from flag_samples import flag, span_of
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InvalidInput
from groundwire.memory.detections import PROPOSER, queue_answer, record_detection
from groundwire.memory.traces import encode, read_patterns, trace_report, turn_prefix
from groundwire.store.sql import open_store
from groundwire.types import Memory, MemoryKind, Scope, Span
from groundwire.types.detection import (
    Correct,
    DetectionMetrics,
    DetectionReport,
    Escalate,
    Flag,
    HallucinationFlag,
    HallucinationType,
    Handling,
    HistoryEvidence,
    KBEvidence,
    Leave,
    Regenerate,
    Remove,
    Stance,
)
from groundwire.types.records import Act

T = HallucinationType
NOW = datetime(2026, 1, 5, tzinfo=UTC)
ADA = Scope("ada")
TEXT = "John works in Marketing. He was born in 1847."


def wrong(confidence: float = 0.9) -> HallucinationFlag:
    return flag(
        TEXT,
        "John works in Marketing",
        T.WRONG_ATTRIBUTE,
        confidence,
        wrong="Marketing",
        right="Engineering",
        suggestion="Use the stored department.",
        evidence="the knowledge base has Engineering",
        source_id="m1",
        kb=KBEvidence(Stance.CONTRADICTS, 0.9, "Engineering"),
        history=HistoryEvidence(Stance.UNKNOWN, 0.5, "", 3),
        factors={"linguistic_signals": 0.85},
    )


def late() -> HallucinationFlag:
    return flag(TEXT, "1847", T.TEMPORAL_ERROR, 0.7)


def report(*flags: HallucinationFlag, handling: Handling = Handling.CORRECT) -> DetectionReport:
    actions = (
        Correct(span_of(TEXT, "Marketing"), "Marketing", "Engineering", "Knowledge Base"),
        Flag(span_of(TEXT, "1847"), "[timeline seems wrong]"),
    )
    metrics = DetectionMetrics(1.5, 2, 3, 4)
    return DetectionReport(TEXT, flags, actions[: len(flags)], TEXT, 0.5, handling, metrics)


@pytest.mark.requirement("STO-015", "STO-016")
def test_flags_are_kept_under_their_paths():
    values = trace_report(report(wrong(), late()), "s1", 4)
    place = "/hallucination/s1/4/detection/"
    assert (values[place + "total_flags"], values[place + "high_confidence"], values[place + "medium_confidence"]) == (
        2,
        1,
        1,
    )
    mine = place + "flag/0/"
    first = {path.removeprefix(mine): value for path, value in values.items() if path.startswith(mine)}
    assert first == {
        "span_start": 0,
        "span_end": 23,
        "content": "John works in Marketing",
        "type": "WrongAttribute",
        "confidence": 0.9,
        "suggestion": "Use the stored department.",
        "evidence": "the knowledge base has Engineering",
        "evidence/kb_lookup": {"stance": "contradicts", "confidence": 0.9, "quote": "Engineering"},
        "evidence/history_match": {"stance": "unknown", "confidence": 0.5, "turn_id": 3, "quote": ""},
        "evidence/linguistic": 0.85,
        "source_id": "m1",
        "pattern": first["pattern"],
    }
    assert values[place + "flag/1/evidence/kb_lookup"] is None


@pytest.mark.requirement("STO-017", "STO-018")
def test_actions_and_metrics_are_kept_under_theirs():
    values = trace_report(report(wrong(), late()), "s1", 4)
    place = "/hallucination/s1/4/mitigation/"
    assert (values[place + "action_count"], values[place + "corrections_applied"]) == (2, 1)
    assert values[place + "regeneration_needed"] is False
    action = {path.rpartition("/")[2]: v for path, v in values.items() if path.startswith(place + "action/0/")}
    assert action == {
        "type": "Correct",
        "span_start": 14,
        "span_end": 23,
        "original": "Marketing",
        "replacement": "Engineering",
        "reason": "Knowledge Base",
        "source_id": "m1",
    }
    metrics = {path.rpartition("/")[2]: value for path, value in values.items() if "/metrics/" in path}
    expected = {"detection_time_ms": 1.5, "segments_analyzed": 2, "claims_checked": 3, "entities_verified": 4}
    assert metrics == expected
    advised = trace_report(report(wrong(), handling=Handling.REGENERATE), "s1", 4)
    assert advised[place + "corrections_applied"] == 0
    assert advised[place + "regeneration_needed"] is True


@pytest.mark.requirement("MIT-002", "STO-017")
def test_every_action_has_its_name_and_its_leaves():
    span = Span(0, 4)
    actions = (
        Leave(span),
        Flag(span, "[x]"),
        Correct(span, "John", "Jim", "KB"),
        Remove(span, "why"),
        Regenerate("again"),
        Escalate("a person"),
    )
    values = trace_report(replace(report(), actions=actions), "s", 1)
    place = "/hallucination/s/1/mitigation/action/"
    assert [values[f"{place}{i}/type"] for i in range(6)] == [
        "None",
        "Flag",
        "Correct",
        "Remove",
        "Regenerate",
        "Escalate",
    ]
    assert [values[f"{place}{i}/reason"] for i in range(6)] == [None, "[x]", "KB", "why", "again", "a person"]
    assert [values[f"{place}{i}/span_start"] for i in range(6)] == [0, 0, 0, 0, None, None]


@pytest.mark.requirement("STO-019")
@given(st.text(min_size=1, max_size=20).filter(lambda s: s.isprintable()))
def test_a_name_cannot_inject_a_separator(name: str):
    encoded = encode("session", name)
    assert "/" not in encoded
    assert unquote(encoded) == name
    assert turn_prefix(name, 1).count("/") == 4


@pytest.mark.parametrize("name", ["", "x" * 300, "\ud800"])
def test_a_name_that_no_path_can_hold_is_refused(name: str):
    with pytest.raises(InvalidInput, match="session"):
        turn_prefix(name, 1)


# ── in a store ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path):
    with open_store(None if request.param == "memory" else tmp_path / "m.db", NOW) as opened:
        yield opened


@pytest.mark.requirement("STO-015")
def test_a_turn_recorded_again_leaves_nothing_of_the_first(store):
    record_detection(store, ADA, report(wrong(), late()), "s1", 1, NOW)
    record_detection(store, ADA, report(late()), "s1", 10, NOW)
    record_detection(store, ADA, report(late()), "s1", 1, NOW)
    values = store.sessions.values(ADA, "/hallucination/s1/1/")
    assert values["/hallucination/s1/1/detection/total_flags"] == 1
    assert not any("flag/1/" in path for path in values)
    assert store.sessions.values(ADA, "/hallucination/s1/10/")
    assert store.sessions.values(Scope("bob"), "/hallucination") == {}


@pytest.mark.requirement("STO-019")
def test_patterns_count_across_sessions_and_not_twice(store):
    record_detection(store, ADA, report(wrong(), late()), "s1", 1, NOW)
    record_detection(store, ADA, report(wrong()), "s2", 1, NOW.replace(day=6))
    record_detection(store, ADA, report(wrong()), "s2", 1, NOW.replace(day=7))
    values = store.sessions.values(ADA, "/hallucination_patterns/")
    first, second = read_patterns(values)
    assert (first.type, first.frequency, first.last_seen) == (T.WRONG_ATTRIBUTE, 2, NOW.replace(day=7))
    assert first.examples == ("John works in Marketing",)
    assert first.description.startswith("attribute seems wrong: ")
    assert (second.type, second.frequency) == (T.TEMPORAL_ERROR, 1)
    leaves = {path.split("/")[3] for path in values}
    assert leaves == {"type", "description", "frequency", "last_seen", "examples"}
    record_detection(store, ADA, report(), "s1", 1, NOW)
    assert [p.type for p in read_patterns(store.sessions.values(ADA, "/hallucination_patterns/"))] == [
        T.WRONG_ATTRIBUTE
    ]


def test_only_the_last_examples_are_kept(store):
    for number in range(9):
        text = f"John number {number} works in Marketing."
        found = flag(text, text[:-1], T.WRONG_ATTRIBUTE, 0.9)
        record_detection(store, ADA, replace(report(found), response=text), "s", number, NOW)
    pattern = read_patterns(store.sessions.values(ADA, "/hallucination_patterns/"))[0]
    assert pattern.frequency == 9
    assert len(pattern.examples) == 5
    assert pattern.examples[0] == "John number 8 works in Marketing"


def test_forgetting_a_memory_takes_along_what_rests_on_it_or_quotes_it(store):
    act = Act("ada", NOW)
    kept = store.memories.add(Memory("m1", "John works in Engineering", owner="ada"), act)
    other = flag(TEXT, "1847", T.TEMPORAL_ERROR, 0.7, evidence="it says: john  works in engineering")
    record_detection(store, ADA, report(wrong(), other), "s1", 1, NOW)
    store.memories.forget(ADA, [kept.id], act)
    values = store.sessions.values(ADA, "/hallucination/s1/1/")
    assert not any("flag/0/" in path or "action/0/" in path for path in values)
    assert "/hallucination/s1/1/detection/flag/1/evidence" not in values
    assert values["/hallucination/s1/1/detection/flag/1/content"] == "1847"


@pytest.mark.requirement("MIT-015")
def test_an_answer_for_a_person_waits_in_the_queue_and_is_no_evidence(store):
    escalated = replace(
        report(wrong(), handling=Handling.HUMAN_REVIEW), response=TEXT + "\x00", actions=(Escalate("too risky"),)
    )
    queue_id = queue_answer(store, ADA, escalated, 8_192, NOW)
    (item,) = store.reviews.pending(ADA, Act("ada", NOW))
    assert (item.queue_id, item.kind, item.proposer) == (queue_id, MemoryKind.SHARED_NARRATIVE, PROPOSER)
    assert item.content == TEXT + "\ufffd"
    assert item.validation_result["reason"] == "too risky"
    assert item.evidence.metadata["flags"][0]["type"] == "WrongAttribute"


def test_texts_of_any_length_and_kind_can_be_kept(store):
    text = "\x01🙂" * 60_000
    huge = HallucinationFlag(Span(0, len(text)), text, T.FABRICATED_FACT, 0.9, evidence=text, suggestion=text)
    record_detection(store, ADA, replace(report(huge), response=text), "s", 1, NOW)
    queue_answer(store, ADA, replace(report(huge), response=text), 8_192, NOW)
    assert store.sessions.values(ADA, "/hallucination/s/1/")["/hallucination/s/1/detection/total_flags"] == 1
