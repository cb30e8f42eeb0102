"""When something is said to be, as sets of days, months, weekdays and minutes that can be laid over each other.

"In the early 1920s", "before 1900", "in the 3rd century BC", "on Tuesday evening": two such times are compared only in
what both of them tell. What cannot be placed ("in modern times", "soon") is no occasion, and nothing follows from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from groundwire.text.calendar import Moment, read_moment
from groundwire.text.relations import Relation, relate_sets
from groundwire.text.times import seasons

_ALWAYS = 10**9
_YEAR = 365.2425
_POINTS = frozenset({"in", "on", "at", "during", "when", "object", "of", "within", "throughout", "over", "second"})
_BEFORE = frozenset({"before", "prior to", "ahead of"})
_AFTER = frozenset({"after", "following"})
_ENDS = frozenset({"since", "until", "till", "from", "to", "starting"})
"""An end of what lasts is compared with the same end alone."""
_DAY_PARTS = {
    "morning": (240, 720), "afternoon": (720, 1140), "evening": (960, 1440), "night": (1080, 1740),
    "midday": (660, 840),
}  # fmt: skip
_WEEK_PARTS = {"weekend": (5, 6), "weekday": (0, 1, 2, 3, 4), "workday": (0, 1, 2, 3, 4)}
_PARTS = {
    "early": (0.0, 0.5), "mid": (0.25, 0.75), "late": (0.5, 1.0), "first half": (0.0, 0.5), "second half": (0.5, 1.0),
    "latter half": (0.5, 1.0), "beginning": (0.0, 0.35), "start": (0.0, 0.35), "middle": (0.25, 0.75),
    "end": (0.65, 1.0), "first quarter": (0.0, 0.25), "second quarter": (0.25, 0.5), "third quarter": (0.5, 0.75),
    "fourth quarter": (0.75, 1.0), "last quarter": (0.75, 1.0),
}  # fmt: skip
_PART = re.compile(rf"(?:the )?(?P<part>{'|'.join(_PARTS)})(?:[ -]of)?[ -](?:the )?(?P<whole>.+)")
_ERA = re.compile(
    r"(?:the )?(?P<number>\d{1,4})(?P<century>(?:st|nd|rd|th) century)? ?(?P<era>bce?|b\.c\.|ce|ad|a\.d\.)"
)
_QUARTERS = ("first", "second", "third", "fourth")
_QUARTER = re.compile(rf"q(?P<number>[1-4])|(?P<word>{'|'.join(_QUARTERS)}) quarter(?: of the year)?")
_LOOSE = re.compile(r"(?:about|around|approximately|circa|roughly|c\.|ca\.|some time in|sometime in) ")
_LONGEST = 60

Days = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a time tells in each way of telling it; None where it tells nothing."""

    days: Days | None = None
    months: frozenset[int] | None = None
    day: int | None = None
    weekdays: frozenset[int] | None = None
    minutes: frozenset[int] | None = None
    season: str = ""
    end: str = ""
    """The role of a time that is where something begins or stops."""


def relate_occasions(left: Occasion, right: Occasion) -> Relation | None:
    """How `left` relates to `right` as far as both tell the same kind of thing; None where they do not."""
    if left.end != right.end:
        return None
    shared = [
        _relate_days(left.days, right.days),
        _relate_told(left.months, right.months),
        _relate_told(left.weekdays, right.weekdays),
        _relate_told(left.minutes, right.minutes),
        _relate_seasons(left, right),
    ]
    if left.day and right.day and left.months == right.months:
        shared.append(Relation.EQUAL if left.day == right.day else Relation.DIFFERENT)
    found = [relation for relation in shared if relation is not None]
    if not found:
        return None
    if Relation.DIFFERENT in found:
        return Relation.DIFFERENT
    more, less = _tells_more(left, right), _tells_more(right, left)
    if more or less:
        found.append(Relation.OVERLAPS if more and less else Relation.REFINES if more else Relation.GENERALISES)
    kinds = set(found) - {Relation.EQUAL}
    return kinds.pop() if len(kinds) == 1 else Relation.OVERLAPS if kinds else Relation.EQUAL


@lru_cache(maxsize=8192)
def read_occasion(role: str, written: str) -> Occasion | None:
    """The occasion that a phrase names behind a preposition; None where the calendar cannot place it."""
    text = " ".join(written.lower().replace("’", "'").split())
    if len(text) > _LONGEST or _LOOSE.match(text):
        return None
    found = _read(text)
    if found is None or role in _POINTS:
        return found
    if role in _ENDS:
        return replace(found, end=role)
    if role in _BEFORE or role in _AFTER or role == "by":
        return _bound(found, role)
    return None


