"""Blame: which words of a refuted claim are at fault, where a model has denied it and not said why.

What a memory about the same thing has literally is not to blame. So the words that were guessed stand only if no
memory has them; else it is the piece of the claim that none has, a number or a time before a name and a name before
another word, and best the one for which a memory has another of its kind. Where memories have every piece, it is the
word that puts them in order ("before", "already"), or what is said of the subject and not the subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from groundwire.judge.coverage import LIGHT
from groundwire.judge.decision import quote_words
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.judge.sequence import tells_order
from groundwire.text.reading import ReadClaim
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.types import Polarity, Span, Verdict
from groundwire.verify.constituents import (
    NAME,
    VERB,
    Constituent,
    Memories,
    Pieces,
    cut_constituents,
    find_pieces,
    measure_kind,
)

_ORDER = frozenset({"before", "after"})
_GUESSED = frozenset({"model_refutes", "other_words", "other_value"})


class _Suspect(NamedTuple):
    """A piece that no memory backs, with what a memory has in its place."""

    piece: Constituent
    span: Span
    source: str = ""
    rival: str = ""

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        return (not self.rival, not self.piece.is_value, self.piece.kind != NAME)


def place_blame(
    claims: Sequence[ReadClaim], parts: Sequence[tuple[Part, ...]], text: str, memories: Memories
) -> list[tuple[Part, ...]]:
    """The parts of every claim, with the place of the fault in those that the model refutes."""
    return [
        _place(read, own, text, claims, memories) if any(map(_is_refuted, own)) else own
        for read, own in zip(claims, parts, strict=True)
    ]


def _mend(finding: Finding, read: ReadClaim, text: str) -> Finding:
    """The finding with its place where rules know a better one."""
    return _blame_tense(_widen_denied(_find_value(finding, read, text), read, text), read, text)


def _is_refuted(part: Part) -> bool:
    return any(finding.verdict is Verdict.REFUTED for finding in part.findings)


def _find_value(finding: Finding, read: ReadClaim, text: str) -> Finding:
    """A value that is wrong for sure and blamed on all of the claim, where it stands in the sentence."""
    value = finding.claim_value
    if finding.verdict is not Verdict.REFUTED or not value or finding.wrong not in (None, read.claim.span):
        return finding
    at = text.find(value, *read.sentence) if value[0].isdigit() else -1
    if at < 0 or text.find(value, at + 1, read.sentence.end) >= 0:
        return finding
    return replace(finding, wrong=Span(at, at + len(value)), exchange=False)


def _widen_denied(finding: Finding, read: ReadClaim, text: str) -> Finding:
    """What a memory denies is not the thing but what was done with it: "already sold the van", with its verb."""
    if finding.reason != "negated_by_evidence" or finding.verdict is not Verdict.REFUTED or finding.wrong is None:
        return finding
    start, wrong = read.sentence.start, finding.wrong
    before = [t for t in share_tags(text[start : read.sentence.end])[0] if t.end + start <= wrong.start]
    while before and before[-1].tag in "DS":
        before.pop()
    if not before or before[-1].tag not in "VBE" or before[-1].lemma in LIGHT:
        return finding
    first = before[-2] if len(before) > 1 and before[-2].low in _turning_words() else before[-1]
    return replace(finding, wrong=Span(first.start + start, wrong.end))


def _blame_tense(finding: Finding, read: ReadClaim, text: str) -> Finding:
    """What still is so and told as over is wrong in its verb: "used to be"."""
    if finding.reason != "still_current" or finding.verdict is not Verdict.REFUTED or finding.wrong is None:
        return finding
    found = list(_FORMER.finditer(text, read.claim.span.start, finding.wrong.start))
    return replace(finding, wrong=Span(*found[-1].span()), exchange=False) if found else finding


_FORMER = re.compile(r"\b(?:used to be|was|were)\b", re.IGNORECASE)


def _is_guess(part: Part) -> bool:
    return any(map(_is_guessed, part.findings)) and not any(f.exact for f in part.findings)


def _is_guessed(finding: Finding) -> bool:
    return (
        finding.verdict is Verdict.REFUTED
        and not finding.exact and finding.slot is None and finding.reason in _GUESSED
    )  # fmt: skip


def _place(
    read: ReadClaim, parts: tuple[Part, ...], text: str, claims: Sequence[ReadClaim], memories: Memories
) -> tuple[Part, ...]:
    if read.claim.polarity is Polarity.NEGATIVE:
        return parts  # a denial is wrong as a whole
    parts = tuple(
        replace(part, findings=tuple(_mend(finding, read, text) for finding in part.findings)) for part in parts
    )
    if not any(map(_is_guess, parts)):
        return parts
    siblings = [other for other in claims if other.sentence == read.sentence]
    view = _View(read, text, find_pieces(read, text, siblings), memories)
    firm = [f.wrong for part in parts for f in part.findings if f.wrong and not _is_guessed(f)]
    return tuple(
        replace(part, findings=tuple(view.blame(f, part, firm) if _is_guessed(f) else f for f in part.findings))
        if _is_guess(part) else part
        for part in parts
    )  # fmt: skip


class _View:
    """A claim piece by piece, beside what memories have of it."""

    def __init__(self, read: ReadClaim, text: str, pieces: Pieces, memories: Memories) -> None:
        self._read, self._text, self._memories = read, text, memories
        self._pieces, self._around = pieces
        found = ((piece, memories.find_new(piece, self._around)) for piece in self._pieces)
        self._new = [(piece, span) for piece, span in found if span is not None]

    def blame(self, finding: Finding, part: Part, firm: Sequence[Span]) -> Finding:
        """The finding with the words at fault, which are those it has unless memories have them."""
        if _is_exchange(finding):
            return finding
        where = finding.wrong or (part.argument.span if part.argument is not None else self._read.claim.span)
        inside = [(piece, span) for piece, span in self._new if _meet(piece.span, where)]
        if any(piece.kind != VERB for piece, _ in inside):
            return self._narrow(finding, where, [(p, s) for p, s in inside if p.kind != VERB])
        suspects = [self._suspect(piece, span, finding) for piece, span in self._new if piece.kind != VERB]
        if suspects:
            return self._charge(finding, min(suspects, key=lambda s: s.rank))
        if inside:
            return finding
        if firm:
            return self._accuse(finding, firm[0])
        mine = self._read.proposition
        if tells_order(mine) and (order := self._find_turn(_ORDER)) is not None:
            return self._accuse(finding, order)
        apart = self._memories.find_apart(self._pieces, mine.subject_lemmas)
        if apart is not None and apart != where:
            return self._accuse(finding, apart)
        turn = self._find_turn(_turning_words())
        return self._accuse(finding, turn) if turn is not None else self._blame_predicate(finding, where)

    def _narrow(self, finding: Finding, where: Span, inside: Sequence[tuple[Constituent, Span]]) -> Finding:
        """Of several pieces that were blamed together, those that no memory has."""
        blamed = [piece for piece in self._pieces if _meet(piece.span, where)]
        if len(blamed) <= len(inside):
            return finding
        suspects = [self._suspect(piece, span, finding) for piece, span in inside]
        return self._charge(finding, min(suspects, key=lambda s: s.rank))

    def _suspect(self, piece: Constituent, span: Span, finding: Finding) -> _Suspect:
        """The piece with its rival: another number, time or name in a memory, the refuting one before others."""
        near = self._memories.find_near(piece, self._around)
        texts = [self._memories.texts[i] for i in near]
        texts.sort(key=lambda memory: memory[0] != finding.passage_id)
        own = {form for other in self._around for _, word in other.words for form in word}
        for source, text in texts if piece.is_value or piece.kind == NAME else ():
            for other in cut_constituents(text):
                if other.kind == piece.kind and any(word.isdisjoint(own) for _, word in other.words):
                    return _Suspect(piece, span, source, other.text)
        return _Suspect(piece, span)

    def _charge(self, finding: Finding, suspect: _Suspect) -> Finding:
        if finding.wrong == suspect.span:
            return finding
        if not suspect.rival:
            return self._accuse(finding, suspect.span)
        said = self._text[suspect.span.start : suspect.span.end]
        return replace(
            finding, reason="other_words", wrong=suspect.span, claim_value=said, evidence_value=suspect.rival,
            passage_id=suspect.source, exchange=False,
        )  # fmt: skip

    def _accuse(self, finding: Finding, span: Span) -> Finding:
        """The finding against these words, for which the memory has no other: all that it says is quoted."""
        told = next((text for source, text in self._memories.texts if source == finding.passage_id), "")
        return replace(
            finding, reason="model_refutes", wrong=span, claim_value="", exchange=False,
            evidence_value=quote_words(self._read.claim.text, told),
        )  # fmt: skip

    def _find_turn(self, words: frozenset[str]) -> Span | None:
        """The one word of these that the sentence has and no memory."""
        start, end = self._read.sentence
        known = {token.low for _, text in self._memories.texts for token in share_tags(text)[0]}
        turns = [
            Span(t.start + start, t.end + start) for t in share_tags(self._text[start:end])[0]
            if t.low in words and t.low not in known
        ]  # fmt: skip
        return turns[0] if len(turns) == 1 else None

    def _blame_predicate(self, finding: Finding, where: Span) -> Finding:
        """What is told of another subject is wrong of this one, unless a memory says that the two are the same."""
        mine = self._read.proposition
        if not mine.subject_lemmas or any(_meet(a.span, where) for a in mine.arguments):
            return finding
        named = [p for p in self._pieces if _meet(p.span, where)]
        told = [a.span for a in mine.arguments if a.lemmas]
        is_subject = bool(named) and all(
            any(lemma in word for lemma in mine.subject_lemmas) for p in named for _, word in p.words
        )
        if not is_subject or not told or self._memories.tell_of(named, finding.evidence_value):
            return finding
        return replace(finding, wrong=Span(min(told).start, max(s.end for s in told)), exchange=False)


def _is_exchange(finding: Finding) -> bool:
    """Two days, two hours or two amounts of one kind: wherever else the claim's one is told, it is wrong here."""
    mine, theirs = measure_kind(finding.claim_value.lower()), measure_kind(finding.evidence_value.lower())
    return finding.reason == "other_value" and finding.wrong is not None and mine == theirs != ""


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


@cache
def _turning_words() -> frozenset[str]:
    return frozenset(read_table("grammar")["blame"]["turning"])
