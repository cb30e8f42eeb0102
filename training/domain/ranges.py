"""The logic of numbers and dates: what is said leaves a range open, and ranges decide the label.

A premise whose range lies inside the claim's entails it, one outside contradicts it, anything else leaves it open.
"About" is soft: a sure range that counts as about, and a wide one beyond which it is false; between the two no case
is made.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple

from training.domain.pair import Label

_TINY = 1e-6
INFINITE = math.inf


class Range(NamedTuple):
    """[low, high]; `slack` is how far a soft statement may be off on either side."""

    low: float
    high: float
    slack: float = 0.0


def compare(premise: Range, claim: Range) -> Label | None:
    """None where people would disagree."""
    low, high = premise.low - premise.slack, premise.high + premise.slack
    if low >= claim.low - claim.slack / 4 - _TINY / 2 and high <= claim.high + claim.slack / 4 + _TINY / 2:
        return Label.ENTAIL
    if high < claim.low - claim.slack * 2 or low > claim.high + claim.slack * 2:
        return Label.CONTRADICT
    if claim.slack and not (low < claim.low - claim.slack * 2 or high > claim.high + claim.slack * 2):
        return None
    return Label.NEUTRAL


def is_above(number: float) -> Range:
    return Range(number + _TINY, INFINITE)


def is_below(number: float) -> Range:
    return Range(-INFINITE, number - _TINY)


def find_premises(
    rng: random.Random, said: str, claim: Range, draw: Callable[[random.Random], tuple[str, Range]], tries: int = 60
) -> dict[Label, str]:
    """One premise for each label, drawn until they are found; a label that cannot be reached is missing."""
    found: dict[Label, str] = {}
    for _ in range(tries):
        text, range_ = draw(rng)
        label = compare(range_, claim)
        if label and label not in found and text != said:
            found[label] = text
            if len(found) == 3:
                break
    return found
