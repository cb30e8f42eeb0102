"""From logits to probabilities that mean what they say.

`calibration.json` holds the `version`, the `method` and what the method needs, always in the order SUPPORTED, REFUTED,
INSUFFICIENT:

    temperature   {"temperature": 1.7}                         softmax of logits / temperature
    vector        {"scale": [a, b, c], "bias": [d, e, f]}      softmax of logits * scale + bias
    isotonic      {"temperature": 1.0, "curves": [{"x": [...], "y": [...]}, ...]}
                  each softmax share is looked up on its own rising curve, straight between the points; the three
                  results are brought to the sum of one
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from groundwire.errors import ModelCorrupt
from groundwire.judge.protocols import Calibration, Scores

_REMEDY = "reinstall the model"
_CLASSES = 3


@dataclass(frozen=True, slots=True)
class VectorCalibration:
    """Every logit is stretched and shifted before the softmax; a temperature is one stretch for all."""

    version: str
    scale: tuple[float, ...]
    bias: tuple[float, ...] = (0.0, 0.0, 0.0)

    def calibrate(self, logits: Sequence[float]) -> Scores:
        return _softmax([z * a + b for z, a, b in zip(logits, self.scale, self.bias, strict=True)])


@dataclass(frozen=True, slots=True)
class Curve:
    """A rising function, straight between its points and level outside them."""

    x: tuple[float, ...]
    y: tuple[float, ...]

    def at(self, share: float) -> float:
        after = bisect_right(self.x, share)
        if after == 0:
            return self.y[0]
        if after == len(self.x):
            return self.y[-1]
        left, right = self.x[after - 1], self.x[after]
        low, high = self.y[after - 1], self.y[after]
        return low + (high - low) * (share - left) / (right - left)


@dataclass(frozen=True, slots=True)
class IsotonicCalibration:
    """One curve a class over the softmax share."""

    version: str
    temperature: float
    curves: tuple[Curve, ...]

    def calibrate(self, logits: Sequence[float]) -> Scores:
        shares = _softmax([z / self.temperature for z in logits])
        found = [curve.at(share) for curve, share in zip(self.curves, shares, strict=True)]
        total = sum(found)
        if total <= 0.0:
            return Scores(0.0, 0.0, 1.0)
        return Scores(*(value / total for value in found))


def read_calibration(document: Mapping[str, object]) -> Calibration:
    """The calibration that a file describes; one that cannot be used is an error, never a guess."""
    version = document.get("version")
    if not isinstance(version, str) or not version:
        raise ModelCorrupt("calibration.json has no version", _REMEDY)
    match document.get("method"):
        case "temperature":
            return VectorCalibration(version, (1.0 / _read_temperature(document),) * _CLASSES)
        case "vector":
            scale, bias = _read_numbers(document, "scale"), _read_numbers(document, "bias")
            if len(scale) != _CLASSES or len(bias) != _CLASSES or min(scale) <= 0.0:
                raise ModelCorrupt("calibration.json needs three positive scales and three biases", _REMEDY)
            return VectorCalibration(version, scale, bias)
        case "isotonic":
            temperature = _read_temperature(document) if "temperature" in document else 1.0
            return IsotonicCalibration(version, temperature, _read_curves(document))
        case unknown:
            raise ModelCorrupt(f"calibration.json has the unknown method {unknown!r}", _REMEDY)


def _softmax(logits: Sequence[float]) -> Scores:
    highest = max(logits)
    raised = [math.exp(z - highest) for z in logits]
    total = sum(raised)
    return Scores(*(value / total for value in raised))


def _read_temperature(document: Mapping[str, object]) -> float:
    found = document.get("temperature")
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0.0 < found < math.inf:
        raise ModelCorrupt(f"calibration.json has the temperature {found!r}, which is no positive number", _REMEDY)
    return float(found)


def _read_numbers(document: Mapping[str, object], key: str) -> tuple[float, ...]:
    found = document.get(key)
    if isinstance(found, list):
        values = cast(list[object], found)
        numbers = tuple(float(v) for v in values if isinstance(v, int | float) and math.isfinite(v))
        if len(numbers) == len(values):
            return numbers
    raise ModelCorrupt(f"calibration.json needs a list of numbers as {key!r}", _REMEDY)


def _read_curves(document: Mapping[str, object]) -> tuple[Curve, ...]:
    found = document.get("curves")
    entries = cast(list[object], found) if isinstance(found, list) else []
    if len(entries) != _CLASSES or not all(isinstance(entry, dict) for entry in entries):
        raise ModelCorrupt("calibration.json needs three curves", _REMEDY)
    return tuple(_read_curve(cast(Mapping[str, object], entry)) for entry in entries)


def _read_curve(entry: Mapping[str, object]) -> Curve:
    x, y = _read_numbers(entry, "x"), _read_numbers(entry, "y")
    rises = all(a < b for a, b in pairwise(x)) and all(a <= b for a, b in pairwise(y))
    if not x or len(x) != len(y) or not rises or y[0] < 0.0 or y[-1] > 1.0:
        raise ModelCorrupt("calibration.json has a curve that does not rise from 0 towards 1", _REMEDY)
    return Curve(x, y)
