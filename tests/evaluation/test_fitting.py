from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InvalidInput
from groundwire.evaluation.fitting import COLDEST, HOTTEST, fit_curves, fit_isotonic, fit_temperature, measure_loss
from groundwire.evaluation.metrics import measure_calibration_error
from groundwire.judge.calibration import read_calibration


def soften(logits: Sequence[float], temperature: float) -> list[float]:
    raised = [math.exp(z / temperature) for z in logits]
    return [value / sum(raised) for value in raised]


def draw(size: int, temperature: float, seed: int) -> tuple[list[list[float]], list[int]]:
    """Logits of a judge that is too sure by `temperature`: labels come from the softened probabilities."""
    generator = random.Random(seed)
    logits = [[generator.gauss(0, 3) for _ in range(3)] for _ in range(size)]
    labels = [generator.choices(range(3), soften(row, temperature))[0] for row in logits]
    return logits, labels


def error_at(logits: Sequence[Sequence[float]], labels: Sequence[int], temperature: float) -> float:
    chances = [soften(row, temperature) for row in logits]
    chosen = [row.index(max(row)) for row in chances]
    return measure_calibration_error(
        [max(row) for row in chances], [c == y for c, y in zip(chosen, labels, strict=True)]
    )


def read_between(knots: Sequence[tuple[float, float]], x: float) -> float:
    for (left, low), (right, high) in pairwise(knots):
        if left <= x <= right:
            return low + (high - low) * (x - left) / (right - left)
    return knots[0][1] if x < knots[0][0] else knots[-1][1]


@pytest.mark.requirement("JDG-014")
@pytest.mark.parametrize("temperature", [0.6, 1.0, 1.7, 3.0])
def test_a_known_temperature_is_found_again(temperature: float) -> None:
    logits, labels = draw(4000, temperature, seed=3)
    assert fit_temperature(logits, labels) == pytest.approx(temperature, rel=0.08)


@pytest.mark.requirement("JDG-014")
def test_the_fitted_temperature_brings_the_error_down_on_pairs_it_was_not_fitted_on() -> None:
    fitted = fit_temperature(*draw(3000, 2.5, seed=1))
    logits, labels = draw(5000, 2.5, seed=2)
    assert error_at(logits, labels, 1.0) > 0.10
    assert error_at(logits, labels, fitted) < 0.03


@given(st.integers(0, 50))
def test_no_temperature_nearby_is_likelier(seed: int) -> None:
    logits, labels = draw(40, 1.5, seed)
    found = fit_temperature(logits, labels)
    best = measure_loss(logits, labels, found)
    for other in (COLDEST, found * 0.9, found * 0.99, found * 1.01, found * 1.1, HOTTEST):
        if COLDEST <= other <= HOTTEST:
            assert best <= measure_loss(logits, labels, other) + 1e-9


def test_the_loss_of_a_hand_computed_example() -> None:
    assert measure_loss([[math.log(3), 0.0]], [0]) == pytest.approx(-math.log(0.75))
    assert measure_loss([[1000.0, 0.0]], [1]) == pytest.approx(1000.0)


def test_logits_that_are_never_wrong_give_the_coldest_and_never_right_the_hottest() -> None:
    assert fit_temperature([[5.0, 0.0], [0.0, 5.0]], [0, 1]) == pytest.approx(COLDEST, rel=1e-3)
    assert fit_temperature([[5.0, 0.0], [0.0, 5.0]], [1, 0]) == pytest.approx(HOTTEST, rel=1e-3)


@pytest.mark.parametrize(
    ("logits", "labels"),
    [([], []), ([[1.0, 2.0]], [0, 1]), ([[1.0, math.nan]], [0]), ([[1.0, 2.0]], [2]), ([[1.0, 2.0]], [-1])],
)
def test_what_cannot_be_fitted_is_refused(logits: list[list[float]], labels: list[int]) -> None:
    with pytest.raises(InvalidInput):
        fit_temperature(logits, labels)


