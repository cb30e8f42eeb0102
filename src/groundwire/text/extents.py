"""Where a statement stands in the text: from its first word to its last, also where its parts were moved."""

from __future__ import annotations

from itertools import pairwise

from groundwire.text.clefts import Clause
from groundwire.text.phrases import Phrase
from groundwire.text.tokens import Token
from groundwire.types import Span

Parts = tuple[Phrase | None, Phrase | None, Phrase | None]
"""The subject, the member of a list, and the place that was chosen among several."""


def is_in_order(clause: Clause, tokens: list[Token]) -> bool:
    """Nothing was put in another place than the one where it stands in the text."""
    said = tokens[clause.verb.start : clause.end]
    return all(one.start <= other.start for one, other in pairwise(said))


def find_extent(
    clause: Clause, tokens: list[Token], parts: Parts, verb_end: int, body: list[Token], focus: list[Token], index: int
) -> Span:
    """From the subject (or the verb, when the subject is shared) to the end; later list members span themselves."""
    subject, member, chosen = parts
    part = chosen or member
    if clause.cleft:
        return _find_moved(clause, tokens, parts, verb_end)
    if index and part is not None:
        return Span(*part.span)
    start, end = _find_start(clause, tokens), tokens[verb_end - 1].end
    if subject is not None and not clause.shared_subject and subject.start <= clause.verb.start:
        start = min(start, subject.span[0], *(t.start for t in focus))
        end = max(end, subject.span[1])
    if len(clause.complement.objects) > 1 and member is not None:
        return Span(start, max(end, member.span[1]))
    if chosen is not None:
        return Span(start, max(end, chosen.span[1]))
    if not body:
        return Span(start, end)
    own = {id(token) for token in tokens[clause.start : clause.end] if token.start >= 0}
    held = [word for word in body if id(word) in own]
    starts, ends = [word.start for word in held], [word.end for word in held]
    return Span(min([start, *starts]), max([end, body[-1].end, *ends]))


def _find_start(clause: Clause, tokens: list[Token]) -> int:
    """Where the verb stands, or, where it was put in again, the first word that the text has."""
    verb = tokens[clause.verb.start]
    if verb.end > verb.start:
        return verb.start
    told = [token for token in tokens[clause.verb.start : clause.end] if token.end > token.start >= verb.start]
    return min((token.start for token in told), default=verb.start)


def _find_moved(clause: Clause, tokens: list[Token], parts: Parts, verb_end: int) -> Span:
    """What was moved may stand anywhere in the sentence."""
    said = clause.complement
    placed = [phrase for modifier in said.modifiers for phrase in modifier.phrases]
    spans = [phrase.span for phrase in [*parts, *placed] if phrase is not None]
    starts = [tokens[clause.verb.start].start, *(start for start, _ in spans)]
    starts += [tokens[modifier.start].start for modifier in said.modifiers]
    ends = [tokens[verb_end - 1].end, *(end for _, end in spans)]
    if len(said.objects) < 2 and not (said.contrast or said.reduced or said.appositions or said.gerund):
        ends.append(tokens[max(verb_end, clause.end) - 1].end)
    return Span(min(starts), max(ends))
