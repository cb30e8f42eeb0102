"""What every calendar says: feasts with a fixed date, how many months a year has, which day follows another."""

from __future__ import annotations

import calendar as months_of_the_world
import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Any, cast

from groundwire.detect.sightings import Sighting, read_words
from groundwire.detect.times.calendar_faults import MISMATCH
from groundwire.detect.times.dates import read_duration
from groundwire.detect.times.intervals import NUMBER
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import MONTH_NUMBERS, small_number
from groundwire.text.numerals import numerals
from groundwire.text.tables import read_table
from groundwire.types import Span

_MONTHS = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_DATE = (
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<month>{_MONTHS})"
    rf"|(?P<month2>{_MONTHS})\s+(?:the\s+)?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?)\b"
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FULL_MONTHS = tuple(name.lower() for name in months_of_the_world.month_name[1:])
_NEIGHBOUR = re.compile(
    r"\bthe\s+(?P<unit>day|month)\s+(?:right\s+|directly\s+|just\s+)?(?P<way>after|before|following|preceding)\s+"
    r"(?P<one>[a-z]+day|" + "|".join(_FULL_MONTHS) + r")\s+(?:is|was|will\s+be|would\s+be)\s+(?:a\s+)?"
    r"(?P<other>[a-z]+day|" + "|".join(_FULL_MONTHS) + r")\b"
)
_LEAP_YEAR = re.compile(
    r"\bleap\s+year\s*(?:is|was|will\s+be|,|of|in|\()?\s*(?:in\s+)?(?P<year>\d{4})\b"
    r"|\b(?P<year2>\d{4}),\s+(?:which\s+(?:is|was|will\s+be)\s+)?a\s+leap\s+year\b"
)


def find_almanac_faults(seen: Sighting) -> Iterator[TemporalFault]:
    if seen.is_question or seen.mentions(read_words("denied")):
        return
    for rule in _RULES:
        yield from (fault for fault in rule(seen) if not seen.is_quoted(fault.span))
    for match in _NEIGHBOUR.finditer(seen.low) if " is " in seen.low or " was " in seen.low else ():
        names = _WEEKDAYS if match["unit"] == "day" else _FULL_MONTHS
        if match["one"] not in names or match["other"] not in names:
            continue
        step = 1 if match["way"] in ("after", "following") else -1
        right = names[(names.index(match["one"]) + step) % len(names)]
        if right != match["other"]:
            evidence = f"the {match['unit']} {match['way']} {match['one'].title()} is {right.title()}"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the calendar.")


def _span(seen: Sighting, match: re.Match[str]) -> Span:
    return Span(seen.start + match.start(), seen.start + match.end())


@cache
def _feasts() -> tuple[re.Pattern[str], dict[str, list[int]]]:
    table = cast("dict[str, list[int]]", read_table("almanac", "detect")["feasts"])
    names = "|".join(re.escape(name) for name in sorted(table, key=len, reverse=True))
    joint = (
        r"(?:\s+(?:always\s+|usually\s+|this\s+year\s+)?(?:falls|fell|is|was|will\s+be|takes\s+place|comes|is\s+celebrated|"
        r"was\s+celebrated)(?:\s+(?:always|every\s+year|each\s+year))?)?,?\s+(?:on\s+|is\s+)?(?:the\s+)?"
    )
    only = r"\s+(?:is|falls|fell|comes|was|takes\s+place)\s+(?:always\s+)?in\s+(?:early\s+|late\s+|mid-)?"
    only = rf"{only}(?P<only>{_MONTHS})\b"
    return re.compile(rf"\b(?P<name>{names})(?:{joint}{_DATE}|{only})"), table


def _find_feasts(seen: Sighting) -> Iterator[TemporalFault]:
    """ "Christmas Day falls on 25 November"."""
    pattern, table = _feasts()
    for match in pattern.finditer(seen.low):
        month, day = table[match["name"]]
        if match["only"]:
            if MONTH_NUMBERS[match["only"]] != month:
                evidence = f"{match['name']} is in {months_of_the_world.month_name[month]}"
                yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the date of the feast.")
            continue
        said = MONTH_NUMBERS[match["month"] or match["month2"]], int(match["day"] or match["day2"])
        if said != (month, day):
            evidence = f"{match['name']} is on {day} {months_of_the_world.month_name[month]}"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the date of the feast.")


@cache
def _feast_days() -> re.Pattern[str]:
    almanac = read_table("almanac", "detect")
    names = "|".join(
        re.escape(name) for name in sorted({*almanac["feasts"], *almanac["weekdays"]}, key=len, reverse=True)
    )
    return re.compile(
        rf"\b(?P<name>{names})(?:,?\s+(?P<year>\d{{4}}),?)?\s+(?:always\s+)?(?:falls|fell|is|was|will\s+be|will\s+fall)\s+(?:always\s+)?"
        rf"(?:on\s+)?(?:an?\s+)?(?P<day>{'|'.join(_WEEKDAYS)})\b"
    )


def _find_feast_days(seen: Sighting) -> Iterator[TemporalFault]:
    """ "Easter Monday falls on a Wednesday", "Christmas Day 2026 is a Tuesday"."""
    almanac = read_table("almanac", "detect")
    for match in _feast_days().finditer(seen.low) if "day" in seen.low else ():
        right = almanac["weekdays"].get(match["name"])
        if right is None and match["year"] and 1583 <= int(match["year"]) <= 9999:
            right = _WEEKDAYS[date(int(match["year"]), *almanac["feasts"][match["name"]]).weekday()]
        if right is not None and right != match["day"]:
            yield TemporalFault(_span(seen, match), MISMATCH, f"it is a {right.title()}", "Check the day of the week.")


