from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evaluation.metrics import (
    Figure,
    Rows,
    Share,
    measure_auroc,
    measure_calibration_error,
    measure_classes,
    measure_rows,
)
from groundwire.evaluation.reliability import tabulate

# Few different scores, so that ties are the rule.
scored = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5001, 0.9, 1.0]), st.booleans()), max_size=40)
verdicts = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60)
labelled = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60)


def cross(pairs: Sequence[tuple[int, int]], classes: int = 3) -> list[list[int]]:
    return [[pairs.count((truth, chosen)) for chosen in range(classes)] for truth in range(classes)]


def make_rows(pairs: Sequence[tuple[int, int]], scores: Sequence[float], confidences: Sequence[float]) -> Rows:
    truth, chosen = [t for t, _ in pairs], [c for _, c in pairs]
    hits = [t == c for t, c in pairs]
    return Rows(truth, chosen, 3, scores, confidences, [0.25] * len(pairs), {"hits": Share(hits, [True] * len(pairs))})


# ── AUROC ───────────────────────────────────────────────────────────────────────────────────────


@given(scored)
def test_auroc_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[float, bool]]) -> None:
    high = [score for score, positive in rows if positive]
    low = [score for score, positive in rows if not positive]
    wins = [1.0 if p > n else 0.5 if p == n else 0.0 for p in high for n in low]
    found = measure_auroc([score for score, _ in rows], [positive for _, positive in rows])
    assert math.isnan(found) if not wins else math.isclose(found, sum(wins) / len(wins), abs_tol=1e-12)


def test_auroc_of_a_hand_computed_example() -> None:
    # positives 0.9, 0.5; negatives 0.5, 0.1: 0.9 beats both, 0.5 beats 0.1 and ties once
    assert measure_auroc([0.9, 0.5, 0.5, 0.1], [True, True, False, False]) == pytest.approx(3.5 / 4)


@given(scored.filter(lambda rows: len({positive for _, positive in rows}) == 2))
def test_auroc_of_the_opposite_question_is_the_rest(rows: list[tuple[float, bool]]) -> None:
    scores, positives = [s for s, _ in rows], [p for _, p in rows]
    other = measure_auroc(scores, [not p for p in positives])
    assert math.isclose(measure_auroc(scores, positives) + other, 1.0, abs_tol=1e-12)


@given(scored, st.data())
def test_a_weight_is_as_good_as_repeating_the_row(rows: list[tuple[float, bool]], data: st.DataObject) -> None:
    weights = [data.draw(st.integers(0, 3)) for _ in rows]
    repeated = [row for row, weight in zip(rows, weights, strict=True) for _ in range(weight)]
    found = measure_auroc([s for s, _ in rows], [p for _, p in rows], weights)
    wanted = measure_auroc([s for s, _ in repeated], [p for _, p in repeated])
    assert (math.isnan(found) and math.isnan(wanted)) or math.isclose(found, wanted, abs_tol=1e-12)


# ── calibration error ───────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("JDG-014")
@given(verdicts)
def test_the_calibration_error_is_the_weighted_gap_of_ten_bins(rows: list[tuple[float, bool]]) -> None:
    wanted = 0.0
    for low in range(10):
        inside = [(c, r) for c, r in rows if low <= c * 10 < low + 1 or (low == 9 and c == 1.0)]
        if inside:
            confidence = sum(c for c, _ in inside) / len(inside)
            accuracy = sum(r for _, r in inside) / len(inside)
            wanted += len(inside) / len(rows) * abs(confidence - accuracy)
    confidences, right = [c for c, _ in rows], [r for _, r in rows]
    assert math.isclose(measure_calibration_error(confidences, right), wanted, abs_tol=1e-9)
    assert math.isclose(tabulate(confidences, right).ece or 0.0, wanted, abs_tol=1e-9)


@pytest.mark.requirement("JDG-014")
def test_the_calibration_error_of_a_hand_computed_example() -> None:
    # two verdicts near 0.95 of which one is right, two at 0.6 that both are: (2 * 0.45 + 2 * 0.4) / 4
    assert measure_calibration_error([0.95, 0.95, 0.6, 0.6], [True, False, True, True]) == pytest.approx(0.425)


def test_nothing_judged_has_no_calibration_error() -> None:
    assert math.isnan(measure_calibration_error([], []))


# ── classes ─────────────────────────────────────────────────────────────────────────────────────


@given(labelled)
def test_class_figures_agree_with_counting_one_class_at_a_time(pairs: list[tuple[int, int]]) -> None:
    recalls: list[float] = []
    scores: list[float] = []
    for number in sorted({truth for truth, _ in pairs}):
        hits = sum(truth == chosen == number for truth, chosen in pairs)
        missed = sum(truth == number != chosen for truth, chosen in pairs)
        wrongly = sum(truth != number == chosen for truth, chosen in pairs)
        recalls.append(hits / (hits + missed))
        scores.append(2 * hits / (2 * hits + missed + wrongly))
    balanced, macro, _ = measure_classes(cross(pairs))
    assert math.isclose(balanced, sum(recalls) / len(recalls))
    assert math.isclose(macro, sum(scores) / len(scores))


