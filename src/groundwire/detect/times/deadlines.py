"""Deadlines against the clock: what is said to be left until a day, and what is said to hold after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Duration, find_extent, find_yearless, read_duration
from groundwire.detect.times.intervals import ABOUT, NUMBER
from groundwire.detect.times.tenses import TemporalFault
from groundwire.types import Span, TemporalExpression

DEADLINE = 0.80
_LIMIT = re.compile(
    r"\b(?:deadline|due|clos(?:e|es|ing)|ends?|ended|expir(?:e|es|ed|y)|runs?\s+out|ran\s+out|until|till|by|no\s+later\s+than|valid\s+through|lapse[sd]?)\b"
    r"[^.;:]{0,30}$"
)
_LEFT = re.compile(
    rf"\b(?:(?P<still>still\s+(?:have|has|got)|(?:'ve|have)\s+still\s+got|leaves\s+(?:you|us|me))\s+|(?:have|has|'ve\s+got|there\s+(?:is|are)|there's|that's|got|so|in)\s+)"
    rf"(?P<about>(?:{ABOUT}|a\s+good|another)\s+)?(?P<words>{NUMBER}\s(?:day|week|month)s?)(?P<behind>\s+(?:left|to\s+go|remaining|away|from\s+now|until\s+then|to\s+spare))?\b"
)
_OPEN = re.compile(
    r"\b(?:can|may|could)\s+still\b|\b(?:is|are|'s|'re)\s+still\s+(?:open|valid|good|possible|running|available|on\s+time|in\s+time|time)\b"
    r"|\bstill\s+time\b|\bstill\s+in\s+time\b"
)
_UNSURE = re.compile(
    r"\b(?:if|unless|extend(?:ed|s)?|extension|new\s+deadline|moved|postponed|every|each|last\s+year|grace|late)\b|n't\b|\bnot\b"
)
_LOOSE, _RECENT = 0.35, 90


def find_deadline_faults(seen: Sighting, previous: Sighting | None, today: date) -> Iterator[TemporalFault]:
    """The day and what is said of it in one sentence, or the day in the sentence before."""
    if seen.is_question or _UNSURE.search(seen.low):
        return
    left, is_open = _find_left(seen), _OPEN.search(seen.low)
    if left is None and is_open is None:
        return
    own = any(_is_day(seen, time) for time in seen.times)
    limit = _find_limit(seen) or (_find_limit(previous) if previous is not None and not own else None)
    if limit is None or (previous is not None and _UNSURE.search(previous.low)):
        return
    days = [(day - today).days for day in _days_of(limit, today)]
    if not days:
        return
    if left is not None and _is_month(limit):
        return
    if left is not None:
        duration, match = left
        if any(_fits(duration, count) for count in days):
            return
        span = Span(seen.start + match.start("words"), seen.start + match.end())
    elif is_open is not None and _is_over(limit, days):
        span = Span(seen.start + is_open.start(), seen.start + is_open.end())
    else:
        return
    if not seen.is_quoted(span):
        evidence = f"{limit.surface} is {min(days, key=abs)} days from today, {today:%Y-%m-%d}"
        yield TemporalFault(span, DEADLINE, evidence, "Check how much time is left.")


_FEAST = re.compile(
    rf"(?:\s+(?:is|are|comes|'s)|,?\s+(?:so|which\s+is|that's|that\s+is|and\s+that's)|,)\s+(?:(?:only|just|about|exactly|still|a\s+good|a\s+little\s+over|nearly|almost)\s+){{0,2}}"
    rf"(?:in\s+(?P<words>{NUMBER}\s(?:day|week|month)s?)|(?P<away>{NUMBER}\s(?:day|week|month)s?)\s+(?:away|from\s+(?:now|today)|off))\b"
)


def find_feast_faults(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """ "Christmas is in three weeks", "on 30 April, three weeks from now", against the clock."""
    for time in seen.times:
        match = _FEAST.match(seen.low, time.span.end - seen.start) if not seen.is_question else None
        words = (match["words"] or match["away"]) if match is not None else ""
        duration = read_duration(words) if words else None
        if match is None or duration is None or _UNSURE.search(seen.low):
            continue
        ahead = [d for d in _ahead(seen, time, today, is_away=bool(match["away"])) if d >= 0]
        if ahead and not any(_fits(duration, count) for count in ahead):
            span = Span(time.span.start, seen.start + match.end())
            evidence = f"{time.surface} is {min(ahead)} days from today, {today:%Y-%m-%d}"
            yield TemporalFault(span, DEADLINE, evidence, "Check how far away it is.")


def _ahead(seen: Sighting, time: TemporalExpression, today: date, *, is_away: bool) -> list[int]:
    """In how many days a feast or a day comes; of a plain day only where it is counted from now in so many words."""
    day = time.resolved_date
    if day is not None and _NAMED.search(time.surface.lower()):
        return [(day.replace(year=today.year + step) - today).days for step in (0, 1)]
    return [(day - today).days for day in _days_of(time, today)] if is_away and _is_day(seen, time) else []


_NAMED = re.compile(r"^(?:christmas|new year|halloween|valentine|boxing day)[a-z' ]*$")


def _find_left(seen: Sighting) -> tuple[Duration, re.Match[str]] | None:
    for match in _LEFT.finditer(seen.low):
        if match["still"] is None and match["behind"] is None:
            continue
        duration = read_duration(match["words"])
        if duration is not None:
            return duration, match
    return None


def _find_limit(seen: Sighting) -> TemporalExpression | None:
    """The one day of a sentence, where it is the last one of something."""
    days = [t for t in seen.times if _is_day(seen, t)] or [t for t in seen.times if _is_month(t)]
    if len(days) != 1 or seen.is_question:
        return None
    return days[0] if _LIMIT.search(seen.low[: days[0].span.start - seen.start]) else None


def _is_day(seen: Sighting, time: TemporalExpression) -> bool:
    extent = find_extent(time) or find_yearless(seen.times, time)
    return extent is not None and extent.grain in ("day", "yearless")


def _is_month(time: TemporalExpression) -> bool:
    extent = find_extent(time)
    return extent is not None and extent.grain == "month"


def _days_of(time: TemporalExpression, today: date) -> list[date]:
    """The day itself, or the same day of the years around the clock where no year is given."""
    if (extent := find_extent(time)) is not None:
        return [extent.last]
    day = find_yearless((time,), time)
    if day is None or (day.first.month, day.first.day) == (2, 29):
        return []
    return [day.first.replace(year=today.year + step) for step in (-1, 0, 1)]


def _is_over(limit: TemporalExpression, days: list[int]) -> bool:
    """The one day is past; of one without a year, the last time it came."""
    return max(days, default=0) < 0 if find_extent(limit) is not None else _is_just_over(days)


def _is_just_over(days: list[int]) -> bool:
    past, ahead = [-d for d in days if d < 0], [d for d in days if d >= 0]
    return bool(past) and min(past) <= _RECENT and (not ahead or min(ahead) > 2 * _RECENT)


def _fits(duration: Duration, days: int) -> bool:
    size = {"days": 1.0, "months": 30.4}.get(duration.measure, 0.0)
    amount = duration.amount * size
    return size == 0.0 or abs(days - amount) <= max(2.0, _LOOSE * amount, 0.6 * duration.unit * size)
