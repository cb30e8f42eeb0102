"""Times that give each other away: birth, age and year, start, length and end, what follows and what had been."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.detect.temporal import detect_temporal_errors
from groundwire.text.segments import segment_response

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


def find_times(text: str) -> list[str]:
    return [flag.content for flag in detect_temporal_errors(segment_response(text, NOW), NOW)]


@pytest.mark.requirement("DET-028")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("She was 21 when she enlisted in 1990. Born in 1975, she had never been to sea.", "1975"),
        ("He came second in 2001 at 18. By 2010 he was 20.", "he was 20"),
        ("His niece was born in 2020. She is now a teenager.", "is now a teenager"),
        ("The poet lived from 1801 to 1839. He finished the epic at 52.", "at 52"),
        ("Jon is 8 and Mia is two years older. Mia is 15.", "Mia is 15"),
        ("The father is 30 and his eldest daughter is 22.", "his eldest daughter is 22"),
    ],
)
def test_every_age_leads_back_to_one_birth(text: str, told: str) -> None:
    assert any(told in found or found in told for found in find_times(text))


@pytest.mark.requirement("DET-028")
@pytest.mark.parametrize(
    "text",
    [
        "She was 21 when she enlisted in 1990. Born in 1969, she had never been to sea.",
        "He came second in 2001 at 18. By 2010 he was 27.",
        "His niece was born in 2020, and his nephew is now a teenager.",
        "The poet lived from 1801 to 1839. He finished the epic at 35, and his widow died at 82.",
        "Jon is 8 and Mia is two years older. Mia is 10.",
        "The father is 50 and his eldest daughter is 22. His wife was 28 when they met in 1999.",
    ],
)
def test_ages_that_fit_and_ages_of_others_are_left_alone(text: str) -> None:
    assert find_times(text) == []


@pytest.mark.requirement("DET-028")
@pytest.mark.parametrize(
    "text",
    [
        "The play is 110 minutes long. It starts at 19:30, so you'll be out by 20:15.",
        "We set off at 7 am, walked for six hours and reached the hut at 9 am.",
        "The trial period is two months. Having started on 1 March, he completes it on 1 September.",
        "She governed from 1990 to 1996. Her eleven years in office were quiet.",
        "The fair is on from 3 to 5 May, so plan on six days.",
        "The mill closed in 1971, a quarter of a century ago.",
        "He joined in 2018. That was twenty years ago.",
        "She moved out in May 2018. She had moved in in June 2019.",
        "The hall was finished in 1911. Construction began in 1915.",
        "The hearing opened on 4 May 2021. The jury returned its verdict on 1 May 2021.",
        "The support act is on at 20:15. The band follows at 19:40.",
        "Sign-up closes on 2 February 2026. Register now.",
    ],
)
def test_two_of_beginning_length_and_end_give_the_third(text: str) -> None:
    assert len(find_times(text)) == 1


@pytest.mark.requirement("DET-029")
@pytest.mark.parametrize(
    "text",
    [
        "The play is 110 minutes long. It starts at 19:30, so you'll be out by half past nine.",
        "We set off at 7 am, walked for six hours and reached the hut at 1 pm.",
        "The trial period is two months. Having started on 1 March, he completes it on 1 May.",
        "She governed from 1990 to 1996. Her six years in office were quiet.",
        "The fair is on from 3 to 5 May, so plan on three days.",
        "The mill closed in 1976, half a century ago, and the bakery five years ago.",
        "He joined in 2018. That was eight years ago.",
        "She moved out in May 2018. She had moved in in June 2015. By 2020 she had bought a house.",
        "The hall was finished in 1911. Construction of the annex began in 1915.",
        "The band is on at 20:15. The support act had started at 19:40.",
        "Sign-up closed on 2 February 2026. Register for the waiting list now.",
        "He sold one shop in 2008 and opened another in 2012.",
    ],
)
def test_times_that_fit_are_left_alone(text: str) -> None:
    assert find_times(text) == []
