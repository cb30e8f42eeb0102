"""Start, term and end; distances from what is on record and from today."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from text_examining import find_temporal

from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types.detection import HallucinationType

NOW = datetime(2026, 4, 22, tzinfo=UTC)
KNOWN: dict[str, Any] = {
    "entities": [
        {"name": "Corvin Hall", "type": "theatre", "attributes": {"opened": "1998-03-01"}},
        {"name": "Mira Sand", "type": "employee", "aliases": ["Mira"], "attributes": {"start_date": "2019-06-01"}},
    ]
}


@pytest.mark.parametrize(
    "text",
    [
        "Your membership began on 1 January and runs for six months, so it ends in October.",
        "Put the dough in at 14:00 for 90 minutes, so it's ready at 17:00.",
        "Marinate the chicken for four hours. If you put it in at noon, you can grill it at 3 pm.",
        "The lease was signed in May 2024 and lasts one year, so the flat is still under contract.",
        "The concert is on 12 May, about eight weeks from now.",
        "He was in hospital from 9 to 12 March, five nights in all.",
        "The bakery opened in 2001 and has just celebrated its 40th anniversary.",
        "She joined in March 2023, which means she has been with the firm for about eight years.",
    ],
)
def test_a_start_a_term_and_an_end_have_to_fit(text: str) -> None:
    assert find_temporal(text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "Your membership began on 1 January and runs for six months, so it ends at the end of June.",
        "Put the dough in at 14:00 for 90 minutes, so it's ready at 15:30.",
        "The train leaves at 10:00 and takes two hours, so you can have lunch at 13:00.",
        "The course starts on 4 May and runs for three weeks, so you can take the exam on 12 June.",
        "The lease was signed in May 2025 and lasts two years, so the flat is still under contract.",
        "The concert is on 12 May, about three weeks from now.",
        "We were in Rome from 10 to 13 May, and two days later we flew on to Bari.",
        "You arrive on 3 June and stay for a week, so you leave on 10 June.",
        "The bakery opened in 2001 and has just celebrated its 25th anniversary.",
        "The firm was founded in 1990. Six years ago it celebrated its 30th anniversary.",
    ],
)
def test_ends_that_fit_and_what_only_comes_afterwards_are_let_stand(text: str) -> None:
    assert find_temporal(text, NOW) == []


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("Mira started in June 2019, five years before Corvin Hall opened.", True),
        ("Mira started in June 2019, about 21 years after Corvin Hall opened.", False),
        ("Tom was promoted in 2024, ten years after Mira.", True),
        ("Tom was promoted in 2024, two years after Mira's wedding.", False),
    ],
)
def test_a_distance_is_counted_from_what_is_on_record(text: str, is_wrong: bool) -> None:
    flags = Groundwire(settings=Settings(judge="rules")).detect(text, knowledge=KNOWN, now=NOW).flags
    assert any(f.hallucination_type is HallucinationType.TEMPORAL_ERROR for f in flags) is is_wrong
