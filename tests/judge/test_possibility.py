"""What a passage only leaves possible, and what it says for certain beside it."""

import pytest

from groundwire.judge.possibility import find_possibility
from groundwire.types import Passage

OPEN = [
    ("The chapel was built by monks.", "The chapel may have been built by monks."),
    ("You moved to Berlin.", "I might move to Berlin."),
    ("The team switched to Postgres.", "The team may switch to Postgres in spring."),
    ("Ana is ill.", "Ana might be ill."),
    ("You are allergic to nuts.", "I may be allergic to nuts."),
    ("Tom was fired.", "Tom may have been fired."),
    ("The bug is in the parser.", "The bug may well be in the parser."),
    ("You have diabetes.", "My doctor says I may have diabetes."),
    ("The launch is delayed.", "The launch might be delayed, but nobody has told us."),
    ("Kim will join us.", "Kim may join us."),
    ("Your sister is pregnant.", "My sister might be pregnant."),
    ("The office moves to Bonn.", "The office may also move to Bonn."),
    ("The museum closes on Mondays.", "The museum may close on Mondays."),
    ("The deadline is Friday.", "The deadline may be Friday."),
    ("Nora quit her job.", "Nora may have quit her job."),
    ("The fee is 20 euros.", "The fee might be 20 euros."),
]
TOLD = [
    ("Guests pay at the door.", "Guests who may come late pay at the door."),
    ("You are 24 years old.", "I am a 24 year old woman, living in Australia since may!"),
    ("The chapel may have been built by monks.", "The chapel may have been built by monks."),
    ("The chapel could have been built by monks.", "The chapel may have been built by monks."),
    ("A monster is often hideous.", "A monster is a creature that is often hideous and may produce fear."),
    ("You must not cross the line.", "You may not cross the line."),
    ("It is handy to have a card.", "It is handy to have a card for whatever you might need it for."),
    ("You keep bees.", "I keep bees, and I might sell honey."),
    ("The shop sells bread.", "The shop sells bread and may deliver it."),
    ("Ana lives in Rome.", "Ana lives in Rome, though she may move."),
    ("You have a car.", "I have a car that might need repairs."),
    ("Bo works at Lumo.", "Bo works at Lumo but may leave."),
    ("Kim plays chess.", "Kim plays chess and might enter a tournament."),
    ("The server runs Debian.", "The server runs Debian, which may be upgraded."),
    ("The roof leaks.", "The roof leaks, so we might call a builder."),
]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(("claim", "evidence"), OPEN)
def test_what_may_stand_before_is_not_said(claim: str, evidence: str):
    found = find_possibility(claim, Passage("e1", evidence))
    assert found is not None
    assert found.reason == "only_possible"


@pytest.mark.parametrize(("claim", "evidence"), TOLD)
def test_what_the_sentence_says_beside_it_is(claim: str, evidence: str):
    assert find_possibility(claim, Passage("e1", evidence)) is None
