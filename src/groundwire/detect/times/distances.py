"""Distances in time: "three weeks after", "ten years later", "for six years now", each against the dates beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import (
    Duration,
    Extent,
    find_extent,
    find_yearless,
    months_between,
    read_duration,
    read_minutes,
)
from groundwire.detect.times.intervals import ABOUT, NUMBER, find_stretches, fits_amount, fits_stretch
from groundwire.detect.times.tenses import TemporalFault
from groundwire.types import Span, TemporalExpression

DISTANCE = 0.80
_UNIT = r"(?:minute|hour|day|week|month|year|decade|centurie|century)s?"
_APART = re.compile(
    rf"\b(?P<about>(?:{ABOUT})\s+)?(?P<words>{NUMBER}\s{_UNIT})\s+(?P<way>before|after(?:wards?)?|thereafter|prior\s+to|later|earlier|following)\b"
)
_WAYS = frozenset("before after afterward afterwards thereafter prior later earlier following".split())  # noqa: SIM905
_THOSE = re.compile(rf"\b(?:those|these)\s+(?P<words>{NUMBER}\s{_UNIT})\b")
_SO_FAR = re.compile(
    rf"\b(?:has|have|'s|'ve)\s+(?:[a-z]+\s+){{1,3}}?for\s+(?P<about>(?:{ABOUT})\s+)?(?P<words>{NUMBER}\s(?:month|year|decade)s?)\b"
)
_OTHER_START = re.compile(r"\b(?:by then|at that time|had)\b")
_LATER = frozenset({"later", "earlier", "afterwards", "afterward", "thereafter"})
_IS = re.compile(
    r"\s+(?:is|was|falls|fell|comes|came|will\s+be|took\s+place|takes\s+place)\s+(?:exactly\s+|only\s+|just\s+)?"
)


def find_distance_faults(seen: Sighting, previous: Sighting | None, today: date) -> Iterator[TemporalFault]:
    """What one sentence, or it and the one before, says of the time between two dates."""
    if seen.is_question or seen.is_endless or not seen.times:
        return
    if not _WAYS.isdisjoint(seen.runs):
        for match in _APART.finditer(seen.low):
            if (fault := _check_apart(seen, match)) is not None:
                yield fault
    if previous is not None and (those := _THOSE.search(seen.low)) is not None:
        yield from _check_those(seen, those, previous)
    if (so_far := _SO_FAR.search(seen.low)) is not None:
        yield from _check_so_far(seen, so_far, today)


def _check_apart(seen: Sighting, match: re.Match[str]) -> TemporalFault | None:
    """The nearest date in front of the distance and the nearest behind it; two behind where it opens the sentence."""
    duration = read_duration(match["words"])
    start, end = seen.start + match.start(), seen.start + match.end()
    dates = [time for time in seen.times if _is_dated(time, duration)]
    front = [time for time in dates if time.span.end <= start]
    behind = [time for time in dates if time.span.start >= end]
    way = " ".join(match["way"].split())
    if duration is None or not behind:
        return None
    if way in _LATER:
        if not front or seen.between(end, behind[0].span.start).strip(" ,(") not in ("in", "on", "at", ""):
            return None
        known, told = front[-1], behind[0]
    elif front and _is_near(seen, front[-1], start):
        known, told = behind[0], front[-1]
    elif not front and len(behind) == 2 and not seen.low[: match.start()].strip():
        known, told = behind
    else:
        return None
    if len(dates) > 2 and way not in _LATER:
        return None
    sign = -1 if way in ("before", "prior to", "earlier") else 1
    if fits_distance(known, told, duration, sign, (match["about"] or "").strip()):
        return None
    span = Span(
        min(start, told.span.start) if told.span.start >= end else start, max(told.span.end, behind[0].span.end)
    )
    if seen.is_quoted(span):
        return None
    evidence = f"{told.surface} is not {match['words']} {way} {known.surface}"
    return TemporalFault(span, DISTANCE, evidence, "The distance does not fit the dates: check all three.")


def _is_near(seen: Sighting, time: TemporalExpression, start: int) -> bool:
    """The date and the distance are said of one event: nothing else happens between them."""
    gap = seen.between(time.span.end, start)
    first, last = seen.index_at(time.span.end), seen.index_at(start)
    if _IS.fullmatch(gap):
        return True
    return len(gap) <= 40 and not any(first <= group.start < last for group in seen.groups) and ";" not in gap


def _is_dated(time: TemporalExpression, duration: Duration | None) -> bool:
    if duration is not None and duration.measure == "minutes":
        return read_minutes(time.surface) is not None
    return find_extent(time) is not None or find_yearless((time,), time) is not None


def fits_distance(
    known: TemporalExpression, told: TemporalExpression, duration: Duration, sign: int, about: str
) -> bool:
    if duration.measure == "minutes":
        first, last = read_minutes(known.surface), read_minutes(told.surface)
        if first is None or last is None:
            return True
        length = sign * (last - first) % 1440
        return fits_amount(duration, length, length, about)
    one, other = find_extent(known), find_extent(told)
    if one is None and other is None:
        one, other = find_yearless((known, told), known), find_yearless((known, told), told)
        if one is not None and other is not None and abs((one.first - other.first).days) > 120:
            return True  # of two years, perhaps
    if one is None or other is None:
        return True
    first, last = (one, other) if sign > 0 else (other, one)
    if first.first > last.last:
        return False  # the wrong way round
    bounds = _bounds(first, last, duration)
    return bounds is None or fits_amount(duration, *bounds, about)


def _bounds(first: Extent, last: Extent, duration: Duration) -> tuple[float, float] | None:
    """The least and the most that lies between two dates, in the measure of the duration."""
    if duration.measure == "days":
        days = (last.first - first.first).days
        return (days - 1, days + 1) if first.grain == last.grain and first.grain in ("day", "yearless") else None
    slack = 12 if "year" in (first.grain, last.grain) else 1
    if not {first.grain, last.grain} <= {"day", "month", "year"} or (slack == 12 and duration.unit < 12):
        return None
    apart = months_between(first.first, last.first)
    return apart - slack, apart + slack


def _check_those(seen: Sighting, match: re.Match[str], previous: Sighting) -> Iterator[TemporalFault]:
    """ "The war lasted from 1939 to 1945. Those eight years …"."""
    stretches = list(find_stretches(previous))
    duration = read_duration(match["words"])
    if len(stretches) == 1 and duration is not None and not fits_stretch(stretches[0], duration, ""):
        span = Span(seen.start + match.start("words"), seen.start + match.end("words"))
        evidence = f"{stretches[0].start.surface} to {stretches[0].end.surface} is not {match['words']}"
        yield TemporalFault(span, DISTANCE, evidence, "The length does not fit its end points: check all three.")


def _check_so_far(seen: Sighting, match: re.Match[str], today: date) -> Iterator[TemporalFault]:
    """ "released in March 2023 and has been available for six years": not as long ago as that."""
    duration, dates = read_duration(match["words"]), [e for t in seen.times if (e := find_extent(t)) is not None]
    if duration is None or len(dates) != 1 or _OTHER_START.search(seen.low) or dates[0].first > today:
        return
    if match.start() < min(t.span.start - seen.start for t in seen.times if find_extent(t)):
        return
    longest = months_between(dates[0].first, today)
    if duration.amount > longest + 12:
        span = Span(seen.start + match.start("words"), seen.start + match.end("words"))
        evidence = f"from {dates[0].first:%Y-%m} to {today:%Y-%m} is less than {match['words']}"
        yield TemporalFault(span, DISTANCE, evidence, "The time since then is shorter: check both.")
