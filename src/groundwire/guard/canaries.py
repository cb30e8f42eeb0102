"""Known-false claims: run first, so that honest traffic is not taken for a judge that supports everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from groundwire.errors import ModelUnavailable
from groundwire.judge.protocols import Scores
from groundwire.text.tables import read_table
from groundwire.types import Verdict

TOLERATED = 0.25
"""The share of known-false claims that a judge may support before it is taken for a broken one."""

Score = Callable[[Sequence[tuple[str, str]]], Sequence[Scores]]


@dataclass(frozen=True, slots=True)
class CanaryResult:
    """How many of the known-false claims were supported; `problem` is why none could be judged."""

    total: int
    supported: int = 0
    problem: str = ""

    @property
    def is_passed(self) -> bool:
        return not self.problem and self.supported <= TOLERATED * self.total


@cache
def load_canaries() -> tuple[tuple[str, str], ...]:
    """Pairs of evidence and claim."""
    return tuple((entry["evidence"], entry["claim"]) for entry in read_table("canaries", "guard")["canary"])


def run_canaries(score: Score) -> CanaryResult:
    pairs = load_canaries()
    try:
        scores = score(pairs)
    except ModelUnavailable as error:
        return CanaryResult(len(pairs), problem=str(error))
    return CanaryResult(len(pairs), sum(entry.verdict is Verdict.SUPPORTED for entry in scores))
