"""Allowed and forbidden: what may be done in one sentence and must not be done in another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.logic.clashes import NEGATION, Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma
from groundwire.types import ContradictionType, Span

_ALLOWING = frozenset({"may", "can", "must", "should", "shall"})
_PRONOUNS = frozenset({"it", "they", "he", "she", "you", "this", "that", "these", "those"})
_MOST = 24


class _Permission(NamedTuple):
    subject: str
    rest: frozenset[str]
    is_denied: bool
    span: Span
    words: frozenset[str]
    place: int


def find_forbidden(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """ "may be taken with food" against "must never be taken with food"."""
    known: dict[tuple[str, bool], list[_Permission]] = defaultdict(list)
    for place, seen in enumerate(sightings):
        if seen.is_question or not (seen.words & _ALLOWING or "cannot" in seen.words or "'t" in seen.low):
            continue
        for key, permission in _read(seen, place):
            for earlier in known[key][-_MOST:]:
                if _clash(earlier, permission):
                    evidence = "the one allows what the other forbids"
                    kind = ContradictionType.DIRECT_NEGATION
                    yield Clash(permission.span, earlier.span, NEGATION, kind, evidence)
            known[key].append(permission)


def _read(seen: Sighting, place: int) -> Iterator[tuple[tuple[str, bool], _Permission]]:
    for group in seen.groups:
        if not group.modal or (group.modal not in _ALLOWING and group.modal not in ("ca", "cannot")):
            continue
        before = [k for k in range(group.start) if seen.letters[k] in "NPp"]
        subject = noun_lemma(seen.tokens[before[-1]].low) if before else ""
        rest: set[str] = set()
        for k in range(group.end, len(seen.tokens)):
            if seen.letters[k] in ",;:CUW":
                break
            if seen.letters[k] in "NPJ#VBEG":
                rest.add(noun_lemma(seen.tokens[k].low))
        claim = next(
            (c.span for c in seen.segment.claims if c.span.start <= seen.tokens[group.start].start < c.span.end), None
        )
        span = claim or Span(seen.start, seen.start + len(seen.text.rstrip(" .!")))
        yield (
            (group.lemma, group.passive),
            _Permission(subject, frozenset(rest), group.negated, span, seen.words, place),
        )


def _clash(one: _Permission, other: _Permission) -> bool:
    if one.is_denied is other.is_denied or one.place == other.place:
        return False
    close = other.place - one.place <= 2
    same = one.subject == other.subject or (close and other.subject in _PRONOUNS)
    denied, allowed = (one, other) if one.is_denied else (other, one)
    shifts = read_logic("shifts")
    return same and denied.rest == allowed.rest and one.words & shifts == other.words & shifts
