"""Sums of days and hours that are said in one breath: two days after Tuesday, noon in London and in Berlin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import cast

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import read_minutes
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.numerals import numerals
from groundwire.text.tables import read_table
from groundwire.types import Span

_SURE = 0.80
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY = "|".join(_DAYS)
_COUNT = r"(?P<count>\d{1,2}|one|two|three|four|five|six|ten|a)"
_AFTER = re.compile(
    rf"\b{_COUNT} days? (?P<way>after|before) (?:a |the )?(?P<from>{_DAY})(?: (?:comes|is|falls|means|gives"
    rf"|would be)|,? (?:so|i\.e\.|that is|which is))"
    rf"(?: on)?(?: a)? (?P<to>{_DAY})\b"
    rf"|\b(?P<to2>{_DAY}) (?:comes|is|falls|lies) (?P<count2>\d{{1,2}}|one|two|three|four|five"
    rf"|six) days? (?P<way2>after|before) (?P<from2>{_DAY})\b"
)
_CLOCK = r"(?:noon|midday|midnight|\d{1,2}(?::\d{2})?(?: ?[ap]\.?m\.?)?)"
_ZONES = re.compile(
    rf"\b(?P<one>{_CLOCK}) (?:in|for) (?P<here>[a-z]+(?: [a-z]+)?),? (?:it is|it's|that is|that's|is|means"
    rf"|and) (?:already |only |still )?"
    rf"(?P<two>{_CLOCK}) (?:in|for) (?P<there>[a-z]+(?: [a-z]+)?)\b"
)
_ROUND = 24 * 60
_HALF = 12 * 60


def find_day_sum_faults(seen: Sighting) -> Iterator[TemporalFault]:
    if seen.is_question or seen.is_endless:
        return
    if " day" in seen.low:
        yield from _check_days(seen)
    if (match := _ZONES.search(seen.low)) is not None:
        yield from _check_zones(seen, match)


def _check_days(seen: Sighting) -> Iterator[TemporalFault]:
    for match in _AFTER.finditer(seen.low):
        told = (match["count"], match["way"], match["from"], match["to"])
        if match["to2"]:
            told = (match["count2"], match["way2"], match["from2"], match["to2"])
        count, way, first, last = told
        many = 1 if count == "a" else int(count) if count.isdigit() else int(numerals().units.get(count, 0))
        right = (_DAYS.index(first) + (many if way == "after" else -many)) % 7
        if _DAYS[right] != last:
            span = Span(seen.start + match.start(), seen.start + match.end())
            evidence = f"{count} days {way} {first.title()} is {_DAYS[right].title()}"
            yield TemporalFault(span, _SURE, evidence, "The days do not add up: check them.")


@cache
def _offsets() -> dict[str, tuple[float, ...]]:
    """Hours ahead of Greenwich in the course of a year."""
    table = cast("dict[str, list[float]]", read_table("temporal_faults", "detect")["zones"])
    return {name: tuple(hours) for name, hours in table.items()}


def _check_zones(seen: Sighting, match: re.Match[str]) -> Iterator[TemporalFault]:
    """Wrong where no season has that difference, on a clock of twelve hours if the halves of the day are not told."""
    here, there = (_find_zone(match[name]) for name in ("here", "there"))
    one, two = (_minutes(match[name]) for name in ("one", "two"))
    if not here or not there or one is None or two is None:
        return
    turn = _ROUND if all(_is_told(match[name]) for name in ("one", "two")) else _HALF
    allowed = {round((b - a) * 60) % turn for a in here for b in there}
    if (two - one) % turn in allowed:
        return
    span = Span(seen.start + match.start(), seen.start + match.end())
    evidence = f"{match['here'].title()} and {match['there'].title()} are never so far apart"
    yield TemporalFault(span, _SURE, evidence, "The time zones do not fit: check both times.")


def _find_zone(words: str) -> tuple[float, ...]:
    return _offsets().get(words) or _offsets().get(words.split()[0], ())


def _minutes(words: str) -> int | None:
    return (
        {"noon": 720, "midday": 720, "midnight": 0}.get(words)
        if words.isalpha()
        else read_minutes(words) or _plain(words)
    )


def _plain(words: str) -> int | None:
    return int(words) * 60 if words.isdigit() and int(words) <= 24 else None


def _is_told(words: str) -> bool:
    return words.isalpha() or "m" in words or ":" in words
