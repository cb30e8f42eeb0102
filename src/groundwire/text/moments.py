"""How two moments relate, and what relative words mean at a given time."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from groundwire.text.calendar import (
    DISTANCE,
    MONTH_NUMBERS,
    RELATIVE,
    RELATIVE_DAYS,
    WEEKDAY_NUMBERS,
    Days,
    Moment,
    small_number,
    span_months,
    span_year,
)
from groundwire.text.relations import Comparison, Relation, join, relate_sets

_VERBS = {
    Relation.EQUAL: "is",
    Relation.REFINES: "is within",
    Relation.GENERALISES: "contains",
    Relation.OVERLAPS: "may be",
    Relation.DIFFERENT: "is not",
}
_NEAR = timedelta(days=7)


def compare_moments(left: Moment, right: Moment, now: datetime | None = None) -> Comparison:
    """How two dates or times relate; `now` gives the clock for words such as "yesterday"."""
    left, right = _resolve(left, now), _resolve(right, now)
    if left.relative != right.relative:
        return Comparison(Relation.OVERLAPS, "a relative date needs a clock to be compared")
    if not (left.minutes and right.minutes) and not (left.has_date and right.has_date):
        return Comparison(Relation.DIFFERENT, f"{left.shown} and {right.shown}: a date and a time")
    dates = _relate_presence(left.has_date, right.has_date) or _relate_dates(left, right, now)
    clocks = _relate_presence(bool(left.minutes), bool(right.minutes)) or _relate_clocks(left, right)
    relation = join(dates, clocks)
    return Comparison(relation, f"{left.shown} {_VERBS[relation]} {right.shown}")


def _relate_presence(left: bool, right: bool) -> Relation | None:
    """What a part tells that a side lacks; None when both have it."""
    if left and right:
        return None
    if left == right:
        return Relation.EQUAL
    return Relation.REFINES if left else Relation.GENERALISES


def _relate_clocks(left: Moment, right: Moment) -> Relation:
    if left.zone and right.zone and left.zone != right.zone:
        return Relation.OVERLAPS
    return relate_sets(set(left.minutes), set(right.minutes))


def _relate_dates(left: Moment, right: Moment, now: datetime | None) -> Relation:
    if left.days and right.days:
        return _relate_days(left.days, right.days)
    if left.days:
        return _relate_to_pattern(left.days, right, now)
    if right.days:
        return _relate_to_pattern(right.days, left, now).inverse
    if left.relative:
        return Relation.EQUAL
    if left.month and right.month:
        return _relate_yearless(left, right)
    if left.weekday is not None and right.weekday is not None:
        return Relation.EQUAL if left.weekday == right.weekday else Relation.DIFFERENT
    return Relation.OVERLAPS


def _relate_days(left: tuple[Days, ...], right: tuple[Days, ...]) -> Relation:
    if left == right:
        return Relation.EQUAL
    if len(left) == 1 and len(right) == 1:
        return _relate_spans(left[0], right[0])
    meets = any(_relate_spans(one, other) is not Relation.DIFFERENT for one in left for other in right)
    return Relation.OVERLAPS if meets else Relation.DIFFERENT


def _relate_spans(left: Days, right: Days) -> Relation:
    if left == right:
        return Relation.EQUAL
    if right[0] <= left[0] and left[1] <= right[1]:
        return Relation.REFINES
    if left[0] <= right[0] and right[1] <= left[1]:
        return Relation.GENERALISES
    return Relation.OVERLAPS if left[0] <= right[1] and right[0] <= left[1] else Relation.DIFFERENT


def _relate_to_pattern(days: tuple[Days, ...], pattern: Moment, now: datetime | None) -> Relation:
    """A date against a weekday, or against a day or month without its year."""
    answers = {_relate_span_to_pattern(span, pattern, now) for span in days}
    if len(answers) == 1:
        return answers.pop()
    return Relation.DIFFERENT if answers == {Relation.DIFFERENT} else Relation.OVERLAPS


def _relate_span_to_pattern(days: Days, pattern: Moment, now: datetime | None) -> Relation:
    first, last = days
    if pattern.month is None:
        if first != last:
            return Relation.OVERLAPS
        if first.weekday() != pattern.weekday:
            return Relation.DIFFERENT
        is_near = now is not None and abs(first - now.date()) <= _NEAR
        return Relation.EQUAL if is_near else Relation.REFINES
    if (first.year, first.month) != (last.year, last.month):
        return Relation.OVERLAPS
    if first.month != pattern.month:
        return Relation.DIFFERENT
    if pattern.day is None:
        return Relation.REFINES
    if first != last:
        return Relation.OVERLAPS
    return Relation.REFINES if first.day == pattern.day else Relation.DIFFERENT


def _relate_yearless(left: Moment, right: Moment) -> Relation:
    if left.month != right.month:
        return Relation.DIFFERENT
    if left.day == right.day:
        return Relation.EQUAL
    if left.day and right.day:
        return Relation.DIFFERENT
    return Relation.REFINES if left.day else Relation.GENERALISES


def _resolve(moment: Moment, now: datetime | None) -> Moment:
    """`moment` with the days that its relative words mean at `now`; unchanged when there is no telling."""
    if not moment.relative or now is None:
        return moment
    try:
        days = _relative_days(moment.relative, now.date())
    except (OverflowError, ValueError):  # before year 1 or after 9999
        return moment
    return Moment(moment.shown, (days,), minutes=moment.minutes, zone=moment.zone)


def _relative_days(text: str, today: date) -> Days:
    if text in RELATIVE_DAYS:
        day = today + timedelta(days=RELATIVE_DAYS[text])
        return day, day
    if match := RELATIVE.match(text):
        step = {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "upcoming": 1}.get(match["which"], 0)
        return _neighbour(match["what"], step, today)
    match = DISTANCE.match(text)
    count = (small_number(match["count"]) or 0) if match else 0
    unit, way = (match["unit"], match["way"] or "") if match else ("day", "")
    signed = -count if way in (" ago", " back", " earlier") else count
    if unit in ("day", "week"):
        day = today + timedelta(days=signed * (7 if unit == "week" else 1))
        return day, day
    return span_year(today.year + signed) if unit == "year" else span_months(today.year, today.month + signed, 1)


def _neighbour(what: str, step: int, today: date) -> Days:
    """The last, this or next one of a span of the calendar."""
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    if what == "week":
        return monday, monday + timedelta(days=6)
    if what == "weekend":
        return monday + timedelta(days=5), monday + timedelta(days=6)
    if what == "month":
        return span_months(today.year, today.month + step, 1)
    if what == "year":
        return span_year(today.year + step)
    if what in WEEKDAY_NUMBERS:
        distance = (WEEKDAY_NUMBERS[what] - today.weekday()) % 7
        shift = (distance or 7) if step > 0 else distance - 7 if step < 0 else distance
        return today + timedelta(days=shift), today + timedelta(days=shift)
    month = MONTH_NUMBERS[what]
    later = month > today.month
    year = today.year - (later or month == today.month) if step < 0 else today.year + (step > 0 and not later)
    return span_months(year, month, 1)
