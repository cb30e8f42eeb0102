"""Days, months and ages by name, against the calendar, the clock and each other."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.detect.temporal import detect_temporal_errors
from groundwire.text.segments import segment_response

NOW = datetime(2026, 3, 14, tzinfo=UTC)  # a Saturday


def find(text: str) -> list[str]:
    return [flag.content for flag in detect_temporal_errors(segment_response(text, NOW), NOW)]


@pytest.mark.requirement("DET-028")
@pytest.mark.parametrize(
    "text",
    [
        "The course runs from 10 May to 2 May.",
        "The two-day conference takes place from 4 to 8 October.",
        "She was 30 in 2000 and 45 in 2010.",
        "The 40-year-old was born in 1970.",
        "I was born in 2001, so I am 35 now.",
        "My sister is 12 and was born in 2010.",
        "Monday comes right after Saturday.",
        "September is the eighth month of the year.",
        "This morning at 10 pm we set off.",
        "It was a Tuesday: 14 March 2026.",
        "Today is 32 March.",
    ],
)
def test_what_the_calendar_denies_is_flagged(text: str) -> None:
    assert find(text)


@pytest.mark.requirement("DET-026")
@pytest.mark.parametrize(
    "text",
    [
        "Two days ago, on Monday, I sent the mail.",
        "The day after tomorrow is Wednesday.",
        "Tomorrow was Sunday.",
        "Yesterday will be a holiday.",
    ],
)
def test_a_day_on_the_wrong_side_of_the_clock_is_flagged(text: str) -> None:
    assert find(text)


@pytest.mark.requirement("DET-026")
@pytest.mark.parametrize(
    "text",
    [
        "The course runs from 10 May to 22 May.",
        "Opening hours change from 10 December to 2 January.",
        "The deadline was moved from 20 May to 12 May.",
        "The three-day fair takes place from 4 to 6 October.",
        "The two-day ticket is valid from 4 to 8 October.",
        "She was 30 in 2000 and 40 in 2010.",
        "The price was 30 in 2000 and 45 in 2010.",
        "The 40-year-old building was renovated in 1990.",
        "My sister is 15 and was born in 2010.",
        "Friday comes after Wednesday.",
        "March is the third month of our project.",
        "Two days ago, on Thursday, I sent the mail.",
        "The day after tomorrow is Monday.",
        "What happened yesterday will be discussed tomorrow.",
        "The contract runs from 1 January 2024 to 31 December 2026. It has about nine months left.",
    ],
)
def test_what_the_calendar_allows_is_left_alone(text: str) -> None:
    assert not find(text)