def _bound(found: Occasion, role: str) -> Occasion | None:
    """ "before 1900" is any day up to then; of weekdays and months, which come again, it says nothing."""
    if found.days is not None:
        first, last = found.days
        days = (last, _ALWAYS) if role in _AFTER else (-_ALWAYS, last if role == "by" else first)
        return Occasion(days=days)
    if found.minutes is not None and len(found.minutes) == 1 and found.weekdays is None and found.months is None:
        (minute,) = found.minutes
        span = range(minute + 1, 1440) if role in _AFTER else range(minute + (role == "by"))
        return Occasion(minutes=frozenset(span)) if span else None
    return None


def _read(text: str) -> Occasion | None:
    if (era := _ERA.fullmatch(text)) is not None:
        return _read_era(era)
    if (moment := read_moment(text)) is not None:
        return _from_moment(moment)
    text = text.removeprefix("the ")
    if (quarter := _QUARTER.fullmatch(text)) is not None:
        return _read_quarter(quarter)
    if text.removesuffix("s") in _WEEK_PARTS:
        return Occasion(weekdays=frozenset(_WEEK_PARTS[text.removesuffix("s")]))
    if text in seasons():
        return Occasion(season=text)
    before, _, last = text.rpartition(" ")
    if (minutes := _DAY_PARTS.get(last.removesuffix("s"))) is not None:
        outer = _read(before) if before and before not in ("early", "late", "mid") else Occasion()
        if outer is None or outer.minutes is not None:
            return None
        return replace(outer, minutes=frozenset(minute % 1440 for minute in range(*minutes)))
    part = _PART.fullmatch(text)
    whole = _read(part["whole"]) if part is not None else None
    if part is None or whole is None or whole.days is None:
        return None
    (first, last_day), (start, end) = whole.days, _PARTS[part["part"]]
    return Occasion(days=(first + (last_day - first) * start, first + (last_day - first) * end))


def _read_quarter(match: re.Match[str]) -> Occasion | None:
    """A quarter of the year is three months of it."""
    number = int(match["number"] or 0) or _QUARTERS.index(match["word"]) + 1
    return Occasion(months=frozenset(range(3 * number - 2, 3 * number + 1)))


def _read_era(match: re.Match[str]) -> Occasion | None:
    """Years before the first one lie below zero, and there is no year zero."""
    number, is_before = int(match["number"]), match["era"].startswith("b")
    if not number or (match["century"] and number > 99):
        return None
    first, last = (100 * number - 99, 100 * number) if match["century"] else (number, number)
    return Occasion(
        days=(-last * _YEAR, (1 - first) * _YEAR) if is_before else (_first_day(first), _first_day(last + 1))
    )


def _first_day(year: int) -> float:
    return (year - 1) * _YEAR + 1


def _from_moment(moment: Moment) -> Occasion | None:
    if moment.relative or len(moment.days) > 1:
        return None  # "yesterday" needs a clock, and 3/5/2021 a country
    minutes = frozenset(moment.minutes) or None
    weekdays = frozenset((moment.weekday,)) if moment.weekday is not None else None
    if not moment.days:
        months = frozenset((moment.month,)) if moment.month else None
        return Occasion(months=months, day=moment.day, weekdays=weekdays, minutes=minutes)
    first, last = moment.days[0]
    one_month = (first.year, first.month) == (last.year, last.month)
    is_day = first == last
    return Occasion(
        days=(first.toordinal(), last.toordinal() + 1),
        months=frozenset((first.month,)) if one_month else None,
        day=first.day if is_day else None,
        weekdays=frozenset((first.weekday(),)) if is_day else weekdays,
        minutes=minutes,
    )


def _relate_days(left: Days | None, right: Days | None) -> Relation | None:
    if left is None or right is None:
        return None
    if left == right:
        return Relation.EQUAL
    slack = 1.5  # the calendar's years are not all of one length
    if left[1] <= right[0] + slack and right[1] > left[1]:
        return Relation.DIFFERENT
    if right[1] <= left[0] + slack and left[1] > right[1]:
        return Relation.DIFFERENT
    if right[0] - slack <= left[0] and left[1] <= right[1] + slack:
        return Relation.REFINES
    if left[0] - slack <= right[0] and right[1] <= left[1] + slack:
        return Relation.GENERALISES
    return Relation.OVERLAPS


def _relate_told(left: frozenset[int] | None, right: frozenset[int] | None) -> Relation | None:
    return relate_sets(left, right) if left and right else None


def _relate_seasons(left: Occasion, right: Occasion) -> Relation | None:
    """Two seasons exclude each other; a month is in one or in another, by the half of the world."""
    if left.season and right.season:
        return Relation.EQUAL if seasons()[left.season] == seasons()[right.season] else Relation.DIFFERENT
    return None


def _tells_more(one: Occasion, other: Occasion) -> bool:
    """Whether it says something in a way in which the other is silent; a date tells its month and weekday as well."""
    if one.days is not None and other.days is None:
        return True
    if one.days is None and ((one.months and not other.months) or (one.day and not other.day)):
        return True
    lone_weekday = one.weekdays is not None and one.day is None and other.weekdays is None
    return lone_weekday or (one.minutes is not None and other.minutes is None) or bool(one.season and not other.season)
