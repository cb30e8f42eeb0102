"""Calibration: logits become probabilities that sum to one, or the file is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ModelCorrupt
from groundwire.judge.calibration import read_calibration
from groundwire.judge.protocols import Scores
from groundwire.types import Verdict

LOGITS = st.lists(st.floats(-60, 60), min_size=3, max_size=3)
STRAIGHT = {"x": [0.0, 1.0], "y": [0.0, 1.0]}
TEMPERATURE = {"version": "1", "method": "temperature", "temperature": 2.0}
VECTOR = {"version": "1", "method": "vector", "scale": [0.5, 0.5, 0.5], "bias": [0.0, 0.0, 0.0]}
ISOTONIC = {"version": "1", "method": "isotonic", "temperature": 2.0, "curves": [STRAIGHT] * 3}


@pytest.mark.requirement("JDG-004")
@pytest.mark.parametrize("document", [TEMPERATURE, VECTOR, ISOTONIC])
@given(LOGITS)
def test_three_methods_that_say_the_same_give_the_same(document: dict[str, Any], logits: list[float]):
    found = read_calibration(document).calibrate(logits)
    raised = [math.exp((z - max(logits)) / 2) for z in logits]
    assert found == pytest.approx([value / sum(raised) for value in raised], abs=1e-12)


def test_a_higher_temperature_is_less_sure_and_keeps_the_order():
    cool = read_calibration(TEMPERATURE | {"temperature": 1.0}).calibrate([3.0, 1.0, 2.0])
    warm = read_calibration(TEMPERATURE | {"temperature": 3.0}).calibrate([3.0, 1.0, 2.0])
    assert cool.supported > warm.supported > warm.insufficient > warm.refuted > cool.refuted
    assert cool.verdict is Verdict.SUPPORTED


def test_support_must_be_nearly_as_likely_as_everything_else_together_and_refutation_a_little_less():
    assert Scores(0.44, 0.29, 0.27).verdict is Verdict.INSUFFICIENT
    assert Scores(0.3, 0.4, 0.3).verdict is Verdict.INSUFFICIENT
    assert Scores(0.46, 0.28, 0.26).verdict is Verdict.SUPPORTED
    assert Scores(0.29, 0.42, 0.29).verdict is Verdict.REFUTED


def test_a_bias_can_make_a_model_more_careful():
    careful = read_calibration(VECTOR | {"bias": [-2.0, -2.0, 0.0]})
    assert read_calibration(VECTOR).calibrate([3.0, 0.0, 1.0]).verdict is Verdict.SUPPORTED
    assert careful.calibrate([3.0, 0.0, 1.0]).verdict is Verdict.INSUFFICIENT


def test_a_curve_is_straight_between_its_points_and_level_outside():
    bent = {"x": [0.2, 0.6], "y": [0.1, 0.9]}
    curves = [bent, {"x": [0.5], "y": [0.0]}, {"x": [0.5], "y": [0.1]}]
    calibration = read_calibration({"version": "1", "method": "isotonic", "curves": curves})
    for share, expected in [(0.1, 0.1), (0.4, 0.5), (0.9, 0.9)]:
        rest = (1 - share) / 2
        found = calibration.calibrate([math.log(share), math.log(rest), math.log(rest)])
        assert found.supported == pytest.approx(expected / (expected + 0.1))
        assert found.refuted == 0.0


def test_curves_that_leave_nothing_leave_the_claim_open():
    nothing = {"x": [0.5], "y": [0.0]}
    calibration = read_calibration({"version": "1", "method": "isotonic", "curves": [nothing] * 3})
    assert calibration.calibrate([5.0, 0.0, 0.0]) == (0.0, 0.0, 1.0)


def test_a_tie_goes_to_the_careful_side():
    same = read_calibration(TEMPERATURE)
    assert same.calibrate([1.0, 1.0, 1.0]).verdict is Verdict.INSUFFICIENT
    assert same.calibrate([3.0, 3.0, 0.0]).verdict is Verdict.INSUFFICIENT
    assert same.calibrate([0.5, 0.6, 0.0]).verdict is Verdict.INSUFFICIENT
    assert same.calibrate([1.0, 5.0, 0.0]).verdict is Verdict.REFUTED


def test_the_version_is_kept():
    assert read_calibration(TEMPERATURE | {"version": "2026-05"}).version == "2026-05"


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"method": "temperature", "temperature": 1.0},
        TEMPERATURE | {"method": "magic"},
        TEMPERATURE | {"temperature": 0},
        TEMPERATURE | {"temperature": -1.0},
        TEMPERATURE | {"temperature": True},
        TEMPERATURE | {"temperature": math.nan},
        TEMPERATURE | {"temperature": math.inf},
        TEMPERATURE | {"temperature": "1"},
        VECTOR | {"scale": [1.0, 1.0]},
        VECTOR | {"scale": [1.0, 1.0, -1.0]},
        VECTOR | {"bias": [0.0, 0.0, "0"]},
        VECTOR | {"bias": [0.0, 0.0, math.nan]},
        VECTOR | {"bias": None},
        ISOTONIC | {"curves": [STRAIGHT] * 2},
        ISOTONIC | {"curves": None},
        ISOTONIC | {"curves": [STRAIGHT, STRAIGHT, {"x": [0.0, 1.0], "y": [1.0, 0.0]}]},
        ISOTONIC | {"curves": [STRAIGHT, STRAIGHT, {"x": [0.5, 0.5], "y": [0.0, 1.0]}]},
        ISOTONIC | {"curves": [STRAIGHT, STRAIGHT, {"x": [], "y": []}]},
        ISOTONIC | {"curves": [STRAIGHT, STRAIGHT, {"x": [0.0, 1.0], "y": [0.0, 1.5]}]},
        ISOTONIC | {"curves": [STRAIGHT, STRAIGHT, {"x": [0.0, 1.0], "y": [0.0]}]},
    ],
)
def test_a_calibration_that_cannot_be_right_is_refused(document: dict[str, Any]):
    with pytest.raises(ModelCorrupt, match=r"calibration\.json.*reinstall the model"):
        read_calibration(document)