@cache
def _feast_distance() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(_feasts()[1], key=len, reverse=True))
    return re.compile(
        rf"\b(?P<words>{NUMBER}\s(?:day|week)s?)\s+(?P<way>before|after)\s+(?P<name>{names}|christmas|new\s+year)\s*[,(]\s*"
        rf"(?:that\s+is,?\s+|i\.e\.,?\s+)?(?:on\s+)?(?:the\s+)?{_DATE}"
    )


def _find_feast_distances(seen: Sighting) -> Iterator[TemporalFault]:
    """ "Two weeks before Christmas, on 2 December"."""
    table = {**_feasts()[1], "christmas": [12, 25], "new year": [1, 1]}
    for match in _feast_distance().finditer(seen.low) if "before" in seen.words or "after" in seen.words else ():
        duration, sign = read_duration(match["words"]), 1 if match["way"] == "after" else -1
        month, day = MONTH_NUMBERS[match["month"] or match["month2"]], int(match["day"] or match["day2"])
        if duration is None or not 1 <= day <= months_of_the_world.monthrange(2001, month)[1]:
            continue
        feast = date(2001, *table[" ".join(match["name"].split())])
        apart = sign * (date(2001, month, day) - feast).days
        if abs((apart - duration.amount + 182) % 365 - 182) > (1 if duration.unit == 1 else 4):
            evidence = f"{match['name'].title()} is on {feast.day} {months_of_the_world.month_name[feast.month]}"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "The distance does not fit the dates.")


@cache
def _parts(name: str) -> tuple[dict[str, dict[str, Any]], str, str]:
    """A table of the almanac with the names that pick a row of it, longest first, and those that pick from the row."""
    table = cast("dict[str, dict[str, Any]]", read_table("almanac", "detect")[name])
    inner = {key for row in table.values() for key in row}
    rows, columns = ("|".join(sorted(names, key=lambda n: (-len(n), n))) for names in (table, inner))
    return table, rows, columns


@cache
def _length_pattern() -> re.Pattern[str]:
    _, wholes, parts = _parts("lengths")
    return re.compile(
        rf"\b(?:an?|one|every|each)\s+(?P<unit>{wholes})\s+(?:has|contains|consists\s+of|is\s+made\s+up\s+of|counts|is|equals)\s+"
        rf"(?P<count>[\w,-]{{1,20}})\s+(?P<part>{parts})\b"
    )


def _find_lengths(seen: Sighting) -> Iterator[TemporalFault]:
    """ "A week has eight days"; of a school year or a working week nothing is said."""
    table = _parts("lengths")[0]
    for match in _length_pattern().finditer(seen.low) if not table.keys().isdisjoint(seen.runs) else ():
        count = small_number(match["count"].replace(",", ""))
        right = table[match["unit"]].get(match["part"])
        if count is not None and right is not None and count not in right:
            evidence = f"a {match['unit']} has {right[0]} {match['part']}"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the length.")


@cache
def _count_pattern() -> re.Pattern[str]:
    _, parts, wholes = _parts("counted")
    return re.compile(
        rf"\b(?P<nth>\d{{1,3}}(?:st|nd|rd|th)|[a-z]+(?:-[a-z]+)?)\s+(?P<part>{parts})\s+of\s+"
        rf"(?:(?:the|a|each|every|this|last|that)\s+(?:calendar\s+)?(?P<whole>{wholes})|(?P<year>[12]\d{{3}}))\b"
    )


def _find_counts(seen: Sighting) -> Iterator[TemporalFault]:
    """ "the fifth quarter of the year", "the eighth day of the week"."""
    table = _parts("counted")[0]
    for match in _count_pattern().finditer(seen.low) if "of" in seen.runs else ():
        most = table[match["part"]].get(match["whole"] or "year")
        said = match["nth"]
        number = int(said[:-2]) if said[0].isdigit() else numerals().ordinals.get(said)
        if most is not None and number is not None and number > most:
            whole = match["whole"] or "year"
            evidence = f"a {whole} has no {said} {match['part']}"
            yield TemporalFault(_span(seen, match), MISMATCH, evidence, "Check the count.")


_DAYS_OF_YEAR = re.compile(r"\b(?P<year>[12]\d{3})\s+(?:has|had|will\s+have)\s+(?P<days>36\d)\s+days\b")


def _find_year_lengths(seen: Sighting) -> Iterator[TemporalFault]:
    """ "The year 2025 had 366 days"."""
    for match in _DAYS_OF_YEAR.finditer(seen.low) if "days" in seen.runs else ():
        right = 365 + months_of_the_world.isleap(int(match["year"]))
        if int(match["days"]) != right:
            yield TemporalFault(_span(seen, match), MISMATCH, f"{match['year']} has {right} days", "Check the length.")


def _find_leaps(seen: Sighting) -> Iterator[TemporalFault]:
    """ "The next leap year is 2027"."""
    for match in _LEAP_YEAR.finditer(seen.low) if "leap" in seen.low else ():
        year = int(match["year"] or match["year2"])
        if year and not months_of_the_world.isleap(year) and not re.search(r"\b(?:not|no|never)\b|n't", seen.low):
            yield TemporalFault(_span(seen, match), MISMATCH, f"{year} is no leap year", "Check the year.")


_RULES = (
    _find_feasts,
    _find_lengths,
    _find_counts,
    _find_leaps,
    _find_year_lengths,
    _find_feast_days,
    _find_feast_distances,
)