points = st.lists(st.tuples(st.integers(0, 8).map(lambda n: n / 8), st.booleans()), min_size=1, max_size=10)


@given(points)
def test_the_isotonic_fit_rises_and_keeps_the_mean(rows: list[tuple[float, bool]]) -> None:
    knots = fit_isotonic([c for c, _ in rows], [r for _, r in rows])
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(knots))
    fitted = [read_between(knots, c) for c, _ in rows]
    assert math.isclose(sum(fitted), sum(r for _, r in rows), abs_tol=1e-9)


@given(points)
def test_the_isotonic_fit_is_the_min_max_of_the_means(rows: list[tuple[float, bool]]) -> None:
    """The closed form: at x, the largest over starts up to x of the smallest mean over ends from x on."""
    knots = fit_isotonic([c for c, _ in rows], [r for _, r in rows])
    places = sorted({c for c, _ in rows})

    def mean(low: float, high: float) -> float:
        inside = [r for c, r in rows if low <= c <= high]
        return sum(inside) / len(inside)

    for x in places:
        wanted = max(min(mean(low, high) for high in places if high >= x) for low in places if low <= x)
        assert math.isclose(read_between(knots, x), wanted, abs_tol=1e-9)


def test_equal_confidences_are_one_point_of_the_fit() -> None:
    found = fit_isotonic([0.5, 0.5, 0.6, 0.6, 0.6, 0.6], [True, False, False, True, True, True])
    assert found == ((0.5, 0.5), (0.6, 0.75))


@pytest.mark.requirement("JDG-014")
def test_the_isotonic_fit_brings_the_error_down_on_verdicts_it_was_not_fitted_on() -> None:
    generator = random.Random(9)

    def judge(size: int) -> tuple[list[float], list[bool]]:
        confidences = [generator.uniform(0.34, 1.0) for _ in range(size)]
        return confidences, [generator.random() < c**3 for c in confidences]

    knots = fit_isotonic(*judge(3000))
    confidences, right = judge(5000)
    assert measure_calibration_error(confidences, right) > 0.15
    assert measure_calibration_error([read_between(knots, c) for c in confidences], right) < 0.03


def test_every_class_gets_its_own_curve() -> None:
    curves = fit_curves([[0.9, 0.1], [0.4, 0.6], [0.8, 0.2]], [0, 1, 0])
    assert curves == (
        fit_isotonic([0.9, 0.4, 0.8], [True, False, True]),
        fit_isotonic([0.1, 0.6, 0.2], [False, True, False]),
    )
    with pytest.raises(InvalidInput):
        fit_curves([], [])


@pytest.mark.parametrize(("confidences", "right"), [([], []), ([0.5], []), ([1.5], [True]), ([math.nan], [True])])
def test_confidences_that_are_none_are_refused(confidences: list[float], right: list[bool]) -> None:
    with pytest.raises(InvalidInput):
        fit_isotonic(confidences, right)


@pytest.mark.requirement("JDG-014")
@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_what_is_fitted_is_a_calibration_that_the_judge_can_read(method: str) -> None:
    logits, labels = draw(2000, 2.5, seed=4)
    curves = fit_curves([soften(row, 1.0) for row in logits], labels)
    document: dict[str, object] = {"version": "test.1", "method": method}
    if method == "temperature":
        document["temperature"] = fit_temperature(logits, labels)
    else:
        document["curves"] = [{"x": [x for x, _ in knots], "y": [y for _, y in knots]} for knots in curves]
    calibration = read_calibration(document)
    unseen, truth = draw(3000, 2.5, seed=5)
    chances = [calibration.calibrate(row) for row in unseen]
    right = [max(range(3), key=row.__getitem__) == label for row, label in zip(chances, truth, strict=True)]
    assert measure_calibration_error([max(row) for row in chances], right) < 0.04 < error_at(unseen, truth, 1.0)
