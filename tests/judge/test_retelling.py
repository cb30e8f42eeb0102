"""The same told in other words, with rules alone."""

import pytest

from groundwire import Verdict
from groundwire.judge.alignment import Aliases
from groundwire.judge.judge import RulesJudge, as_passages
from groundwire.judge.retelling import retell
from groundwire.text.reading import read_text
from groundwire.types import VerifierInput


def _judge(claim: str, evidence: str) -> Verdict:
    question = VerifierInput(claim, as_passages([evidence]))
    return RulesJudge(lambda: 0.0).judge(question).verdict


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Your wedding took place in 2018.", "I got married in 2018."),
        ("You get up at six.", "I wake up at 6 am."),
        ("You get up at six in the morning.", "I wake up at 6 am."),
        ("You report to Stefan Lang.", "My manager is Stefan Lang."),
        ("The client's contract ends in March 2027.", "The client's contract expires in March 2027."),
        ("You go swimming every Wednesday.", "I swim on Wednesdays."),
        ("You've been a teacher for twelve years.", "I have been teaching for 12 years."),
        ("Bristol is home for you.", "I live in Bristol."),
        ("The CTO of Fernhill is Beatriz Nogueira.", "Beatriz Nogueira is Chief Technology Officer at Fernhill."),
        ("You lead a team of twelve people.", "User manages a team of 12."),
        ("The rent comes to 940 euros a month.", "My rent is 940 euros per month."),
    ],
)
def test_other_words_tell_the_same(claim: str, evidence: str):
    assert _judge(claim, evidence) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Bea manages the yoga studio.", "The manager of the yoga studio is Bea."),
        ("Ms. Oyelaran teaches your son physics.", "My son's physics teacher is Ms. Oyelaran."),
        ("The author of the onboarding guide is Priyanka Shah.", "Priyanka Shah wrote the onboarding guide."),
        ("Chen is the lead of Project Onyx.", "Project Onyx is led by Chen."),
        ("Your building has no lift.", "There is no lift in my building."),
    ],
)
def test_who_and_what_may_stand_on_the_other_side(claim: str, evidence: str):
    assert _judge(claim, evidence) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You manage Dana.", "My manager is Dana."),
        ("Ana manages Bob.", "The manager of Ana is Bob."),
        ("Ann's employer is Bo.", "Ann employs Bo."),
        ("Your hairdresser tips you in chocolate.", "I tip my hairdresser in chocolate."),
        ("Your landlord pays 850 francs rent.", "I pay 850 francs rent."),
        ("Your brother is afraid of planes.", "I'm afraid of planes."),
        ("You're a pilot.", "I dated a pilot."),
        ("You live in Bristol.", "My boss is at home in Bristol."),
        ("Your husband has a wedding in May.", "My wedding is in May."),
        ("You own a bakery.", "I wanted to run a bakery."),
        ("Your back will get better soon.", "My back is better than last year."),
        ("You swim in the evening.", "I swim at 6:30 in the morning."),
        ("Ottilie is the user's cat.", "The user's cat sitter Ottilie has the code to the door."),
        ("Your mother tongue is Tamil.", "My mother speaks Tamil."),
    ],
)
def test_the_words_of_another_affair_do_not(claim: str, evidence: str):
    assert _judge(claim, evidence) is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Your wedding took place in 2019.", "I got married in 2018."),
        ("You get up at seven.", "I wake up at 6 am."),
        ("The rent comes to 950 euros a month.", "My rent is 940 euros per month."),
        ("You lead a team of fifteen people.", "User manages a team of 12."),
    ],
)
def test_figures_are_told_to_the_letter(claim: str, evidence: str):
    assert _judge(claim, evidence) is not Verdict.SUPPORTED


def test_a_long_statement_does_not_make_every_claim_that_it_has_words_for():
    claim, short, long = (
        read_text(text).claims[0].proposition
        for text in (
            "You resigned in May.",
            "I handed in my notice in May.",
            "I handed in my notice about the old garden fence to the council with a map and photographs in May.",
        )
    )
    assert retell(claim, short, Aliases()) is not None
    assert retell(claim, long, Aliases()) is None
