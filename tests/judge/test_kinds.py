"""A kind is carried by what is of that kind, and by nothing else that stands in the same slot."""

import pytest

from groundwire import Groundwire, Settings
from groundwire.types import Verdict


def verify(answer: str, memory: str, judge: str = "rules") -> Verdict:
    report = Groundwire(settings=Settings(judge=judge)).verify(answer, memories=[memory])
    (claim,) = report.claims
    return claim.verdict


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You have a dog.", "I have a golden retriever."),
        ("You have a pet.", "I have three hamsters."),
        ("You have a cat.", "I own two cats."),
        ("You have a brother.", "My brother Luca is a welder."),
        ("You have a sibling.", "My sister is called Ines."),
        ("You have a child.", "I have two daughters."),
        ("You have a car.", "I drive an Audi."),
        ("You have a vehicle.", "My van is a Transit."),
    ],
)
def test_a_kind_is_carried_by_what_is_of_it(answer: str, memory: str):
    assert verify(answer, memory) is Verdict.SUPPORTED


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize("judge", ["rules", "mini"])
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You own a parrot.", "I have two cats."),
        ("You have a horse.", "I have a golden retriever."),
        ("You have a brother.", "My sister Ines lives in Graz."),
        ("You have a daughter.", "I have two sons."),
        ("You have an aunt.", "My uncle Ben visits often."),
        ("You have a motorcycle.", "I drive an Audi."),
        ("You have a truck.", "My car is a Corolla."),
        ("You have a dentist.", "My lawyer is Dana Ortiz."),
    ],
)
def test_another_kind_in_the_slot_carries_nothing(answer: str, memory: str, judge: str):
    assert verify(answer, memory, judge) is Verdict.INSUFFICIENT


@pytest.mark.parametrize("judge", ["rules", "mini"])
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You own two cats.", "I don't have a parrot."),
        ("You don't own a parrot.", "I have two cats."),
        ("You own two dogs.", "I own two goats."),
    ],
)
def test_another_kind_in_the_slot_denies_nothing(answer: str, memory: str, judge: str):
    assert verify(answer, memory, judge) is Verdict.INSUFFICIENT


def test_the_kind_itself_is_denied_as_before():
    assert verify("You have a dog.", "I don't have a dog.") is Verdict.REFUTED
    assert verify("You don't have a dog.", "I have a beagle.") is Verdict.REFUTED
    assert verify("You own three cats.", "I own two cats.") is Verdict.REFUTED


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("Your dog Biscuit is a poodle.", "I have a dog named Biscuit."),
        ("Kiwi is a parrot.", "I bought a bird called Kiwi."),
    ],
)
def test_a_name_has_the_kind_that_it_was_given_and_no_narrower_one(answer: str, memory: str):
    assert verify(answer, memory) is Verdict.INSUFFICIENT
