"""Unsupported claim: weight borrowed from studies, experts and statistics that nobody names.

What knowledge or dialogue carries is supported, whatever its wording; what they refute is somebody else's finding. The
mere absence of knowledge is no fault: an ordinary claim is flagged only where it sweeps, and marked as unverifiable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from groundwire.detect.amounts.figures import derives, explains, find_shares
from groundwire.detect.appeals import find_appeal, find_statistic, is_sweeping, names_source
from groundwire.detect.examination import Examination
from groundwire.detect.generalities import claims_effect, speaks_for_all
from groundwire.text.assertion import is_question
from groundwire.text.citations import CitationDetector
from groundwire.text.hedges import mask_foreign
from groundwire.text.sentences import split_sentences
from groundwire.types import Passage, ResponseSegment, Sentence, Span, Tense, Verdict, VerifierInput
from groundwire.types.detection import (
    HallucinationFlag,
    HallucinationType,
    HistoryEvidence,
    KBEvidence,
    Stance,
)

UNSOURCED = 0.70
INSUFFICIENT = 0.55
_DECIDED = 0.8
_MOST_PASSAGES = 24
_LONGEST = 1_200
_DEFERRED = re.compile(
    r"\s*(?:\(|\[|sources?:|see:?|reference|cf\.|https?://|this (?:is|comes) (?:from|according))", re.IGNORECASE
)


class UnsupportedDetector:
    """UnsupportedClaim (DET-007, DET-022)."""

    @property
    def name(self) -> str:
        return "unsupported_claims"

    def detect(self, examined: Examination) -> tuple[HallucinationFlag, ...]:
        return tuple(self._find(examined))

    def _find(self, examined: Examination) -> Iterator[HallucinationFlag]:
        suspects = [(s, kind) for s in examined.segments if (kind := _suspect(s, examined)) is not None]
        if not suspects:
            return
        known = tuple(Passage(m.id, m.text, m.trust) for m in examined.knowledge.statements)
        told = tuple(Passage(f"turn:{t.turn_id}", t.text) for t in examined.dialogue.turns[-20:])
        for segment, kind in suspects:
            if kind == "statistic" and _is_worked_out(segment, examined):
                continue
            by_kb, by_history = _consult(segment, known, examined), _consult(segment, told, examined)
            if Stance.SUPPORTS not in (by_kb.stance, by_history.stance):
                yield _flag(segment, kind, by_kb, by_history, examined.text)


def _is_worked_out(segment: ResponseSegment, examined: Examination) -> bool:
    given = _given_figures(examined, segment)
    return derives(segment.text, given) or explains(segment.text, given)


def _suspect(segment: ResponseSegment, examined: Examination) -> str | None:
    """Why a sentence needs a source: an appeal, a statistic, a sweep; None where it needs none or names it."""
    text = segment.text
    if len(text) > _LONGEST or is_question(Sentence(text, segment.span)):
        return None
    own = mask_foreign(text)
    appeal = find_appeal(own)
    statistic = None if appeal else find_statistic(own)
    sweeping = not appeal and statistic is None and bool(segment.claims) and _sweeps(segment, own)
    if not (appeal or statistic is not None or sweeping):
        return None
    if names_source(text) or CitationDetector().detect(text) or _is_cited_next(segment, examined):
        return None
    return "appeal" if appeal else "statistic" if statistic is not None else "sweeping"


def _sweeps(segment: ResponseSegment, own: str) -> bool:
    """What most people did is an event that somebody saw; what they do is a claim about all of them."""
    if is_sweeping(own) or claims_effect(own):
        return True
    return segment.claims[0].tense is Tense.PRESENT and speaks_for_all(own)


def _is_cited_next(segment: ResponseSegment, examined: Examination) -> bool:
    """A source that stands by itself right behind the sentence belongs to it."""
    following = next((s for s in examined.segments if s.index == segment.index + 1), None)
    if following is None or not _DEFERRED.match(following.text):
        return False
    return names_source(following.text) or bool(CitationDetector().detect(following.text))


def _given_figures(examined: Examination, segment: ResponseSegment) -> tuple[str, ...]:
    """Everything that figures may be worked out from: the dialogue, what is known, and the rest of the answer."""
    answer = examined.text[: segment.span.start]
    return (
        *(turn.text for turn in examined.dialogue.turns[-20:]),
        *(p.text for p in _nearest(segment.text, [Passage(m.id, m.text) for m in examined.knowledge.statements], 1)),
        *(sentence.text for sentence in split_sentences(answer[-2_000:])),
    )


def _consult(segment: ResponseSegment, passages: Sequence[Passage], examined: Examination) -> KBEvidence:
    """What a body of evidence says of a sentence: of its figures, and of its claims by the judge."""
    if not passages:
        return KBEvidence(Stance.UNKNOWN, 0.0)
    related = _nearest(segment.text, passages)
    if not related:
        return KBEvidence(Stance.UNKNOWN, 0.0)
    shares = find_shares(segment.text)
    for passage in related:
        if shares and shares <= find_shares(passage.text):
            return KBEvidence(Stance.SUPPORTS, 0.9, passage.text)
    claims = [claim.text for claim in segment.claims] or [segment.text]
    outputs = examined.judge.judge_all([VerifierInput(text, tuple(related)) for text in claims])
    best = max(outputs, key=lambda output: output.confidence)
    quote = next((p.text for p in related if p.id in best.evidence_used), "")
    if all(o.verdict is Verdict.SUPPORTED and o.confidence >= _DECIDED for o in outputs):
        return KBEvidence(Stance.SUPPORTS, round(best.confidence, 4), quote)
    if any(o.verdict is Verdict.REFUTED and o.confidence >= _DECIDED for o in outputs):
        return KBEvidence(Stance.CONTRADICTS, round(best.confidence, 4), quote)
    return KBEvidence(Stance.UNKNOWN, 0.0)


_WORD = re.compile(r"[^\W\d_]{4,}")


def _find_stems(text: str) -> frozenset[str]:
    return _keep_stems(text) if len(text) <= _LONGEST else _read_stems(text)


@lru_cache(maxsize=8192)
def _keep_stems(text: str) -> frozenset[str]:
    """Every sentence of a record is asked for its words by every sentence that needs a source."""
    return _read_stems(text)


def _read_stems(text: str) -> frozenset[str]:
    return frozenset([word[:5] for word in _WORD.findall(text.lower())])


def _nearest(text: str, passages: Sequence[Passage], least: int = 2) -> list[Passage]:
    """The passages that share words of some length with the sentence, most words first."""
    words = _find_stems(text)
    scored = [(len(words & _find_stems(p.text)), i) for i, p in enumerate(passages)]
    best = sorted((-score, i) for score, i in scored if score >= least)[:_MOST_PASSAGES]
    return [passages[i] for _, i in best]


_SUGGESTIONS = {
    "appeal": "Name the study, survey or expert, or drop the appeal.",
    "statistic": "Give a source for the figure, or leave it out.",
    "sweeping": "Say what this rests on, or put it less sweepingly.",
}
_EVIDENCE = {
    "appeal": "an unnamed authority is appealed to, and neither the knowledge base nor the dialogue supports it",
    "statistic": "a figure without a source, which neither the knowledge base nor the dialogue gives",
    "sweeping": "nothing in the knowledge base or the dialogue supports so sweeping a claim",
}


def _flag(
    segment: ResponseSegment, kind: str, by_kb: KBEvidence, by_history: KBEvidence, text: str
) -> HallucinationFlag:
    span = _trim(segment, text)
    return HallucinationFlag(
        span=span,
        content=text[span.start : span.end],
        hallucination_type=HallucinationType.UNSUPPORTED_CLAIM,
        confidence=INSUFFICIENT if kind == "sweeping" else UNSOURCED,
        suggestion=_SUGGESTIONS[kind],
        evidence=_EVIDENCE[kind],
        detector="unsupported_claims",
        claim_span=segment.claims[0].span if segment.claims else span,
        kb=by_kb if by_kb.confidence else None,
        history=HistoryEvidence(by_history.stance, by_history.confidence) if by_history.confidence else None,
        is_unverifiable=True,
    )


def _trim(segment: ResponseSegment, text: str) -> Span:
    """The sentence without its bullet and its last mark."""
    start, end = segment.span
    while end > start and text[end - 1] in " .!\n\t":
        end -= 1
    marker = re.match(r"\s*(?:[-*•]|\d{1,3}[.)])\s+", text[start:end])
    return Span(start + (marker.end() if marker else 0), end)
