"""The units and currencies of `units.toml`, found by any of their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from groundwire.text.inflection import plural
from groundwire.text.numerals import show
from groundwire.text.tables import read_table

_LONGEST_NAME = 3


@dataclass(frozen=True, slots=True)
class Unit:
    """`(number + offset) * factor` is the amount in the first unit of the dimension."""

    name: str
    dimension: str
    factor: Fraction
    offset: Fraction
    system: str


COUNT = Unit("", "count", Fraction(1), Fraction(0), "")
"""The unit of a bare number."""


class Quantity(NamedTuple):
    """The amounts from `low` to `high` (None has no bound) of one dimension, and how they were written."""

    low: Fraction | None
    high: Fraction | None
    number: Fraction
    unit: Unit
    shown: str
    about: bool = False
    open_ends: bool = False
    is_age: bool = False
    rate: str = ""
    keeps_zero: bool = False
    middle: Fraction | None = None

    @property
    def is_exact(self) -> bool:
        return not self.about and (self.low is self.high or self.low == self.high)

    @property
    def centre(self) -> Fraction | None:
        """The amount that an exact or an approximate quantity names."""
        return self.middle if self.about else self.low

    @property
    def is_bare(self) -> bool:
        return self.unit.dimension == "count" and not self.rate

    @property
    def key(self) -> str:
        """Equal keys, equal quantities; an age is its number of years."""
        if self.keeps_zero:
            return self.shown
        if self.is_age and self.is_exact and self.unit.name == "year":
            return show(self.number)
        if self.about:
            amount = f"~{show(self.middle or Fraction(0))}"
        elif self.is_exact:
            amount = show(self.low or Fraction(0))
        else:
            low, high = ("" if bound is None else show(bound) for bound in (self.low, self.high))
            amount = f"{'over ' if self.open_ends else ''}{low}..{high}"
        label = "" if self.unit.dimension == "count" else f" {self.unit.dimension}"
        return f"{amount}{label}{f' per {self.rate}' if self.rate else ''}"


@dataclass(frozen=True, slots=True)
class Measures:
    units: dict[str, Unit]
    hedges: dict[str, str]
    afterthoughts: dict[str, str]


@cache
def measures() -> Measures:
    raw = read_table("units")
    dimensions: dict[str, dict[str, dict[str, str]]] = raw["dimensions"]
    hedges: dict[str, list[str]] = raw["hedges"]
    units: dict[str, Unit] = {}
    for code, names in _currency_names(raw["currencies"]).items():
        for name, factor in names.items():
            units.update(_every_form(name, Unit(code, f"currency {code}", factor, Fraction(0), "")))
    for dimension, entries in dimensions.items():
        for name, entry in entries.items():
            unit = Unit(name, dimension, Fraction(entry["factor"]), Fraction(entry.get("offset", "0")), entry["system"])
            for form in (name, *entry["names"]):
                units.update(_every_form(form, unit))
    return Measures(
        units=units,
        hedges={phrase: kind for kind, group in hedges.items() if not kind.endswith("_after") for phrase in group},
        afterthoughts={
            phrase: kind.removesuffix("_after")
            for kind, group in hedges.items()
            if kind.endswith("_after")
            for phrase in group
        },
    )


def _currency_names(raw: dict[str, dict[str, list[str]]]) -> dict[str, dict[str, Fraction]]:
    return {
        code: {code: Fraction(1)}
        | dict.fromkeys(entry["names"], Fraction(1))
        | dict.fromkeys(entry["minor"], Fraction(1, 100))
        for code, entry in raw.items()
    }


def _every_form(name: str, unit: Unit) -> dict[str, Unit]:
    """The name with its plural: "square foot", and "square feet"; "kilometres per hour" as well."""
    first, per, rest = name.partition(" per ")
    head, space, last = first.rpartition(" ")
    forms = {name: unit}
    if last.isalpha():
        forms[f"{head}{space}{plural(last)}{per}{rest}"] = unit
        if head == "degree":
            forms[f"degrees {last}"] = unit
    return forms


def find_unit(words: Sequence[str], at: int) -> tuple[Unit, int] | None:
    """The longest unit name at `words[at]`, and the index behind it."""
    units = measures().units
    for length in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
        unit = units.get(" ".join(words[at : at + length]))
        if unit is not None:
            return unit, at + length
    return None


def find_phrase(phrases: dict[str, str], words: Sequence[str], at: int) -> tuple[str, int] | None:
    """The longest of `phrases` at `words[at]`: its kind, and the index behind it."""
    for length in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
        kind = phrases.get(" ".join(words[at : at + length]))
        if kind is not None:
            return kind, at + length
    return None


def put_in_unit(quantity: Quantity, unit: Unit) -> Quantity:
    """The same number, meant in `unit`."""
    low, high = quantity.low, quantity.high
    if unit is not COUNT:
        is_exact = high is low
        low = None if low is None else (low + unit.offset) * unit.factor
        high = low if is_exact else (None if high is None else (high + unit.offset) * unit.factor)
    return quantity._replace(low=low, high=high, unit=unit, keeps_zero=False)
