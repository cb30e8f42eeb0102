"""A model that computes nonsense is taken out of use: it is not asked again, and rules judge in its place."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from groundwire.errors import ModelCorrupt, ModelUnavailable
from groundwire.judge.judge import Judge
from groundwire.judge.protocols import PairScorer, Scores
from groundwire.types import VerifierInput, VerifierOutput


class WatchedScorer:
    """A scorer that remembers that it is broken. Whoever asks it then gets the same error at once."""

    def __init__(self, scorer: PairScorer, on_corrupt: Callable[[ModelCorrupt], None]) -> None:
        self._scorer = scorer
        self._on_corrupt = on_corrupt
        self._lock = threading.Lock()
        self.problem: ModelCorrupt | None = None

    @property
    def name(self) -> str:
        return self._scorer.name

    @property
    def fingerprint(self) -> str:
        return self._scorer.fingerprint

    @property
    def calibration(self) -> str:
        return self._scorer.calibration

    @property
    def max_tokens(self) -> int:
        return self._scorer.max_tokens

    def count_tokens(self, texts: Sequence[str], /) -> Sequence[int]:
        self._refuse_if_broken()
        try:
            return self._scorer.count_tokens(texts)
        except ModelCorrupt as error:
            self._take_out(error)
            raise

    def begin(self, pairs: Sequence[tuple[str, str]], /) -> None:
        self._refuse_if_broken()
        self._scorer.begin(pairs)

    def score(self, pairs: Sequence[tuple[str, str]], /) -> list[Scores]:
        self._refuse_if_broken()
        try:
            return self._scorer.score(pairs)
        except ModelCorrupt as error:
            self._take_out(error)
            raise

    def _refuse_if_broken(self) -> None:
        if self.problem is not None:
            raise ModelCorrupt(self.problem.problem, self.problem.remedy)

    def _take_out(self, error: ModelCorrupt) -> None:
        with self._lock:
            first, self.problem = self.problem is None, self.problem or error
        if first:
            self._on_corrupt(error)


class RestrainedJudge:
    """A judge that gives no verdict while it must not be trusted: who asked it has to do without one."""

    def __init__(self, judge: Judge, is_distrusted: Callable[[], bool]) -> None:
        self._judge = judge
        self._is_distrusted = is_distrusted

    @property
    def name(self) -> str:
        return self._judge.name

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        if self._is_distrusted():
            raise ModelUnavailable(
                f"{self.name} supports what is known to be false", "train it again; a person decides"
            )
        return self._judge.judge_all(questions)
