"""Rules and model in one judge; the verdict says which of them gave it.

amounts that arithmetic decides       rules, without asking the model
claims about the user                 rules where they decide: they know who "I", "you" and "the user" are
everything else                       the model; an exact rule stands unless the model all but excludes it
the model cannot be used              rules, and `problem` says why
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from groundwire.errors import ModelUnavailable
from groundwire.judge.consultation import is_exact_amount
from groundwire.judge.encoder import EncoderJudge
from groundwire.judge.judge import Examined, RulesJudge
from groundwire.types import Verdict, VerifierInput, VerifierOutput

_EXCLUDED = 0.05
"""Below this probability the model excludes a verdict, and a rule that gave it has misread the sentence."""


class HybridJudge:
    """The cascade for single claims. `problem` is why the last call did without its model, if it did."""

    def __init__(self, rules: RulesJudge, encoder: EncoderJudge, clock: Callable[[], float]) -> None:
        self._rules = rules
        self._encoder = encoder
        self._clock = clock
        self.problem: ModelUnavailable | None = None

    @property
    def name(self) -> str:
        return f"{self._encoder.name}+{self._rules.name}"

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        """Outputs in the order of the questions; the model is called once for all that rules leave open."""
        started = self._clock()
        examined = [self._rules.examine(question) for question in questions]
        share = (self._clock() - started) * 1000 / max(1, len(questions))
        outputs = [self._rules.conclude(q, e, share) for q, e in zip(questions, examined, strict=True)]
        asked = [i for i, e in enumerate(examined) if not _is_final(e)]
        try:
            opinions = self._encoder.judge_all([questions[i] for i in asked])
            self.problem = None
        except ModelUnavailable as error:
            self.problem = error
            return outputs
        for i, opinion in zip(asked, opinions, strict=True):
            outputs[i] = _settle(examined[i], outputs[i], opinion)
        return outputs


def _is_final(examined: Examined) -> bool:
    finding = examined.finding
    if finding.reason == "no_evidence" or is_exact_amount(finding):
        return True
    return examined.of_user and finding.verdict is not Verdict.INSUFFICIENT


def _settle(examined: Examined, rules: VerifierOutput, opinion: VerifierOutput) -> VerifierOutput:
    latency_ms = rules.latency_ms + opinion.latency_ms
    finding = examined.finding
    stands = finding.exact and finding.verdict is not Verdict.INSUFFICIENT
    if stands and opinion.probabilities[finding.verdict] >= _EXCLUDED:
        agreed = opinion if opinion.verdict is finding.verdict and opinion.confidence > rules.confidence else rules
        return replace(
            agreed, explanation=rules.explanation, reason=rules.reason, judge=rules.judge, latency_ms=latency_ms,
            model=opinion.model, calibration=opinion.calibration,
        )  # fmt: skip
    return replace(opinion, latency_ms=latency_ms)
