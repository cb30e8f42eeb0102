"""Small words that change what is said keep look-alikes from supporting."""

import pytest

from groundwire import Groundwire, Settings
from groundwire.judge.scope import find_scope
from groundwire.types import Passage, Verdict


def scope(claim: str, evidence: str) -> str | None:
    found = find_scope(claim, Passage("e1", evidence))
    assert found is None or found.verdict is Verdict.INSUFFICIENT
    return found.reason if found is not None else None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "reason"),
    [
        ("You take lisinopril twice a day.", "I take lisinopril once a day.", "other_value"),
        ("The pump runs every 6 hours.", "The pump runs every 8 hours.", "other_value"),
        ("Backups run weekly.", "Backups run daily.", "other_value"),
        ("All rooms have a balcony.", "Most rooms have a balcony.", "only_some"),
        ("Most of the members voted.", "Some of the members voted.", "only_some"),
        ("The court approved the merger.", "The court almost approved the merger.", "not_done"),
        ("You finished the thesis.", "I failed to finish the thesis.", "not_done"),
        ("Ana signed the lease.", "Ana refused to sign the lease.", "not_done"),
        ("Ana is taller than Ben.", "Ben is taller than Ana.", "other_agent"),
        ("Alice is Bob's mother.", "Bob is Alice's mother.", "other_agent"),
        ("Lena Ito reports to Max Roth.", "Max Roth reports to Lena Ito.", "other_agent"),
        ("Your mother-in-law is Rosa.", "My mother is Rosa.", "other_value"),
        ("Ana is a smoker.", "Ana is a non-smoker.", "other_value"),
        ("You take two pills before meals.", "I take two pills after meals.", "other_value"),
        ("You drink coffee without milk.", "I drink coffee with milk.", "other_value"),
        ("Everyone signed the petition.", "Everyone but Tom signed the petition.", "only_some"),
        ("All guests except Ana stayed.", "All guests stayed.", "only_some"),
        ("The mayor resigned.", "The mayor denied that he resigned.", "not_done"),
        ("Aldo was mayor for 12 years.", "Aldo was mayor from 2005 to 2021.", "other_value"),
    ],
)
def test_what_a_small_word_changes_is_not_carried(claim: str, evidence: str, reason: str):
    assert scope(claim, evidence) == reason


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You take lisinopril three times a day.", "I take lisinopril 3x daily."),
        ("You take lisinopril twice a day.", "I take lisinopril every 12 hours."),
        ("Backups run daily.", "Backups run once a day."),
        ("Some rooms have a balcony.", "All rooms have a balcony."),
        ("All rooms have a balcony.", "All the rooms have a balcony, and most have a bath."),
        ("About 300 people came.", "Almost 300 people came."),
        ("You failed to finish the thesis.", "I failed to finish the thesis."),
        ("Ana signed the lease.", "Ana refused to sign at first. Later Ana signed the lease."),
        ("Ana met Ben.", "Ben met Ana."),
        ("Ana is Ben's cousin.", "Ben is Ana's cousin."),
        ("Ana and Ben live in Oslo.", "Ben and Ana live in Oslo."),
        ("Ana is taller than Ben.", "Ana is taller than Ben."),
        ("Your mother-in-law is Rosa.", "My mother-in-law is Rosa, my mother is Ines."),
        ("You take two pills before meals.", "I take two pills before meals and one after meals."),
        ("Everyone but Tom signed the petition.", "Everyone except Tom signed the petition."),
        ("Aldo was mayor for 16 years.", "Aldo was mayor from 2005 to 2021."),
    ],
)
def test_what_says_the_same_is_left_alone(claim: str, evidence: str):
    assert scope(claim, evidence) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize("judge", ["rules", "mini"])
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("The patient takes 5 mg of ramipril twice a day.", "The patient takes 5 mg of ramipril once a day."),
        ("Ana is taller than Ben.", "Ben is taller than Ana."),
        ("All birds can fly.", "Most birds can fly."),
        ("You finished the marathon.", "I failed to finish the marathon."),
    ],
)
def test_no_judge_supports_it(answer: str, memory: str, judge: str):
    assert not Groundwire(settings=Settings(judge=judge)).verify(answer, memories=[memory]).grounded


def test_a_bound_is_not_refuted_by_what_lies_within_it():
    gw = Groundwire(settings=Settings(judge="rules"))
    for answer in ("The lake is deeper than 50 m.", "Ana is taller than Ben."):
        report = gw.verify(answer, memories=["The lake is 80 m deep.", "Ben is shorter than Ana."])
        assert all(claim.verdict is not Verdict.REFUTED for claim in report.claims), answer


@pytest.mark.parametrize("unit", ["twice a day ", "all ", "almost ", "x-in-law ", "A B ", "漢", "\x00", "every "])
def test_hostile_text_gives_an_answer(unit: str):
    scope(unit * 40, unit * 3_000)
