"""Parents and children: who is born of whom is the younger by some years."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.tenses import TemporalFault
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


def find_generation_faults(seen: Sighting) -> Iterator[TemporalFault]:
    """Two births of one sentence: "she was born in 1980 and her mother in 1985"."""
    if seen.is_question or "born" not in seen.low or _STEP.search(seen.low):
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
    kin = match["kin"]
    step = _STEPS[kin] if kin else 0
    step += (1 if step > 0 else -1) * (match["great"] or "").count("great") if kin else 0
    return _Birth(match["owner"] or "", step, int(match["year"]), match.start(), match.end(), bool(kin))


def _tell_apart(one: _Birth, other: _Birth) -> int:
    """By how many generations the second is older; nothing where they need not be of one line."""
    if not other.is_kin:
        return 0
    if one.is_kin and one.owner == other.owner and (one.step > 0) is (other.step > 0):
        return other.step - one.step
    if other.owner in ("his", "her", "their") or (not one.is_kin and other.owner in ("my", "your")):
        return other.step if not (one.is_kin and one.owner == other.owner) else 0
    return 0
