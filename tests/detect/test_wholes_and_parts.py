"""Parts that come to more than their whole, and figures that only look like parts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.detect.logical import detect_logical_inconsistencies
from groundwire.text.segments import segment_response

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


def flagged(text: str) -> list[str]:
    found = detect_logical_inconsistencies(segment_response(text, NOW), text=text)
    return [text[flag.span.start : flag.span.end] for flag in found]


@pytest.mark.requirement("DET-031")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The mixture is 50% sand, 40% gravel and 25% cement.", "50% sand"),
        ("The portfolio is 45% shares, 40% bonds and 30% cash.", "45% shares"),
        ("The new hire takes over 130 percent of all support tickets.", "130 percent of all"),
        ("Split three ways, the 120 euros come to 50 each.", "120 euros come to 50 each"),
        ("Divided among four people, the 200 dollars make 60 each.", "200 dollars make 60 each"),
    ],
)
def test_parts_are_never_more_than_their_whole(text: str, wrong: str) -> None:
    assert any(wrong in part for part in flagged(text))


@pytest.mark.requirement("DET-009")
@pytest.mark.parametrize(
    "text",
    [
        "The mixture is 50% sand, 30% gravel and 20% cement.",
        "Turnout was 60% in Spain, 55% in Italy and 70% in Malta.",
        "Humidity was 80% at dawn, 60% at noon and 70% at night.",
        "The scores are 80% maths, 75% French and 90% art.",
        "We met 130 percent of the target.",
        "Split three ways, the 120 euros come to 40 each.",
        "The workshop ran from 13:30 until 14:10 on the same afternoon, with one coffee break.",
        "A14 leaves on 6 June at a quarter to two. The balance had to be paid eight weeks earlier, by 11 April.",
        "At 58 you don't qualify yet, but your husband, who's 71, does.",
        "My brother can't swim, while my sister can.",
    ],
)
def test_shares_of_several_wholes_clock_times_and_names_are_no_parts(text: str) -> None:
    assert flagged(text) == []
