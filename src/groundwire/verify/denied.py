"""Denied: what is untold in a claim may be ruled out by a memory that says the same with something else in its place.

"You meet in the church hall" is not settled by "the chess club meets in the public library", for nothing says who you
are. But where all of that memory is in the answer but the library, and it would deny itself with the church hall in
its place, then the church hall is wrong. The model is asked that much, once for all claims of an answer; where there is
none, rules are, and of claims alone that have nothing else than what the memory says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from groundwire.errors import ModelUnavailable
from groundwire.judge.consultation import Consultant
from groundwire.judge.coverage import LIGHT
from groundwire.judge.findings import Finding
from groundwire.judge.judge import RulesJudge
from groundwire.judge.parts import CAP, Part
from groundwire.judge.predicates import verbs
from groundwire.text.derivation import is_derived
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.subjects import user_words
from groundwire.text.tagging import share_tags
from groundwire.types import Passage, Polarity, Span, Verdict, VerifierInput
from groundwire.verify.constituents import (
    VERB,
    WORD,
    Constituent,
    Memories,
    Pieces,
    cut_constituents,
    find_pieces,
    list_forms,
    measure_kind,
)
from groundwire.verify.contradictions import classify_pair

_EXCLUDED = 0.7
_BOUNDS = frozenset({"below", "under", "over", "above", "beyond", "than", "least", "most", "within", "about", "around"})
_MOST_ASKED = 4


class _Doubt(NamedTuple):
    """A part of a claim, what is untold in it, and the memory that has something else in its place."""

    claim: int
    part: int
    span: Span
    source: str
    text: str
    rival: Constituent


def deny_untold(
    consultant: Consultant | None,
    claims: Sequence[ReadClaim],
    parts: Sequence[tuple[Part, ...]],
    text: str,
    memories: Memories,
) -> list[tuple[Part, ...]]:
    """The parts, where what is untold is excluded by what a memory has in its place as refuted by it."""
    found = list(parts)
    doubts = _find_doubts(claims, parts, text, memories, _find_rival if consultant else _find_only_rival)[:_MOST_ASKED]
    if not doubts:
        return found
    said = _ask(consultant, doubts, text) if consultant else [_look(doubt, text) for doubt in doubts]
    for doubt, refuted in zip(doubts, said, strict=False):
        if refuted >= _EXCLUDED:
            own = list(found[doubt.claim])
            own[doubt.part] = replace(own[doubt.part], findings=(_refute(doubt, text, refuted),))
            found[doubt.claim] = tuple(own)
    return found


def _ask(consultant: Consultant, doubts: Sequence[_Doubt], text: str) -> list[float]:
    """How sure the model is that each memory denies itself with the answer's words; nothing where there is none."""
    asked = [(_exchange(doubt, text), (Passage(doubt.source, doubt.text),)) for doubt in doubts]
    try:
        return [row[0].scores.refuted if row else 0.0 for row in consultant.weigh_evidence(asked)]
    except ModelUnavailable:
        return []


def _look(doubt: _Doubt, text: str) -> float:
    """The same by rules."""
    return _EXCLUDED if _exclude(_exchange(doubt, text), doubt.text) else 0.0


@lru_cache(maxsize=512)
def _exclude(claim: str, memory: str) -> bool:
    """Whether one of two statements that differ in one part rules out the other."""
    said = RulesJudge(lambda: 0.0).examine(VerifierInput(claim=claim, evidence=(Passage("m", memory),)))
    return said.finding.verdict is Verdict.REFUTED or classify_pair(memory, claim).is_contradiction


def _exchange(doubt: _Doubt, text: str) -> str:
    """What the memory says, with the untold words in the place of its own."""
    start, end = doubt.rival.span
    return f"{doubt.text[:start]}{text[doubt.span.start : doubt.span.end]}{doubt.text[end:]}"


def _refute(doubt: _Doubt, text: str, refuted: float) -> Finding:
    return Finding(
        Verdict.REFUTED, min(refuted, CAP), "other_words", doubt.source,
        claim_value=text[doubt.span.start : doubt.span.end], evidence_value=doubt.rival.text, wrong=doubt.span,
        exchange=False,
    )  # fmt: skip


def _find_doubts(
    claims: Sequence[ReadClaim],
    parts: Sequence[tuple[Part, ...]],
    text: str,
    memories: Memories,
    find_rival: _FindRival,
) -> list[_Doubt]:
    doubts: list[_Doubt] = []
    for i, (read, own) in enumerate(zip(claims, parts, strict=True)):
        untold = [j for j, part in enumerate(own) if _is_open(part)]
        if len(untold) != 1 or read.claim.hedged or read.claim.polarity is Polarity.NEGATIVE:
            continue
        pieces = find_pieces(read, text, [other for other in claims if other.sentence == read.sentence])
        mine = _find_untold(own[untold[0]], pieces, memories)
        if mine is None and find_rival is _find_only_rival:
            mine = _find_time(read, pieces, text, memories)
        if mine is not None and (rival := find_rival(read, mine, pieces.own, text, memories)) is not None:
            doubts.append(_Doubt(i, untold[0], mine.span, *rival))
    return doubts


def _is_open(part: Part) -> bool:
    return bool(part.findings) and all(f.verdict is Verdict.INSUFFICIENT and not f.exact for f in part.findings)


def _find_untold(part: Part, pieces: Pieces, memories: Memories) -> Constituent | None:
    """The one piece that is quoted as untold, or that no memory has."""
    missing = next((f.missing for f in part.findings if f.missing is not None), None)
    span = missing or (part.argument.span if part.argument is not None else None)
    things = [piece for piece in pieces.own if piece.kind != VERB]
    if span is not None:
        found = [piece for piece in things if piece.span.start < span.end and span.start < piece.span.end]
    else:
        found = [piece for piece in things if memories.find_new(piece, pieces.around) is not None]
    return found[0] if len(found) == 1 else None


