"""Dates and clock times as values: many formats, one day; a month contains its days; relative words need a clock."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.calendar import Moment, read_moment
from groundwire.text.moments import compare_moments
from groundwire.text.relations import Relation

WEDNESDAY = datetime(2024, 5, 15, 12, tzinfo=UTC)


def moment(text: str) -> Moment:
    found = read_moment(text)
    assert found is not None, text
    return found


def relate(left: str, right: str, now: datetime | None = None) -> Relation:
    return compare_moments(moment(left), moment(right), now).relation


SAME = [
    ("3 may 2021", "2021-05-03"), ("3 may 2021", "may 3rd, 2021"), ("3rd of may 2021", "03.05.2021"),
    ("3-may-2021", "2021/5/3"),
    ("monday, may 3, 2021", "2021-05-03"), ("may 2021", "2021-05"), ("5/2021", "may 2021"), ("the 3rd of may",
    "may 3"),
    ("5/23/2021", "23/5/2021"), ("sept 2020", "september 2020"), ("q2 2021", "2021 q2"), ("90s", "the 1990s"),
    ("fri", "friday"), ("in 2021", "2021"), ("3 pm", "15:00"), ("3:00 pm", "3 o'clock in the afternoon"), ("noon",
    "12 pm"),
    ("midnight", "12 am"), ("quarter to four in the afternoon", "15:45"), ("half past eight in the morning",
    "8:30am"),
    ("3.30pm", "15:30"), ("0900 hours", "9 am"), ("2021-05-03t15:00:00z", "may 3 2021 at 3 pm"), ("three o'clock",
    "3 o'clock"),
]  # fmt: skip


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(("left", "right"), SAME)
def test_formats_of_one_moment_are_equal(left: str, right: str):
    assert relate(left, right) is Relation.EQUAL
    assert moment(left).key == moment(right).key


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    ("specific", "general"),
    [("3 may 2021", "may 2021"), ("may 2021", "2021"), ("3 may 2021", "2021"), ("may 3, 2021", "may 3"), ("may 3",
     "may"),
     ("may 2021", "q2 2021"), ("1995", "the 1990s"), ("may 2021", "spring 2021"), ("2024-05-17", "friday"),
     ("3 pm", "3 o'clock"),
     ("friday at 5 pm", "friday"), ("friday at 5 pm", "5 pm"), ("10:30 am", "10:30"), ("february 2021",
     "early 2021")],
)  # fmt: skip
def test_the_narrower_date_refines(specific: str, general: str):
    assert relate(specific, general) is Relation.REFINES
    assert relate(general, specific) is Relation.GENERALISES


@pytest.mark.requirement("TXT-016", "JDG-020")
@pytest.mark.parametrize(
    ("left", "right"),
    [("3 may 2021", "4 may 2021"), ("may 2021", "june 2021"), ("2019", "2018"), ("3 pm", "4 pm"), ("3 pm", "3 am"),
     ("monday", "tuesday"), ("2024-05-17", "thursday"), ("may 3", "june 3, 2021"), ("3 pm", "friday"), ("may 3",
     "may 4")],
)  # fmt: skip
def test_other_moments_are_different(left: str, right: str):
    assert relate(left, right) is Relation.DIFFERENT
    assert relate(right, left) is Relation.DIFFERENT


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    ("relative", "absolute"),
    [("today", "2024-05-15"), ("yesterday", "14 may 2024"), ("tomorrow at noon", "2024-05-16 12:00 pm"),
     ("3 days ago", "may 12, 2024"),
     ("in two weeks", "2024-05-29"), ("last year", "2023"), ("next month", "june 2024"), ("last friday",
     "2024-05-10"),
     ("next friday", "2024-05-17"), ("two years ago", "2022"), ("last december", "december 2023"), ("friday",
     "2024-05-17")],
)  # fmt: skip
def test_relative_words_are_dates_once_there_is_a_clock(relative: str, absolute: str):
    assert relate(relative, absolute, WEDNESDAY) is Relation.EQUAL
    assert relate(relative, absolute) is not Relation.EQUAL


@pytest.mark.requirement("TXT-016")
def test_a_clock_can_refute_a_relative_date():
    assert relate("yesterday", "2024-05-13", WEDNESDAY) is Relation.DIFFERENT
    assert relate("yesterday", "2024-05-13") is Relation.OVERLAPS


@pytest.mark.requirement("TXT-016")
def test_the_order_of_day_and_month_stays_open():
    assert relate("5/3/2021", "3 may 2021") is Relation.OVERLAPS
    assert relate("5/3/2021", "5 march 2021") is Relation.OVERLAPS
    assert relate("5/3/2021", "6 march 2021") is Relation.DIFFERENT


@pytest.mark.requirement("TXT-016")
@pytest.mark.parametrize(
    "text",
    ["31 february 2021", "99/99/2021", "sun", "jan", "1.5", "3.30", "half", "25:00", "last resort", "9 to 5", ""],
)
def test_what_is_no_moment_is_not_read_as_one(text: str):
    assert read_moment(text) is None


@pytest.mark.requirement("TXT-015")
@given(st.dates(min_value=date(1000, 1, 1), max_value=date(9000, 1, 1)))
def test_every_day_has_one_key_in_all_formats(day: date):
    month = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november",
             "december")[day.month - 1]  # fmt: skip
    year = day.year
    forms = [f"{day.day} {month} {year}", f"{month[:3]} {day.day}, {year}", f"{day.day}.{day.month}.{year}", str(day)]
    assert {moment(form).key for form in forms} == {day.isoformat()}


@pytest.mark.requirement("TXT-016")
@given(st.dates(min_value=date(1000, 1, 1)), st.dates(min_value=date(1000, 1, 1)))
def test_two_days_are_equal_exactly_when_they_are(left: date, right: date):
    if max(left.year, right.year) < 9990:
        assert (relate(left.isoformat(), right.isoformat()) is Relation.EQUAL) == (left == right)


@pytest.mark.requirement("TXT-038")
@given(st.text(max_size=80) | st.text(alphabet="0123456789/.-: apmtofy", max_size=40), st.datetimes())
def test_any_text_and_any_clock_are_read_without_a_crash(text: str, now: datetime):
    found = read_moment(text)
    if found is not None:
        assert compare_moments(found, found, now).relation is Relation.EQUAL
        compare_moments(found, moment("yesterday"), now)


@pytest.mark.parametrize(("written", "year"), [("1874", 1874), ("2019", 2019), ("2999", 2999)])
def test_four_digits_alone_are_a_year(written: str, year: int) -> None:
    moment = read_moment(written)
    assert moment is not None
    assert [first.year for first, _ in moment.days] == [year]


@pytest.mark.parametrize("written", ["3019", "0742", "742", "20190", "7"])
def test_other_digits_alone_are_none(written: str) -> None:
    assert read_moment(written) is None
