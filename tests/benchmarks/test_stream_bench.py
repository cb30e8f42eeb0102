"""The stream gate on its own cases: nothing that the read gate refutes gets out, and clean answers come through."""

from __future__ import annotations

import pytest

import stream
from groundwire import Groundwire, Settings


def test_the_cases_are_a_hundred_and_each_has_one_falsehood_in_it():
    cases = stream.read_cases()
    assert len(cases) == len({case.id for case in cases}) == len({case.answer for case in cases}) == 100
    for case in cases:
        assert case.answer.count(case.true) == 1, case.id
        assert case.false not in case.answer, case.id
        assert case.false in case.planted, case.id


@pytest.mark.requirement("ACT-013")
@pytest.mark.parametrize("judge", ["rules", "mini"])
def test_no_falsehood_that_the_read_gate_refutes_is_released_and_clean_answers_pass(judge: str):
    house = Groundwire(settings=Settings(judge=judge, slow_verification_ms=600_000))
    figures = stream.run(house)
    assert figures.leaked == 0
    assert figures.refuted_by_the_read_gate >= 70
    assert figures.clean_interrupted <= 0.03
