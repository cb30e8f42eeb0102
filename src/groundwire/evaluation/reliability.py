"""Confidence against accuracy: the table behind a reliability diagram, and its expected calibration error."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from groundwire.errors import DataFileError

BINS = 10
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Bin:
    """The verdicts whose confidence lies in `[low, high)`; the last bin holds 1.0 as well."""

    low: float
    high: float
    n: int
    confidence: float | None
    accuracy: float | None

    @property
    def gap(self) -> float | None:
        """How much surer the judge was than it was right; below zero it was too modest."""
        if self.confidence is None or self.accuracy is None:
            return None
        return self.confidence - self.accuracy

    def to_dict(self) -> dict[str, object]:
        return {
            "low": self.low,
            "high": self.high,
            "n": self.n,
            "confidence": shorten_number(self.confidence),
            "accuracy": shorten_number(self.accuracy),
            "gap": shorten_number(self.gap),
        }


@dataclass(frozen=True, slots=True)
class Reliability:
    """The bins from low to high confidence; `ece` is None where nothing was judged."""

    bins: tuple[Bin, ...]
    ece: float | None
    fitted_on: str | None = None

    @property
    def n(self) -> int:
        return sum(entry.n for entry in self.bins)

    def to_dict(self) -> dict[str, object]:
        return {
            "n": self.n,
            "ece": shorten_number(self.ece),
            "fitted_on": self.fitted_on,
            "table": [entry.to_dict() for entry in self.bins],
        }


def shorten_number(value: float | None) -> float | None:
    """Digits beyond these are noise of the arithmetic, and only make two runs look different."""
    return None if value is None else round(value, DIGITS)


def find_bin(confidence: float, bins: int = BINS) -> int:
    return min(max(int(confidence * bins), 0), bins - 1)


def tabulate(confidences: Sequence[float], right: Sequence[bool], bins: int = BINS) -> Reliability:
    """Equal-width bins of confidence, each with how often the verdicts in it were right."""
    members: list[list[int]] = [[] for _ in range(bins)]
    for index, confidence in enumerate(confidences):
        members[find_bin(confidence, bins)].append(index)
    rows = [
        Bin(
            low=place / bins,
            high=(place + 1) / bins,
            n=len(inside),
            confidence=_mean(confidences[index] for index in inside) if inside else None,
            accuracy=_mean(float(right[index]) for index in inside) if inside else None,
        )
        for place, inside in enumerate(members)
    ]
    return Reliability(tuple(rows), weigh_gaps(rows))


def weigh_gaps(bins: Sequence[Bin]) -> float | None:
    """The mean distance between confidence and accuracy over all verdicts."""
    total = sum(entry.n for entry in bins)
    if not total:
        return None
    return math.fsum(entry.n * abs(entry.gap or 0.0) for entry in bins) / total


def read_table(stored: Mapping[str, object], where: str) -> Reliability:
    """The table that is kept with a model's calibration: rows of low, high, n, confidence and accuracy."""
    rows = stored.get("table")
    if not isinstance(rows, list) or not rows:
        raise DataFileError(f"{where}: holds no reliability table; measure one by giving labelled files")
    bins = tuple(_read_bin(row, where) for row in cast(list[object], rows))
    ece = _read_share(stored, "ece", where)
    fitted_on = stored.get("fitted_on")
    return Reliability(
        tuple(sorted(bins, key=lambda entry: entry.low)),
        weigh_gaps(bins) if ece is None else ece,
        None if fitted_on is None else _write_origin(fitted_on),
    )


def _read_bin(row: object, where: str) -> Bin:
    if not isinstance(row, dict):
        raise DataFileError(f"{where}: a row of the reliability table is not an object")
    fields = cast(dict[str, object], row)
    low, high = _read_share(fields, "low", where), _read_share(fields, "high", where)
    n = fields.get("n")
    if low is None or high is None or low >= high or not isinstance(n, int) or isinstance(n, bool) or n < 0:
        raise DataFileError(f"{where}: a row of the reliability table needs low < high and a count n")
    confidence, accuracy = _read_share(fields, "confidence", where), _read_share(fields, "accuracy", where)
    if n and (confidence is None or accuracy is None):
        raise DataFileError(f"{where}: a filled row of the reliability table needs confidence and accuracy")
    return Bin(low, high, n, confidence if n else None, accuracy if n else None)


def _read_share(fields: Mapping[str, object], name: str, where: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise DataFileError(f"{where}: {name} must be a number in [0, 1]")
    return float(value)


def _write_origin(value: object) -> str:
    return ", ".join(map(str, cast(list[object], value))) if isinstance(value, list) else str(value)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed)
