"""Groundwire.detect and mitigate: against what is handed in, what is remembered, and what was said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from groundwire import Groundwire, InvalidInput, Settings, Span
from groundwire.detect.config import EnabledDetectors, HallucinationDetectorConfig, MitigationConfig
from groundwire.detect.detector import HallucinationDetector
from groundwire.detect.registry import DETECTORS
from groundwire.errors import StoreReadOnly
from groundwire.types.detection import (
    Correct,
    DialogueTurn,
    Escalate,
    HallucinationFlag,
    HallucinationType,
    Handling,
    Regenerate,
)

T = HallucinationType
NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)
STAFF: Mapping[str, object] = {
    "entities": [
        {"name": "John Smith", "type": "person", "attributes": {"department": "Engineering"}},
        {"name": "team meeting", "type": "event", "aliases": ["the meeting"], "attributes": {"day": "Wednesday"}},
    ]
}
RULES = Settings(judge="rules")


@pytest.fixture
def wire() -> Iterator[Groundwire]:
    with Groundwire(settings=RULES) as opened:
        yield opened


def types_of(report: Any) -> list[HallucinationType]:
    return [flag.hallucination_type for flag in report.flags]


@pytest.mark.parametrize("name", DETECTORS)
def test_every_detector_of_the_registry_can_be_made(name: str):
    assert DETECTORS[name]().name == name


@pytest.mark.requirement("DET-006", "MIT-011")
def test_an_answer_against_knowledge_is_corrected_with_its_source(wire: Groundwire):
    report = wire.detect("John Smith works in Marketing.", knowledge=STAFF, now=NOW)
    assert types_of(report) == [T.WRONG_ATTRIBUTE]
    assert report.mitigated == "John Smith works in Engineering."
    assert report.actions == (Correct(Span(20, 29), "Marketing", "Engineering", "Knowledge Base"),)
    assert report.handling is Handling.CORRECT
    assert report.risk == pytest.approx(1.0 - report.confidence)
    assert report.errors == {}
    assert report.metrics.claims_checked == 1


@pytest.mark.requirement("DET-011")
@pytest.mark.parametrize(
    ("text", "type_", "ground"),
    [
        ("John Smith works in Marketing.", T.WRONG_ATTRIBUTE, "Engineering"),
        ("The meeting is on Tuesday.", T.CONTRADICTS_FACT, "Wednesday"),
        ("The workshop is on Friday.", T.CONTRADICTS_PRIOR, "turn 3"),
        ("It was finished in 2090.", T.TEMPORAL_ERROR, "2026-01-05"),
        ("Zorblat Quimby approved the budget.", T.NONEXISTENT_ENTITY, "knowledge base"),
    ],
)
def test_a_flag_says_why_and_its_sentences_never_get_into_the_answer(
    wire: Groundwire, text: str, type_: HallucinationType, ground: str
):
    said = [{"turn_id": 3, "speaker": "assistant", "text": "The workshop is on Monday."}]
    report = wire.detect(text, knowledge=STAFF, dialogue=said, now=NOW)
    flag = next(flag for flag in report.flags if flag.hallucination_type is type_)
    assert flag.suggestion and flag.evidence and ground in flag.evidence
    assert flag.suggestion not in report.mitigated and flag.evidence not in report.mitigated


def test_an_answer_that_holds_is_accepted_word_for_word(wire: Groundwire):
    text = "John Smith works in Engineering.  The meeting is on Wednesday!\n"
    report = wire.detect(text, knowledge=STAFF, now=NOW)
    assert (report.flags, report.mitigated, report.confidence) == ((), text, 1.0)
    assert report.handling is Handling.ACCEPT


@pytest.mark.requirement("DET-007")
def test_a_dialogue_is_taken_as_json_or_as_turns(wire: Groundwire):
    rows = [{"turn_id": 3, "speaker": "assistant", "text": "The meeting is on Monday."}]
    turns = [DialogueTurn(3, "assistant", "The meeting is on Monday.")]
    one = wire.detect("The meeting is on Friday.", dialogue=rows, now=NOW)
    other = wire.detect("The meeting is on Friday.", dialogue=turns, now=NOW)
    assert types_of(one) == [T.CONTRADICTS_PRIOR]
    assert one.flags == other.flags


def test_what_is_remembered_of_the_user_is_known():
    with Groundwire(settings=RULES) as wire:
        wire.remember("I live in Porto.", user="ada", now=NOW)
        wire.remember("I live in Rome.", user="bob", now=NOW)
        report = wire.detect("You live in Paris.", user="ada", now=NOW)
        assert report.flags and report.flags[0].correct_value == "Porto"
        assert report.mitigated == "You live in Porto."
        right = wire.detect("You live in Porto.", user="ada", now=NOW)
        assert right.flags == ()
        both = wire.detect("You live in Porto. John Smith works in Marketing.", user="ada", knowledge=STAFF, now=NOW)
        assert types_of(both) == [T.WRONG_ATTRIBUTE]


@pytest.mark.requirement("MIT-015")
def test_what_a_person_has_to_see_waits_in_the_review_queue():
    text = "John Smith works in Marketing. The meeting is on Tuesday."
    with Groundwire(settings=RULES) as wire:
        wire.remember("I live in Porto.", user="ada", now=NOW)
        report = wire.detect(text, knowledge=STAFF, user="ada", now=NOW)
        assert report.handling is Handling.HUMAN_REVIEW
        assert isinstance(report.actions[0], Escalate)
        assert report.mitigated == text
        (item,) = wire.reviews("ada").pending(now=NOW)
        assert (item.queue_id, item.content) == (report.review_id, text)
        kept = wire.reviews("ada").approve(item.queue_id, now=NOW)
        assert kept.memory is not None
        again = wire.detect(text, knowledge=STAFF, user="ada", now=NOW)
        assert again.flags == report.flags, "an approved answer is no evidence for the next one"
    with Groundwire(settings=RULES) as alone:
        assert alone.detect(text, knowledge=STAFF, now=NOW).review_id is None


@pytest.mark.requirement("MIT-015")
def test_branches_decide_between_regenerating_and_escalating(wire: Groundwire):
    text = "Studies show that naps help by 40%. The bridge was completed before it was started."
    again = wire.detect(text, now=NOW)
    assert again.handling is Handling.REGENERATE
    assert isinstance(again.actions[0], Regenerate)
    assert isinstance(wire.detect(text, now=NOW, branches_left=0).actions[0], Escalate)


@pytest.mark.requirement("DET-013")
def test_settings_and_configuration_switch_detectors_off(wire: Groundwire):
    off = Groundwire(settings=replace(RULES, disabled_detectors=("wrong_attributes", "kb_contradictions")))
    assert off.detect("John Smith works in Marketing.", knowledge=STAFF, now=NOW).flags == ()
    config = HallucinationDetectorConfig(enabled_detectors=EnabledDetectors(temporal_errors=False))
    assert wire.detect("It was finished in 2090.", now=NOW).flags
    assert wire.detect("It was finished in 2090.", now=NOW, config=config).flags == ()


@pytest.mark.requirement("MIT-001")
def test_thresholds_come_from_the_settings_or_the_call():
    careful = Groundwire(settings=replace(RULES, auto_correct_threshold=0.99))
    report = careful.detect("John Smith works in Marketing.", knowledge=STAFF, now=NOW)
    assert report.mitigated == "John Smith works in Marketing [attribute seems wrong]."
    bold = careful.detect(
        "John Smith works in Marketing.", knowledge=STAFF, now=NOW, mitigation=MitigationConfig(0.5, 0.5)
    )
    assert bold.mitigated == "John Smith works in Engineering."


@pytest.mark.requirement("DET-048")
def test_a_failing_detector_never_leads_to_acceptance(wire: Groundwire, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(HallucinationDetector, "run_detector", fail)
    report = wire.detect("All is well.", now=NOW)
    assert set(report.errors) == set(DETECTORS)
    assert report.handling is Handling.FLAG
    assert report.mitigated == "All is well."


@pytest.mark.requirement("MIT-017")
def test_own_flags_can_be_mitigated(wire: Groundwire):
    text = "The meeting is on Tuesday."
    own = HallucinationFlag(
        Span(0, 25), text[:-1], T.CONTRADICTS_FACT, 0.9, correct_value="Wednesday", value_span=Span(18, 25)
    )
    assert wire.mitigate(text, [own], knowledge=STAFF, now=NOW).mitigated == "The meeting is on Wednesday."
    against = replace(own, correct_value="Thursday")
    undone = wire.mitigate(text, [against], knowledge=STAFF, now=NOW)
    assert undone.mitigated == "The meeting is on Tuesday [conflicts with known information]."
    with pytest.raises(InvalidInput, match="not within"):
        wire.mitigate("short", [own])


@pytest.mark.requirement("STO-015", "STO-019")
def test_a_turn_is_recorded_and_read_back(tmp_path: Path):
    with Groundwire(tmp_path / "m.db", settings=RULES) as wire:
        for turn in (1, 2):
            wire.detect(
                "John Smith works in Marketing.", knowledge=STAFF, user="ada", session="a/b", turn=turn, now=NOW
            )
    with Groundwire(tmp_path / "m.db", settings=RULES) as wire:
        found = wire.paths("/hallucination/a%2Fb/1/", user="ada")
        assert found["/hallucination/a%2Fb/1/detection/flag/0/type"] == "WrongAttribute"
        assert wire.paths("/hallucination/", user="bob") == {}
        (pattern,) = wire.patterns(user="ada")
        assert (pattern.frequency, pattern.last_seen) == (2, NOW)


def test_recording_needs_a_user_a_session_and_a_turn(wire: Groundwire):
    with pytest.raises(InvalidInput, match="turn"):
        wire.detect("It is so.", session="s", user="ada")
    with pytest.raises(InvalidInput, match="user"):
        wire.detect("It is so.", session="s", turn=1)


def test_what_cannot_be_written_down_is_said_and_holds_nothing_back(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise StoreReadOnly("m.db is read-only", "make it writable")

    monkeypatch.setattr("groundwire.memory.detections.record_detection", refuse)
    monkeypatch.setattr("groundwire.memory.detections.queue_answer", refuse)
    text = "John Smith works in Marketing. The meeting is on Tuesday."
    with Groundwire(settings=RULES) as wire:
        wire.remember("I live in Porto.", user="ada", now=NOW)
        report = wire.detect(text, knowledge=STAFF, user="ada", session="s", turn=1, now=NOW)
    assert report.errors == dict.fromkeys(("review_queue", "record"), "m.db is read-only; make it writable")
    assert (report.review_id, len(report.flags)) == (None, 2)


def test_an_answer_beyond_the_limit_is_refused_and_an_empty_one_is_clean(wire: Groundwire):
    with pytest.raises(InvalidInput, match="response"):
        wire.detect("x" * 200_001)
    assert wire.detect("", now=NOW).handling is Handling.ACCEPT


def test_verify_carries_flags_when_asked(wire: Groundwire):
    plain = wire.verify("You live in Paris.", memories=["User lives in Porto"])
    flagged = wire.verify("You live in Paris.", memories=["User lives in Porto"], flags=True, now=NOW)
    assert plain.flags == ()
    assert flagged.flags and {f.hallucination_type for f in flagged.flags} <= {T.WRONG_ATTRIBUTE, T.CONTRADICTS_FACT}
    assert replace(flagged, flags=(), latency_ms=0) == replace(plain, latency_ms=0)


def test_verify_carries_flags_of_what_is_remembered():
    with Groundwire(settings=RULES) as wire:
        wire.remember("I live in Porto.", user="ada", now=NOW)
        report = wire.verify("You live in Paris.", user="ada", flags=True, now=NOW)
        assert report.flags


def test_the_same_answer_gives_the_same_report(wire: Groundwire):
    text = "John Smith works in Marketing. Studies show that naps help by 40%."
    one, other = (wire.detect(text, knowledge=STAFF, now=NOW) for _ in range(2))
    blank = replace(one.metrics, detection_time_ms=0.0)
    assert replace(one, metrics=blank) == replace(other, metrics=replace(other.metrics, detection_time_ms=0.0))


def test_hostile_answers_do_no_harm(wire: Groundwire):
    for text in ("\x00 \x00", "(" * 3_000, "🙂 " * 2_000, "Ada is. " * 500, "\u202eAda lives in Oslo\u202c."):
        wire.detect(text, knowledge=STAFF, dialogue=[{"speaker": "user", "text": text}], now=NOW)
