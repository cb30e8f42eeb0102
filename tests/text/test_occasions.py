"""When something is said to be, laid over another time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.occasions import read_occasion, relate_occasions
from groundwire.text.relations import Relation

EQUAL, WIDER, NARROWER, MEETS, APART = (
    Relation.EQUAL,
    Relation.GENERALISES,
    Relation.REFINES,
    Relation.OVERLAPS,
    Relation.DIFFERENT,
)


def relate(left: str, right: str) -> Relation | None:
    one, other = (read_occasion(*phrase.split(" ", 1)) for phrase in (left, right))
    assert one is not None and other is not None
    return relate_occasions(one, other)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("in the 17th century", "in 1655", WIDER),
        ("in the 16th century", "in 1655", APART),
        ("in the late 1830s", "in 1837", WIDER),
        ("in the early 1830s", "in 1837", APART),
        ("in the mid-1960s", "in 1962", MEETS),
        ("in the second half of the 9th century", "in 871 AD", WIDER),
        ("before 1700", "in 1655", WIDER),
        ("in 1655", "before 1700", NARROWER),
        ("after 1700", "in 1655", APART),
        ("by 1655", "in 1655", WIDER),
        ("before 1655", "in 1655", APART),
        ("in the 5th century BC", "in 480 BC", WIDER),
        ("in 480 AD", "in 480 BC", APART),
        ("in the 5th century", "in 480 AD", WIDER),
        ("on Tuesday evening", "on Tuesday", NARROWER),
        ("on Tuesday", "on Tuesday evening", WIDER),
        ("at the weekend", "on Sunday", WIDER),
        ("on weekdays", "on Sunday", APART),
        ("in the morning", "at 9 am", WIDER),
        ("in the morning", "at 9 pm", APART),
        ("at night", "at 1 am", WIDER),
        ("before noon", "at 9 am", WIDER),
        ("in March", "on 3 March 2019", WIDER),
        ("on 3 March", "on 4 March", APART),
        ("on Sunday", "on 3 March 2019", WIDER),
        ("on Friday", "on 3 March 2019", APART),
        ("in spring", "in autumn", APART),
        ("since 2010", "since 2012", APART),
        ("in early 2020", "in March 2020", WIDER),
    ],
)
def test_times_are_laid_over_each_other(left: str, right: str, expected: Relation):
    assert relate(left, right) is expected
    assert relate(right, left) is expected.inverse


@pytest.mark.parametrize(
    ("left", "right"),
    [("on Mondays", "at 8 am"), ("in summer", "in July"), ("since 2010", "in 2012"), ("on Friday", "in 2020")],
)
def test_what_is_told_in_two_ways_is_not_compared(left: str, right: str):
    assert relate(left, right) is None


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("in", "modern times"),
        ("in", "about 1832"),
        ("on", "the table"),
        ("in", "0 BC"),
        ("when", "yesterday"),
        ("on", "3/5/2021"),
        ("in", "early Rome"),
        ("with", "1832"),
        ("in", "x" * 500),
    ],
)
def test_what_the_calendar_cannot_place_is_no_occasion(role: str, text: str):
    assert read_occasion(role, text) is None


@given(st.sampled_from(["in", "on", "before", "by", "since", "at"]), st.text(max_size=80))
def test_any_text_can_be_asked(role: str, text: str):
    found = read_occasion(role, text)
    if found is not None:
        assert relate_occasions(found, found) in (EQUAL, None)
