"""Units in the names of attributes: "max_depth_m: 83" is a maximum depth of 83 metres.

Columns of a table carry their units in their heads; a figure without its unit means nothing to a reader of sentences.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.text.tables import read_table

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[\s_\-/]+")
_FIGURE = re.compile(r"[+−-]?\d[\d.,]*(?:\s*(?:-|–|to)\s*\d[\d.,]*)?")
_LONGEST = 120
_FULL = {"max": "maximum", "min": "minimum", "avg": "average", "approx": "approximate"}
_SAID = {"kwh": "kWh"}
_CURRENCIES = frozenset({"euros", "dollars", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "INR", "JPY", "CAD", "AUD"})


@cache
def _units() -> dict[str, str]:
    table: dict[str, list[str]] = read_table("measures", "evidence")["units"]
    return {name: unit for unit, names in table.items() for name in names}


@cache
def _listed(part: str) -> frozenset[str]:
    return frozenset(read_table("measures", "evidence")[part]["words"])


@cache
def measuring_words() -> dict[str, frozenset[str]]:
    """For each word or phrase the measures of which it speaks: "deep" of a depth."""
    table: dict[str, list[str]] = read_table("measures", "evidence")["said"]
    words = {word for listed in table.values() for word in listed} | set(table)
    return {word: frozenset(m for m, listed in table.items() if word == m or word in listed) for word in words}


@lru_cache(maxsize=16384)
def split_unit(attribute: str) -> tuple[str, str]:
    """An attribute's name without its unit, and the unit as people write it; empty where the name has none."""
    words = _SEPARATORS.sub(" ", _CAMEL.sub(" ", attribute[:_LONGEST])).casefold().split()
    per = ""
    if len(words) > 2 and words[-1] in _listed("per") and _unit_of(words[:-1])[0] in _CURRENCIES:
        per, words = f" per {words[-1]}", words[:-1]
    if len(words) > 3 and words[-2] == "per" and _unit_of(words[:-2])[0]:
        per, words = f" per {_SAID.get(words[-1], words[-1])}", words[:-2]
    unit, size = _unit_of(words)
    if not unit:
        return attribute, ""
    return " ".join(_FULL.get(word, word) for word in words[: len(words) - size]), f"{unit}{per}"


def _unit_of(words: list[str]) -> tuple[str, int]:
    """The unit at the end of a name that says something besides it."""
    for size in (2, 1):
        unit = _units().get(" ".join(words[-size:])) if len(words) > size and words[-size - 1] != "per" else None
        if unit is not None:
            is_least = words[-1] == "min" and not _listed("least").isdisjoint(words[:-1])
            return ("", 0) if is_least else (unit, size)
    return "", 0


@lru_cache(maxsize=16384)
def read_measure(attribute: str, value: str) -> tuple[str, str]:
    """Name and value as people would give them; as they are where the value is no bare figure or a year."""
    name, unit = split_unit(attribute)
    plain = value.strip()
    if not unit or _FIGURE.fullmatch(plain) is None or (unit == "years" and len(plain) == 4):
        return attribute, value
    is_one = plain == "1" and unit.endswith("s") and unit not in _CURRENCIES
    return name, f"{plain} {unit[:-1] if is_one else unit}"
