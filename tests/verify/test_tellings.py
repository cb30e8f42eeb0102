"""An answer may lay a change open in its own words: what it says of the former value is then no hallucination."""

from __future__ import annotations

import pytest

from groundwire import Groundwire, Settings
from groundwire.types import Memory, VerificationReport

RULES = Groundwire(settings=Settings(judge="rules"))
MEMORIES = {
    "home": ("I live in Tampere.", "I live in Turku."),
    "work": ("I work at Nokia.", "I work at Ericsson."),
    "colour": ("My favourite colour is red.", "My favourite colour is yellow."),
    "boss": ("My boss is Ines.", "My boss is Pavel."),
    "rent": ("My rent is 700 euros.", "My rent is 720 euros."),
    "port": ("The metrics port is 9100.", "The metrics port is 9200."),
}


def verify(about: str, answer: str) -> VerificationReport:
    older, newer = MEMORIES[about]
    return RULES.verify(answer, memories=[Memory("m1", older), Memory("m2", newer)])


@pytest.mark.requirement("CTR-015", "CTR-028")
@pytest.mark.parametrize(
    ("about", "answer"),
    [
        ("home", "You traded Tampere for Turku."),
        ("home", "Tampere gave way to Turku as your home."),
        ("home", "You left Tampere behind, and Turku is where you live."),
        ("home", "Turku is your home these days; Tampere was the earlier address."),
        ("work", "Nokia is history; you're with Ericsson."),
        ("work", "Having left Nokia, you work for Ericsson."),
        ("colour", "Your favourite colour was red and is yellow today."),
        ("colour", "Yellow has taken red's place as your favourite colour."),
        ("port", "The metrics port used to be 9100 in your notes and is 9200 today."),
        ("boss", "Pavel is your boss; Ines held the post before him."),
        ("boss", "Pavel is your boss, Ines having held that role before him."),
        ("boss", "Your boss is Pavel, not Ines any more."),
        ("rent", "Your rent is 720 euros, up from 700."),
    ],
)
def test_a_change_may_be_told_in_many_ways(about: str, answer: str):
    report = verify(about, answer)
    assert not report.requires_disclosure
    assert report.grounded, [(c.claim.text, c.standing) for c in report.claims]


@pytest.mark.parametrize(
    ("about", "answer"),
    [
        ("home", "You drove from Tampere to Turku yesterday."),
        ("home", "You left Tampere for a weekend; you live in Turku."),
        ("home", "You lived in Tampere in 2012 and live in Turku."),
        ("home", "You live in Turku, after a short stay in Rome."),
        ("work", "Ericsson bought Nokia."),
        ("work", "You work at Ericsson, and once you repaired a Nokia phone."),
        ("home", "You live in Turku and took the old road to Tampere."),
        ("home", "You walked from Tampere to Turku once."),
        ("boss", "Pavel is your boss; Ines told a joke before lunch."),
        ("boss", "Pavel is your boss; Ines has not written any more letters."),
        ("work", "Nokia replaced your laptop. You work at Ericsson."),
        ("port", "The metrics port was 9100 in 2019 and is 9200."),
    ],
)
def test_what_no_memory_tells_stays_unsupported_beside_a_change(about: str, answer: str):
    assert not verify(about, answer).grounded


@pytest.mark.requirement("CTR-015")
@pytest.mark.parametrize(
    ("about", "answer"),
    [
        ("boss", "Pavel is your boss. Ines sent you a letter."),
        ("boss", "Pavel is your boss and met Ines at the fair."),
        ("work", "You work at Ericsson, and Nokia Bell Labs is in New Jersey."),
        ("home", "You live in Turku and your cousin lives in Tampere."),
        ("colour", "Yellow is your favourite colour, and the door is red."),
    ],
)
def test_a_former_value_that_is_told_of_something_else_discloses_nothing(about: str, answer: str):
    assert verify(about, answer).requires_disclosure
