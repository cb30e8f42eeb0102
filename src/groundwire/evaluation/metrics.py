"""The figures: each computed from weighted rows, so that a resample of the bootstrap is just other weights.

What cannot be said (the recall of a class that does not occur) is NaN in here and None outside.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.evaluation.reliability import BINS, shorten_number

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]

INTERVAL = (2.5, 97.5)
RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95% interval; `count` of `of` where it is a share. None is "cannot be said"."""

    value: float | None
    low: float | None = None
    high: float | None = None
    count: int | None = None
    of: int | None = None

    def to_dict(self) -> dict[str, object]:
        plain: dict[str, object] = {
            "value": shorten_number(self.value),
            "low": shorten_number(self.low),
            "high": shorten_number(self.high),
        }
        return plain if self.of is None else {**plain, "count": self.count, "of": self.of}


@dataclass(frozen=True, slots=True)
class Share:
    """Among the rows of `among`, how many are in `hits` as well."""

    hits: Sequence[bool]
    among: Sequence[bool]


@dataclass(frozen=True, slots=True)
class Rows:
    """What the figures need of every judged pair, in columns; `truth` and `chosen` number `classes` classes."""

    truth: Sequence[int]
    chosen: Sequence[int]
    classes: int
    supported: Sequence[float]
    confidence: Sequence[float]
    brier: Sequence[float]
    shares: Mapping[str, Share]


# ── single figures ──────────────────────────────────────────────────────────────────────────────


def measure_auroc(scores: ArrayLike, positives: ArrayLike, weights: ArrayLike | None = None) -> float:
    """The chance that a positive row scores above a negative one, a tie counting half. Sorts once."""
    import numpy as np

    _, groups = np.unique(np.asarray(scores, dtype=np.float64), return_inverse=True)
    positive = np.asarray(positives, dtype=np.float64)
    weight = np.ones_like(positive) if weights is None else np.asarray(weights, dtype=np.float64)
    return _rank(groups.reshape(-1), positive * weight, (1.0 - positive) * weight)


def _rank(groups: Ints, positive: Floats, negative: Floats) -> float:
    import numpy as np

    size = int(groups.max()) + 1 if groups.size else 0
    above = np.bincount(groups, positive, size)
    below = np.bincount(groups, negative, size)
    pairs = float(above.sum() * below.sum())
    if not pairs:
        return math.nan
    return float((above * (np.cumsum(below) - below / 2)).sum()) / pairs


def measure_calibration_error(
    confidences: ArrayLike, right: ArrayLike, weights: ArrayLike | None = None, bins: int = BINS
) -> float:
    """The mean distance between confidence and accuracy over equal-width bins."""
    import numpy as np

    confidence = np.asarray(confidences, dtype=np.float64)
    places = np.clip((confidence * bins).astype(np.intp), 0, bins - 1)
    weight = np.ones_like(confidence) if weights is None else np.asarray(weights, dtype=np.float64)
    return _weigh(places, (confidence - np.asarray(right, dtype=np.float64)) * weight, float(weight.sum()), bins)


def _weigh(places: Ints, gaps: Floats, total: float, bins: int = BINS) -> float:
    import numpy as np

    return float(np.abs(np.bincount(places, gaps, bins)).sum()) / total if total else math.nan


def measure_classes(counts: ArrayLike) -> tuple[float, float, float]:
    """Balanced accuracy, macro-F1 and the F1 of the first class, from counts by truth (rows) and choice.

    Classes that no row is labelled with have no recall and are left out of the means.
    """
    import numpy as np

    table = np.asarray(counts, dtype=np.float64)
    hits, labelled, chosen = table.diagonal(), table.sum(axis=1), table.sum(axis=0)
    present = labelled > 0
    if not present.any():
        return math.nan, math.nan, math.nan
    recall = hits[present] / labelled[present]
    f1 = 2 * hits[present] / (labelled[present] + chosen[present])
    first = labelled[0] + chosen[0]
    return float(recall.mean()), float(f1.mean()), float(2 * hits[0] / first) if first else math.nan


# ── all figures, with their intervals ───────────────────────────────────────────────────────────

NAMES = ("accuracy", "balanced_accuracy", "macro_f1", "f1_supported", "auroc", "ece", "brier")


