"""Explanations: short, from templates, and with nothing in them that claim and evidence do not hold."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.app import Groundwire
from groundwire.judge.explanation import explain
from groundwire.judge.findings import Finding
from groundwire.text.counting import count_tokens
from groundwire.types import Passage, Verdict

QUOTED = re.compile(r"“([^”]*)”")
PLAIN = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="“”"), max_size=400)
PAIRS = [
    ("You work at Bosch.", "I work at Bosch."),
    ("You work at Bosch.", "I work at Siemens."),
    ("You don't work at Bosch.", "I work at Bosch."),
    ("You don't work at Bosch.", "I work at Siemens."),
    ("You work at Bosch.", "I used to work at Bosch."),
    ("You work at Bosch.", "I don't work at Bosch."),
    ("You live in California.", "I live in San Francisco."),
    ("You live in San Francisco.", "I live in California."),
    ("You are married.", "My wife is Ann."),
    ("You bought three lamps.", "I bought four lamps."),
    ("The committee approved the budget.", "The committee rejected the budget."),
]


@pytest.mark.requirement("JDG-011")
@pytest.mark.parametrize(("claim", "evidence"), PAIRS)
def test_an_explanation_names_the_verdict_and_the_evidence_and_quotes_only_what_was_said(claim: str, evidence: str):
    found = Groundwire().judge(claim, [Passage("note-7", evidence)])
    assert found.explanation.startswith(f"{found.verdict.value}: ")
    assert "note-7" in found.explanation
    assert all(quote in claim or quote in evidence for quote in QUOTED.findall(found.explanation))


@pytest.mark.requirement("JDG-011")
@pytest.mark.parametrize(
    ("claim", "evidence", "values"),
    [
        ("You work at Bosch.", "I work at Bosch.", ["Bosch"]),
        ("You work at Bosch.", "I work at Siemens.", ["Bosch", "Siemens"]),
        ("You bought three lamps.", "I bought four lamps.", ["three lamps", "four lamps"]),
        ("You don't live in Oslo.", "I live in Oslo.", ["Oslo"]),
    ],
)
def test_an_explanation_names_the_value_that_matched_or_clashed(claim: str, evidence: str, values: list[str]):
    quotes = QUOTED.findall(Groundwire().judge(claim, [evidence]).explanation)
    assert sorted(set(quotes)) == sorted(values)


@pytest.mark.requirement("JDG-011", "JDG-012")
def test_without_evidence_the_explanation_says_so():
    assert "no evidence" in Groundwire().judge("You work at Bosch.", []).explanation


@pytest.mark.requirement("JDG-010", "JDG-011")
@given(PLAIN, PLAIN, st.sampled_from(["same_value", "other_value", "more_general", "former_value", "never_heard_of"]))
def test_any_values_give_a_short_explanation(mine: str, theirs: str, reason: str):
    finding = Finding(Verdict.REFUTED, 0.9, reason, "m1", claim_value=mine, evidence_value=theirs)
    text = explain(Verdict.REFUTED, finding)
    assert text.startswith("REFUTED: ")
    for quote in QUOTED.findall(text):
        assert quote.removesuffix("…") in mine or quote.removesuffix("…") in theirs


@pytest.mark.requirement("JDG-010", "JDG-011")
@pytest.mark.parametrize("word", ["supercalifragilistic ", "Word ", "a "])
def test_an_explanation_stays_within_128_tokens(word: str):
    finding = Finding(Verdict.REFUTED, 0.9, "other_value", "m1", claim_value=word * 99, evidence_value=word * 99)
    assert count_tokens(explain(Verdict.REFUTED, finding)) <= 128


@pytest.mark.requirement("JDG-010", "JDG-011")
def test_an_explanation_in_an_unspaced_script_stays_within_128_tokens():
    finding = Finding(Verdict.REFUTED, 0.9, "other_value", "m1", claim_value="東京" * 99, evidence_value="大阪" * 99)
    assert count_tokens(explain(Verdict.REFUTED, finding)) <= 128


@pytest.mark.requirement("JDG-011")
def test_the_explanation_of_a_conflict_names_the_evidence():
    evidence = [Passage("note-1", "I work at Bosch."), Passage("note-2", "I work at Siemens.")]
    assert "note-" in Groundwire().judge("You work at Bosch.", evidence).explanation
