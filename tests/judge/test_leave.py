"""Who may do a thing need not do it."""

import pytest

from groundwire.app import Groundwire
from groundwire.judge.kin import find_other_rank
from groundwire.judge.objections import withhold
from groundwire.settings import Settings
from groundwire.types import Passage, Verdict

RULES = Groundwire(settings=Settings(judge="rules"))


@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("Visitors are allowed to feed the goats.", "Visitors are forbidden to feed the goats.", Verdict.REFUTED),
        ("Staff are forbidden to park here.", "Staff are allowed to park here.", Verdict.REFUTED),
        ("Lodgers are allowed to keep cats.", "Lodgers are allowed to keep cats.", Verdict.SUPPORTED),
        ("The lodgers keep cats.", "The lodgers are allowed to keep cats.", Verdict.INSUFFICIENT),
    ],
)
@pytest.mark.requirement("JDG-020")
def test_leave_that_is_refused_is_not_given_and_says_nothing_of_deeds(claim: str, evidence: str, verdict: Verdict):
    assert RULES.judge(claim, [evidence]).verdict is verdict


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "withheld"),
    [
        ("You keep dogs.", "I am allowed to keep dogs.", True),
        ("You work from home.", "I'm permitted to work from home.", True),
        ("Tenants smoke on the balcony.", "Tenants are free to smoke on the balcony.", True),
        ("You use the pool.", "As a guest I am entitled to use the pool.", True),
        ("You may keep dogs.", "I am allowed to keep dogs.", False),
        ("You have permission to keep dogs.", "I am allowed to keep dogs.", False),
        ("You keep dogs.", "I keep dogs, and I am allowed to keep goats.", False),
        ("You keep dogs.", "I keep dogs.", False),
    ],
)
def test_leave_to_do_a_thing_supports_no_deed_whatever_a_model_says(claim: str, evidence: str, withheld: bool):
    assert (withhold(claim, Passage("m", evidence), 0.97) is not None) is withheld


@pytest.mark.parametrize(
    ("claim", "evidence", "withheld"),
    [
        ("Your older brother is called Tom.", "My younger brother is called Tom.", True),
        ("Your elder sister is Mia.", "My little sister is Mia, and my big sister is Ana.", True),
        ("Your younger brother lives near Tom.", "My older brother Tom is married.", True),
        ("Your older brother is called Tom.", "My elder brother is called Tom.", False),
        ("Your older brother is called Tom.", "My brother is called Tom.", False),
        ("Your brother is called Tom.", "My younger brother is called Tom.", False),
        ("Your older brother is called Tom.", "Tom is my older brother, and my younger sister is Ana.", False),
    ],
)
def test_the_older_is_not_the_younger_one(claim: str, evidence: str, withheld: bool):
    assert (find_other_rank(claim, Passage("m", evidence)) is not None) is withheld


@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("Your commute is under an hour.", "My commute is 50 minutes.", Verdict.SUPPORTED),
        ("Your commute is under an hour.", "My commute is 70 minutes.", Verdict.REFUTED),
        ("Your lunch break is over an hour.", "My lunch break is 90 minutes.", Verdict.SUPPORTED),
        ("Your lunch break is over an hour.", "My lunch break is 45 minutes.", Verdict.REFUTED),
    ],
)
def test_an_hour_is_an_amount(claim: str, evidence: str, verdict: Verdict):
    assert RULES.verify(claim, memories=[evidence]).claims[0].verdict is verdict
