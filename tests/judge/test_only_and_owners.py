"""What "only" adds, whose name it is, how a thing is done, and what the clock says."""

from __future__ import annotations

import pytest

from groundwire import Groundwire
from groundwire.settings import Settings
from groundwire.text.claims import extract_claims
from groundwire.text.values import values_match
from groundwire.types import Verdict

MINI = Groundwire(settings=Settings(judge="mini"))
RULES = Groundwire(settings=Settings(judge="rules"))


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Only Ana has a key to the vault.", "Ana has a key to the vault."),
        ("You only cycle at weekends.", "I cycle at weekends."),
        ("The museum opens exclusively on Mondays.", "The museum opens on Mondays."),
        ("Marta is your daughter.", "My daughter's teacher is called Marta."),
        ("Piet is your landlord.", "My landlord's son is called Piet."),
        ("Everyone in the choir reads music.", "Most people in the choir read music."),
        ("The bridge is closed.", "Ola says that the bridge is closed, but the city denies it."),
        ("You prefer trains to planes.", "I prefer planes over trains."),
    ],
)
def test_what_the_evidence_leaves_out_is_not_supported(claim: str, evidence: str):
    for wire in (MINI, RULES):
        assert wire.judge(claim, evidence=[evidence]).verdict is not Verdict.SUPPORTED


@pytest.mark.requirement("JDG-020")
def test_how_well_somebody_speaks_is_not_carried_by_speaking():
    assert RULES.judge("You speak Dutch fluently.", evidence=["I speak a little Dutch."]).verdict is Verdict.REFUTED
    assert RULES.judge("You speak Dutch fluently.", evidence=["I speak fluent Dutch."]).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Only Ana has a key to the vault.", "Only Ana has a key to the vault."),
        ("Marta is your daughter's teacher.", "My daughter's teacher is called Marta."),
        ("Marta is your daughter.", "My daughter is called Marta."),
        ("Hugo is the treasurer of the club.", "The club's treasurer is Hugo."),
        ("Your train leaves at 7 in the morning.", "My train leaves at 07:00."),
        ("The bakery opens at 6 in the morning.", "The bakery opens at 6 am."),
    ],
)
def test_what_the_evidence_says_is_supported(claim: str, evidence: str):
    assert MINI.judge(claim, evidence=[evidence]).verdict is Verdict.SUPPORTED


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize("text", ["Only Ana has a key", "You quit smoking in 2019", "You stopped drinking coffee"])
def test_a_claim_keeps_its_own_words(text: str):
    assert [claim.text for claim in extract_claims(text + ".")] == [text]


def test_an_hour_of_the_morning_is_a_time_of_the_clock():
    assert values_match("7 in the morning", "07:00")
    assert values_match("seven in the evening", "19:00")
    assert not values_match("7 in the evening", "07:00")


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You gave your brother a watch.", "My brother gave me a watch."),
        ("Your sister owes you 20 euros.", "I owe my sister 20 euros."),
        ("Your landlord paid you 900 euros.", "I paid my landlord 900 euros."),
        ("You called your mother.", "My mother called me."),
        ("You thanked your boss.", "My boss thanked me."),
    ],
)
def test_who_did_it_to_whom_is_not_exchanged(claim: str, evidence: str):
    assert RULES.judge(claim, evidence=[evidence]).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Your brother met you.", "I met my brother."),
        ("Your sister lives with you.", "I live with my sister."),
        ("Your mother called you.", "My mother called me."),
    ],
)
def test_what_both_do_may_be_told_of_either(claim: str, evidence: str):
    assert RULES.judge(claim, evidence=[evidence]).verdict is Verdict.SUPPORTED
