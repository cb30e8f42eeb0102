"""Contradicted facts: the record of an event, and stored statements."""

from __future__ import annotations

import pytest
from kb_examining import CONTRADICTS, WRONG, detect, examine, packaged_judge

from groundwire.types.detection import Stance


@pytest.mark.requirement("DET-006", "DET-021")
@pytest.mark.parametrize(
    "text",
    [
        "The meeting is scheduled for Tuesday.",
        "The project meeting takes place on Tuesday.",
        "We will hold the project meeting on Tuesday.",
        "The project meeting has been moved to Tuesday.",
        "Tuesday is the day of the project meeting.",
        "The project meeting is on Tuesday at 3 pm.",
    ],
)
def test_another_day_than_the_one_on_record_contradicts_it(text: str) -> None:
    (flag,) = detect(examine(text), CONTRADICTS)
    assert flag.confidence == 0.95
    assert flag.value_span is not None
    assert text[slice(*flag.value_span)] == "Tuesday"
    assert flag.correct_value == "Wednesday"
    assert flag.kb is not None
    assert flag.kb.stance is Stance.CONTRADICTS
    assert detect(examine(text), WRONG) == []


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        ("The project meeting starts at 3:30 pm.", "3:30 pm", "15:00"),
        ("The project meeting will be held in Room 5.", "5", "4"),
        ("The meeting is on Wednesday at four in the afternoon.", "four in the afternoon", "15:00"),
    ],
)
def test_time_and_place_of_an_event_are_compared(text: str, wrong: str, right: str) -> None:
    (flag,) = detect(examine(text), CONTRADICTS)
    assert flag.value_span is not None
    assert (text[slice(*flag.value_span)], flag.correct_value) == (wrong, right)


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    "text", ["The project meeting has been cancelled.", "The project meeting has been called off."]
)
def test_a_state_that_excludes_the_stored_one_contradicts_it(text: str) -> None:
    (flag,) = detect(examine(text), CONTRADICTS)
    assert flag.evidence == "Project meeting is confirmed."


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize("text", ["You may bring your dog to the office.", "Dogs are allowed in the office."])
def test_a_permission_contradicts_a_stored_rule(text: str) -> None:
    (flag,) = detect(examine(text), CONTRADICTS)
    assert flag.source_id == "rule-1"
    assert flag.evidence == "Dogs are not allowed in the office."
    assert flag.confidence >= 0.6


@pytest.mark.requirement("DET-021")
def test_the_judge_finds_a_contradiction_that_no_rule_reads() -> None:
    known = {"statements": ["Photography without flash is allowed.", "The east wing has no lift."]}
    (flag,) = detect(examine("He can take the lift in the east wing.", known, judge=packaged_judge()), CONTRADICTS)
    assert flag.evidence == "The east wing has no lift."
    assert 0.6 <= flag.confidence <= 1.0


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    "text",
    [
        "The meeting is on Wednesday at 3 pm in Room 4.",
        "The project meeting takes place on 11 March 2026.",
        "The meeting is confirmed.",
        "Dogs are not allowed in the office, sorry.",
        "Please leave your dog at home.",
        "Is the meeting on Tuesday?",
        "The meeting might be on Tuesday.",
        "Nothing else is planned on Tuesday.",
    ],
)
def test_what_agrees_with_the_record_or_is_no_claim_is_left_alone(text: str) -> None:
    assert detect(examine(text), CONTRADICTS) == []


@pytest.mark.requirement("DET-021")
def test_a_record_of_little_trust_gives_its_own_confidence() -> None:
    stored = {"date": {"value": "Wednesday", "trust": 0.65}}
    known = {"entities": [{"name": "Board meeting", "type": "event", "attributes": stored}]}
    (flag,) = detect(examine("The board meeting is on Tuesday.", known), CONTRADICTS)
    assert flag.confidence == pytest.approx(0.65)
    stored["date"]["trust"] = 0.3
    assert detect(examine("The board meeting is on Tuesday.", known), CONTRADICTS) == []
