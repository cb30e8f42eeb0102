"""A model as a judge: a claim against windows of evidence, many questions in one call of the model.

How scores become a verdict:

    windows → passage    `combine_windows`: support is the best window's, refutation too, and it weighs less the more
                         another window supports
    passages → claim     the passage that speaks most clearly decides; where one supports and another refutes, both
                         surely, the more trusted one does, and between equals the claim stays open (JDG-009)
    parts → claim        a claim too long for the model is taken apart and is as good as its worst part
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from groundwire.errors import ModelUnavailable
from groundwire.judge.action import MAX_BRANCHES, REFUTE_CONFIDENCE, decide_action
from groundwire.judge.decision import (
    Decision,
    PassageScores,
    combine_windows,
    explain_decision,
    find_worst,
    settle_passages,
)
from groundwire.judge.judge import LOW_CONFIDENCE
from groundwire.judge.protocols import PairScorer, Scores
from groundwire.judge.relevance import CHOSEN, Likeness, is_irrelevant, withhold_support
from groundwire.judge.windows import (
    OVERLAP,
    WINDOW_TOKENS,
    CutPassage,
    Window,
    choose,
    cut_passage,
    fits,
    gather_window,
    weigh,
)
from groundwire.text.claims import extract_claims
from groundwire.text.language import is_english
from groundwire.types import Passage, Verdict, VerifierInput, VerifierOutput

MAX_PASSAGES = 5
MAX_CLAIM_TOKENS = 256
MAX_CONTEXT_TOKENS = 256
_MARKS = 4

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class EncoderOptions:
    """How evidence is shown to the model.

    window_tokens   the most tokens of one window
    overlap         sentences that a window shares with the one before
    max_windows     windows judged of one passage; more are dropped, the least related first, and reported
    gather          also judge the most related sentences of a long passage together
    use_context     show the question that was asked before the evidence; it is trimmed to what room is left
    remembered      pairs whose scores are kept
    """

    window_tokens: int = WINDOW_TOKENS
    overlap: int = OVERLAP
    max_windows: int = 16
    gather: bool = True
    use_context: bool = False
    remembered: int = 4096


@dataclass(frozen=True, slots=True)
class _Reading:
    """One passage as the model is to see it, for one part of a claim."""

    passage: Passage
    shown: tuple[str, ...]
    quoted: tuple[str, ...]
    """For each of the shown texts, what may be quoted of it."""


@dataclass(frozen=True, slots=True)
class _Part:
    claim: str
    readings: tuple[_Reading, ...]

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        return ((text, self.claim) for reading in self.readings for text in reading.shown)


@dataclass(frozen=True, slots=True)
class _Question:
    """A question made ready; `parts` is empty when there is nothing to ask the model."""

    given: VerifierInput
    parts: tuple[_Part, ...]
    truncated: bool = False
    unread: bool = False
    """The claim is in a language that the model has not learnt."""


class EncoderJudge:
    """Judges by a model alone. `fingerprint` and `calibration` belong to every verdict it gives."""

    def __init__(
        self,
        scorer: PairScorer,
        clock: Callable[[], float],
        *,
        refute_confidence: float = REFUTE_CONFIDENCE,
        max_branches: int = MAX_BRANCHES,
        low_confidence: float = LOW_CONFIDENCE,
        options: EncoderOptions | None = None,
        likeness: Likeness | None = None,
    ) -> None:
        """`likeness` tells evidence that is about something else; without it all evidence counts."""
        self._likeness = likeness
        self._scorer = scorer
        self._clock = clock
        self._refute_confidence = refute_confidence
        self._max_branches = max_branches
        self._low_confidence = low_confidence
        self._options = options or EncoderOptions()
        self._claim_tokens = min(MAX_CLAIM_TOKENS, scorer.max_tokens // 2)
        self._window_tokens = min(self._options.window_tokens, scorer.max_tokens - self._claim_tokens - _MARKS)
        self._scores: Recent[tuple[str, str], Scores] = Recent(self._options.remembered)
        self._strays: Recent[tuple[str, str], bool] = Recent(self._options.remembered)
        self._cuts: Recent[str, CutPassage] = Recent(256)
        self._prepared: Recent[tuple[str, tuple[Passage, ...], str | None], _Question] = Recent(256)
        self._weighed: Recent[tuple[str, tuple[Passage, ...]], tuple[PassageScores, ...]] = Recent(
            self._options.remembered
        )

    @property
    def name(self) -> str:
        return self._scorer.name

    @property
    def fingerprint(self) -> str:
        return self._scorer.fingerprint

    @property
    def calibration(self) -> str:
        return self._scorer.calibration

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        """Outputs in the order of the questions, from one call of the model; its time is shared out equally."""
        started = self._clock()
        prepared = [self._prepare(question) for question in questions]
        found = self._score_all(prepared)
        decided = [(question, self._decide(question, found)) for question in prepared]
        latency_ms = (self._clock() - started) * 1000 / max(1, len(questions))
        return [self._report(question, decision, latency_ms) for question, decision in decided]

    def begin(self, claim: str, passages: Sequence[Passage], context: str | None = None) -> None:
        """Let the model start on what it will be asked; if it cannot, it says so when it is asked."""
        try:
            parts = self._prepare(VerifierInput(claim, tuple(passages), context)).parts
            fresh = [pair for part in parts for pair in part.pairs if self._scores.get(pair) is None]
            if fresh:
                self._scorer.begin(fresh)
        except ModelUnavailable:
            return

    def weigh_evidence(self, questions: Sequence[tuple[str, Sequence[Passage]]]) -> list[tuple[PassageScores, ...]]:
        """For each claim what each of its passages says of it, all from one call of the model."""
        keys = [(claim, tuple(passages)) for claim, passages in questions]
        known = {key: scores for key in keys if (scores := self._weighed.get(key)) is not None}
        fresh = [key for key in dict.fromkeys(keys) if key not in known]
        prepared = [self._prepare(VerifierInput(claim, passages)) for claim, passages in fresh]
        found = self._score_all(prepared)
        for key, question in zip(fresh, prepared, strict=True):
            known[key] = self._weigh_parts(question, found)
            self._weighed.put(key, known[key])
        return [known[key] for key in keys]

    def _prepare(self, question: VerifierInput) -> _Question:
        """A question that the model has begun on is made ready once."""
        key = question.claim, tuple(question.evidence), question.context
        known = self._prepared.get(key)
        if known is None:
            known = self._prepare_now(question)
            self._prepared.put(key, known)
        return known if known.given.mode is question.mode else replace(known, given=question)

    def _prepare_now(self, question: VerifierInput) -> _Question:
        evidence = [passage for passage in question.evidence if passage.text.strip()]
        if not evidence or not question.claim.strip():
            return _Question(question, ())
        if not is_english(question.claim):
            return _Question(question, (), unread=True)
        kept = _most_similar(question.claim, evidence, MAX_PASSAGES)
        truncated = len(kept) < len(evidence)
        parts: list[_Part] = []
        for claim in map(_close, self._split_claim(question.claim)):
            readings = [self._read(claim, passage, question.context) for passage in kept]
            parts.append(_Part(claim, tuple(reading for reading, _ in readings)))
            truncated = truncated or any(dropped for _, dropped in readings)
        return _Question(question, tuple(parts), truncated)

    def _split_claim(self, claim: str) -> list[str]:
        """The claim itself, or what it asserts one by one; a piece that is still too long is cut like evidence."""
        if fits(claim, self._scorer.count_tokens, self._claim_tokens):
            return [claim]
        pieces = [piece.text for piece in extract_claims(claim, hedged=True)] or [claim]
        return list(dict.fromkeys(window for piece in pieces for window in self._cut_claim(piece)))

    def _cut_claim(self, piece: str) -> list[str]:
        cut = cut_passage(piece, self._scorer.count_tokens, tokens=self._claim_tokens, overlap=0)
        return [window.text for window in cut.windows]

    def _read(self, claim: str, passage: Passage, context: str | None) -> tuple[_Reading, bool]:
        """The windows to judge, the most related first, and whether any had to be dropped."""
        options, count = self._options, self._scorer.count_tokens
        cut = self._cuts.get(passage.text)
        if cut is None:
            cut = cut_passage(passage.text, count, tokens=self._window_tokens, overlap=options.overlap)
            self._cuts.put(passage.text, cut)
        texts = {window.text: window.text for window in choose(claim, cut.windows, options.max_windows)}
        if options.gather and (gathered := gather_window(claim, cut, count, tokens=self._window_tokens)) is not None:
            texts.setdefault(gathered.text, _quotable(claim, passage, gathered))
        shown = tuple(texts)
        if options.use_context and context and context.strip():
            shown = tuple(self._with_context(claim, text, context) for text in shown)
        return _Reading(passage, shown, tuple(texts.values())), len(cut.windows) > options.max_windows

    def _with_context(self, claim: str, window: str, context: str) -> str:
        count = self._scorer.count_tokens
        room = min(MAX_CONTEXT_TOKENS, self._scorer.max_tokens - sum(count([claim, window])) - _MARKS)
        if room < _MARKS * 2:
            return window
        return f"{cut_passage(context, count, tokens=room, overlap=0).windows[0].text} {window}"

    def _score_all(self, questions: Sequence[_Question]) -> dict[tuple[str, str], Scores]:
        """Scores of every pair of evidence and claim; what was judged before is remembered."""
        pairs = dict.fromkeys(pair for question in questions for part in question.parts for pair in part.pairs)
        found = {pair: scores for pair in pairs if (scores := self._scores.get(pair)) is not None}
        fresh = [pair for pair in pairs if pair not in found]
        if fresh:
            for pair, scores in zip(fresh, self._scorer.score(fresh), strict=True):
                found[pair] = scores
                self._scores.put(pair, scores)
        return found

    def _decide(self, question: _Question, found: Mapping[tuple[str, str], Scores]) -> Decision:
        if not question.parts:
            reason = "no_claim" if any(p.text.strip() for p in question.given.evidence) else "no_evidence"
            if question.unread:
                return Decision(Verdict.INSUFFICIENT, Scores(0.2, 0.2, 0.6), "unread")
            return Decision(Verdict.INSUFFICIENT, Scores(0.0, 0.0, 1.0), reason)
        return find_worst([settle_passages(self._weigh_part(part, found)) for part in question.parts])

    def _weigh_parts(self, question: _Question, found: Mapping[tuple[str, str], Scores]) -> tuple[PassageScores, ...]:
        """Each passage by the part of the claim that it carries least."""
        by_part = [self._weigh_part(part, found) for part in question.parts]
        return tuple(min(scores, key=lambda s: s.scores.supported) for scores in zip(*by_part, strict=True))

    def _weigh_part(self, part: _Part, found: Mapping[tuple[str, str], Scores]) -> list[PassageScores]:
        scored: list[PassageScores] = []
        for reading in part.readings:
            scores = [found[text, part.claim] for text in reading.shown]
            passage = PassageScores(
                reading.passage, combine_windows(scores), tuple(zip(reading.quoted, scores, strict=True))
            )
            scored.append(self._weigh_likeness(part.claim, passage))
        return scored

    def _weigh_likeness(self, claim: str, passage: PassageScores) -> PassageScores:
        """Support is withheld from a passage whose best window is about something else."""
        if self._likeness is None or passage.scores.verdict is not Verdict.SUPPORTED:
            return passage
        pair = claim, passage.quote(Verdict.SUPPORTED)
        stray = self._strays.get(pair)
        if stray is None:
            stray = is_irrelevant(claim, pair[1:], self._likeness, CHOSEN)
            self._strays.put(pair, stray)
        if not stray:
            return passage
        return replace(passage, scores=withhold_support(passage.scores), is_irrelevant=True)

    def _report(self, question: _Question, decision: Decision, latency_ms: float) -> VerifierOutput:
        given, verdict, confidence = question.given, decision.verdict, decision.confidence
        floor, most = self._refute_confidence, self._max_branches
        scores = decision.scores
        return VerifierOutput(
            verdict=verdict,
            confidence=confidence,
            probabilities={v: scores.of(v) for v in Verdict},
            explanation=explain_decision(given.claim, decision),
            evidence_used=decision.used,
            action=decide_action(verdict, confidence, 0, given.mode, refute_confidence=floor, max_branches=most),
            latency_ms=latency_ms,
            judge=self.name,
            reason=decision.reason,
            low_confidence=verdict is Verdict.SUPPORTED and confidence < self._low_confidence,
            truncated=question.truncated,
            conflicting=decision.conflicting,
            model=self.fingerprint if question.parts else "",
            calibration=self.calibration if question.parts else "",
        )


def _close(claim: str) -> str:
    """The claim as a sentence: what was taken out of an answer has lost its full stop, and the model reads that too."""
    claim = claim.rstrip()
    return f"{claim}." if claim[-1:].isalnum() else claim


def _quotable(claim: str, passage: Passage, gathered: Window) -> str:
    """The most related of the gathered pieces: only what stands together in the passage may be quoted as one."""
    pieces = [passage.text[span.start : span.end] for span in gathered.spans]
    shares = weigh(claim, pieces)
    return pieces[max(range(len(pieces)), key=lambda i: shares[i])]


def _most_similar(claim: str, passages: Sequence[Passage], limit: int) -> list[Passage]:
    if len(passages) <= limit:
        return list(passages)
    shares = weigh(claim, [passage.text for passage in passages])
    order = sorted(range(len(passages)), key=lambda i: (-shares[i], i))
    return [passages[i] for i in sorted(order[:limit])]


class Recent(Generic[Key, Value]):
    """The entries used last, at most `limit` of them; any number of threads may share it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._limit:
                self._entries.popitem(last=False)
