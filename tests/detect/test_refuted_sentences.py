"""Whole sentences of one answer that only the trained judge can set against each other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from dialogue_examining import packaged_judge

from groundwire.detect.logic.pair_choice import MOST_PAIRS, choose_pairs
from groundwire.detect.logic.sentence_pairs import find_refuted_sentences
from groundwire.detect.logical import detect_logical_inconsistencies
from groundwire.detect.sightings import look_at
from groundwire.text.segments import segment_response
from groundwire.types.detection import HallucinationFlag

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


def detect(text: str) -> tuple[HallucinationFlag, ...]:
    return detect_logical_inconsistencies(segment_response(text, NOW), packaged_judge(), text=text)


@pytest.mark.requirement("DET-031", "DET-032", "DET-033")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Nobody has ever climbed the peak. The first climbers reached the peak in 1956.", "The first climbers"),
        ("The lake is frozen all year. Bring a towel. In July people swim in the lake.", "In July people swim"),
        ("The team won all its games. It lost two games.", "It lost two games"),
        ("The restaurant serves only vegetarian food. Try its famous steak.", "famous steak"),
        ("She has never been abroad. She lived in Japan for a year.", "lived in Japan"),
        ("The road is closed to all traffic. Lorries use the road every day.", "Lorries use the road"),
        ("The box is empty and contains three books.", "contains three books"),
    ],
)
def test_sentences_that_deny_each_other_in_other_words_are_flagged(text: str, wrong: str) -> None:
    flags = detect(text)
    assert any(wrong in text[flag.span.start : flag.span.end] for flag in flags)


@pytest.mark.requirement("DET-009", "DET-032")
@pytest.mark.parametrize(
    "text",
    [
        "The front door is locked. The back door is open.",
        "The shop is closed today. It was open yesterday.",
        "If the test passes, merge it. If the test fails, tell me.",
        'He said: "The door is locked." She said: "No, the door is open."',
        "Is the kitchen open? Is the bar open?",
        "The mill was built in 1820. In 1895 a fire destroyed its roof.",
        "The library opens at eight in the morning. It closes at midnight.",
        "Ada is a doctor and a mother of three. She is also a passionate sailor.",
        "The old reading room seats 60. The new one seats 140.",
        "Morning shift: 6 nurses\nLate shift: 5 nurses\nNight shift: 3 nurses",
    ],
)
def test_other_times_things_conditions_and_quotations_do_not_clash(text: str) -> None:
    assert detect(text) == ()


def test_what_is_told_already_is_not_asked_again() -> None:
    text = "The team won all its games. It lost two games."
    sightings = look_at(segment_response(text, NOW))
    judge = packaged_judge()
    assert list(find_refuted_sentences(sightings, judge, []))
    assert not list(find_refuted_sentences(sightings, judge, [sightings[1].segment.span]))


def test_long_answers_are_asked_about_in_bounded_time() -> None:
    text = "The old mill is never open to any visitors. Every visitor may enter the open mill. " * 600
    sightings = look_at(segment_response(text[:40_000], NOW))
    assert len(choose_pairs(sightings, [])) <= MOST_PAIRS