class Measure:
    """All figures of one set of rows as a function of weights; what does not depend on them is computed once."""

    def __init__(self, rows: Rows) -> None:
        import numpy as np

        self.names = (*NAMES, *rows.shares)
        self.size = len(rows.truth)
        self._classes = rows.classes
        truth, chosen = np.asarray(rows.truth, dtype=np.intp), np.asarray(rows.chosen, dtype=np.intp)
        self._cells = truth * rows.classes + chosen
        self._brier = np.asarray(rows.brier, dtype=np.float64)
        confidence = np.asarray(rows.confidence, dtype=np.float64)
        self._places = np.clip((confidence * BINS).astype(np.intp), 0, BINS - 1)
        self._gaps = confidence - (truth == chosen)
        self._groups = np.unique(np.asarray(rows.supported, dtype=np.float64), return_inverse=True)[1].reshape(-1)
        self._positive = (truth == 0).astype(np.float64)
        columns = [column for share in rows.shares.values() for column in (_both(share), share.among)]
        flags = np.asarray(columns, dtype=np.intp).reshape(len(columns), self.size)
        codes = (flags << np.arange(len(columns), dtype=np.intp)[:, None]).sum(axis=0)
        # Rows are told apart by which shares they count for: far fewer kinds than rows to add up each time.
        _, first, kinds = np.unique(codes, return_index=True, return_inverse=True)
        self._kinds, self._flags = kinds.reshape(-1), flags[:, first].astype(np.float64)

    def count(self, weights: Floats) -> Floats:
        """Rows by truth and choice."""
        import numpy as np

        classes = self._classes
        return np.bincount(self._cells, weights, classes * classes).reshape(classes, classes).astype(np.float64)

    def count_shares(self, weights: Floats) -> Floats:
        """For every share its hits and the rows that it is taken among."""
        import numpy as np

        kinds = np.bincount(self._kinds, weights, self._flags.shape[1])
        return (self._flags * kinds).sum(axis=1).reshape(-1, 2)

    def __call__(self, weights: Floats) -> list[float]:
        total = float(weights.sum())
        table = self.count(weights)
        balanced, macro, f1 = measure_classes(table)
        positive = self._positive * weights
        values = [
            _divide(float(table.diagonal().sum()), total),
            balanced,
            macro,
            f1,
            _rank(self._groups, positive, weights - positive),
            _weigh(self._places, self._gaps * weights, total),
            _divide(float((self._brier * weights).sum()), total),
        ]
        return values + [_divide(float(hits), float(among)) for hits, among in self.count_shares(weights)]


def _both(share: Share) -> list[bool]:
    return [hit and among for hit, among in zip(share.hits, share.among, strict=True)]


def measure_rows(rows: Rows, *, resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Figure]:
    """Every figure with its percentile-bootstrap interval; the same seed gives the same interval."""
    import numpy as np

    measure = Measure(rows)
    if not measure.size:
        return dict.fromkeys(measure.names, Figure(None))
    ones = np.ones(measure.size)
    values = measure(ones)
    counts: list[tuple[int, int] | None] = [None] * len(NAMES)
    counts[0] = int(measure.count(ones).diagonal().sum()), measure.size
    counts += [(int(hits), int(among)) for hits, among in measure.count_shares(ones)]
    intervals = _bootstrap(measure, resamples, seed)
    return {
        name: _describe(value, interval, count)
        for name, value, interval, count in zip(measure.names, values, intervals, counts, strict=True)
    }


def _bootstrap(measure: Measure, resamples: int, seed: int) -> list[tuple[float, float]]:
    import numpy as np

    generator = np.random.default_rng(seed)
    drawn = np.empty((resamples, len(measure.names)))
    for index in range(resamples):
        rows = generator.integers(0, measure.size, measure.size)
        drawn[index] = measure(np.bincount(rows, minlength=measure.size).astype(np.float64))
    return [_find_interval(column) for column in drawn.T]


def _find_interval(values: Floats) -> tuple[float, float]:
    import numpy as np

    known = values[~np.isnan(values)]
    if known.size * 2 < values.size or not known.size:
        return math.nan, math.nan
    low, high = np.percentile(known, INTERVAL)
    return float(low), float(high)


def _describe(value: float, interval: tuple[float, float], count: tuple[int, int] | None) -> Figure:
    if math.isnan(value):
        return Figure(None, count=count[0] if count else None, of=count[1] if count else None)
    low, high = (None if math.isnan(bound) else bound for bound in interval)
    return Figure(value, low, high, *(count or (None, None)))


def _divide(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
