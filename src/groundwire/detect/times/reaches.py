"""A beginning, a length and an end in one or two sentences: any two of them give the third."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Duration, Extent, find_extent, months_between, read_minutes
from groundwire.detect.times.intervals import fits_amount
from groundwire.detect.times.spoken_lengths import LENGTH, read_spoken
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import MONTH_NUMBERS
from groundwire.text.lexicon import verb_lemma
from groundwire.text.tables import read_table
from groundwire.types import Span, TemporalExpression

REACH = 0.78
_LENGTH = re.compile(
    rf"\b{LENGTH}(?P<tail>\s+(?:long|in\s+length|of\s+[a-z]+))?(?!\s+(?:ago|later|earlier|old|before|after|late|early|older|younger|left|notice|off|in\s+advance|each|per)\b|-old)"
)
_MEASURED = re.compile(
    r"\b(?:tak(?:e|es|ing|en)|took|last(?:s|ed|ing)?|for|needs?|requires?|spans?|spanning|is|was|runs?|ran|of|spent|after|be|'s|valid|good|covers?|period|and|exactly|within|an?|the|this|our|your|his|her|its|their)\s+$"
)
_OTHERWISE = re.compile(
    r"\b(?:except|excluding|interrupt\w*|paus\w+|(?<!without a )break|gap|time\s+zones?|local\s+time"
    r"|stopovers?|next\s+day|following\s+(?:day|year)|overnight|every|daily|each|extend\w*|extension|delay\w*|early|earlier|postpon\w+|renew\w*|instead"
    r"|prematurely|cut\s+short|if|unless|originally|was\s+to|supposed|planned|scheduled|another|again|second|third|apart|rest(?:ed)?|stops?|not|former|previous|predecessor|buffer|late)\b|n't\b"
)
_JOINS = re.compile(
    r"\s*(?:(?:so|thus|therefore|that\s+means|hence|meaning|which\s+means|accordingly),?\s+)?(?:it|this|that|you|he|she|they|we|i|having|starting|beginning|if|from|it's|he's|she's|you'll|we'll|the|your|its|his|her|their|our|with|as|since)\b"
)


_STAYS = re.compile(r"\bstay(?:s|ed|ing)?\b")


def find_reach_faults(seen: Sighting, previous: Sighting | None) -> Iterator[TemporalFault]:
    if seen.is_question or not seen.times or seen.is_endless or _OTHERWISE.search(seen.low):
        return
    points = list(_read_points(seen))
    if not points:
        return
    sentences = [seen]
    lengths = list(_read_lengths(seen))
    is_whole = len(points) == 2 and len(lengths) == 1
    joins = previous is not None and not previous.is_question and _JOINS.match(seen.low) is not None
    if not is_whole and previous is not None and joins and not _OTHERWISE.search(previous.low):
        sentences, before = [previous, seen], list(_read_points(previous))
        points, lengths = [*before, *points], [*_read_lengths(previous), *lengths]
    if len(points) != 2 or len(lengths) != 1 or len({role for role, _ in points}) != 2:
        return
    if sum(_is_clock(time) or find_extent(time) is not None for s in sentences for time in s.times) > 2:
        return
    start = next(time for role, time in points if role == "start")
    end = next(time for role, time in points if role == "end")
    duration, about, where = lengths[0]
    bounds = (
        _bounds(start, end, duration) if start.surface != end.surface else None
    )  # "from 2 to 30 April" is read as one
    if bounds is None or fits_amount(duration, *bounds, about):
        return
    stayed = _bounds(end, start, duration) if _STAYS.search(seen.low) is not None else None
    if stayed is not None and fits_amount(duration, *stayed, about):
        return  # whoever stays arrives first and leaves last
    last = max((start.span, end.span), key=lambda span: span.start)
    span = Span(min(last.start, where.start), max(last.end, where.end)) if where.start >= seen.start else last
    if last.start >= seen.start and not seen.is_quoted(span):
        evidence = f"from {start.surface} to {end.surface} is another length than told"
        yield TemporalFault(span, REACH, evidence, "Beginning, length and end do not fit: check all three.")


def _is_clock(time: TemporalExpression) -> bool:
    return read_minutes(time.surface) is not None


def _read_lengths(seen: Sighting) -> Iterator[tuple[Duration, str, Span]]:
    for match in _LENGTH.finditer(seen.low):
        front = seen.low[: match.start()]
        is_named = match.group().find("-") > 0 and re.match(r"\s+[a-z]", seen.low[match.end() :]) is not None
        if not (_MEASURED.search(front) or match["tail"] or is_named):
            continue
        duration = read_spoken(match)
        if duration is not None:
            about = (match["about"] or "").strip()
            yield duration, about, Span(seen.start + match.start(), seen.start + match.end())


_CARRIER = re.compile(
    r"\s+(?:[a-z]+\s+)?(?:ferry|train|bus|flight|boat|coach|tram|plane|departure|service|show|screening)\b"
)


def _read_points(seen: Sighting) -> Iterator[tuple[str, TemporalExpression]]:
    """Times with what they are of: the nearest word in front of them that begins or ends something."""
    floor = 0
    for time in seen.times:
        if find_extent(time) is None and not _is_clock(time) and not _is_month_day(time):
            continue
        at = seen.index_at(time.span.start)
        behind = seen.low[time.span.end - seen.start :]
        role = "start" if _CARRIER.match(behind) else _role_of(seen, floor, at)
        floor = seen.index_at(time.span.end)
        if role:
            yield role, time


def _role_of(seen: Sighting, floor: int, at: int) -> str:
    roles = _roles()
    for k in range(at - 1, max(floor, at - 9) - 1, -1):
        token = seen.tokens[k]
        if token.low in ";:":
            return ""
        lemma = verb_lemma(token.low) or token.low
        for size in (4, 3, 2) if lemma in _openers() else ():
            joined = " ".join((lemma, *(t.low for t in seen.tokens[k + 1 : k + size])))
            if k + size <= at and joined in roles:
                return roles[joined]
        if k > floor and (joined := f"{verb_lemma(seen.tokens[k - 1].low)} {token.low}") in roles:
            return roles[joined]
        if lemma in roles and (seen.letters[k] not in "N" or k == 0 or lemma in ("start", "end")):
            return roles[lemma]
    return ""


@cache
def _openers() -> frozenset[str]:
    """The first words of roles that have several."""
    return frozenset(role.split(" ")[0] for role in _roles() if " " in role)


@cache
def _roles() -> dict[str, str]:
    table = read_table("temporal_faults", "detect")["reach"]
    return dict.fromkeys(table["starts"], "start") | dict.fromkeys(table["ends"], "end")


def _is_month_day(time: TemporalExpression) -> bool:
    """ "1 February", "February 1": a day of this year or the next."""
    low = time.surface.lower()
    return bool(re.search(r"\d", low)) and any(name in low for name in MONTH_NUMBERS) and time.resolved_date is not None


def _extent_of(time: TemporalExpression) -> Extent | None:
    if (extent := find_extent(time)) is not None:
        return extent
    day = time.resolved_date
    return Extent(day, day, "yearless") if day is not None and _is_month_day(time) else None


def _bounds(start: TemporalExpression, end: TemporalExpression, duration: Duration) -> tuple[float, float] | None:
    if duration.measure == "minutes":
        one, other = read_minutes(start.surface), read_minutes(end.surface)
        if one is None or other is None:
            return None
        length = (other - one) % 1440
        return (length, length + 15) if length <= 1200 else None
    first, last = _extent_of(start), _extent_of(end)
    if first is None or last is None or (first.grain == "yearless") is not (last.grain == "yearless"):
        return None
    if first.grain == "yearless":
        days = (
            last.first.replace(year=2001, day=min(28, last.first.day))
            - first.first.replace(year=2001, day=min(28, first.first.day))
        ).days % 365
        return (days - 3, days + 4) if duration.measure == "days" else (days / 30.4 - 0.6, days / 30.4 + 0.6)
    if last.last < first.first:
        return None  # the wrong way round, which is another fault
    if duration.measure == "days":
        days = (last.first - first.first).days
        return (days - 1, days + 1) if first.grain == last.grain == "day" else None
    slack = 12 if "year" in (first.grain, last.grain) else 1
    if not {first.grain, last.grain} <= {"day", "month", "year"}:
        return None
    apart = months_between(first.first, last.first)
    return apart - slack, apart + slack