def test_class_figures_of_a_hand_computed_example() -> None:
    # ten SUPPORTED of which 8 are found, 90 others of which 9 are taken for SUPPORTED
    balanced, macro, first = measure_classes([[8, 2], [9, 81]])
    assert balanced == pytest.approx((0.8 + 0.9) / 2)
    assert first == pytest.approx(16 / 27)
    assert macro == pytest.approx((16 / 27 + 162 / 173) / 2)


def test_a_class_that_no_row_is_labelled_with_is_left_out_of_the_means() -> None:
    balanced, macro, first = measure_classes([[5, 0, 5], [0, 10, 0], [0, 0, 0]])
    assert (balanced, macro) == (pytest.approx(0.75), pytest.approx((10 / 15 + 1.0) / 2))
    assert first == pytest.approx(10 / 15)


# ── all together ────────────────────────────────────────────────────────────────────────────────


@given(labelled, st.randoms(use_true_random=False))
def test_figures_lie_within_bounds_and_do_not_depend_on_the_order(
    pairs: list[tuple[int, int]], shuffler: random.Random
) -> None:
    numbered = [(pair, shuffler.random(), shuffler.random()) for pair in pairs]
    again = shuffler.sample(numbered, len(numbered))
    found, other = (
        measure_rows(make_rows([p for p, _, _ in rows], [s for _, s, _ in rows], [c for _, _, c in rows]), resamples=5)
        for rows in (numbered, again)
    )
    for name, figure in found.items():
        assert figure.value is None or 0.0 <= figure.value <= 1.0
        assert (figure.value is None) == (other[name].value is None)
        assert figure.value is None or math.isclose(figure.value, other[name].value or 0.0, abs_tol=1e-9)
        if figure.low is not None and figure.high is not None:
            assert figure.low <= figure.high


tenths = st.integers(0, 10).map(lambda n: n / 10)


@pytest.mark.requirement("JDG-014")
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), tenths | st.floats(0, 1), tenths), min_size=1))
def test_figures_together_are_the_same_as_each_on_its_own(rows: list[tuple[int, int, float, float]]) -> None:
    pairs = [(truth, chosen) for truth, chosen, _, _ in rows]
    confidences, scores = [c for _, _, c, _ in rows], [s for _, _, _, s in rows]
    right = [truth == chosen for truth, chosen in pairs]
    found = measure_rows(make_rows(pairs, scores, confidences), resamples=2)
    assert found["accuracy"].value == pytest.approx(sum(right) / len(right))
    assert found["ece"].value == pytest.approx(tabulate(confidences, right).ece, abs=1e-9)
    auroc = measure_auroc(scores, [truth == 0 for truth, _ in pairs])
    assert found["auroc"].value == (None if math.isnan(auroc) else pytest.approx(auroc))
    assert found["brier"].value == pytest.approx(0.25)
    assert (found["hits"].count, found["hits"].of) == (sum(right), len(rows))


def test_no_rows_give_no_figures_and_no_nan() -> None:
    found = measure_rows(make_rows([], [], []))
    assert set(found.values()) == {Figure(None)}


def test_a_share_of_nothing_cannot_be_said() -> None:
    rows = Rows([0], [0], 3, [0.9], [0.9], [0.0], {"none": Share([True], [False])})
    assert measure_rows(rows, resamples=10)["none"] == Figure(None, count=0, of=0)


def test_a_hit_counts_only_among_the_rows_asked_about() -> None:
    rows = Rows([0] * 4, [0] * 4, 3, [0.9] * 4, [0.9] * 4, [0.0] * 4, {})
    share = Share([True, True, False, False], [True, False, True, True])
    rows = Rows(rows.truth, rows.chosen, 3, rows.supported, rows.confidence, rows.brier, {"share": share})
    found = measure_rows(rows, resamples=10)["share"]
    assert (found.value, found.count, found.of) == (pytest.approx(1 / 3), 1, 3)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    generator = random.Random(5)
    pairs = [(generator.randrange(3), generator.randrange(3)) for _ in range(80)]
    rows = make_rows(pairs, [generator.random() for _ in pairs], [generator.random() for _ in pairs])
    assert measure_rows(rows, seed=1) == measure_rows(rows, seed=1)
    assert measure_rows(rows, seed=1)["accuracy"].low is not None
    assert measure_rows(rows, seed=1)["ece"] != measure_rows(rows, seed=2)["ece"]


def test_the_interval_of_an_accuracy_is_as_wide_as_the_normal_approximation_says() -> None:
    pairs = [(0, 0)] * 300 + [(0, 1)] * 100
    found = measure_rows(make_rows(pairs, [0.5] * 400, [0.5] * 400), resamples=4000)["accuracy"]
    half = 1.96 * math.sqrt(0.75 * 0.25 / 400)
    assert found.value == 0.75
    assert found.low == pytest.approx(0.75 - half, abs=0.004)
    assert found.high == pytest.approx(0.75 + half, abs=0.004)


def test_about_95_of_100_intervals_hold_the_true_accuracy() -> None:
    generator = random.Random(11)
    held = 0
    for trial in range(100):
        pairs = [(0, int(generator.random() > 0.7)) for _ in range(120)]
        found = measure_rows(make_rows(pairs, [0.5] * 120, [0.5] * 120), resamples=200, seed=trial)["accuracy"]
        assert found.low is not None and found.high is not None
        held += found.low <= 0.7 <= found.high
    assert 88 <= held <= 99
