"""One labelled pair after the judge has spoken: what was known, what was chosen, how sure, right or wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.evaluation.pairs import LabelledPair, Task, Truth
from groundwire.types import Verdict, VerifierOutput

SUPPORT_THRESHOLD = 0.5
SURE = 0.8


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """`chosen` is compared with `truth`; `verdict_right` and `known_false` hold for the judge's own verdict."""

    pair: LabelledPair
    output: VerifierOutput
    truth: Truth
    chosen: Truth
    confidence: float
    verdict_right: bool
    known_false: bool

    @property
    def right(self) -> bool:
        return self.chosen is self.truth

    @property
    def support(self) -> float:
        """The probability of SUPPORTED."""
        return self.output.probabilities.get(Verdict.SUPPORTED, 0.0)

    @property
    def sure(self) -> bool:
        """SUPPORTED or REFUTED, and confident enough to be acted upon."""
        return self.output.verdict is not Verdict.INSUFFICIENT and self.output.confidence >= SURE

    @property
    def place(self) -> str:
        return f"{self.pair.file}:{self.pair.line}"

    def to_dict(self) -> dict[str, object]:
        """A row that can be read as a labelled pair again, with what became of it."""
        pair, output = self.pair, self.output
        given = {"source": pair.source, "meta": pair.meta}
        return {
            "file": pair.file,
            "line": pair.line,
            "premise": pair.premise,
            "hypothesis": pair.hypothesis,
            "label": pair.label,
            **{name: value for name, value in given.items() if value is not None},
            "chosen": self.chosen.value,
            "right": self.right,
            "confidence": self.confidence,
            "verdict": output.verdict.value,
            "verdict_confidence": output.confidence,
            "probabilities": {verdict.value: output.probabilities.get(verdict, 0.0) for verdict in Verdict},
            "explanation": output.explanation,
            "reason": output.reason,
            "judge": output.judge,
            "latency_ms": round(output.latency_ms, 3),
        }


def settle(pair: LabelledPair, output: VerifierOutput, task: Task, threshold: float = SUPPORT_THRESHOLD) -> JudgedPair:
    """Two classes are told apart by the probability of support alone; three by the verdict."""
    support = output.probabilities.get(Verdict.SUPPORTED, 0.0)
    verdict = Truth(output.verdict.value)
    if task is Task.THREE_WAY:
        truth, chosen, confidence = pair.truth, verdict, output.confidence
        return JudgedPair(pair, output, truth, chosen, confidence, verdict is truth, truth is Truth.REFUTED)
    truth = merge(pair.truth)
    chosen = Truth.SUPPORTED if support > threshold else Truth.UNSUPPORTED
    confidence = support if chosen is Truth.SUPPORTED else 1.0 - support
    return JudgedPair(
        pair, output, truth, chosen, confidence, merge(verdict) is truth, known_false=truth is Truth.UNSUPPORTED
    )


def resettle(judged: JudgedPair, threshold: float = SUPPORT_THRESHOLD) -> JudgedPair:
    """The same pair as one of two classes; silence that was told from denial is still no known falsehood."""
    again = settle(judged.pair, judged.output, Task.TWO_CLASS, threshold)
    return JudgedPair(
        again.pair, again.output, again.truth, again.chosen, again.confidence, judged.verdict_right, judged.known_false
    )


def merge(truth: Truth) -> Truth:
    """Supported or not."""
    return truth if truth is Truth.SUPPORTED else Truth.UNSUPPORTED


def measure_brier(judged: JudgedPair, task: Task) -> float:
    """Half the squared distance between the probabilities and what is true: 0 is perfect, 1 certain and wrong."""
    if task is Task.TWO_CLASS:
        return (judged.support - float(judged.truth is Truth.SUPPORTED)) ** 2
    chances = judged.output.probabilities
    return sum((chances.get(v, 0.0) - float(v.value == judged.truth.value)) ** 2 for v in Verdict) / 2


def find_flaw(output: VerifierOutput) -> str | None:
    """Why an output cannot be scored: one number that is none would poison every mean."""
    numbers: Iterable[float] = (output.confidence, *output.probabilities.values())
    if all(math.isfinite(number) and 0.0 <= number <= 1.0 + 1e-6 for number in numbers):
        return None
    return "the judge gave a confidence or a probability outside [0, 1]"
