"""A try and its outcome, a duty and the deed, relations of blood, ages in a list, two memories with one thing."""

import pytest
from claim_judging import N, R, S, judge

from groundwire.judge.objections import find_objection
from groundwire.types import Passage, Verdict


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You passed the bar exam in July.", "I took the bar exam in July."),
        ("You won the regatta in Kiel.", "I entered the regatta in Kiel."),
        ("You took a post in Bergen.", "I was offered a post in Bergen."),
        ("You finished the mural.", "I started the mural."),
        ("The fine was settled on Monday.", "The fine has to be settled by Monday."),
        ("The form was signed.", "The form must be signed."),
        ("You are the curator of the gallery.", "I work for the curator of the gallery."),
        ("You are from Chile.", "The dentist who treated me is from Chile."),
        ("You live in Malmö.", "I live near Malmö."),
    ],
)
def test_a_try_or_a_duty_is_no_outcome(answer: str, memory: str):
    assert find_objection(answer, Passage("m1", memory)) is not None
    assert judge(answer, memory) is not S


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You passed the bar exam in July.", "I passed the bar exam in July."),
        ("You sold your car.", "I had to sell my car."),
        ("You are the curator of the gallery.", "I am the curator of the gallery."),
    ],
)
def test_what_was_done_is_told(answer: str, memory: str):
    assert find_objection(answer, Passage("m1", memory)) is None


@pytest.mark.parametrize(
    ("answer", "memory", "verdict"),
    [
        ("You didn't book a table.", "I forgot to book a table.", S),
        ("You booked a table.", "I forgot to book a table.", R),
        ("You signed the petition.", "I refused to sign the petition.", R),
        ("You feed the hens.", "I never fail to feed the hens.", S),
        ("Eva is your aunt.", "Eva is my niece.", R),
        ("Your aunt is Eva.", "Eva is my aunt.", S),
        ("Ada is the chair.", "Ada replaced Ben as chair.", S),
        ("Ben is the chair.", "Ada replaced Ben as chair.", R),
        ("Your sisters ski.", "None of my sisters ski.", R),
        ("You own 20 hives.", "I own 6 of the 20 hives.", R),
        ("You own 6 hives.", "I own 6 of the 20 hives.", S),
        ("You sent the parcel to Kim.", "I received the parcel from Kim.", R),
        ("The bus leaves at 6:40.", "The bus is at 6:40.", S),
        ("The bus leaves at 7:40.", "The bus is at 6:40.", R),
        ("Bo is 9.", "We have two boys: Al (6) and Bo (9).", S),
        ("Bo is 6 years old.", "We have two boys: Al (6) and Bo (9).", R),
        ("You have a bus pass.", "I have a boat licence.", N),
    ],
)
def test_what_verbs_relations_and_lists_imply(answer: str, memory: str, verdict: Verdict):
    assert judge(answer, memory) is verdict


def test_a_thing_of_one_memory_with_what_another_says_it_has():
    memories = ("Ines runs the Faro branch.", "The Faro branch has 12 clerks.", "The Porto branch has 30 clerks.")
    assert judge("Ines runs a branch with 12 clerks.", *memories) is S
    assert judge("Ines runs a branch with 30 clerks.", *memories) is not S


def test_a_profile_is_a_list_of_notes():
    memory = "User: 41, civil engineer, based in Turku."
    assert judge("You are a civil engineer.", memory) is S
    assert judge("You are 42.", memory) is R
