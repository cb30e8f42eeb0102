"""Times: many ways to write them, one calendar to place them on."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import stays_cheap
from groundwire.text.temporal import find_times
from groundwire.types import TemporalExpression, TemporalRelation, Tense

NOW = datetime(2024, 6, 12, 15, 0, tzinfo=UTC)  # a Wednesday


def one(text: str, now: datetime = NOW) -> TemporalExpression:
    found = find_times(text, now)
    assert len(found) == 1, [item.surface for item in found]
    return found[0]


@pytest.mark.requirement("TXT-035")
@pytest.mark.parametrize(
    ("text", "surface", "day"),
    [
        ("It shipped on 2024-05-01.", "2024-05-01", date(2024, 5, 1)),
        ("Logged at 2023-11-05T10:15:00Z.", "2023-11-05T10:15:00Z", date(2023, 11, 5)),
        ("Born on 5 May 1990.", "5 May 1990", date(1990, 5, 5)),
        ("Signed May 3rd, 2001", "May 3rd, 2001", date(2001, 5, 3)),
        ("on the 4th of July, 1776,", "the 4th of July, 1776", date(1776, 7, 4)),
        ("Sept. 3, 2021", "Sept. 3, 2021", date(2021, 9, 3)),
        ("3-Mar-2020", "3-Mar-2020", date(2020, 3, 3)),
        ("Friday, 5 January 2024", "Friday, 5 January 2024", date(2024, 1, 5)),
        ("12/25/2023", "12/25/2023", date(2023, 12, 25)),
        ("25/12/2023", "25/12/2023", date(2023, 12, 25)),
        ("25.12.2023", "25.12.2023", date(2023, 12, 25)),
        ("2023/12/25", "2023/12/25", date(2023, 12, 25)),
        ("founded in 1847 by James Roberts", "1847", date(1847, 1, 1)),
        ("in March 2020", "March 2020", date(2020, 3, 1)),
        ("in late 2019", "late 2019", date(2019, 9, 1)),
        ("Q3 2023 was good", "Q3 2023", date(2023, 7, 1)),
        ("the first quarter of 2022", "the first quarter of 2022", date(2022, 1, 1)),
        ("In the 1990s", "the 1990s", date(1990, 1, 1)),
        ("the 19th century", "the 19th century", date(1801, 1, 1)),
        ("in the summer of 2019", "summer of 2019", date(2019, 6, 1)),
        ("The 2016 election was close", "2016", date(2016, 1, 1)),
    ],
)
def test_absolute_dates_are_read_in_the_usual_formats(text: str, surface: str, day: date) -> None:
    found = one(text)
    assert (found.surface, found.resolved_date, found.year) == (surface, day, day.year)
    assert text[found.span.start : found.span.end] == surface


@pytest.mark.requirement("TXT-035")
@pytest.mark.parametrize(
    ("text", "day", "tense"),
    [
        ("yesterday", date(2024, 6, 11), Tense.PAST),
        ("the day before yesterday", date(2024, 6, 10), Tense.PAST),
        ("today", date(2024, 6, 12), Tense.PRESENT),
        ("tomorrow", date(2024, 6, 13), Tense.FUTURE),
        ("the day after tomorrow", date(2024, 6, 14), Tense.FUTURE),
        ("last night", date(2024, 6, 11), Tense.PAST),
        ("last year", date(2023, 1, 1), Tense.PAST),
        ("this year", date(2024, 1, 1), Tense.PRESENT),
        ("next year", date(2025, 1, 1), Tense.FUTURE),
        ("last month", date(2024, 5, 1), Tense.PAST),
        ("next month", date(2024, 7, 1), Tense.FUTURE),
        ("last week", date(2024, 6, 3), Tense.PAST),
        ("this week", date(2024, 6, 10), Tense.PRESENT),
        ("last quarter", date(2024, 1, 1), Tense.PAST),
        ("last Friday", date(2024, 6, 7), Tense.PAST),
        ("next Friday", date(2024, 6, 14), Tense.FUTURE),
        ("last May", date(2024, 5, 1), Tense.PAST),
        ("next May", date(2025, 5, 1), Tense.FUTURE),
        ("last summer", date(2023, 6, 1), Tense.PAST),
        ("two weeks ago", date(2024, 5, 29), Tense.PAST),
        ("a month ago", date(2024, 5, 12), Tense.PAST),
        ("twenty-three days ago", date(2024, 5, 20), Tense.PAST),
        ("a couple of days ago", date(2024, 6, 10), Tense.PAST),
        ("16 hours ago", date(2024, 6, 11), Tense.PAST),
        ("a few years ago", None, Tense.PAST),
        ("in three days", date(2024, 6, 15), Tense.FUTURE),
        ("two weeks from now", date(2024, 6, 26), Tense.FUTURE),
        ("right now", date(2024, 6, 12), Tense.PRESENT),
        ("recently", None, Tense.PAST),
        ("soon", None, Tense.FUTURE),
    ],
)
def test_relative_expressions_count_from_the_clock(text: str, day: date | None, tense: Tense) -> None:
    found = one(text)
    assert (found.surface, found.resolved_date, found.tense) == (text, day, tense)


@pytest.mark.requirement("TXT-035")
@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("It opened before 2019.", TemporalRelation.BEFORE),
        ("It must be done by Friday.", TemporalRelation.BEFORE),
        ("It happened prior to March 2020.", TemporalRelation.BEFORE),
        ("It opened after 2019.", TemporalRelation.AFTER),
        ("He lived in Oslo until 2020.", TemporalRelation.UNTIL),
        ("She has worked there since March.", TemporalRelation.SINCE),
        ("We met in May.", TemporalRelation.DURING),
        ("We met during 2019.", TemporalRelation.DURING),
        ("We met on Tuesday.", TemporalRelation.AT),
        ("We met at noon.", TemporalRelation.AT),
        ("It lasted for five years.", TemporalRelation.DURING),
    ],
)
def test_the_preposition_gives_the_relation(text: str, relation: TemporalRelation) -> None:
    assert one(text).relation is relation


@pytest.mark.requirement("TXT-035")
@pytest.mark.parametrize("text", ["from 2010 to 2015", "between 2010 and 2015"])
def test_a_range_has_a_start_and_an_end(text: str) -> None:
    first, second = find_times(text, NOW)
    assert (first.relation, second.relation) == (TemporalRelation.SINCE, TemporalRelation.UNTIL)


@pytest.mark.requirement("TXT-035")
@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("The product launched in 2030.", Tense.PAST),
        ("The plant will close in 2030.", Tense.FUTURE),
        ("It was scheduled for 2030.", Tense.FUTURE),
        ("She was elected until 2030.", Tense.FUTURE),
        ("In 2030 the company opened an office.", Tense.PAST),
        ("The fair is in 2030.", Tense.FUTURE),
        ("The war of 1914", Tense.PAST),
        ("The 2024 budget", Tense.PRESENT),
        ("She has lived here since 2019.", Tense.PRESENT),
    ],
)
def test_the_clause_gives_the_tense_and_the_clock_where_it_is_silent(text: str, tense: Tense) -> None:
    assert one(text).tense is tense


@pytest.mark.requirement("TXT-035")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("I moved to Berlin in May.", date(2024, 5, 1)),
        ("I moved to Berlin in August.", date(2023, 8, 1)),
        ("I will move to Berlin in May.", date(2025, 5, 1)),
        ("I will move to Berlin in August.", date(2024, 8, 1)),
        ("She has worked there since October.", date(2023, 10, 1)),
        ("The meeting was on Tuesday.", date(2024, 6, 11)),
        ("The meeting is on Tuesday.", date(2024, 6, 18)),
        ("The report is due by Friday.", date(2024, 6, 14)),
    ],
)
def test_a_month_or_weekday_without_a_year_follows_the_tense(text: str, day: date) -> None:
    assert one(text).resolved_date == day


@pytest.mark.requirement("TXT-035")
def test_in_three_days_is_a_duration_when_the_clause_is_past() -> None:
    found = one("He built it in three days.")
    assert (found.resolved_date, found.relation, found.tense) == (None, TemporalRelation.DURING, Tense.PAST)


@pytest.mark.requirement("TXT-035")
@pytest.mark.parametrize(
    "text",
    [
        "It may rain.",
        "May I ask?",
        "March on!",
        "April said so.",
        "5 may be wrong",
        "2000 people came",
        "in 2000 cases",
        "1500 users",
        "2048 MB",
        "version 3.4.21",
        "192.168.1.1",
        "RFC 1918",
        "a score of 3:1",
        "John 3:16",
        "Feb 30, 2020",
        "31.02.2020",
        "a 30-year-old man",
        "once a year",
        "call 555-2024",
        "It costs $1999.",
        "the next page",
        "I mar it",
    ],
)
def test_what_only_looks_like_a_time_is_left_alone(text: str) -> None:
    assert find_times(text, NOW) == ()


@pytest.mark.requirement("TXT-035")
def test_the_clock_is_utc_unless_a_zone_is_given() -> None:
    late = datetime(2024, 6, 12, 23, 30)  # a clock without a zone
    east = timezone(timedelta(hours=9))
    assert one("today", late).resolved_date == date(2024, 6, 12)
    assert one("today", late.replace(tzinfo=UTC)).resolved_date == date(2024, 6, 12)
    assert find_times("today", late, tz=east)[0].resolved_date == date(2024, 6, 13)
    assert one("today", datetime(2024, 6, 13, 8, 30, tzinfo=east)).resolved_date == date(2024, 6, 13)


@pytest.mark.requirement("TXT-035")
def test_the_clock_is_that_of_the_call() -> None:
    for year in (2020, 2027):
        relative, absolute = find_times("Last year in 2026 we grew.", NOW.replace(year=year))
        assert (relative.year, absolute.year) == (year - 1, 2026)


@pytest.mark.requirement("TXT-035")
def test_years_before_christ_keep_their_number() -> None:
    found = one("Caesar died in 44 BC.")
    assert (found.year, found.resolved_date, found.tense) == (-44, None, Tense.PAST)


@pytest.mark.requirement("TXT-038")
@pytest.mark.parametrize("text", ["", " \t\n", "\x00\x07", "Вчера было тепло", "昨日", "no time at all"])
def test_nothing_is_found_where_no_time_is_named(text: str) -> None:
    assert find_times(text, NOW) == ()


PIECES = st.sampled_from(
    [
        "in",
        "May",
        "5",
        "2024",
        "last",
        "9999",
        "years",
        "ago",
        "two",
        "the",
        "end of",
        ",",
        ".",
        "-",
        "31",
        "was",
        "will",
        "İ",
        "\u200b",
        "Friday",
    ]
)


@pytest.mark.requirement("TXT-035", "TXT-038")
@given(
    st.one_of(st.text(), st.lists(PIECES).map(" ".join), st.lists(PIECES).map("".join)),
    st.datetimes(timezones=st.just(UTC)),
)
def test_any_text_at_any_time_gives_exact_spans_and_the_same_answer_twice(text: str, now: datetime) -> None:
    found = find_times(text, now)
    assert all(text[item.span.start : item.span.end] == item.surface and item.surface for item in found)
    assert all(left.span.end <= right.span.start for left, right in pairwise(found))
    assert find_times(text, now) == found


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize(
    "piece", ["2024-01-01 ", "in ", "last two ", "1/2/", "twenty-", "'", " ", "the end of ", "1", "was "]
)
def test_hostile_input_of_the_maximum_size_is_read_in_time(piece: str) -> None:
    text = (piece * 200_000)[:200_000]
    assert stays_cheap(lambda: find_times(text, NOW))
