"""A figure with what it measures, as far as rules can reckon with it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from groundwire.text.quantities import read_quantity


class Figure(NamedTuple):
    """An exact amount in the unit of its dimension, and how it was written."""

    amount: Fraction
    dimension: str
    shown: str


def read_figure(text: str) -> Figure | None:
    """The amount that a phrase begins with; None where it is a rate, a range or only about so much."""
    found = read_quantity(text)
    if found is None or not found[0].is_exact or found[0].low is None or found[0].rate:
        return None
    return Figure(found[0].low, found[0].unit.dimension, found[0].shown)
