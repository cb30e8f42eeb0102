"""Steps: by how much a value changed. "One more than before", "put off by a week" name the old value by arithmetic."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from groundwire.text.calendar import Moment, read_moment
from groundwire.text.lexicon import noun_lemma
from groundwire.text.quantities import read_quantity

_DURATION = "duration"
_DAY = 86_400
_FURTHER = re.compile(r"[,;.(](?!\d)|\b(?:to|than|from|and|or|instead)\b")


class Amount(NamedTuple):
    """A number in the first unit of its dimension."""

    number: Fraction
    dimension: str


class Step(NamedTuple):
    """What lies between an old and a new value; a time has no amount itself to start from."""

    size: Amount
    is_up: bool
    start: Amount | None = None
    counted: str = ""

    def measures(self, amount: Amount) -> bool:
        return _are_same(amount, self.size)

    def starts_at(self, amount: Amount) -> bool:
        return self.start is not None and _are_same(amount, self.start)

    def ends_at(self, amount: Amount) -> bool:
        if self.start is None:
            return False
        number = self.start.number + (self.size.number if self.is_up else -self.size.number)
        return _are_same(amount, Amount(number, self.start.dimension))


def _are_same(said: Amount, meant: Amount) -> bool:
    bare = said.dimension == "count" and meant.dimension != _DURATION
    return said.number == meant.number and (bare or said.dimension == meant.dimension)


@lru_cache(maxsize=512)
def find_step(old: str, new: str) -> Step | None:
    """The step from one value to the other, where both are plain amounts of one kind, or times of one kind."""
    before, after = read_moment(old.lower()), read_moment(new.lower())
    if before is not None and after is not None:
        apart = _measure_time(before, after)
        return Step(Amount(Fraction(abs(apart)), _DURATION), apart > 0) if apart else None
    start, end = _read_value(old), _read_value(new)
    if start is None or end is None or start[0].dimension != end[0].dimension:
        return None
    if [noun_lemma(word) for word in start[1].split()] != [noun_lemma(word) for word in end[1].split()]:
        return None  # two dogs are not three cats
    size = end[0].number - start[0].number
    return Step(Amount(abs(size), start[0].dimension), size > 0, start[0], f"{start[1]} {end[1]}") if size else None


def _measure_time(before: Moment, after: Moment) -> int:
    """Seconds from one time of day to another, or from one day to another of the same month; else nothing."""
    if before.minutes and after.minutes and not (before.has_date or after.has_date):
        return (after.minutes[0] - before.minutes[0]) * 60 if len(before.minutes) == len(after.minutes) else 0
    if before.minutes or after.minutes or before.month != after.month:
        return 0
    if before.day and after.day:
        return (after.day - before.day) * _DAY
    single = len(before.days) == len(after.days) == 1
    return (after.days[0][0] - before.days[0][0]).days * _DAY if single else 0


def _read_value(text: str) -> tuple[Amount, str] | None:
    found = read_quantity(text.lower())
    if found is None or not found[0].is_exact or found[0].low is None or found[0].rate:
        return None
    return Amount(found[0].low, found[0].unit.dimension), found[1].strip()


def read_amount(text: str) -> tuple[Amount, int] | None:
    """The exact amount that a text opens with, and how many of its characters say it."""
    further = _FURTHER.search(text, 1)
    own = (text[: further.start()] if further else text).rstrip()
    found = read_quantity(own.lower())
    if found is None or not found[0].is_exact or found[0].low is None:
        return None
    return Amount(found[0].low, found[0].unit.dimension), len(own) - len(found[1])
