"""Answers that name both of two values that disagree."""

from __future__ import annotations

import pytest

from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types import Memory

MEMORIES = {
    "employer": ("I work at Nokia.", "I work at Ericsson."),
    "code": ("The gate code is 4471.", "The gate code is 9902."),
    "home": ("I live in Lyon.", "I live in Nice."),
    "cat": ("My cat is called Miro.", "My cat is called Zuzu."),
}


def discloses(answer: str, about: str) -> bool:
    memories = [Memory(id=f"m{i}", text=text, trust=0.9) for i, text in enumerate(MEMORIES[about])]
    report = Groundwire(settings=Settings(judge="rules")).verify(answer, memories=memories)
    return report.grounded and not report.requires_disclosure


@pytest.mark.requirement("CTR-015")
@pytest.mark.parametrize(
    ("answer", "about"),
    [
        ("Your employer is listed as Nokia in one note and as Ericsson in another.", "employer"),
        ("You work at either Nokia or Ericsson; the notes conflict.", "employer"),
        ("Two gate codes are stored: 4471 and 9902.", "code"),
        ("It is unclear whether the gate code is 4471 or 9902.", "code"),
        ("You told me both Lyon and Nice as your home.", "home"),
        ("I've noted two names for your cat: Miro and Zuzu.", "cat"),
    ],
)
def test_an_answer_that_lays_both_values_open_hides_nothing(answer: str, about: str):
    assert discloses(answer, about)


@pytest.mark.requirement("CTR-015")
@pytest.mark.parametrize(
    ("answer", "about"),
    [
        ("You live in Nice or Lyon with your dog.", "home"),
        ("You live in Nice and visited Lyon twice.", "home"),
        ("You live in Nice. Lyon is another city.", "home"),
        ("The gate code is 4471 or 9902.", "code"),
        ("The gate code is 9902; room 4471 is also yours.", "code"),
        ("The gate code is 9902, and the alarm code is 4471.", "code"),
    ],
)
def test_a_value_named_for_something_else_discloses_nothing(answer: str, about: str):
    assert not discloses(answer, about)
