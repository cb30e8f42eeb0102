"""What the judge has said of an answer: asked once for each pair of sentences, whoever asks again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from groundwire.detect.examination import Examination
from groundwire.judge.hybrid import HybridJudge
from groundwire.judge.judge import Judge
from groundwire.types import Verdict, VerifierInput, VerifierOutput

_KEY = "answers of the judge"
_Question = tuple[str, tuple[tuple[str, int | None], ...]]


class Answers:
    """The judge of one examination, with a memory as long as that."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._known: dict[_Question, VerifierOutput] = {}

    @property
    def name(self) -> str:
        return self._judge.name

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        """All that is new in one call; an answer names the passages of whoever asked first."""
        keys = [_key(question) for question in questions]
        fresh = {key: question for key, question in zip(keys, questions, strict=True) if key not in self._known}
        if fresh:
            self._known.update(zip(fresh, self._judge.judge_all(list(fresh.values())), strict=True))
        return [self._known[key] for key in keys]

    def begin(self, questions: Sequence[VerifierInput]) -> None:
        """A model may start on what it will be asked later, while rules go on."""
        if isinstance(self._judge, HybridJudge):
            self._judge.begin([question for question in questions if _key(question) not in self._known])


def _key(question: VerifierInput) -> _Question:
    return question.claim, tuple((passage.text, passage.timestamp) for passage in question.evidence)


def leans_against(answer: VerifierOutput) -> bool:
    """Whether refutation is likelier than support, be it enough for a verdict or not."""
    told = answer.probabilities
    return told.get(Verdict.REFUTED, 0.0) > told.get(Verdict.SUPPORTED, 0.0)


def hear(examined: Examination) -> Answers:
    """The judge of this examination."""
    known = examined.memo.get(_KEY)
    if known is None:
        known = examined.memo[_KEY] = Answers(examined.judge)
    return cast("Answers", known)
