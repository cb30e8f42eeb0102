"""What is given to another, counted otherwise, begun or over, and how far a denial reaches."""

from __future__ import annotations

import pytest
from claim_judging import N, R, S, judge

from groundwire.types import Memory, Verdict
from groundwire.verify.report import GroundCheckVerifier


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memories", "expected"),
    [
        # what another is told to do, where this one does something else
        ("Marta handles contracts.", ("Marta handles invoices.", "Piet handles contracts."), R),
        ("Ana waters the tulips.", ("Ana waters the roses.", "Bo waters the ferns."), N),
        ("You studied law in Bologna.", ("My grandfather studied law in Bologna.", "I studied nursing in Parma."), R),
        ("You like opera.", ("I like jazz.", "My sister likes opera."), N),
        # another count
        ("The wedding is in Siena with 80 guests.", ("The wedding is in Siena.", "120 guests come to the wedding."), N),
        ("The wedding is in Siena with 80 guests.", ("The wedding is in Siena.", "We invited 120 guests to it."), N),
        (
            "The wedding is in Siena with 80 guests.",
            ("The wedding is in Siena.", "We invited 120 guests to the wedding."),
            R,
        ),
        # place and time in two memories
        ("The party is in Leeds on Friday.", ("The party is in Leeds.", "The party is on Friday."), S),
        ("The party is in Leeds on Saturday.", ("The party is in Leeds.", "The party is on Friday."), R),
        # what belongs to a thing is not the thing
        ("Heron is hosted on Fly.io.", ("Heron's sister project is hosted on Fly.io.",), N),
        ("Okafor is hers now.", ("My landlord is Okafor.",), N),
        # one of several trades
        ("Your accountant is Dr. Amari.", ("My dentist is Dr. Amari.",), N),
        ("Your accountant is Petra.", ("My dentist is Dr. Amari.",), N),
        ("Your attorney is Tom Reed.", ("My lawyer is Tom Reed.",), S),
    ],
)
def test_what_is_told_of_another_is_not_told_of_this_one(answer: str, memories: tuple[str, ...], expected: Verdict):
    assert judge(answer, *memories) is expected


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory", "expected"),
    [
        ("You drink wine.", "I never drink alcohol.", R),
        ("You eat meat.", "I don't eat chicken.", N),
        ("You owe money on the car.", "I don't owe anything on the car.", R),
        ("You drive to work.", "I don't drive.", R),
        ("You know Ana.", "I don't know.", N),
        ("The roof has not been repaired yet.", "The roof was repaired in May.", R),
        ("You shoot mostly portraits.", "I mostly shoot landscapes.", R),
        ("You brew coffee with a Chemex.", "I brew coffee only with an AeroPress.", R),
        ("You booked an aisle seat on the train to Rome.", "I booked a window seat on the train to Rome.", R),
        ("Your passport is in the safe.", "I keep my passport in the safe.", S),
        ("Your starter is called Gerald.", "My sourdough starter is called Clint.", R),
        ("Your brother is called Tom.", "My older brother is called Ben.", N),
        ("You're a vegan.", "I eat meat nearly every day.", R),
        ("You're a vegan.", "My sister eats meat.", N),
    ],
)
def test_a_denial_reaches_as_far_as_its_words(answer: str, memory: str, expected: Verdict):
    assert judge(answer, memory) is expected


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory", "expected"),
    [
        ("You smoke.", "I gave up smoking four years ago.", R),
        ("You teach physics in Graz.", "I used to teach physics in Graz.", R),
        ("You teach physics.", "I used to teach physics in Graz.", N),
        ("You taught physics in Graz.", "I used to teach physics in Graz.", S),
        ("You've been learning Korean since 2016.", "I started learning Korean in 2021.", R),
        ("You have played chess since January.", "I began playing chess in March.", R),
        ("You worked at Siemens before ABB.", "Before Siemens I worked at ABB.", R),
        ("You worked at ABB before Siemens.", "Before Siemens I worked at ABB.", S),
        ("Your check-up is on Thursday.", "My check-up has been moved to Thursday.", S),
        ("Your check-up is on Tuesday.", "My check-up has been moved to Thursday.", R),
        ("Your check-up is on Thursday.", "My check-up may be moved to Thursday.", N),
    ],
)
def test_what_was_begun_or_given_up_is_told_by_that(answer: str, memory: str, expected: Verdict):
    assert judge(answer, memory) is expected


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "expected"), [("You visited Naples before Rome.", R), ("You visited Rome before Naples.", S)]
)
def test_of_two_places_one_came_first(answer: str, expected: Verdict):
    assert judge(answer, "We visited Rome before Naples.") is expected


@pytest.mark.requirement("JDG-020")
def test_two_events_in_the_other_order_are_not_the_same():
    told = [Memory("m1", "We got married before we bought the house.")]
    report = GroundCheckVerifier().verify("You bought the house before you got married.", told)
    assert report.claims[0].verdict is R
