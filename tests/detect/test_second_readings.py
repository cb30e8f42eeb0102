"""What is no fault on a second reading: overlapping parts, limits, weekdays told by distance, advice."""

from __future__ import annotations

import pytest
from dialogue_examining import packaged_judge
from hypothesis import given
from hypothesis import strategies as st
from text_examining import NOW, find_logical, find_temporal

from groundwire.detect.logic.pair_choice import choose_pairs
from groundwire.detect.logic.sentence_pairs import WeighedPair, weigh_pairs
from groundwire.detect.sightings import look_at
from groundwire.detect.weighing.traits import compare_statements
from groundwire.text.assertion import is_advice
from groundwire.text.segments import segment_response

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "Of the 30 guests, 12 are vegetarians, 5 eat no gluten and 20 drink wine.",
        "Out of 10 questions she got 7 right, 2 wrong and left one blank.",
        "A dozen rolls cost 6 euros, so 50 cents each.",
    ],
)
def test_parts_that_overlap_and_other_units_are_no_wrong_sums(text: str) -> None:
    assert not find_logical(text)


@pytest.mark.requirement("DET-026")
@given(st.integers(0, 6), st.integers(0, 6))
def test_the_next_day_is_flagged_exactly_where_it_is_another(first: int, second: int) -> None:
    found = find_temporal(f"The strike began on {_DAYS[first]} and ended the next day, on {_DAYS[second]}.")
    assert bool(found) is ((first + 1) % 7 != second)


@pytest.mark.requirement("DET-026")
@pytest.mark.parametrize(
    "text",
    [
        "The mail server was down from 9:10 to 9:55, that is for three quarters of an hour.",
        "The castle is older than the hall by about two hundred years: it dates from 1380, the hall from 1584.",
        "The course runs on Monday and every day after until Friday.",
        "On Saturday we hike and on the following Monday we rest.",
    ],
)
def test_parts_of_an_hour_hundreds_and_other_days_are_read_as_they_are_meant(text: str) -> None:
    assert not find_temporal(text)


@pytest.mark.requirement("DET-022")
@pytest.mark.parametrize(
    ("mine", "theirs", "differ"),
    [
        ("You can upload files of up to 50 MB.", "Files may be at most 20 MB.", True),
        ("You can upload files of up to 20 MB.", "Files may be at most 20 MB.", False),
        ("The bag weighs 15 kg.", "Bags may weigh up to 20 kg.", False),
    ],
)
def test_two_limits_differ_by_their_figures(mine: str, theirs: str, differ: bool) -> None:
    traits = compare_statements(mine, theirs, NOW)
    assert (traits.differing > 0) is differ


def test_once_a_week_is_no_condition_and_unheated_denies_heated() -> None:
    assert not compare_statements("It is sent once a week.", "It is sent every day.", NOW).condition
    assert compare_statements("It is sent once you have paid.", "It is sent every day.", NOW).condition
    assert compare_statements("The pool is heated.", "The pool is unheated.", NOW).opposed


@pytest.mark.parametrize(
    ("sentence", "advises"),
    [
        ("You could rent a car.", True),
        ("We might try the other one.", True),
        ("You should have paid by now.", False),
        ("You must wear a helmet.", False),
        ("You rent a car.", False),
    ],
)
def test_advice_is_told_from_what_is_so(sentence: str, advises: bool) -> None:
    assert is_advice(sentence) is advises


@pytest.mark.requirement("DET-032")
def test_a_scale_without_the_judge_makes_no_clash() -> None:
    text = "The lake is frozen all year. In July people swim in the lake."
    one, other = choose_pairs(look_at(segment_response(text, NOW)), [])[0]
    assert not WeighedPair(one, other, 0.99, 0.1, 0.5).is_clash
    assert WeighedPair(one, other, 0.99, 0.1, 0.7).is_clash
    assert WeighedPair(one, other, 0.01, 0.9, 0.97).is_clash
    weighed = weigh_pairs([(one, other)], packaged_judge())
    assert [pair.is_clash for pair in weighed] == [True]
