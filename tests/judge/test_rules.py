"""A claim taken apart: every part is judged by itself, and two passages may each carry a half."""

from __future__ import annotations

import pytest

from groundwire.judge.alignment import Aliases
from groundwire.judge.parts import Part
from groundwire.judge.rules import find_parts
from groundwire.text.reading import ReadPassage, read_text
from groundwire.types import Passage, Verdict

CAP = 0.69


def judge_parts(claim: str, *evidence: str) -> dict[str, set[Verdict]]:
    """The text of each part of the claim with the verdicts that the passages give it."""
    passages = [ReadPassage(Passage(f"p{n}", text), read_text(text)) for n, text in enumerate(evidence, 1)]
    aliases = Aliases.learn(fact for p in passages for fact in p.reading.facts)
    read = read_text(claim).claims[0]
    return {_quote(claim, part): {f.verdict for f in part.findings} for part in find_parts(read, passages, aliases)}


def _quote(text: str, part: Part) -> str:
    span = part.argument.span if part.argument is not None else part.fact.value_span if part.fact is not None else None
    return text[slice(*span)] if span is not None else text


@pytest.mark.requirement("CTR-022")
def test_each_part_of_a_claim_gets_its_own_verdict():
    parts = judge_parts("You are a nurse at Mercy Hospital in Leeds.", "I am a nurse at Mercy Hospital in York.")
    assert parts["nurse"] == {Verdict.SUPPORTED}
    assert parts["Mercy Hospital"] == {Verdict.SUPPORTED}
    assert parts["Leeds"] == {Verdict.REFUTED}


@pytest.mark.requirement("JDG-009")
def test_two_passages_may_each_carry_a_half():
    parts = judge_parts("You work as a nurse at Mercy Hospital.", "I am a nurse.", "I work at Mercy Hospital.")
    assert all(Verdict.SUPPORTED in verdicts and Verdict.REFUTED not in verdicts for verdicts in parts.values())
    assert len(parts) == 2


def test_a_passage_about_something_else_says_nothing():
    assert judge_parts("You work at Bosch.", "My favorite color is teal.") == {"Bosch": set()}


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The API has 12 endpoints.", "The API has 14 endpoints."),
        ("The meeting is on 3 May.", "The meeting is on 4 May."),
        ("Ticket ABC-12 is closed.", "Ticket ABC-13 is closed."),
        ("The server runs version 1.3.", "The server runs version 1.2."),
        ("You visited Rome in 2019.", "I visited Rome in 2018."),
        ("Alice drinks coffee.", "Alice does not drink coffee."),
        ("Alice does not drink coffee.", "Alice drinks coffee."),
        ("Alice works at Bosch.", "Bob works at Bosch."),
        ("You planted tulips.", "My sister planted tulips."),
        ("Your flight is BA117.", "My flight is BA171."),
        ("Your rent is 950 euros.", "My rent is 590 euros."),
    ],
)
def test_another_number_date_code_polarity_or_subject_never_supports(claim: str, evidence: str):
    assert not any(Verdict.SUPPORTED in verdicts for verdicts in judge_parts(claim, evidence).values())


@pytest.mark.requirement("JDG-021")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The committee approved the budget.", "The committee rejected the budget."),
        ("You bought three lamps.", "I bought four lamps."),
        ("The meeting is on 3 May.", "The meeting is on 4 May."),
        ("Alice drinks coffee.", "Alice does not drink coffee."),
        ("The shop opens at nine.", "The shop opens at ten."),
    ],
)
def test_a_refutation_without_an_exclusive_slot_is_capped(claim: str, evidence: str):
    passage = ReadPassage(Passage("p1", evidence), read_text(evidence))
    (read,) = read_text(claim).claims
    refuting = [
        f for part in find_parts(read, [passage], Aliases()) for f in part.findings if f.verdict is Verdict.REFUTED
    ]
    assert refuting
    assert all(finding.strength <= CAP for finding in refuting)


@pytest.mark.requirement("JDG-021")
def test_a_refutation_by_an_exclusive_slot_is_not_capped():
    evidence = "I work at Siemens."
    passage = ReadPassage(Passage("p1", evidence), read_text(evidence))
    (read,) = read_text("You work at Bosch.").claims
    (part,) = find_parts(read, [passage], Aliases())
    assert [finding.verdict for finding in part.findings] == [Verdict.REFUTED]
    assert part.findings[0].strength > CAP


@pytest.mark.requirement("JDG-021")
def test_every_finding_names_its_passage():
    passages = [ReadPassage(Passage(name, "I work at Bosch."), read_text("I work at Bosch.")) for name in ("a", "b")]
    (read,) = read_text("You work at Bosch.").claims
    (part,) = find_parts(read, passages, Aliases())
    assert {finding.passage_id for finding in part.findings} == {"a", "b"}


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You planted tulips.", "I might plant tulips."),
        ("You planted tulips.", "I think I planted tulips."),
        ("You live in Rome.", "Do I live in Rome?"),
        ("You live in Rome.", "Bob says I live in Rome."),
        ("You speak Dutch.", "I want to learn Dutch."),
        ("You work at Nokia.", "I applied to Nokia."),
    ],
)
def test_what_is_only_thought_asked_or_heard_does_not_support(claim: str, evidence: str):
    assert not any(Verdict.SUPPORTED in verdicts for verdicts in judge_parts(claim, evidence).values())


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You bought a boat.", "I want to buy a boat."),
        ("You planted tulips.", "I plan to plant tulips."),
        ("You live in Oslo.", "I want to live in Oslo."),
        ("You work at Nokia.", "I might work at Nokia."),
        ("You work at Nokia.", "I would love to work at Nokia."),
        ("You live in Rome.", "I think I live in Rome."),
        ("You live in Rome.", "Maybe I live in Rome."),
        ("You live in Rome.", "If I win, I live in Rome."),
    ],
)
def test_a_wish_a_guess_or_a_condition_does_not_support(claim: str, evidence: str):
    assert not any(Verdict.SUPPORTED in verdicts for verdicts in judge_parts(claim, evidence).values())
