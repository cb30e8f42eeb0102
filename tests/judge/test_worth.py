"""What the default judge is worth on unseen memory statements, drawn from the grammar of `training`."""

from __future__ import annotations

from functools import cache

import pytest
from training.domain import generate

from groundwire import Groundwire
from groundwire.evaluation.reliability import tabulate
from groundwire.types import Passage, Verdict, VerifierInput, VerifierOutput

SEED = 900_001
COUNT = 2_400
EXPECTED = {"entail": Verdict.SUPPORTED, "contradict": Verdict.REFUTED, "neutral": Verdict.INSUFFICIENT}


@cache
def judged() -> tuple[tuple[Verdict, VerifierOutput], ...]:
    pairs = tuple(generate(COUNT, seed=SEED))
    questions = [VerifierInput(pair.hypothesis, (Passage("m1", pair.premise),)) for pair in pairs]
    outputs = Groundwire().judge_all(questions)
    return tuple((EXPECTED[pair.label.value], output) for pair, output in zip(pairs, outputs, strict=True))


@pytest.mark.slow
@pytest.mark.requirement("OPS-003")
def test_few_false_claims_are_supported_and_few_true_ones_refuted():
    false = [output.verdict for expected, output in judged() if expected is Verdict.REFUTED]
    true = [output.verdict for expected, output in judged() if expected is Verdict.SUPPORTED]
    assert len(false) >= 500 and len(true) >= 500
    assert false.count(Verdict.SUPPORTED) / len(false) <= 0.10
    assert true.count(Verdict.REFUTED) / len(true) <= 0.10


@pytest.mark.slow
@pytest.mark.requirement("JDG-013")
@pytest.mark.parametrize("verdict", [Verdict.SUPPORTED, Verdict.REFUTED])
def test_verdicts_that_are_sure_are_nearly_always_right(verdict: Verdict):
    sure = [expected for expected, output in judged() if output.verdict is verdict and output.confidence >= 0.8]
    assert len(sure) >= 300
    assert sure.count(verdict) / len(sure) >= 0.90  # the requirement asks for 0.75


@pytest.mark.slow
def test_memory_statements_are_judged_right_and_confidence_means_what_it_says():
    right = [expected is output.verdict for expected, output in judged()]
    assert sum(right) / len(right) >= 0.90
    ece = tabulate([output.confidence for _, output in judged()], right).ece
    assert ece is not None and ece <= 0.10
