"""What the judge asks of a model; `models/` answers it, and neither knows the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from groundwire.types import Verdict

LEAST_SUPPORT, LEAST_REFUTATION = 0.45, 0.41
"""A verdict for a claim has to be nearly as likely as everything else together, one against it a little less: a claim
taken for grounded that is not costs most."""


class Scores(NamedTuple):
    """Calibrated probabilities that sum to one."""

    supported: float
    refuted: float
    insufficient: float

    @property
    def verdict(self) -> Verdict:
        """The likeliest; a tie goes to the more careful answer, and so does what is unlikely."""
        if self.supported > max(self.refuted, self.insufficient):
            return Verdict.SUPPORTED if self.supported >= LEAST_SUPPORT else Verdict.INSUFFICIENT
        against = self.refuted > max(self.supported, self.insufficient) and self.refuted >= LEAST_REFUTATION
        return Verdict.REFUTED if against else Verdict.INSUFFICIENT

    def of(self, verdict: Verdict) -> float:
        match verdict:
            case Verdict.SUPPORTED:
                return self.supported
            case Verdict.REFUTED:
                return self.refuted
            case Verdict.INSUFFICIENT:
                return self.insufficient


class Calibration(Protocol):
    """From three logits, in the order of `Scores`, to probabilities that mean what they say."""

    @property
    def version(self) -> str: ...

    def calibrate(self, logits: Sequence[float]) -> Scores: ...


class ReadCalibration(Protocol):
    """Makes a calibration of what `calibration.json` holds; raises ModelCorrupt on anything else."""

    def __call__(self, document: Mapping[str, object], /) -> Calibration: ...


class TokenCounter(Protocol):
    """How many tokens each of the texts has, without those that mark beginning and end."""

    def __call__(self, texts: Sequence[str], /) -> Sequence[int]: ...


class PairScorer(Protocol):
    """Judges pairs of evidence and claim, in that order.

    A pair's scores depend on the pair alone, not on the others of the call. Every member may raise
    ModelUnavailable, because a model is loaded when it is first needed.
    """

    @property
    def name(self) -> str:
        """With the version ("mini.v1"): recorded in every verdict."""
        ...

    @property
    def fingerprint(self) -> str:
        """Of the model's files, so that a verdict names exactly what made it."""
        ...

    @property
    def calibration(self) -> str:
        """The version of the calibration."""
        ...

    @property
    def max_tokens(self) -> int:
        """The most that evidence, claim and the marks between them may have together."""
        ...

    def count_tokens(self, texts: Sequence[str], /) -> Sequence[int]: ...

    def begin(self, pairs: Sequence[tuple[str, str]], /) -> None:
        """Pairs that `score` will be asked for soon: it may start on them, and says nothing of them before."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]], /) -> list[Scores]:
        """One entry a pair, in the order given; evidence beyond `max_tokens` is cut off."""
        ...
