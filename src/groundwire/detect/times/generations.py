"""Parents and children: who is born of whom is the younger by some years."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.numerals import has_digit
from groundwire.types import Span

GENERATION = 0.80
_LEAST = 10
"""Years between two generations, at the least."""
_STEPS = {
    "mother": 1, "father": 1, "mum": 1, "mom": 1, "dad": 1, "parents": 1,
    "grandmother": 2, "grandfather": 2, "grandma": 2, "grandpa": 2, "granny": 2,
    "son": -1, "daughter": -1, "child": -1, "baby": -1, "grandson": -2, "granddaughter": -2, "grandchild": -2,
}  # fmt: skip
_KIN = (
    r"(?P<owner>my|your|his|her|their|our|the|[A-Z][a-z]+'s|[a-z]+'s)\s+(?:(?:only|eldest|oldest|youngest|first|elder|younger|own|late|little|biological)\s+)?"
    rf"(?P<great>(?:great-)*)(?P<kin>{'|'.join(_STEPS)})"
)
_BORN = re.compile(
    rf"\b(?:{_KIN}|(?P<who>he|she|i|you|[a-z]+))(?:,?\s+[A-Z][a-z]+|,[^,.;]{{1,40}},)?\s+(?:(?:was|were|is)\s+(?:only\s+)?)?(?P<verb>born\s+)?"
    r"(?:already\s+|only\s+)?in\s+(?P<year>1[5-9]\d\d|20\d\d)\b"
)
_STEP = re.compile(r"\b(?:step|adopt|foster|god|in-law|if|not|never)[a-z-]*\b|n't\b")


class _Birth(NamedTuple):
    owner: str
    step: int
    year: int
    start: int
    end: int
    is_kin: bool
    who: str


_AGED = re.compile(
    rf"\b{_KIN}(?:,?\s+[A-Z][a-z]+,?)?\s+(?:is|was)\s+(?:only\s+|just\s+|now\s+|already\s+)?(?P<age>\d{{1,3}})(?=[.,;]|$|\s+(?:and|but|while|years)\b)",
    re.IGNORECASE,
)


def _find_aged_faults(seen: Sighting) -> Iterator[TemporalFault]:
    """ "The mother is 31 and her eldest son is 24": years apart by which nobody is a parent."""
    ages = [
        _Birth(m["owner"].lower(), _step_of(m), -int(m["age"]), m.start(), m.end(), True, "")
        for m in _AGED.finditer(seen.low)
    ]
    for one, other in pairwise(ages):
        apart = other.step if other.owner in ("his", "her", "their") else other.step - one.step
        if other.owner != one.owner and other.owner not in ("his", "her", "their"):
            continue
        elder, younger = (other, one) if apart > 0 else (one, other)
        if apart and younger.year - elder.year < (_LEAST + 2) * min(abs(apart), 2):
            span = Span(seen.start + other.start, seen.start + other.end)
            if not seen.is_quoted(span):
                evidence = f"{-younger.year} and {-elder.year} are too near for two generations"
                yield TemporalFault(span, GENERATION, evidence, "Check both ages.")


def find_generation_faults(seen: Sighting) -> Iterator[TemporalFault]:
    """Two births of one sentence: "she was born in 1980 and her mother in 1985"."""
    if seen.is_question or not has_digit(seen.low):
        return
    is_told = "born" in seen.low
    if (not is_told and _STEPS.keys().isdisjoint(seen.runs)) or _STEP.search(seen.low):
        return
    if not is_told:
        yield from _find_aged_faults(seen)
        return
    births: list[_Birth] = []
    for match in _BORN.finditer(seen.low):
        if match["verb"] or (match["kin"] and births):  # "… and her mother in 1985"
            births.append(_read(match))
    for one, other in pairwise(births):
        apart = _tell_apart(one, other)
        if not apart:
            continue
        elder, younger = (other, one) if apart > 0 else (one, other)
        if younger.year - elder.year >= _LEAST * min(abs(apart), 2):
            continue
        span = Span(seen.start + other.start, seen.start + other.end)
        if not seen.is_quoted(span):
            evidence = f"{younger.year} is too early for a child of somebody born in {elder.year}"
            yield TemporalFault(span, GENERATION, evidence, "Check both years of birth.")


def _read(match: re.Match[str]) -> _Birth:
    step = _step_of(match) if match["kin"] else 0
    who = match["who"] or ""
    return _Birth(match["owner"] or "", step, int(match["year"]), match.start(), match.end(), bool(match["kin"]), who)


def _step_of(match: re.Match[str]) -> int:
    step = _STEPS[match["kin"].lower()]
    return step + (1 if step > 0 else -1) * (match["great"] or "").count("great")


def _tell_apart(one: _Birth, other: _Birth) -> int:
    """By how many generations the second is older; nothing where they need not be of one line."""
    if not other.is_kin:
        return 0
    if one.is_kin and one.owner == other.owner and (one.step > 0) is (other.step > 0):
        return other.step - one.step
    if other.owner in ("his", "her", "their") or (one.who, other.owner) in (("i", "my"), ("you", "your")):
        return other.step if not (one.is_kin and one.owner == other.owner) else 0
    return 0
