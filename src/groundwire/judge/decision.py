"""From scores to one decision: windows to a passage, passages to a claim, parts to the whole, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.judge.judge import spread
from groundwire.judge.mismatch import find_mismatch
from groundwire.judge.protocols import Scores
from groundwire.judge.relevance import IRRELEVANT
from groundwire.judge.windows import weigh
from groundwire.text.counting import count_tokens
from groundwire.text.sentences import split_sentences
from groundwire.types import Passage, Verdict

SURE = 0.7
MAX_EXPLANATION_TOKENS = 128
_SHOWN = 80
_OTHER_WINDOW = 0.5
_PLACES = 60
_PHRASE = re.compile(r"\s+")
REASONS = {
    Verdict.SUPPORTED: "model_supports",
    Verdict.REFUTED: "model_refutes",
    Verdict.INSUFFICIENT: "model_undecided",
}
_TEMPLATES = {
    "model_supports": "{id} supports it",
    "model_refutes": "{id} speaks against it",
    "model_undecided": "{id} does not settle it",
    IRRELEVANT: "{id} is about something else",
    "conflict": "{id} disagree on it",
    "no_evidence": "there is no evidence to judge by",
    "no_claim": "there is no claim to judge",
    "unread": "the claim is not in English, which is all that the model reads",
}
_QUOTED = {"conflict": Verdict.REFUTED}


@dataclass(frozen=True, slots=True)
class PassageScores:
    """What a passage says of a claim, and the window that says each of it most clearly."""

    passage: Passage
    scores: Scores
    windows: tuple[tuple[str, Scores], ...] = ()
    is_irrelevant: bool = False
    """It is about something else, and the support that the model saw in it is withheld."""
    beside: tuple[str, ...] = ()
    """Other passages without which it does not say so."""

    @property
    def clearness(self) -> float:
        return max(self.scores.supported, self.scores.refuted)

    def quote(self, verdict: Verdict) -> str:
        return max(self.windows, key=lambda window: window[1].of(verdict), default=("", self.scores))[0]


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict over all passages, and what it rests on."""

    verdict: Verdict
    scores: Scores
    reason: str
    decisive: PassageScores | None = None
    used: tuple[str, ...] = ()
    conflicting: tuple[str, ...] = ()

    @property
    def confidence(self) -> float:
        return self.scores.of(self.verdict)


def reason_of(score: PassageScores) -> str:
    """The name of what the model finds in a passage, or in several that it was shown as one."""
    if score.beside and score.scores.verdict is Verdict.SUPPORTED:
        return "joint_support"
    return REASONS[score.scores.verdict]


def combine_windows(windows: Sequence[Scores]) -> Scores:
    """What one passage says, from what its windows say.

    One window that supports is enough, whatever the others are silent on. A refutation counts as well, but a window
    out of its context refutes easily: the more another window supports, the less it weighs, down to half. What is
    left over is doubt; if nothing is, both are scaled to the sum of one. A single window keeps its scores.
    """
    if len(windows) == 1:
        return windows[0]
    best, second = sorted((window.supported for window in windows), reverse=True)[:2]
    refuted = max(
        window.refuted * (1.0 - _OTHER_WINDOW * (second if window.supported == best else best)) for window in windows
    )
    total = max(1.0, best + refuted)
    return Scores(best / total, refuted / total, max(0.0, 1.0 - (best + refuted) / total))


def settle_passages(passages: Sequence[PassageScores]) -> Decision:
    """One verdict over all passages of one claim."""
    supporting = [p for p in passages if p.scores.supported >= SURE]
    refuting = [p for p in passages if p.scores.refuted >= SURE]
    if not supporting or not refuting:
        return _follow(max(passages, key=lambda p: (p.clearness, p.passage.trust)), passages)
    conflicting = tuple(p.passage.id for p in passages if p in supporting or p in refuting)
    ours, theirs = (max(p.passage.trust for p in side) for side in (supporting, refuting))
    if ours == theirs:
        shares = spread(Verdict.INSUFFICIENT, SURE)
        scores = Scores(shares[Verdict.SUPPORTED], shares[Verdict.REFUTED], shares[Verdict.INSUFFICIENT])
        decisive = max(refuting, key=lambda p: p.clearness)
        return Decision(Verdict.INSUFFICIENT, scores, "conflict", decisive, conflicting, conflicting)
    side = supporting if ours > theirs else refuting
    decisive = max(side, key=lambda p: (p.passage.trust, p.clearness))
    return replace(_follow(decisive, passages), conflicting=conflicting)


def _follow(decisive: PassageScores, passages: Sequence[PassageScores]) -> Decision:
    verdict = decisive.scores.verdict
    agreeing = [decisive]
    if verdict is not Verdict.INSUFFICIENT:
        agreeing += [p for p in passages if p is not decisive and p.scores.verdict is verdict]
    reason = IRRELEVANT if decisive.is_irrelevant and verdict is Verdict.INSUFFICIENT else REASONS[verdict]
    return Decision(verdict, decisive.scores, reason, decisive, tuple(p.passage.id for p in agreeing))


def find_worst(decisions: Sequence[Decision]) -> Decision:
    """A claim is as good as its worst part: the surest refutation, else the surest gap, else the weakest support."""
    for verdict in (Verdict.REFUTED, Verdict.INSUFFICIENT):
        found = [decision for decision in decisions if decision.verdict is verdict]
        if found:
            return max(found, key=lambda decision: decision.confidence)
    used = tuple(dict.fromkeys(id for decision in decisions for id in decision.used))
    return replace(min(decisions, key=lambda decision: decision.confidence), used=used)


def explain_decision(claim: str, decision: Decision) -> str:
    """The verdict, the evidence that decided and its own words; nothing else is said."""
    template = _TEMPLATES[decision.reason]
    if decision.decisive is None:
        return f"{decision.verdict.value}: {template}."
    words = quote_words(claim, decision.decisive.quote(_QUOTED.get(decision.reason, decision.verdict)))
    mismatch = find_mismatch(claim, words) if decision.verdict is Verdict.REFUTED else None
    if mismatch is not None:
        words = f"{words}”: it says “{mismatch.theirs}”, the claim says “{mismatch.mine}"
    source = decision.decisive.passage.id
    if decision.reason == "conflict":
        source = ", ".join(decision.conflicting)
    source = source if len(source) <= _SHOWN else source[: _SHOWN - 1] + "…"
    explanation = f"{decision.verdict.value}: {template.format(id=source)}: “{words}”."
    if len(explanation) <= MAX_EXPLANATION_TOKENS or count_tokens(explanation) <= MAX_EXPLANATION_TOKENS:
        return explanation
    return f"{decision.verdict.value}: {template.format(id=source[: _SHOWN // 4])}: “{words[: _SHOWN // 4]}”."


def quote_words(claim: str, window: str) -> str:
    """The part of the window's most related sentence that shows why, as written."""
    sentences = [sentence.text for sentence in split_sentences(window)] or [window]
    text = _most_related(claim, sentences)
    if len(text) <= _SHOWN:
        return text
    ends = [match.end() for match in _PHRASE.finditer(text)]
    starts = [0, *(end for end in ends if end < len(text))]
    pieces = [text[start : start + _SHOWN] for start in starts[:_PLACES]]
    piece = _most_related(claim, pieces)
    return (piece.rpartition(" ")[0] or piece).strip()


def _most_related(claim: str, pieces: Sequence[str]) -> str:
    if len(pieces) == 1:
        return pieces[0]
    shares = weigh(claim, pieces)
    return pieces[max(range(len(pieces)), key=lambda i: shares[i])]