def _find_rival(
    read: ReadClaim, mine: Constituent, own: Sequence[Constituent], text: str, memories: Memories
) -> tuple[str, str, Constituent] | None:
    """A memory of which the answer has all but one piece, and the claim something besides it."""
    about = {form for piece in own if piece is not mine for _, word in piece.words for form in word}
    about |= set(read.proposition.subject_lemmas)
    answered = list_forms(text) | user_words()
    for source, told in memories.texts:
        pieces = cut_constituents(told)
        other = [piece for piece in pieces if any(word.isdisjoint(answered) for _, word in piece.words)]
        rest = {form for piece in pieces if piece not in other for _, word in piece.words for form in word}
        if len(other) != 1 or other[0].kind == VERB or (rest & about) <= LIGHT:
            continue
        if other[0].is_value is mine.is_value and (not mine.is_value or other[0].kind == mine.kind):
            return source, told, other[0]
    return None


_Rival = tuple[str, str, Constituent]
_FindRival = Callable[[ReadClaim, Constituent, Sequence[Constituent], str, Memories], _Rival | None]


def _find_only_rival(
    read: ReadClaim, mine: Constituent, own: Sequence[Constituent], text: str, memories: Memories
) -> _Rival | None:
    """A memory that has all of the claim but one piece, and of which the claim has all but one piece of that kind.

    A model reads both and knows that they speak of two things; rules know only that there is nothing else in them.
    """
    before = text[: mine.span.start].rstrip().rpartition(" ")[2].lower()
    first = mine.text.partition(" ")[0].lower()
    if read.claim.hedged or read.proposition.is_fragment or not _BOUNDS.isdisjoint((before, first)):
        return None
    claimed = list_forms(read.claim.text) | list_forms(text[slice(*read.sentence)]) | user_words()
    subject, rest = read.proposition.subject_lemmas, [p for p in own if not _meet(p.span, mine.span)]
    about = {form for piece in rest for _, word in piece.words for form in word}.union(subject) - LIGHT - user_words()
    for source, told in memories.texts:
        forms = list_forms(told)
        if not all(_is_said(piece, forms) for piece in rest) or (subject and forms.isdisjoint(subject)):
            continue
        if forms.isdisjoint(about):
            continue  # "you live in Ulm" and "I work at Bosch" share nothing
        unsaid = [piece for piece in _cut_times(told) if not _is_said(piece, claimed)]
        rivals = [piece for piece in unsaid if piece.kind == mine.kind]
        if len(rivals) != 1 or not _is_plain(told):
            continue
        if all(piece is rivals[0] or _is_beside(piece, told) for piece in unsaid):
            return source, told, rivals[0]
    return None


def _find_time(read: ReadClaim, pieces: Pieces, text: str, memories: Memories) -> Constituent | None:
    """The only new piece of a claim; "three in the afternoon" is one."""
    new = [p for p in pieces.own if p.kind != VERB and memories.find_new(p, pieces.around) is not None]
    times = [a for a in read.proposition.arguments if a.is_time and any(_meet(a.span, piece.span) for piece in new)]
    if len(times) != 1 or not all(_meet(times[0].span, piece.span) for piece in new):
        return None
    return _as_time(times[0].span, text)


def _as_time(span: Span, text: str) -> Constituent | None:
    words = text[span.start : span.end]
    kind = measure_kind(words.lower())
    return Constituent(span, words, kind, ((span, frozenset({words.lower()})),)) if kind else None


@lru_cache(maxsize=2048)
def _cut_times(memory: str) -> tuple[Constituent, ...]:
    """The pieces of a memory, a time of several pieces as one."""
    pieces = cut_constituents(memory)
    for argument in [a for said in read_text(memory).statements for a in said.proposition.arguments if a.is_time]:
        inside = [piece for piece in pieces if _meet(piece.span, argument.span)]
        whole = _as_time(argument.span, memory) if len(inside) > 1 else None
        if whole is not None:
            pieces = (*(piece for piece in pieces if piece not in inside), whole)
    return pieces


def _is_beside(piece: Constituent, memory: str) -> bool:
    """What only adds to what is told: "from start to finish", "at university"; no name, no number, nobody's."""
    before = [token for token in share_tags(memory)[0] if token.end <= piece.span.start]
    verb = any(token.tag in "VBE" for token in before)
    while before and before[-1].tag == "D":
        before.pop()
    return piece.kind == WORD and piece.text.islower() and verb and bool(before) and before[-1].tag == "I"


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


_EMPTY = frozenset({"take", "run", "hold", "lie"})
"""Besides verbs of being and having, these say little of what they join."""


def _is_said(piece: Constituent, forms: frozenset[str]) -> bool:
    """Whether all words of a piece are there; a verb may say no more than that something is, or be there as a noun."""
    if piece.kind != VERB:
        return all(not word.isdisjoint(forms) for _, word in piece.words)
    words = piece.words[0][1]
    light = words & (verbs("being") | verbs("empty") | _EMPTY)
    return bool(light) or not words.isdisjoint(forms) or any(is_derived(w, f) for w in words for f in forms)


@lru_cache(maxsize=2048)
def _is_plain(memory: str) -> bool:
    """Neither a denial nor a wish."""
    said = read_text(memory).statements
    return bool(said) and not any(
        one.claim.hedged or one.proposition.negated or one.proposition.modal not in ("", "will") for one in said
    )
