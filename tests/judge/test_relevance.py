"""Evidence about something else: the model's verdict on it is withheld, what a rule decides is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from test_encoder import NO, OPEN, YES, Scripted

from groundwire.errors import ModelMissing
from groundwire.judge.encoder import EncoderJudge
from groundwire.judge.judge import as_passages
from groundwire.judge.protocols import Scores
from groundwire.judge.relevance import CHOSEN, RELEVANT, is_irrelevant, withhold_support, withhold_verdict
from groundwire.types import Action, Passage, Verdict, VerifierInput

CLAIM = "Ada works at Bosch."


def alike(value: float) -> Any:
    return lambda claim, texts: [value for _ in texts]


def judge(*evidence: str, likeness: Any) -> Any:
    encoder = EncoderJudge(Scripted(), lambda: 0.0, likeness=likeness)
    return encoder.judge(VerifierInput(CLAIM, as_passages(evidence)))


@pytest.mark.requirement("JDG-019")
def test_support_by_evidence_that_is_not_alike_at_all_is_withheld():
    found = judge("Bob agrees.", likeness=alike(CHOSEN - 0.01))
    assert (found.verdict, found.reason) == (Verdict.INSUFFICIENT, "irrelevant_evidence")
    assert "about something else" in found.explanation
    assert sum(found.probabilities.values()) == pytest.approx(1.0)
    assert judge("Bob agrees.", likeness=alike(CHOSEN)).verdict is Verdict.SUPPORTED
    assert judge("Bob agrees.", likeness=None).verdict is Verdict.SUPPORTED


def test_a_refutation_that_a_caller_hands_in_stands_and_so_does_another_passage():
    assert judge("Bob denies.", likeness=alike(0.0)).verdict is Verdict.REFUTED

    def both(claim: str, texts: Sequence[str]) -> Sequence[float]:
        return [0.9 if "surely" in text else 0.0 for text in texts]

    assert judge("Bob agrees.", "Bob surely agrees.", likeness=both).verdict is Verdict.SUPPORTED


@pytest.mark.requirement("JDG-019")
@pytest.mark.parametrize(("passages", "expected"), [("agrees", Verdict.SUPPORTED), ("denies", Verdict.REFUTED)])
def test_what_a_search_picked_decides_only_from_an_average_of_0_3_on(passages: str, expected: Verdict):
    question = VerifierInput(CLAIM, (Passage("a", f"Bob {passages}."), Passage("b", f"Eve {passages}.")))
    output = EncoderJudge(Scripted(), lambda: 0.0).judge(question)
    assert output.verdict is expected
    assert withhold_verdict(question, output, lambda claim, texts: [0.1, 0.5]) == output
    withheld = withhold_verdict(question, output, lambda claim, texts: [0.1, 0.49])
    assert (withheld.verdict, withheld.reason) == (Verdict.INSUFFICIENT, "irrelevant_evidence")
    assert withheld.action is not Action.HALT and sum(withheld.probabilities.values()) == pytest.approx(1.0)


def test_what_a_rule_decided_stands_however_little_is_alike():
    question = VerifierInput(CLAIM, (Passage("a", "Bob agrees."),))
    output = EncoderJudge(Scripted(), lambda: 0.0).judge(question)
    by_rule = replace(output, reason="same_value")
    assert withhold_verdict(question, by_rule, alike(0.0)) is by_rule


def test_where_nobody_can_tell_nothing_is_withheld():
    def broken(claim: str, texts: Sequence[str]) -> Sequence[float]:
        raise ModelMissing("gone", "install it")

    assert not is_irrelevant(CLAIM, ["x"], broken, RELEVANT)
    assert not is_irrelevant(CLAIM, [], alike(0.0), RELEVANT)


@pytest.mark.parametrize("scores", [YES, NO, OPEN, Scores(0.5, 0.49, 0.01)])
def test_what_is_withheld_is_always_open(scores: Scores):
    left = withhold_support(scores)
    assert left.verdict is Verdict.INSUFFICIENT and sum(left) == pytest.approx(1.0)
