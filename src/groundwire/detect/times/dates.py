"""The days and minutes that the times of an answer can mean."""

from __future__ import annotations

import calendar as months_of_the_world
import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from groundwire.text.calendar import MONTH_NUMBERS, WEEKDAY_NUMBERS, small_number
from groundwire.types import TemporalExpression

_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_RELATIVE = re.compile(
    r"(?:(?:the\s+)?day\s+(?:before|after)\s+)?(?:yesterday|today|tonight|tomorrow)|(?:last|next|this|past|coming|current)\s"
    r"|.*\s(?:ago|back|from\s+now|from\s+today|hence)$|in\s|within\s"
)
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s?(?:([ap])\.?m\.?)?(?:o'clock)?$")
_DURATION = re.compile(r"(?P<count>.+?)[\s-]+(?P<unit>[a-z]+?)s?$")
_UNITS = {
    "minute": ("minutes", 1), "min": ("minutes", 1), "hour": ("minutes", 60), "hr": ("minutes", 60),
    "day": ("days", 1), "night": ("days", 1), "week": ("days", 7), "fortnight": ("days", 14),
    "month": ("months", 1), "quarter": ("months", 3), "year": ("months", 12), "yr": ("months", 12),
    "decade": ("months", 120), "century": ("months", 1200), "centurie": ("months", 1200),
}  # fmt: skip


class Extent(NamedTuple):
    """The days from the first to the last that an expression can mean."""

    first: date
    last: date
    grain: str
    """day, month, year, or something longer."""


class Duration(NamedTuple):
    """How long something lasts, in one of three measures that do not mix exactly."""

    measure: str
    amount: float
    unit: float
    """The size of the unit that was used: the precision that may be expected."""


def is_relative(expression: TemporalExpression) -> bool:
    """Counted from the clock of the call: "last year", "two days ago"."""
    return _RELATIVE.match(expression.surface.lower()) is not None


def has_year(expression: TemporalExpression) -> bool:
    return _YEAR.search(expression.surface) is not None


def is_absolute(expression: TemporalExpression) -> bool:
    """A date that means the same on every day on which it is read."""
    return expression.resolved_date is not None and has_year(expression) and not is_relative(expression)


def find_extent(expression: TemporalExpression) -> Extent | None:
    """The days of a date that is written with its year."""
    first = expression.resolved_date
    if first is None or not is_absolute(expression):
        return None
    return _read_extent(expression.surface.lower(), first)


_QUARTER = re.compile(r"\bq[1-4]\b|quarter")
_SEASON = re.compile(r"\b(?:spring|summer|autumn|fall|winter)\b")
_MONTH = re.compile(r"\b(?:" + "|".join(MONTH_NUMBERS) + r")")
_PART = re.compile(r"early|mid|late|end|beginning|start|middle")
_NUMBER = re.compile(r"\d+")


@lru_cache(maxsize=4096)
def _read_extent(low: str, first: date) -> Extent:
    """Several detectors ask about the same dates."""
    if low.endswith("s") and low.rstrip("'s").endswith("0") and _YEAR.search(low.rstrip("'s")):
        return Extent(first, _shift_years(first, 10), "decade")
    if _QUARTER.search(low):
        return Extent(first, first + timedelta(days=91), "quarter")
    if _SEASON.search(low):
        return Extent(first, first + timedelta(days=91), "season")
    numbers = _NUMBER.findall(low)
    has_month = _MONTH.search(low) is not None
    if len(numbers) >= (2 if has_month else 3):
        return Extent(first, first, "day")
    if has_month or len(numbers) == 2:
        if _PART.search(low):
            return Extent(first, first + timedelta(days=12), "month")
        return Extent(first, first.replace(day=months_of_the_world.monthrange(first.year, first.month)[1]), "month")
    if _PART.search(low):
        return Extent(first, first + timedelta(days=121), "year")
    return Extent(first, date(first.year, 12, 31), "year")


def _shift_years(day: date, years: int) -> date:
    return date(min(9999, day.year + years), 1, 1) - timedelta(days=1)


def read_minutes(surface: str) -> int | None:
    """Minutes after midnight; None where the half of the day is open."""
    low = surface.lower().strip()
    if low in ("noon", "midnight"):
        return 720 if low == "noon" else 0
    match = _CLOCK.match(low)
    if match is None:
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), match[3]
    if minute > 59 or hour > 24 or (half and not 1 <= hour <= 12):
        return None
    if half:
        return hour % 12 * 60 + minute + (720 if half == "p" else 0)
    return hour * 60 + minute if match[2] else None


def read_duration(words: str) -> Duration | None:
    """ "eight years", "8-year", "three and a half hours" are too rare to be read."""
    match = _DURATION.match(words.lower().strip())
    if match is None or match["unit"] not in _UNITS:
        return None
    count = _read_amount(match["count"])
    measure, size = _UNITS[match["unit"]]
    return Duration(measure, count * size, size) if count else None


def _read_amount(words: str) -> float | None:
    words = re.sub(r"\s(?:whole|full|entire|solid)$", "", words.strip(" -"))
    if re.fullmatch(r"\d{1,4}(?:\.\d{1,3})?", words):
        return float(words)
    found = small_number(re.sub(r"\s+", " ", words).removesuffix(" of").removeprefix("a couple").strip() or "couple of")
    return float(found) if found else None


def read_weekday(surface: str) -> int | None:
    """The weekday that opens a date: 0 for "Monday, March 4"."""
    opening = re.match(r"[a-z]+", surface.lower())
    name = opening.group() if opening else ""
    return WEEKDAY_NUMBERS.get(name) if name.endswith("day") or len(name) <= 5 else None


def months_between(start: date, end: date) -> float:
    return (end.year - start.year) * 12 + end.month - start.month + (end.day - start.day) / 31


YEARLESS = "yearless"
_DAY_OF_MONTH = re.compile(
    r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]{3,9}\.?|[a-z]{3,9}\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?"
)


def find_yearless(around: Sequence[TemporalExpression], expression: TemporalExpression) -> Extent | None:
    """ "3 March": a day of some year, the same one for all such days of a sentence; None where one has its year."""
    day = expression.resolved_date
    if day is None or is_relative(expression) or has_year(expression):
        return None
    low = re.sub(r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?:the\s+)?", "", expression.surface.lower())
    if not _DAY_OF_MONTH.fullmatch(low) or any(has_year(other) for other in around):
        return None
    shared = date(2000, day.month, day.day)
    return Extent(shared, shared, YEARLESS)
