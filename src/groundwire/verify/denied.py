"""Denied: what is untold in a claim may be ruled out by a memory that says the same with something else in its place.

"You meet in the church hall" is not settled by "the chess club meets in the public library", for nothing says who you
are. But where all of that memory is in the answer but the library, and it would deny itself with the church hall in
its place, then the church hall is wrong. The model is asked that much, once for all claims of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from groundwire.errors import ModelUnavailable
from groundwire.judge.consultation import Consultant
from groundwire.judge.coverage import LIGHT
from groundwire.judge.findings import Finding
from groundwire.judge.parts import CAP, Part
from groundwire.text.reading import ReadClaim
from groundwire.text.subjects import user_words
from groundwire.types import Passage, Polarity, Span, Verdict
from groundwire.verify.constituents import (
    VERB,
    Constituent,
    Memories,
    Pieces,
    cut_constituents,
    find_pieces,
    list_forms,
)

_EXCLUDED = 0.7
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
    consultant: Consultant,
    claims: Sequence[ReadClaim],
    parts: Sequence[tuple[Part, ...]],
    text: str,
    memories: Memories,
) -> list[tuple[Part, ...]]:
    """The parts, where what is untold is excluded by what a memory has in its place as refuted by it."""
    found = list(parts)
    doubts = _find_doubts(claims, parts, text, memories)[:_MOST_ASKED]
    if not doubts:
        return found
    asked = [(_exchange(doubt, text), (Passage(doubt.source, doubt.text),)) for doubt in doubts]
    try:
        said = consultant.weigh_evidence(asked)
    except ModelUnavailable:
        return found
    for doubt, row in zip(doubts, said, strict=True):
        refuted = row[0].scores.refuted if row else 0.0
        if refuted >= _EXCLUDED:
            own = list(found[doubt.claim])
            own[doubt.part] = replace(own[doubt.part], findings=(_refute(doubt, text, refuted),))
            found[doubt.claim] = tuple(own)
    return found


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
    claims: Sequence[ReadClaim], parts: Sequence[tuple[Part, ...]], text: str, memories: Memories
) -> list[_Doubt]:
    doubts: list[_Doubt] = []
    for i, (read, own) in enumerate(zip(claims, parts, strict=True)):
        untold = [j for j, part in enumerate(own) if _is_open(part)]
        if len(untold) != 1 or read.claim.hedged or read.claim.polarity is Polarity.NEGATIVE:
            continue
        pieces = find_pieces(read, text, [other for other in claims if other.sentence == read.sentence])
        mine = _find_untold(own[untold[0]], pieces, memories)
        if mine is not None and (rival := _find_rival(read, mine, pieces.own, text, memories)) is not None:
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
