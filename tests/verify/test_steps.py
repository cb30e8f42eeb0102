"""By how much a value changed, so that "one more than before" names the old one."""

from __future__ import annotations

import pytest

from groundwire.verify.steps import find_step, read_amount


@pytest.mark.parametrize(
    ("old", "new", "size", "up"),
    [
        ("two cats", "three cats", "one", True),
        ("one dog", "two dogs", "one", True),
        ("900 euros", "850 euros", "50 euros", False),
        ("9:00", "9:30", "half an hour", True),
        ("3 May", "10 May", "a week", True),
        ("70 kg", "74 kg", "4 kg", True),
    ],
)
def test_what_lies_between_two_values_is_measured(old: str, new: str, size: str, up: bool):
    step, amount = find_step(old, new), read_amount(size)
    assert step is not None and amount is not None
    assert step.is_up is up
    assert step.measures(amount[0])


@pytest.mark.parametrize(
    ("old", "new"), [("two cats", "three dogs"), ("Leeds", "Bristol"), ("3 May", "9:30"), ("about 5", "9"), ("5", "5")]
)
def test_values_of_different_kinds_have_no_step(old: str, new: str):
    assert find_step(old, new) is None


def test_an_amount_ends_where_the_next_word_of_comparison_begins():
    found = read_amount("a week to 10 May")
    assert found is not None
    assert found[1] == len("a week")
    assert read_amount("nothing") is None
