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
    r"(?:the\s+)?(?:(?P<nth>\d{1,2})(?:st|nd|rd|th)|(?P<word>[a-z]+))\s+century(?:\s+(?P<era>bce?|b\.c\.))?"
)
_IN_AGE = re.compile(
    r"[\s,(–—]*(?:i\.e\.,?\s+|namely,?\s+|more\s+precisely,?\s+|(?:it\s+)?(?:began|begins|started|starts|ended|ends|opened|dawned)\s+)?(?:in\s+|around\s+|about\s+|with\s+|of\s+|on\s+)?"
    r"(?:the\s+year\s+|the\s+(?:middle|end|beginning|start|dawn|turn|first\s+half|second\s+half)\s+of\s+|the\s+|early\s+|late\s+|mid-?)*"
)
_NTH = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
]


def _find_wrong_centuries(seen: Sighting) -> Iterator[TemporalFault]:
    """ "in the 18th century, in 1654", "the nineteenth century began in 1701", "in 1985, in the nineties of …"."""
    for one, other in zip(seen.times, seen.times[1:], strict=False):
        for century, year in ((one, other), (other, one)):
            match, said = _AGE.fullmatch(century.surface.lower()), find_extent(year)
            if match is None or said is None or match["era"] or _AGE.fullmatch(year.surface.lower()):
                continue
            number = (
                int(match["nth"]) if match["nth"] else _NTH.index(match["word"]) + 1 if match["word"] in _NTH else 0
            )
            joint = seen.between(one.span.end, other.span.start)
            if not number or not _IN_AGE.fullmatch(joint):
                continue
            if not (100 * (number - 1) <= said.last.year and said.first.year <= 100 * number):
                span = Span(one.span.start, other.span.end)
                evidence = f"{century.surface} is {100 * (number - 1) + 1} to {100 * number}"
                yield TemporalFault(span, MISMATCH, evidence, "Check the century or the year.")
