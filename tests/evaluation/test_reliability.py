from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import DataFileError
from groundwire.evaluation.reliability import Bin, read_table, tabulate, weigh_gaps


@pytest.mark.requirement("JDG-014")
def test_a_confidence_on_a_border_belongs_above_it_and_certainty_to_the_last_bin() -> None:
    found = tabulate([0.0, 0.1, 0.3, 0.7, 0.9, 1.0], [True] * 6)
    assert [entry.n for entry in found.bins] == [1, 1, 0, 1, 0, 0, 0, 1, 0, 2]
    assert len(found.bins) == 10


def test_the_gap_is_positive_where_the_judge_is_too_sure() -> None:
    found = tabulate([0.95, 0.95, 0.55], [True, False, True])
    assert found.bins[9].gap == pytest.approx(0.45)
    assert found.bins[5].gap == pytest.approx(-0.45)
    assert found.bins[0].gap is None


def test_nothing_judged_has_ten_empty_bins_and_no_error() -> None:
    found = tabulate([], [])
    assert (found.n, found.ece, len(found.bins)) == (0, None, 10)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=50))
def test_a_table_that_was_written_is_read_back(rows: list[tuple[float, bool]]) -> None:
    found = tabulate([c for c, _ in rows], [r for _, r in rows])
    again = read_table({**found.to_dict(), "fitted_on": ["mnli", "snli"]}, "mini")
    assert again.n == found.n == len(rows)
    assert again.ece == pytest.approx(found.ece, abs=1e-5)
    assert [entry.n for entry in again.bins] == [entry.n for entry in found.bins]
    assert again.fitted_on == "mnli, snli"


def test_a_stored_table_without_an_error_has_it_computed() -> None:
    rows = [
        {"low": 0.9, "high": 1.0, "n": 3, "confidence": 0.95, "accuracy": 0.9},
        {"low": 0.5, "high": 0.6, "n": 1, "confidence": 0.55, "accuracy": 1.0},
    ]
    found = read_table({"table": rows}, "mini")
    assert found.ece == pytest.approx((3 * 0.05 + 0.45) / 4)
    assert [entry.low for entry in found.bins] == [0.5, 0.9]
    assert weigh_gaps([Bin(0.0, 0.1, 0, None, None)]) is None


GOOD = {"low": 0.9, "high": 1.0, "n": 3, "confidence": 0.95, "accuracy": 0.9}


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"table": []},
        {"table": "none"},
        {"table": [7]},
        {"table": [{**GOOD, "low": 1.0}]},
        {"table": [{**GOOD, "n": -1}]},
        {"table": [{**GOOD, "n": True}]},
        {"table": [{**GOOD, "n": 2.5}]},
        {"table": [{**GOOD, "accuracy": 1.2}]},
        {"table": [{**GOOD, "accuracy": float("nan")}]},
        {"table": [{**GOOD, "confidence": None}]},
        {"table": [GOOD], "ece": "small"},
    ],
)
def test_a_damaged_stored_table_is_an_error_that_names_it(stored: dict[str, object]) -> None:
    with pytest.raises(DataFileError, match=r"^the calibration of mini: "):
        read_table(stored, "the calibration of mini")
