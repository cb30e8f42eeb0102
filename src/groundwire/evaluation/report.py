"""What an evaluation says: figures, confusion, who decided, how long it took, and the worst mistakes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from groundwire.evaluation.excerpt import shorten
from groundwire.evaluation.metrics import RESAMPLES, Figure, Rows, Share, measure_rows
from groundwire.evaluation.outcomes import JudgedPair, measure_brier
from groundwire.evaluation.pairs import Refusal, Task, Truth
from groundwire.evaluation.reliability import Reliability, shorten_number, tabulate
from groundwire.types import Verdict

WORST = 5
REFUSALS_LISTED = 20


@dataclass(frozen=True, slots=True)
class Target:
    """A bound that a figure is held to."""

    figure: str
    bound: float
    at_most: bool
    requirement: str

    def is_met(self, value: float | None) -> bool | None:
        """None where there is no value to hold against the bound."""
        if value is None:
            return None
        return value <= self.bound if self.at_most else value >= self.bound


TARGETS = (
    Target("sure_supported_accuracy", 0.75, False, "JDG-013"),
    Target("sure_refuted_accuracy", 0.75, False, "JDG-013"),
    Target("ece", 0.10, True, "JDG-014"),
    Target("false_positive_rate", 0.10, True, "OPS-003"),
    Target("false_negative_rate", 0.10, True, "OPS-003"),
)


@dataclass(frozen=True, slots=True)
class Decision:
    """What a judge gave as its reason, how often, and how often that was right."""

    judge: str
    reason: str
    n: int
    right: int

    def to_dict(self) -> dict[str, object]:
        return {"judge": self.judge, "reason": self.reason, "n": self.n, "right": self.right}


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds a pair as the judge reports them, and pairs a second as the clock on the wall does."""

    p50_ms: float | None
    p99_ms: float | None
    pairs_per_second: float | None = None

    def to_dict(self) -> dict[str, object]:
        return {
            "p50_ms": shorten_number(self.p50_ms),
            "p99_ms": shorten_number(self.p99_ms),
            "pairs_per_second": shorten_number(self.pairs_per_second),
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of one file, or of all files together."""

    name: str
    task: Task
    n: int
    figures: Mapping[str, Figure]
    confusion: Mapping[Truth, Mapping[Truth, int]]
    verdicts: Mapping[Verdict, int]
    decided_by: tuple[Decision, ...]
    timing: Timing
    reliability: Reliability
    worst: tuple[JudgedPair, ...]
    refused: tuple[Refusal, ...]
    judged: tuple[JudgedPair, ...]

    def to_dict(self) -> dict[str, object]:
        """Everything but the single pairs, as plain JSON values."""
        return {
            "name": self.name,
            "task": self.task.value,
            "n": self.n,
            "figures": {name: figure.to_dict() for name, figure in self.figures.items()},
            "targets": [self._describe_target(target) for target in TARGETS],
            "confusion": {truth: {chosen.value: n for chosen, n in row.items()} for truth, row in self._rows()},
            "verdicts": {verdict.value: n for verdict, n in self.verdicts.items()},
            "decided_by": [decision.to_dict() for decision in self.decided_by],
            "timing": self.timing.to_dict(),
            "reliability": self.reliability.to_dict(),
            "worst": [_describe_mistake(judged) for judged in self.worst],
            "refused": describe_refusals(self.refused),
        }

    def _rows(self) -> list[tuple[str, Mapping[Truth, int]]]:
        return [(truth.value, row) for truth, row in self.confusion.items()]

    def _describe_target(self, target: Target) -> dict[str, object]:
        value = self.figures[target.figure].value
        bound = {"at_most" if target.at_most else "at_least": target.bound}
        return {"requirement": target.requirement, "figure": target.figure, **bound, "met": target.is_met(value)}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One judge on several files, and on all of them taken together."""

    judge: str
    files: tuple[Evaluation, ...]
    overall: Evaluation

    @property
    def refused(self) -> int:
        return len(self.overall.refused)

    def to_dict(self) -> dict[str, object]:
        return {
            "judge": self.judge,
            "files": [evaluation.to_dict() for evaluation in self.files],
            "overall": self.overall.to_dict(),
        }


def summarise(
    judged: Sequence[JudgedPair],
    *,
    name: str,
    task: Task,
    refused: Sequence[Refusal] = (),
    seconds: float | None = None,
    worst: int = WORST,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Evaluation:
    """Everything that can be said about pairs that have been judged."""
    return Evaluation(
        name=name,
        task=task,
        n=len(judged),
        figures=measure_rows(_gather(judged, task), resamples=resamples, seed=seed),
        confusion=_cross(judged, task),
        verdicts={verdict: sum(j.output.verdict is verdict for j in judged) for verdict in Verdict},
        decided_by=_count_decisions(judged),
        timing=_time(judged, seconds),
        reliability=tabulate([j.confidence for j in judged], [j.right for j in judged]),
        worst=find_worst(judged, worst),
        refused=tuple(refused),
        judged=tuple(judged),
    )


def describe_refusals(refused: Sequence[Refusal]) -> dict[str, object]:
    """How many rows took no part, and the first of them."""
    return {"n": len(refused), "rows": [refusal.to_dict() for refusal in refused[:REFUSALS_LISTED]]}


def _describe_mistake(judged: JudgedPair) -> dict[str, object]:
    """A premise can be a whole document; its place in the file leads back to the rest."""
    return {**judged.to_dict(), "premise": shorten(judged.pair.premise, judged.pair.hypothesis)}


def find_worst(judged: Sequence[JudgedPair], most: int) -> tuple[JudgedPair, ...]:
    """The mistakes that the judge was surest of."""
    return tuple(sorted((j for j in judged if not j.right), key=lambda j: -j.confidence)[:most])


def find_percentile(values: Sequence[float], percent: float) -> float | None:
    """The smallest value that at least `percent` of all values do not exceed."""
    if not values:
        return None
    return sorted(values)[max(math.ceil(len(values) * percent / 100) - 1, 0)]


def _gather(judged: Sequence[JudgedPair], task: Task) -> Rows:
    numbers = {truth: index for index, truth in enumerate(task.classes)}
    said = [j.output.verdict for j in judged]
    sure = [j.sure for j in judged]
    right = [j.verdict_right for j in judged]
    known_true = [j.truth is Truth.SUPPORTED for j in judged]
    supported = [verdict is Verdict.SUPPORTED for verdict in said]
    refuted = [verdict is Verdict.REFUTED for verdict in said]
    return Rows(
        truth=[numbers[j.truth] for j in judged],
        chosen=[numbers[j.chosen] for j in judged],
        classes=len(numbers),
        supported=[j.support for j in judged],
        confidence=[j.confidence for j in judged],
        brier=[measure_brier(j, task) for j in judged],
        shares={
            "sure_share": Share(sure, [True] * len(judged)),
            "sure_accuracy": Share(right, sure),
            "sure_supported_accuracy": Share(right, _both(sure, supported)),
            "sure_refuted_accuracy": Share(right, _both(sure, refuted)),
            "false_positive_rate": Share(supported, [j.known_false for j in judged]),
            "false_negative_rate": Share(refuted, known_true),
        },
    )


def _both(first: Sequence[bool], second: Sequence[bool]) -> list[bool]:
    return [a and b for a, b in zip(first, second, strict=True)]


def _cross(judged: Sequence[JudgedPair], task: Task) -> dict[Truth, dict[Truth, int]]:
    counts = Counter((j.truth, j.chosen) for j in judged)
    return {truth: {chosen: counts[truth, chosen] for chosen in task.classes} for truth in task.classes}


def _count_decisions(judged: Sequence[JudgedPair]) -> tuple[Decision, ...]:
    found = Counter((j.output.judge, j.output.reason) for j in judged)
    right = Counter((j.output.judge, j.output.reason) for j in judged if j.right)
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Decision(judge, reason, n, right[judge, reason]) for (judge, reason), n in ordered)


def _time(judged: Sequence[JudgedPair], seconds: float | None) -> Timing:
    spent = [j.output.latency_ms for j in judged]
    rate = len(judged) / seconds if seconds and judged else None
    return Timing(find_percentile(spent, 50), find_percentile(spent, 99), rate)
