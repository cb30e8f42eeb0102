"""How likely it is that one statement excludes another: traits and verdicts in both directions, weighed.

The weights are in `data/scales.toml`, fitted on readable cases only; each is the worth of one piece of evidence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from groundwire.detect.weighing.traits import Traits
from groundwire.text.tables import read_table
from groundwire.types import Verdict, VerifierOutput

_FLOOR = 0.01
_LEANING = 0.3


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the judge says of a statement in the light of another."""

    support: float
    refutation: float

    @staticmethod
    def of(output: VerifierOutput) -> Opinion:
        return Opinion(output.probabilities[Verdict.SUPPORTED], output.probabilities[Verdict.REFUTED])


SUREST = Opinion(_FLOOR, 1.0 - _FLOOR)
"""The most that the way back can add."""
SILENT = Opinion(0.0, 0.0)
"""A way that nobody asked about."""


def are_sure(there: Opinion, back: Opinion, bars: Sequence[tuple[float, float]]) -> bool:
    """Whether the judge refutes both ways, and by one pair of bars strongly enough for each."""
    low, high = sorted((there.refutation, back.refutation))
    return any(low >= least and high >= most for least, most in bars)


def leans_to_conflict(there: Opinion, back: Opinion) -> bool:
    """Whether the judge thinks of a conflict rather than of agreement, far from sure as it may be."""
    against = max(there.refutation, back.refutation)
    return against >= _LEANING and against > max(there.support, back.support)


def describe_pair(
    traits: Traits, there: Opinion, back: Opinion, similarity: float, best_support: float, marks: Mapping[str, float]
) -> dict[str, float]:
    """The evidence by name; `best_support` is the most that anything known says for the statement."""
    high = log_odds(max(there.refutation, back.refutation))
    is_plain = not (traits.denial or traits.opposed or traits.differing or traits.names_apart)
    told = {name: getattr(traits, name) for name in Traits.__dataclass_fields__}
    return {
        **told,
        **marks,
        "high": high,
        "low": log_odds(min(there.refutation, back.refutation)),
        "there": log_odds(there.refutation),
        "support": log_odds(there.support),
        "support_back": log_odds(back.support),
        "best_support": log_odds(best_support),
        "similarity": similarity,
        "repeats": min(traits.told, traits.covered) * is_plain,
        "differing_covered": traits.differing * traits.covered,
        "agreeing_high": traits.agreeing * high,
        "covered_high": traits.covered * high,
        "told_high": traits.told * high,
        "opposed_high": traits.opposed * high,
        "denial_high": traits.denial * high,
        "differing_high": traits.differing * high,
        "similarity_high": similarity * high,
        "condition_high": traits.condition * high,
    }


def weigh(scale: str, evidence: Mapping[str, float]) -> float:
    """The probability that a scale gives to a piece of evidence."""
    weights = _weights(scale)
    total = weights["constant"] + sum([weights.get(name, 0.0) * value for name, value in evidence.items()])
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def log_odds(probability: float) -> float:
    bounded = min(max(probability, _FLOOR), 1.0 - _FLOOR)
    return math.log(bounded / (1.0 - bounded))


@cache
def _weights(scale: str) -> dict[str, float]:
    return {name: float(value) for name, value in read_table("scales", "detect")[scale].items()}
