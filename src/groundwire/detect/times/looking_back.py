"""What is counted from the clock: "a quarter of a century ago", "the past decade", against the year beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Extent, find_extent, is_relative, months_between
from groundwire.detect.times.spoken_lengths import LENGTH, allow_for, read_spoken
from groundwire.detect.times.tenses import TemporalFault
from groundwire.types import Span, TemporalExpression

BACK = 0.80
_AGO = re.compile(rf"\b{LENGTH}\s+(?:ago|back)\b")
_PAST = re.compile(
    rf"\bthe\s+(?:past|last)\s+(?:{LENGTH}|(?P<bare>decade|century|(?P<few>two|three|four|five|six|seven|eight|nine|ten)\s+years))"
    r"\s*[,(–—-]?\s*(?:from\s+)?(?P<first>1[5-9]\d\d|20\d\d)\s*(?:to|until|through|–|—|-)\s*(?P<last>1[5-9]\d\d|20\d\d)\b"
)
_OTHER_CLOCK = re.compile(r"\b(?:from|since|of|than|after|before|until|by|at)\s+(?:the\s+)?$")
_UNSURE = frozenset({"if", "would", "wrote", "said", "article", "interview", "then"})
_JOINING = re.compile(
    r"[\s,;:(–—-]*(?:(?:that|which|it|this)(?:\s+(?:was|is|means|makes)|'s)\s+)?(?:in|on|now|or|back|so|i\.e\.|already|some|well|more|over)?[\s,(]*"
)


def find_looking_back_faults(seen: Sighting, previous: Sighting | None, today: date) -> Iterator[TemporalFault]:
    if seen.is_question or not seen.times:
        return
    if previous is not None and (match := _THAT_WAS.match(seen.low)) is not None and not previous.is_question:
        yield from _check_that(seen, previous, match, today)
        return
    if " ago" in seen.low or " back" in seen.low:
        for match in _AGO.finditer(seen.low):
            yield from _check_ago(seen, match, today)
    if " behind " in seen.low:
        yield from _check_behind(seen, today)
    if "the past " in seen.low or "the last " in seen.low:
        yield from _check_past(seen, today)


_BEHIND = re.compile(rf"\b{LENGTH}\s+behind\s+(?:you|us|me|him|her|them)\b")


def _check_behind(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """ "Your operation on 10 November is now five weeks behind you": by the clock it may be one."""
    match, days = _BEHIND.search(seen.low), [time for time in seen.times if time.resolved_date is not None]
    length = read_spoken(match) if match is not None else None
    dated = [time for time in days if not is_relative(time) and _DAY.search(time.surface)]
    if match is None or length is None or length.measure != "days" or len(dated) != 1 or len(days) > 2:
        return
    at = dated[0].resolved_date
    apart = (today - at).days if at is not None else 0
    if abs(apart - length.amount) <= max(allow_for(match, length.amount), 0.6 * length.unit, 1) or apart < 0:
        return
    span = Span(min(dated[0].span.start, seen.start + match.start()), seen.start + match.end())
    if not seen.is_quoted(span):
        evidence = f"{dated[0].surface} is {apart} days back from {today:%Y-%m-%d}"
        yield TemporalFault(span, BACK, evidence, "The day and the distance differ: check both.")


_DAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?\b")
_THAT_WAS = re.compile(rf"\s*(?:that|this|it)(?:\s+was|\s+is|'s)\s+(?:now\s+|already\s+|over\s+)?{LENGTH}\s+ago\b")


def _check_that(seen: Sighting, previous: Sighting, match: re.Match[str], today: date) -> Iterator[TemporalFault]:
    """ "She joined in 2016. That was twenty years ago": the one date of the sentence before."""
    dates = [(time, extent) for time in previous.times if (extent := _extent_of(time)) is not None]
    length = read_spoken(match)
    if len(dates) != 1 or length is None or length.measure != "months" or dates[0][1].first > today:
        return
    time, extent = dates[0]
    slack = max(12.0, allow_for(match, length.amount))
    most, least = months_between(extent.first, today), months_between(extent.last, today)
    span = Span(seen.start + match.start(), seen.start + match.end())
    if not least - slack <= length.amount <= most + slack and not seen.is_quoted(span):
        evidence = f"{time.surface} is {most / 12:.0f} years back from {today:%Y-%m-%d}"
        yield TemporalFault(span, BACK, evidence, "The year and the distance differ: check both.")


def _check_ago(seen: Sighting, match: re.Match[str], today: date) -> Iterator[TemporalFault]:
    """The date that is told of the same event: nothing else happens between the two."""
    length = read_spoken(match)
    if length is None or length.measure != "months" or _OTHER_CLOCK.search(seen.low[: match.start()]):
        return
    span = Span(seen.start + match.start(), seen.start + match.end())
    dates = [(time, extent) for time in seen.times if (extent := _extent_of(time)) is not None]
    beside = [(time, extent) for time, extent in dates if _is_beside(seen, time, span, is_only=len(dates) == 1)]
    if len(beside) != 1 or not _UNSURE.isdisjoint(seen.words):
        return
    time, extent = beside[0]
    slack = max(12.0, allow_for(match, length.amount), min(60.0, 0.5 * length.unit))
    most, least = months_between(extent.first, today), months_between(extent.last, today)
    if least - slack <= length.amount <= most + slack or extent.first > today:
        return
    whole = Span(min(span.start, time.span.start), max(span.end, time.span.end))
    if not seen.is_quoted(whole):
        evidence = f"{time.surface} is {most / 12:.0f} years back from {today:%Y-%m-%d}"
        yield TemporalFault(whole, BACK, evidence, "The year and the distance differ: check both.")


def _extent_of(time: TemporalExpression) -> Extent | None:
    return None if is_relative(time) else find_extent(time)


def _is_beside(seen: Sighting, time: TemporalExpression, span: Span, *, is_only: bool) -> bool:
    first, last = (time.span.end, span.start) if time.span.end <= span.start else (span.end, time.span.start)
    if _JOINING.fullmatch(seen.between(first, last)):
        return True
    if not is_only or last - first > 60:
        return False
    one, other = seen.index_at(first), seen.index_at(last)
    return not any(letter in "VEbhdGCUW;" for letter in seen.letters[one:other])


def _check_past(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """ "the past decade, from 1995 to 2005": what is past now ends now."""
    for match in _PAST.finditer(seen.low):
        if today.year - int(match["last"]) > 2 and int(match["last"]) > int(match["first"]):
            span = Span(seen.start + match.start(), seen.start + match.end())
            evidence = f"{match['last']} is {today.year - int(match['last'])} years back from {today:%Y-%m-%d}"
            yield TemporalFault(span, BACK, evidence, "This is counted from another year: check it.")
