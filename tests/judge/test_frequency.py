"""How often something is done decides by arithmetic."""

import pytest

from groundwire.judge.frequency import compare_often
from groundwire.types import Passage, Verdict


def judge(claim: str, evidence: str) -> Verdict | None:
    found = compare_often(claim, Passage("m1", evidence))
    return found.verdict if found is not None else None


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You water the ferns every day.", "I water the ferns twice a week."),
        ("The bins are emptied weekly.", "The bins are emptied every other week."),
        ("The council meets every Monday.", "The council meets on the first Monday of the month."),
        ("You visit your aunt every month.", "Once a year I visit my aunt."),
    ],
)
def test_another_frequency_refutes(claim: str, evidence: str):
    assert judge(claim, evidence) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The report is sent monthly.", "The report is sent every month."),
        ("You bake bread once a week.", "I bake bread every Saturday."),
        ("You check the traps every two days.", "I check the traps every other day."),
    ],
)
def test_the_same_frequency_in_other_words_supports(claim: str, evidence: str):
    assert judge(claim, evidence) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You work from home every day.", "I work two days a week."),
        ("You run every day.", "I run at least twice a week."),
        ("You play chess on Tuesdays.", "I play chess on Tuesdays and Fridays."),
        ("You train three times a week.", "I train on Mondays, Wednesdays and Fridays."),
        ("Your sister swims every day.", "I swim twice a week."),
        ("You bake bread every Saturday.", "I bake bread once a week."),
        ("You don't swim every day.", "I swim twice a week."),
    ],
)
def test_what_is_not_the_same_or_only_bounded_is_left_open(claim: str, evidence: str):
    assert judge(claim, evidence) is None
