"""Fitting a calibration: one temperature for the logits, or a rising step function of the confidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from groundwire.errors import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

COLDEST = 0.05
HOTTEST = 20.0
_GOLDEN = (math.sqrt(5) - 1) / 2
_STEPS = 64

Knot = tuple[float, float]


def measure_loss(logits: ArrayLike, labels: ArrayLike, temperature: float = 1.0) -> float:
    """The mean negative log-likelihood of the labels under `softmax(logits / temperature)`."""
    import numpy as np

    scaled = np.asarray(logits, dtype=np.float64) / temperature
    scaled = scaled - scaled.max(axis=1, keepdims=True)
    picked = np.take_along_axis(scaled, np.asarray(labels, dtype=np.intp)[:, None], axis=1)
    return float((np.log(np.exp(scaled).sum(axis=1)) - picked[:, 0]).mean())


def fit_temperature(logits: ArrayLike, labels: ArrayLike) -> float:
    """The temperature under which the labels are likeliest.

    The loss is convex in 1 / temperature, so it has one valley whatever the scale it is searched on; logits
    that are never wrong have none, and the coldest temperature is given.
    """
    import numpy as np

    table = np.asarray(logits, dtype=np.float64)
    numbers = np.asarray(labels, dtype=np.intp)
    if table.ndim != 2 or not table.size or table.shape[0] != numbers.shape[0]:
        raise InvalidInput("logits", "must be one row of class scores for each label, and at least one")
    if not np.isfinite(table).all():
        raise InvalidInput("logits", "hold NaN or an infinite number; nothing can be fitted to that")
    if numbers.min() < 0 or numbers.max() >= table.shape[1]:
        raise InvalidInput("labels", f"must lie in 0 to {table.shape[1] - 1}")
    return math.exp(
        _descend(lambda log: measure_loss(table, numbers, math.exp(log)), math.log(COLDEST), math.log(HOTTEST))
    )


def _descend(loss: Callable[[float], float], low: float, high: float) -> float:
    """The bottom of a function with one valley, by golden section."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = loss(right)
    return (low + high) / 2


def fit_isotonic(confidences: Sequence[float], right: Sequence[bool]) -> tuple[Knot, ...]:
    """The rising function of confidence that is nearest to how often verdicts were right, as knots (from, to).

    Adjacent violators are pooled; a pooled stretch gives a knot at each end, so that reading between knots
    in a straight line gives back the fit.
    """
    if not confidences or len(confidences) != len(right):
        raise InvalidInput("confidences", "must be one for each verdict, and at least one")
    blocks: list[tuple[float, float, int, int]] = []
    for confidence, (hits, n) in sorted(_count_hits(confidences, right).items()):
        first = confidence
        while blocks and blocks[-1][2] * n >= hits * blocks[-1][3]:
            first, _, more_hits, more = blocks.pop()
            hits, n = hits + more_hits, n + more
        blocks.append((first, confidence, hits, n))
    knots: list[Knot] = []
    for first, last, hits, n in blocks:
        knots += [(first, hits / n)] if first == last else [(first, hits / n), (last, hits / n)]
    return tuple(knots)


def _count_hits(confidences: Sequence[float], right: Sequence[bool]) -> dict[float, tuple[int, int]]:
    """Verdicts of equal confidence are one point of the fit: how many were right, and how many there are."""
    counts: dict[float, tuple[int, int]] = {}
    for confidence, hit in zip(confidences, right, strict=True):
        if not 0.0 <= confidence <= 1.0:
            raise InvalidInput("confidences", f"{confidence} is not in [0, 1]")
        hits, n = counts.get(confidence, (0, 0))
        counts[confidence] = hits + hit, n + 1
    return counts


def fit_curves(probabilities: Sequence[Sequence[float]], labels: Sequence[int]) -> tuple[tuple[Knot, ...], ...]:
    """One isotonic curve a class, each class against the rest."""
    if not probabilities:
        raise InvalidInput("probabilities", "must be one row for each label, and at least one")
    return tuple(
        fit_isotonic([row[number] for row in probabilities], [label == number for label in labels])
        for number in range(len(probabilities[0]))
    )
