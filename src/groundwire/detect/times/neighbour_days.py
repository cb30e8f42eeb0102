"""Weekdays told by their distance: "on Monday and the next day, on Friday"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import WEEKDAY_NUMBERS, small_number
from groundwire.types import Span

NEIGHBOUR = 0.80
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = re.compile(rf"\b(?P<name>{'|'.join(_DAYS)})\b(?!s)")
_COUNT = r"(?:an?|one|two|three|four|five|six|\d)"
_BESIDE = re.compile(
    rf"\b(?:the\s+)?(?:very\s+)?(?:(?P<next>next|following|same|previous|preceding)\s+day"
    rf"|(?<!every\s)(?<!each\s)day\s+(?P<way>after|before)(?:wards)?|(?P<count>{_COUNT})\s+days?\s+(?P<later>later|earlier))"
    r"\s*[,(–—:]?\s*(?:which\s+(?:is|was|will\s+be)\s+)?(?:i\.e\.,?\s+|namely,?\s+)?(?:on\s+|a\s+|is\s+|was\s+|until\s+)?$"
)
_APART = re.compile(
    rf"\s*[,(–—]?\s*(?:only\s+|just\s+|exactly\s+)?(?P<count>{_COUNT})\s+days?\s+(?P<way>after|before)\s+"
    r"(?!(?:that|this)\b)[a-z' ]{0,50}?(?:on\s+|of\s+)?(?:the\s+)?$"
)
_STEPS = {"next": 1, "following": 1, "same": 0, "previous": -1, "preceding": -1}
_LATER = frozenset({"after", "later"})
_OPEN = re.compile(r"\b(?:or|not|if|instead|rather)\b|n't\b|;")
_LONGEST = 90


def find_neighbour_faults(seen: Sighting, previous: Sighting | None) -> Iterator[TemporalFault]:
    """Each weekday with the one before it, be it the last one of the sentence before."""
    if seen.is_question or "day" not in seen.low:
        return
    days = list(_DAY.finditer(seen.low))
    if not days:
        return
    before = list(_DAY.finditer(previous.low))[-1:] if previous is not None else []
    if before and previous is not None and (fault := _check(seen, before[0], days[0], seen.low[: days[0].start()])):
        yield fault
    for one, other in pairwise(days):
        gap = seen.low[one.end() : other.start()]
        if (fault := _check(seen, one, other, gap)) is not None:
            yield fault


def _check(seen: Sighting, one: re.Match[str], other: re.Match[str], gap: str) -> TemporalFault | None:
    if len(gap) > _LONGEST or _OPEN.search(gap):
        return None
    step, at = _read_step(gap)
    if step is None:
        return None
    first, second = (WEEKDAY_NUMBERS[day["name"]] for day in (one, other))
    if (first + step) % 7 == second:
        return None
    start = other.start() - len(gap) + at
    span = Span(seen.start + start, seen.start + other.end())
    if seen.is_quoted(span):
        return None
    right = _DAYS[(first + step) % 7].title()
    evidence = f"{abs(step)} day(s) from {one['name'].title()} is {right}, not {other['name'].title()}"
    return TemporalFault(span, NEIGHBOUR, evidence, "Check both days of the week.")


def _read_step(gap: str) -> tuple[int | None, int]:
    """How many days lie between, and where in the gap that is said."""
    if (match := _BESIDE.search(gap)) is not None:
        if match["next"]:
            return _STEPS[match["next"]], match.start()
        count = small_number(match["count"]) if match["count"] else 1
        return (count if (match["way"] or match["later"]) in _LATER else -count) if count else None, match.start()
    if (match := _APART.fullmatch(gap)) is not None and (count := small_number(match["count"])):
        return (count if match["way"] == "before" else -count), match.start("count")
    return None, 0
