"""What the words of the calendar mean by themselves: months, parts of the day, centuries."""

from __future__ import annotations

import calendar as months_of_the_world
import re
from collections.abc import Iterator

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.calendar_faults import MISMATCH
from groundwire.detect.times.dates import find_extent
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import MONTH_NUMBERS, small_number
from groundwire.text.numerals import numerals
from groundwire.types import Span

_NAMES = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))


def find_word_faults(seen: Sighting) -> Iterator[TemporalFault]:
    if seen.is_question:
        return
    yield from _find_wrong_months(seen)
    yield from _find_wrong_parts(seen)
    yield from _find_wrong_centuries(seen)


_DAYS_OF = re.compile(
    rf"\b(?P<month>{_NAMES})(?:\s+(?P<year>\d{{4}}))?\s+(?:has|had|have|with\s+its)\s+(?P<count>\d{{1,2}}|thirty(?:-one)?|twenty-(?:eight|nine))\s+days\b"
)


def _find_wrong_months(seen: Sighting) -> Iterator[TemporalFault]:
    """ "April has 31 days"."""
    for match in _DAYS_OF.finditer(seen.low):
        month, count = MONTH_NUMBERS[match["month"]], small_number(match["count"])
        years = [int(match["year"])] if match["year"] and int(match["year"]) >= 1 else [2023, 2024]
        if count is not None and all(count != months_of_the_world.monthrange(year, month)[1] for year in years):
            span = Span(seen.start + match.start(), seen.start + match.end())
            yield TemporalFault(span, MISMATCH, f"{match['month']} is not so long", "Check the length of the month.")


_PART_OF_DAY = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s?(?P<half>[ap])?\.?(?:m\b\.?)?\s+(?:in\s+the\s+(?P<part>morning|afternoon|evening)|at\s+(?P<night>night))\b"
)
_HOURS = {"morning": (0, 12), "afternoon": (12, 19), "evening": (16, 24)}


def _find_wrong_parts(seen: Sighting) -> Iterator[TemporalFault]:
    """ "at 3 p.m. in the morning", "at 14:00 at night"."""
    for match in _PART_OF_DAY.finditer(seen.low):
        hour, half = int(match["hour"]), match["half"]
        if hour > 24 or not (half or hour > 12):
            continue
        hour = hour % 12 + (12 if half == "p" else 0) if half else hour
        first, last = _HOURS.get(match["part"] or "", (0, 0))
        wrong = not first <= hour < last if match["part"] else 9 <= hour < 18
        if wrong and not (hour in (0, 24) or seen.is_question):
            span = Span(seen.start + match.start(), seen.start + match.end())
            if not seen.is_quoted(span):
                yield TemporalFault(
                    span, MISMATCH, f"{match.group()}: another part of the day", "Check the time of day."
                )


_AGE = re.compile(
    r"\b(?:the\s+)?(?P<part>(?:early|late|mid)[\s-])?(?:(?P<nth>\d{1,2})(?:st|nd|rd|th)|(?P<word>[a-z]+(?:-[a-z]+)?))\s+century\b"
    r"(?P<era>\s+(?:bce?|b\.c\.))?"
)
_PLACE = (
    r"(?:middle|end|beginning|start|dawn|turn|close|course|first\s+half|second\s+half|(?:last|opening|early)\s+years?)"
)
_IN_AGE = re.compile(
    r"[\s,(–—-]*(?:i\.e\.,?\s+|namely,?\s+|that\s+is,?\s+|(?:to\s+be|more)\s+precise(?:ly)?,?\s+|which\s+(?:is|was)\s+"
    r"|(?:(?:took|takes)\s+place|was\s+fought|were\s+fought|happened|occurred|falls?|fell|lies?|lay|belongs?\s+(?:in)?to"
    r"|was\s+signed|(?:is|are|was|were)(?:\s+(?:still|already|well|right))?)\s+"
    r"|(?:it\s+)?(?:began|begins|started|starts|ended|ends|opened|dawned)\s+)?(?:back\s+)?(?:in|around|about|with|of|on|at|during|towards?|right\s+at)?\s*"
    rf"(?:the\s+year\s+|the\s+(?:[a-z]+\s+)?decade\s+of\s+|the\s+(?:very\s+)?{_PLACE}\s+of\s+|the\s+|early\s+|late\s+|mid-?)*"
)


def _find_wrong_centuries(seen: Sighting) -> Iterator[TemporalFault]:
    """ "in the 18th century, in 1654", "the nineteenth century began in 1701", "in the 1780s, late in the 17th …"."""
    if "century" not in seen.low:
        return
    for match in _AGE.finditer(seen.low):
        number = int(match["nth"]) if match["nth"] else numerals().ordinals.get(match["word"] or "", 0)
        if not number or match["era"]:
            continue
        for time in seen.times:
            extent = find_extent(time) if "century" not in time.surface.lower() else None
            start, end = time.span.start - seen.start, time.span.end - seen.start
            gap = seen.low[match.end() : start] if start >= match.end() else seen.low[end : match.start()]
            if extent is None or len(gap) > 60 or not _IN_AGE.fullmatch(gap):
                continue
            if not (100 * (number - 1) <= extent.last.year and extent.first.year <= 100 * number):
                span = Span(seen.start + min(start, match.start()), seen.start + max(end, match.end()))
                evidence = f"{match.group().strip()} is {100 * (number - 1) + 1} to {100 * number}"
                yield TemporalFault(span, MISMATCH, evidence, "Check the century or the year.")
