"""What carries that somebody has a thing, and what only speaks of such things."""

import pytest

from groundwire import Groundwire, Settings
from groundwire.judge.having import find_relative
from groundwire.types import Passage, Verdict


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


NO_RELATIVE = [
    ("The owner of the bakery lives in Graz.", "The bakery is in Graz."),
    ("The friend of your sister is a pilot.", "My sister is a pilot."),
    ("Your sister's friend is a pilot.", "My sister is a pilot."),
    ("Ana's manager works from Lisbon.", "Ana works from Lisbon."),
    ("The director of the museum was born in Lyon.", "The museum is in Lyon."),
    ("The wife of Tom speaks Polish.", "Tom speaks Polish."),
    ("Your brother's landlord is a vegetarian.", "My brother is a vegetarian."),
    ("The mother of your colleague plays the cello.", "My colleague plays the cello."),
    ("The author of the book lives in Oslo.", "The book is set in Oslo."),
    ("The founder of Lumo studied in Delft.", "Lumo is based in Delft."),
    ("The coach of the team won a medal.", "The team won a medal."),
    ("The tenant of the flat works at Bosch.", "The flat is owned by Bosch."),
    ("Your son's best friend likes chess.", "My son likes chess."),
    ("The parents of Mia live in Bern.", "Mia lives in Bern."),
    ("The brother of the neighbour of Ana smokes.", "The neighbour of Ana smokes."),
]
MAYBE_RELATIVE = [
    ("The owner of the bakery lives in Graz.", "Ana owns the bakery and lives in Graz."),
    ("Your sister's name is Ana.", "My sister is called Ana."),
    ("The colour of the car is red.", "The car is red."),
    ("The price of the ticket is 20 euros.", "The ticket costs 20 euros."),
    ("The age of your son is 7.", "My son is 7."),
    ("The owner of the bakery lives in Graz.", "The owner of the bakery lives in Graz."),
    ("Your sister's friend is a pilot.", "The friend of my sister is a pilot."),
    ("Ana's manager works from Lisbon.", "Ana's boss works from Lisbon."),
    ("The length of the bridge is 300 metres.", "The bridge is 300 metres long."),
    ("The director of the museum was born in Lyon.", "The museum is run by Luc, who was born in Lyon."),
    ("Tom's wife speaks Polish.", "Tom is married to Eva, who speaks Polish."),
    ("The author of the book lives in Oslo.", "The book was written by Nils. Nils lives in Oslo."),
    ("Your manager is a pilot.", "My manager is a pilot."),
    ("The roof of the house leaks.", "The house leaks."),
]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(("claim", "evidence"), NO_RELATIVE)
def test_what_is_said_of_somebody_is_not_said_of_who_belongs_to_them(claim: str, evidence: str):
    found = find_relative(claim, Passage("e1", evidence))
    assert found is not None
    assert found.reason == "other_agent"


@pytest.mark.parametrize(("claim", "evidence"), MAYBE_RELATIVE)
def test_where_the_passage_speaks_of_the_relation_or_of_another_it_may(claim: str, evidence: str):
    assert find_relative(claim, Passage("e1", evidence)) is None


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
