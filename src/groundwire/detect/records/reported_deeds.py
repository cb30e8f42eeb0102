"""What others are said to have done in the matter of a dialogue, of which nobody in it has told.

"They have already refunded it" may be true; who answers was not there, and nothing that was said or stored says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from groundwire.detect.examination import Examination
from groundwire.detect.records.invention import known_words
from groundwire.detect.weighing.asking import hear
from groundwire.judge.hybrid import HybridJudge
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import same_meaning
from groundwire.types import Passage, Span, Tense, Verdict, VerifierInput

_OTHERS = re.compile(
    r"(?:they|he|she|your|his|her|their|our|the) |(?:they|he|she)(?=['’]|$)|[A-Z][a-z]+ ", re.IGNORECASE
)
_SELVES = re.compile(
    r"(?:I|you|we|it|this|that|there|user|your (?:order|parcel|package|account|plan|card))\b", re.IGNORECASE
)
_PERFECT = re.compile(r"\b(?:has|have|had)\b|['’](?:ve|s|d)\b", re.IGNORECASE)
_TO_ME = re.compile(
    r"\b(?:told|assured|promised|informed|phoned|called|rang|emailed|texted|messaged|let) (?:me|us)\b|\bto (?:me|us)\b",
    re.I,
)
_YOURS = re.compile(r"\b(?:you|your|yours|me|my|us|our)\b", re.IGNORECASE)
_SUPPOSED = re.compile(r"\b(?:if|when|once|unless|may|might|says? here|dear|subject:)\b", re.IGNORECASE)
_AS_SAID = re.compile(r"\b(?:you (?:said|told|mentioned|wrote)|as you|as we discussed)\b", re.IGNORECASE)
_TURNS = 8
_SUPPORTED = 0.25
_MOST = 4


@cache
def _verbs(name: str) -> frozenset[str]:
    return frozenset(read_table("dealings", "detect")[name])


def find_reported_deeds(examined: Examination) -> Iterator[Span]:
    """Where each stands; none where the judge finds it in the dialogue."""
    turns = [turn.text for turn in list(examined.dialogue.turns)[-_TURNS:]]
    if not turns or not isinstance(examined.judge, HybridJudge):
        return
    told = known_words(examined)
    found: list[tuple[ReadClaim, str]] = []
    for segment in examined.segments:
        if segment.text.rstrip().endswith("?") or _SUPPOSED.search(segment.text) or _AS_SAID.search(segment.text):
            continue
        for read in read_text(segment.text).statements:
            if _is_deed(read, segment.text) and not any(told.has(w) for w in _words(read.proposition.predicate)):
                found.append((read, segment.text))
                start, end = (segment.span.start + at for at in read.claim.span)
                if len(found) <= _MOST and not _is_told(examined, read, turns):
                    yield Span(start, end)


def _words(verb: str) -> set[str]:
    """The verb, and those of the table that mean the same."""
    return {verb, *(other for other in _verbs("done") | _verbs("said") if same_meaning(verb, other))}


def _is_deed(read: ReadClaim, sentence: str) -> bool:
    proposition, claim = read.proposition, read.claim
    subject = claim.subject
    if not subject or proposition.negated or claim.hedged or claim.quoted or proposition.passive:
        return False
    if _SELVES.match(subject) or not _OTHERS.match(f"{subject} "):
        return False
    written = sentence[claim.span.start : claim.span.end]
    if proposition.predicate in _verbs("said") and claim.tense is Tense.PAST and _TO_ME.search(written):
        return True
    is_past = claim.tense is Tense.PAST or _PERFECT.search(claim.text) is not None
    return proposition.predicate in _verbs("done") and is_past and _YOURS.search(sentence) is not None


def _is_told(examined: Examination, read: ReadClaim, turns: list[str]) -> bool:
    """Whether the dialogue bears it out, turn by turn or as a whole."""
    passages = [*turns, " ".join(turns)]
    questions = [VerifierInput(read.claim.text, (Passage("said", text),)) for text in passages]
    answers = hear(examined).judge_all(questions)
    return any(answer.probabilities[Verdict.SUPPORTED] > _SUPPORTED for answer in answers)
