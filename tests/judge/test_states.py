"""States told in one word, what only excludes, who is meant, and which part goes with which."""

import pytest
from claim_judging import N, R, S, judge

from groundwire.judge.objections import find_objection
from groundwire.types import Memory, Passage, Verdict
from groundwire.verify.report import GroundCheckVerifier


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory", "verdict"),
    [
        ("The barn is unpainted.", "The barn isn't painted.", S),
        ("The barn is painted.", "The barn is unpainted.", R),
        ("The invoice is unpaid.", "The invoice is not paid.", S),
        ("The library is closed on Sundays.", "The library isn't open on Sundays.", S),
        ("The library is closed on Saturdays.", "The library isn't open on Sundays.", N),
        ("The tea is cold.", "The tea is not hot.", N),
        ("The repository is private.", "The repository is not public.", S),
        ("You dislike olives.", "I can't stand olives.", S),
        ("You love heights.", "I can't bear heights.", R),
        ("You rejected the proposal.", "I turned down the proposal.", S),
        ("You accepted the proposal.", "I turned down the proposal.", R),
    ],
)
def test_a_state_and_the_absence_of_its_opposite(answer: str, memory: str, verdict: Verdict):
    assert judge(answer, memory) is verdict


@pytest.mark.parametrize(
    ("answer", "memory", "verdict"),
    [
        ("The ferry takes lorries.", "The ferry only takes cyclists.", R),
        ("You eat beef.", "I only eat fish.", R),
        ("You eat trout.", "I only eat fish.", N),
        ("You drink tea.", "I only drink coffee at work.", N),
    ],
)
def test_only_leaves_the_others_out(answer: str, memory: str, verdict: Verdict):
    assert judge(answer, memory) is verdict


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("Lea has migraines.", "I have migraines. My niece Lea is four."),
        ("You have migraines.", "My niece Lea has migraines. I am forty."),
        ("Max owns a boat.", "Jan owns a boat. Max is a diver."),
    ],
)
def test_what_is_told_of_one_is_not_told_of_another_in_the_same_breath(answer: str, memory: str):
    assert find_objection(answer, Passage("m1", memory)) is not None
    assert judge(answer, memory) is not S


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("Lea has migraines.", "My niece Lea is four. She has migraines."),
        ("Your niece Lea has migraines.", "I have migraines, and my niece Lea has migraines too."),
    ],
)
def test_what_is_told_of_both_is_told_of_each(answer: str, memory: str):
    assert find_objection(answer, Passage("m1", memory)) is None


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [("Your daughter Ole is nine.", "daughter"), ("Your sister Ole paints.", None), ("Your son Ole is nine.", None)],
)
def test_a_son_is_no_daughter(answer: str, wrong: str | None):
    report = GroundCheckVerifier().verify(answer, [Memory("m1", "My son Ole is nine.")])
    assert report.hallucinations == ((wrong,) if wrong else ())


def test_parts_that_come_in_pairs_are_not_crossed():
    evidence = "The pass is valid until 2026 for adults and until 2028 for children."
    assert judge("The pass is valid until 2026 for adults.", evidence) is S
    assert judge("The pass is valid until 2028 for adults.", evidence) is not S


def test_a_day_that_nothing_tells_is_open():
    assert judge("You got a job as a baker yesterday.", "I am a baker.") is N
    assert judge("You got a job as a baker yesterday.", "Yesterday I got a job as a baker.") is S
