"""Who did what, where no slot names it: the same statement, its opposite, or another one."""

from __future__ import annotations

import pytest

from groundwire.judge.alignment import Aliases
from groundwire.judge.arguments import covers
from groundwire.judge.entailment import compare_propositions
from groundwire.judge.findings import Finding
from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text
from groundwire.types import Verdict

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT


def read_proposition(text: str) -> Proposition:
    return read_text(text).statements[0].proposition


def compare(claim: str, evidence: str) -> Finding | None:
    return compare_propositions(read_proposition(claim), read_proposition(evidence), Aliases())


@pytest.mark.requirement("JDG-021")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The committee approved the budget.", "The committee approved the budget."),
        ("The budget was approved by the committee.", "The committee approved the budget."),
        ("The committee approved the budget.", "The budget was approved by the committee."),
        ("The committee approved the budget.", "The committee approved the budget in June."),
        ("You own a boat.", "I have a boat."),
        ("You started the project.", "I began the project."),
        ("You did not buy lamps.", "I did not buy lamps."),
    ],
)
def test_the_same_statement_in_another_shape_supports(claim: str, evidence: str):
    found = compare(claim, evidence)
    assert found is not None and found.verdict is SUPPORTED


@pytest.mark.requirement("JDG-020", "JDG-021")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The committee approved the budget.", "The committee rejected the budget."),
        ("The committee approved the budget.", "The committee did not approve the budget."),
        ("The committee did not approve the budget.", "The committee approved the budget."),
        ("You did not buy lamps.", "I bought lamps."),
    ],
)
def test_an_opposite_verb_or_a_negation_refutes(claim: str, evidence: str):
    found = compare(claim, evidence)
    assert found is not None and found.verdict is REFUTED


@pytest.mark.requirement("JDG-020", "TXT-016")
@pytest.mark.parametrize(
    ("claim", "evidence", "wrong"),
    [
        ("The committee approved the budget in May.", "The committee approved the budget in June.", "May"),
        ("You bought three lamps.", "I bought four lamps.", "three lamps"),
        ("The shop opens at nine.", "The shop opens at ten.", "nine"),
        ("The novel was written by Eco.", "The novel was written by Calvino.", "Eco"),
    ],
)
def test_where_one_thing_can_be_true_another_value_refutes_and_is_named(claim: str, evidence: str, wrong: str):
    found = compare(claim, evidence)
    assert found is not None and found.verdict is REFUTED
    assert found.wrong is not None and claim[slice(*found.wrong)] == wrong


def test_only_one_team_can_win():
    found = compare("Brazil won the cup.", "Germany won the cup.")
    assert found is not None and found.verdict is REFUTED
    assert (found.claim_value, found.evidence_value) == ("Brazil", "Germany")


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You planted tulips.", "My sister planted tulips."),
        ("The committee approved the budget.", "The board approved the budget."),
        ("The committee approved the budget.", "The committee met on Monday."),
        ("You bought lamps.", "I want to buy lamps."),
        ("You bought lamps.", "I plan to buy lamps."),
    ],
)
def test_somebody_else_something_else_and_a_wish_say_nothing(claim: str, evidence: str):
    assert compare(claim, evidence) is None


def test_a_detail_that_the_evidence_leaves_out_stays_open_and_is_named():
    claim = "The committee approved the budget in May."
    found = compare(claim, "The committee approved the budget.")
    assert found is not None and found.verdict is INSUFFICIENT
    assert found.missing is not None and claim[slice(*found.missing)] == "May"
    assert found.wrong is None


@pytest.mark.requirement("CTR-030")
def test_structure_alone_is_never_exact():
    for evidence in ("The committee approved the budget.", "The committee rejected the budget."):
        found = compare("The committee approved the budget.", evidence)
        assert found is not None and not found.exact


def test_a_wider_word_is_covered_by_a_narrower_one_and_nothing_by_nothing():
    assert covers(("dog",), frozenset({"dog", "big"}))
    assert covers(("pet",), frozenset({"dog"})) or covers(("animal",), frozenset({"dog"}))
    assert not covers(("dog",), frozenset({"animal"}))
    assert not covers((), frozenset({"dog"}))


@pytest.mark.requirement("TXT-015")
def test_a_time_in_words_is_the_same_time():
    found = compare("The shop opens at 9 am.", "The shop opens at nine in the morning.")
    assert found is not None and found.verdict is SUPPORTED
