"""Statements that cover everything, the almanac, and pairs that rules for one text decide."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text_examining import NOW, find_logical, find_temporal

from groundwire.detect.logic.contrary import are_contrary


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "The shop is open every day of the week. It stays shut on Sundays.",
        "The hut is open all year round. The hut is closed in winter.",
        "Only members may vote. Guests who are not members may vote as well.",
        "Prices went up last month. The fall in prices surprised everybody.",
        "The hostel has no lift. Take the lift to the third floor.",
        "Prices are the same in both shops. The second shop is cheaper.",
        "The tank holds 60 litres. At present there are 75 litres in it.",
        "The report must be read before the meeting. The meeting comes before the briefing. "
        "The report can only be read after the briefing.",
        "Everyone who applied was accepted. Eleven applicants were turned down.",
        "All seats were taken. Ten of them were empty.",
        "Forty percent of the guests came by train, 35 percent by car and 35 percent by bus.",
    ],
)
def test_what_falls_out_of_a_statement_that_covers_everything_is_flagged(text: str):
    assert find_logical(text)


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "The shop is open every day except Sundays. It stays shut on Sundays.",
        "Line 1 runs every day. Line 2 does not run on Sundays.",
        "Only members may vote. Guests may listen.",
        "Prices went up last month. The fall in demand surprised everybody.",
        "The hostel has no lift. Take the stairs to the third floor.",
        "The two rooms are the same size. The second one is cheaper.",
        "The tank holds 60 litres. At present there are 45 litres in it.",
        "Anna left before Ben, and Ben arrived before Anna did.",
        "Everyone in the team was accepted. Two guests were turned down.",
        "Dogs are allowed on the terrace, but not inside.",
        "Not all rooms have a balcony. Room 12 has a balcony.",
        "The shop opens at ten. The shop opens at 10:00.",
        "The film lasts 130 minutes. The film lasts 2 hours and 10 minutes.",
        "You paid 320 euros in January and 280 in February, so you have 400 left of the 1,000.",
    ],
)
def test_what_is_within_it_is_left_alone(text: str):
    assert not find_logical(text)


@pytest.mark.requirement("DET-026")
@pytest.mark.parametrize(
    "text",
    [
        "Christmas Day falls on 25 November this year.",
        "The next leap year is 2027.",
        "In the fifth quarter of the year the figures improved.",
        "A week has eight days.",
        "A fortnight is three weeks.",
        "The day after Monday is Wednesday.",
        "The clock struck 25:00 when we left.",
        "The child, now six years old, was born in 2012.",
        "The ferry takes 40 minutes. If you board at 10:00, you arrive at 11:30.",
        "He died in 1952. Five years later, in 1957, he gave an interview.",
        "She started school in 2001 and left it in 1999.",
    ],
)
def test_what_no_calendar_has_is_flagged(text: str):
    assert find_temporal(text)


@pytest.mark.requirement("DET-026")
@pytest.mark.parametrize(
    "text",
    [
        "Christmas Day falls on 25 December this year.",
        "The next leap year is 2028.",
        "In the fourth quarter of the year the figures improved.",
        "A week has seven days.",
        "The working week has five days.",
        "The day after Monday is Tuesday.",
        "The ferry takes 40 minutes. If you board at 10:00, you arrive at 10:40.",
        "He died in 1952. Five years later, in 1957, his letters were published.",
        "She started school in 2001 and left it in 2013.",
    ],
)
def test_what_every_calendar_has_is_left_alone(text: str):
    assert not find_temporal(text)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The farm shop takes cash only.", "You can pay by card there"),
        ("You've been single for years", "You have a husband"),
        ("Lockers are emptied every night.", "Lockers are never emptied overnight"),
    ],
)
def test_rules_for_one_text_decide_on_pairs_as_well(earlier: str, later: str):
    assert are_contrary(earlier, later, NOW)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The shop opens at 10:00.", "The shop opens at ten"),
        ("Season tickets are never refunded.", "Single tickets are refunded"),
        ("The farm shop takes cash only.", "You can pay in cash there"),
    ],
)
def test_and_leave_alone_what_can_be_true_beside_it(earlier: str, later: str):
    assert not are_contrary(earlier, later, NOW)


@given(st.text(max_size=160), st.text(max_size=160))
@settings(max_examples=40, deadline=None)
def test_any_two_texts_can_be_compared(earlier: str, later: str):
    assert are_contrary(earlier, later, NOW) in (True, False)


def test_a_hostile_text_is_no_pair():
    assert not are_contrary("never " * 50_000, "((((" * 50_000, NOW)
