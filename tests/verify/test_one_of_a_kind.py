"""Things of which there is one at a time, where no catalogue names the slot."""

from __future__ import annotations

import pytest

from groundwire.types import Memory
from groundwire.verify.contradictions import ContradictionDetector


def contradict(*texts: str) -> bool:
    return bool(ContradictionDetector().detect([Memory(f"m{n}", text, 0.9, n + 1) for n, text in enumerate(texts)]))


@pytest.mark.requirement("TXT-010")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My blood pressure medication is lisinopril.", "My blood pressure medication is amlodipine."),
        ("My shirt size is medium.", "My shirt size is large."),
        ("My car's colour is silver.", "My car's colour is navy."),
        ("My pizza order is a margherita.", "My pizza order is a diavola."),
        ("The school's mascot is a heron.", "The school's mascot is a lynx."),
        ("My flight leaves from gate B12.", "My flight leaves from gate C4."),
        ("The choir rehearses in St Mark's.", "The choir rehearses in the town hall."),
        ("I bank with Nordea.", "I bank with Revolut."),
        ("My editor is Marta.", "My editor is Jonas."),
    ],
)
def test_an_attribute_a_venue_and_a_bank_have_one_value(one: str, other: str):
    assert contradict(one, other)


@pytest.mark.requirement("TXT-010")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My problem is noise.", "My problem is time."),
        ("My goal is a marathon.", "My goal is a novel."),
        ("My student is Omar.", "My student is Kim."),
        ("My mechanic is Paulo.", "My mechanic is a genius."),
        ("My bike is a Trek.", "My bike is blue."),
        ("My job is stressful.", "My job is fun."),
        ("My medication is lisinopril.", "My medication is metformin."),
        ("My wall colour is sage.", "My door colour is ivory."),
        ("The choir rehearses in German.", "The choir rehearses in the town hall."),
        ("The choir meets in the evening.", "The choir meets in the hall."),
        ("The team trains in groups.", "The team trains in the gym."),
        ("I work with Anna.", "I work with Tom."),
        ("My editor is Vim.", "My editor is Marta."),
    ],
)
def test_what_one_may_have_several_of_or_is_like_does_not_compete(one: str, other: str):
    assert not contradict(one, other)
