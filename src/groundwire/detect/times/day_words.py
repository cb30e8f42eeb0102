"""Days, months and parts of the day by name: where they stand in the calendar, and on which side of today."""

from __future__ import annotations

import calendar as months_of_the_world
import re
from collections.abc import Iterator
from datetime import date, timedelta

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.calendar_faults import MISMATCH
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import MONTH_NUMBERS, small_number
from groundwire.text.numerals import numerals
from groundwire.types import Span

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = "|".join(_DAYS)
_MONTHS = "|".join(sorted((name for name in MONTH_NUMBERS if len(name) > 3 or name == "may"), key=len, reverse=True))
_WRONG_SIDE = re.compile(
    r"^(?:and\s+|so\s+|but\s+)?(?P<day>tomorrow\s+(?:was|were)|yesterday\s+(?:will|is\s+going\s+to)"
    r"|(?:yesterday|last\s+(?:week|month|year|night|[a-z]+day))'s\s+[a-z]+\s+(?:will|is\s+going\s+to)\s+(?:be\s+held|take\s+place|begin|start|open))\b"
)
_COUNTED = re.compile(
    rf"\b(?:(?P<ago>[a-z]+|\d{{1,3}})\s+days?\s+ago|in\s+(?P<ahead>[a-z]+|\d{{1,3}})\s+days?(?:'?\s+time)?"
    rf"|(?P<near>the\s+day\s+after\s+tomorrow|the\s+day\s+before\s+yesterday))"
    rf"(?:\s*[,(]\s*(?:that\s+is,?\s+|i\.e\.,?\s+)?(?:on\s+)?(?:a\s+)?|\s+(?:is|was|will\s+be)\s+(?:a\s+)?|\s+on\s+)(?P<day>{_DAY})\b"
    r"(?!\s+(?:and|or|to|until|through)\b)"
)
_CYCLES = (
    _DAYS,
    tuple(name.lower() for name in months_of_the_world.month_name[1:]),
    ("spring", "summer", "autumn", "winter"),
)
_STATION = "|".join(name for cycle in _CYCLES for name in cycle)
_BESIDE = re.compile(
    rf"\b(?P<one>{_STATION})\s+(?:(?:comes|is|falls|was)\s+(?:right|directly|immediately|straight|just|the\s+(?:day|month|season))\s+(?:right\s+)?"
    rf"(?P<way>after|before)|(?:directly\s+|immediately\s+)?(?P<verb>follows|precedes))\s+(?P<other>{_STATION})\b"
)
_NTH_MONTH = re.compile(
    rf"\b(?P<month>{_MONTHS})\s+(?:is|was)\s+the\s+(?P<nth>[a-z]+|\d{{1,2}}(?:st|nd|rd|th))\s+month\b"
    rf"|\bthe\s+(?P<nth2>[a-z]+|\d{{1,2}}(?:st|nd|rd|th))\s+month\s+of\s+the\s+year\s+is\s+(?P<month2>{_MONTHS})\b"
)
_PART_FIRST = re.compile(
    r"\b(?:this|that|yesterday|tomorrow|the|every|next|following)\s+(?P<part>morning|afternoon|evening),?\s+(?:of|at|around|by)\s+"
    r"(?P<hour>\d{1,2})(?:[:.]\d\d)?\s?(?P<half>[ap])?\.?(?:m\b\.?)?"
)
_HOURS = {"morning": range(13), "afternoon": range(11, 20), "evening": range(15, 25)}


def find_day_faults(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    if seen.is_question:
        return
    for rule in (_find_wrong_sides, _find_neighbours, _find_months, _find_parts):
        yield from (fault for fault in rule(seen) if not seen.is_quoted(fault.span))
    yield from (fault for fault in _find_counted(seen, today) if not seen.is_quoted(fault.span))


def _span(seen: Sighting, match: re.Match[str]) -> Span:
    return Span(seen.start + match.start(), seen.start + match.end())


def _find_wrong_sides(seen: Sighting) -> Iterator[TemporalFault]:
    """ "Tomorrow was Sunday", "yesterday will be a holiday"."""
    match = _WRONG_SIDE.match(seen.low)
    if match is not None and "if" not in seen.words:
        evidence = f"{match['day'].split()[0]} is told as if it were on the other side of today"
        yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the day or the tense.")


def _find_counted(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """ "Two days ago, on Monday", "the day after tomorrow is Wednesday", against the clock."""
    for match in _COUNTED.finditer(seen.low) if "day" in seen.low else ():
        if match["near"]:
            step: int | None = 2 if "tomorrow" in match["near"] else -2
        else:
            count = small_number(match["ago"] or match["ahead"])
            step = None if count is None else -count if match["ago"] else count
        if step is None or "if" in seen.words:
            continue
        right = _DAYS[(today + timedelta(days=step)).weekday()]
        if right != match["day"]:
            evidence = f"{match.group()}: that is a {right.title()}; the current date is {today:%Y-%m-%d}"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the day of the week.")


def _find_neighbours(seen: Sighting) -> Iterator[TemporalFault]:
    """ "Monday comes right after Saturday"."""
    for match in _BESIDE.finditer(seen.low):
        step = 1 if (match["way"] or match["verb"]) in ("after", "follows") else -1
        cycle = next((c for c in _CYCLES if match["one"] in c and match["other"] in c), None)
        right = cycle[(cycle.index(match["other"]) + step) % len(cycle)] if cycle else match["one"]
        if right != match["one"]:
            evidence = f"{right.title()} stands there"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the order of the two.")


def _find_months(seen: Sighting) -> Iterator[TemporalFault]:
    """ "September is the eighth month"; "the third month of our project" counts otherwise."""
    for match in _NTH_MONTH.finditer(seen.low) if "month" in seen.low else ():
        said = match["nth"] or match["nth2"]
        number = int(said[:-2]) if said[0].isdigit() else numerals().ordinals.get(said)
        is_counted_otherwise = re.match(
            r"\s+(?:of|in|for|since|that|we|you|they)\b(?!\s+the\s+year)", seen.low[match.end() :]
        )
        month = MONTH_NUMBERS[match["month"] or match["month2"]]
        if number is not None and number != month and (match["nth2"] or not is_counted_otherwise):
            evidence = f"it is month {month} of the year"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the number of the month.")


def _find_parts(seen: Sighting) -> Iterator[TemporalFault]:
    """ "This morning at 10 pm"."""
    for match in _PART_FIRST.finditer(seen.low):
        hour, half = int(match["hour"]), match["half"]
        if hour > 24 or not (half or hour > 12):
            continue
        hour = hour % 12 + (12 if half == "p" else 0) if half else hour
        if hour not in _HOURS[match["part"]]:
            evidence = f"{match.group()}: another part of the day"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the time of day.")
