"""What carries that somebody has a thing, and what only speaks of such things."""

import pytest

from groundwire import Groundwire, Settings
from groundwire.types import Verdict


def verify(answer: str, memory: str, judge: str) -> list[Verdict]:
    report = Groundwire(settings=Settings(judge=judge)).verify(answer, memories=[memory])
    return [claim.verdict for claim in report.claims]


BOTH = pytest.mark.parametrize("judge", ["rules", "mini"])


@BOTH
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You have a sister.", "My sister Ana lives in Rome."),
        ("You have a sister named Ana.", "My sister Ana lives in Rome."),
        ("Your sister is called Ana.", "My sister Ana lives in Rome."),
        ("You have a cousin.", "I stayed with my cousin in Oslo."),
        ("You have a landlord.", "My landlord Mr. Price raised the rent."),
        ("You have a workshop.", "Our workshop needs a new roof."),
        ("You have two nieces.", "My two nieces are in town."),
        ("Maria has a sailboat.", "Maria's sailboat needs paint."),
        ("The hotel has a sauna.", "Everybody praises the hotel's sauna."),
        ("Idris has a twin brother.", "Idris's twin brother Omar studies law."),
        ("You own a motorbike.", "I don't like the noise of my motorbike."),
    ],
)
def test_a_possessive_presupposes_what_it_names(answer: str, memory: str, judge: str):
    assert set(verify(answer, memory, judge)) == {Verdict.SUPPORTED}


@pytest.mark.requirement("JDG-020")
@BOTH
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You have a wife.", "My late wife Ana lived in Rome."),
        ("You have a husband.", "My former husband Karl moved to Bern."),
        ("You have a brother.", "If my brother were here, he would laugh."),
        ("You have a brother.", "My brother-in-law Tom is a chef."),
        ("You have a house.", "My dream house has a garden."),
        ("You have a canary.", "My canary died in March."),
        ("You have a bicycle.", "My bicycle was stolen last week."),
        ("You have a cousin.", "Tom's cousin Ana lives in Rome."),
        ("You have two cousins.", "My cousin Ana lives in Rome."),
        ("You have a boyfriend.", "My future boyfriend will love hiking."),
    ],
)
def test_what_is_gone_imagined_or_anothers_is_not_had(answer: str, memory: str, judge: str):
    assert Verdict.SUPPORTED not in verify(answer, memory, judge)


@pytest.mark.requirement("JDG-020")
@BOTH
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You have a boat.", "I painted a boat."),
        ("You have a horse.", "I rode a horse in Peru."),
        ("You have a farm.", "I grew up on a farm."),
        ("You have epilepsy.", "I research epilepsy."),
        ("You have a cat.", "I am allergic to cats."),
        ("Ben has a yacht.", "Ben cleans a yacht."),
        ("You are a pilot.", "I dated a pilot."),
        ("Ben is a teacher.", "Ben married a teacher."),
        ("You are a nurse.", "I share a flat with a nurse."),
        ("Your brother is a chef.", "My brother hired a chef."),
        ("Mara is a lawyer.", "Mara phoned a lawyer about the lease."),
        ("You are a plumber.", "I waited two hours for a plumber."),
    ],
)
def test_who_speaks_of_a_thing_need_not_have_it_or_be_it(answer: str, memory: str, judge: str):
    assert Verdict.SUPPORTED not in verify(answer, memory, judge)


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You have a bakery.", "I run a bakery in Porto."),
        ("You have back pain.", "I suffer from back pain."),
        ("You have an appointment.", "I made an appointment with Dr. Yun."),
        ("You have a tattoo.", "I got a tattoo of a swan."),
    ],
)
def test_having_in_other_words_is_left_to_the_model(answer: str, memory: str):
    assert verify(answer, memory, "mini") == [Verdict.SUPPORTED]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("Ben is a teacher.", "Ben became a teacher."),
        ("You are a nurse.", "I work as a nurse."),
        ("You are a plumber.", "I'm a plumber and my wife is a nurse."),
        ("Mara is a lawyer.", "Mara is a lawyer who married a chef."),
    ],
)
def test_who_becomes_or_works_as_something_is_it(answer: str, memory: str):
    assert verify(answer, memory, "mini") == [Verdict.SUPPORTED]
