"""What is new in a claim: where a model finds that the memories do not settle it, the part that none of them has.

"You take magnesium before bed because of your migraines" is not wrong about the magnesium. A claim of which
the memories know nothing at all is untold as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from groundwire.judge.consultation import LEFT_OPEN
from groundwire.judge.coverage import LIGHT
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.text.propositions import Argument
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.types import Span, Verdict
from groundwire.verify.constituents import VERB, Memories, Pieces, find_pieces, spell_forms

_WORD = re.compile(r"\w+(?:[.,:'’-](?![sS]\b)\w+)*")
_OPEN = LEFT_OPEN | {"overlap"}


def mark_untold(
    claims: Sequence[ReadClaim],
    parts: Sequence[tuple[Part, ...]],
    text: str,
    passages: Sequence[ReadPassage],
    memories: Memories,
) -> list[tuple[Part, ...]]:
    """The parts of every claim, with the place of what is new in those that the model leaves open."""
    if not passages or not any(_is_left_open(part) or _lacks_detail(part) for own in parts for part in own):
        return list(parts)
    told = memories.forms
    unknown = Finding(Verdict.INSUFFICIENT, _SILENCE, "not_mentioned", passages[0].passage.id)
    parts = [tuple(part if part.findings else replace(part, findings=(unknown,)) for part in own) for own in parts]
    found: list[tuple[Part, ...]] = []
    for read, own in zip(claims, parts, strict=True):
        siblings = [other for other in claims if other.sentence == read.sentence]
        marked = (_mark(part, _look(read, part, text, told), read, text, siblings, memories) for part in own)
        found.append(tuple(one for several in marked for one in several))
    return found


def _look(read: ReadClaim, part: Part, text: str, told: frozenset[str]) -> Span | None:
    if not _is_left_open(part):
        return None
    if part.argument is not None:
        return _find_untold([part.argument], text, told)
    span, subject = read.claim.span, read.proposition.subject_lemmas
    inside = [a for a in read.proposition.arguments if span.start <= a.span.start < span.end]
    known = all(not told.isdisjoint(spell_forms(word.rstrip("."))) for word in subject)  # "Mrs."
    if not known:
        return None  # of whom it is said is news as well
    if told.isdisjoint(spell_forms(read.proposition.predicate)) and read.proposition.predicate not in LIGHT:
        new = [a for a in inside if _list_new(a, text, told)]
        if all(a.is_time for a in new):
            return None  # "you sold the boat in May" is news, and not only of May
    return _find_untold(inside, text, told, is_known=bool(subject))


_SILENCE = 0.8


def _is_left_open(part: Part) -> bool:
    """Nothing was found, or nothing that settles it."""
    undecided = all(finding.verdict is Verdict.INSUFFICIENT for finding in part.findings)
    return undecided and (not part.findings or any(map(_is_open, part.findings)))


def _is_open(finding: Finding) -> bool:
    return finding.verdict is Verdict.INSUFFICIENT and finding.reason in _OPEN and finding.missing is None


def _mark(
    part: Part, span: Span | None, read: ReadClaim, text: str, siblings: Sequence[ReadClaim], memories: Memories
) -> tuple[Part, ...]:
    """The part with the place of what is new; several times where that stands in several places."""
    if part.fact is not None and part.fact.pattern != "predicate":
        return (part,)
    if _lacks_detail(part):
        pieces = find_pieces(read, text, siblings)
        runs = _join_runs([memories.find_new(piece, pieces.around) for piece in pieces.own if piece.kind != VERB])
        return (replace(part, findings=tuple(_widen(finding, runs) for finding in part.findings)),)
    spans = [span] if span is not None else []
    if not spans and part.argument is None and _is_left_open(part):
        spans = _find_new_runs(read, text, find_pieces(read, text, siblings), memories)
    return tuple(
        replace(part, findings=tuple(replace(f, missing=one) if _is_open(f) else f for f in part.findings))
        for one in spans
    ) or (part,)


def _lacks_detail(part: Part) -> bool:
    """A rule misses one piece of it."""
    undecided = all(finding.verdict is Verdict.INSUFFICIENT for finding in part.findings)
    return undecided and any(f.reason == "detail_missing" and f.missing is not None for f in part.findings)


def _widen(finding: Finding, runs: Sequence[Span]) -> Finding:
    """What is missed with what is new beside it: "a tutor by the name of Nino"."""
    missing = finding.missing
    if missing is None or finding.reason != "detail_missing":
        return finding
    around = [run for run in runs if run.start < missing.end and missing.start < run.end]
    if not around:
        return finding
    return replace(finding, missing=Span(min(missing.start, around[0].start), max(missing.end, around[-1].end)))


def _find_new_runs(read: ReadClaim, text: str, pieces: Pieces, memories: Memories) -> list[Span]:
    """Where pieces stand side by side that no memory has, in a claim of which memories have others."""
    mine = read.proposition
    things = [(piece, memories.find_new(piece, pieces.around)) for piece in pieces.own if piece.kind != VERB]
    if not memories.tell(mine.subject_lemmas):
        is_told = bool(things) and all(span is None for _, span in things) and memories.tell((mine.predicate,))
        return _find_antecedent(read, text, memories) if is_told else []  # of whom it is said is news as well
    if all(span is not None for _, span in things):
        return []
    is_news = bool(mine.predicate) and mine.predicate not in LIGHT and not memories.tell((mine.predicate,))
    if all(span is None for _, span in things):
        apart = memories.find_apart(pieces.own, mine.subject_lemmas)
        if apart is not None:
            return [apart]
    if not is_news or not all(span is None or piece.is_value for piece, span in things):
        return _join_runs([span for _, span in things])
    return _find_news(pieces, mine.subject_lemmas, memories)


def _find_antecedent(read: ReadClaim, text: str, memories: Memories) -> list[Span]:
    """What is new in the thing that a pronoun stands for, where that was named, if all that is said of it is told."""
    before = text[: read.claim.span.start].lower()
    new = [lemma for lemma in read.proposition.subject_lemmas if not memories.tell((lemma,))]
    at = before.rfind(new[0]) if len(new) == 1 else -1
    return [Span(at, at + len(new[0]))] if at >= 0 and not text[at + len(new[0])].isalnum() else []


def _find_news(pieces: Pieces, subject: Sequence[str], memories: Memories) -> list[Span]:
    """The verb that no memory has, with what is new or told of something else beside it; all where that is apart.

    "You sold the boat in May" is news, and not only of May; where memories have all but "sold", only that is.
    """
    new = [(piece, memories.find_new(piece, pieces.around)) for piece in pieces.own]
    if not any(span is not None and piece.kind != VERB for piece, span in new):
        apart = memories.list_apart(pieces.own, subject)
        new = [(piece, piece.span if piece in apart else span) for piece, span in new]
    runs = _join_runs([span for _, span in new])
    return runs if len(runs) == 1 else []


def _join_runs(new: Sequence[Span | None]) -> list[Span]:
    """Places that follow each other as one."""
    runs: list[Span] = []
    before: Span | None = None
    for span in new:
        if span is not None and before is not None:
            runs[-1] = Span(runs[-1].start, span.end)
        elif span is not None:
            runs.append(span)
        before = span
    return runs


def _find_untold(
    arguments: Sequence[Argument], text: str, told: frozenset[str], *, is_known: bool = False
) -> Span | None:
    """The new words of the only argument that has any, where something else is told: another one, or the subject."""
    new = [(a, _list_new(a, text, told)) for a in arguments]
    found = [spans for _, spans in new if spans]
    if len(found) != 1 or not (is_known or any(_has_told(argument, spans) for argument, spans in new)):
        return None
    return Span(found[0][0].start, found[0][-1].end)


def _list_new(argument: Argument, text: str, told: frozenset[str]) -> list[Span]:
    """Where the words of the argument stand that no passage has in any form."""
    start, end = argument.span
    words = ((m.group().lower(), Span(start + m.start(), start + m.end())) for m in _WORD.finditer(text[start:end]))
    wanted = set(argument.lemmas)
    if argument.is_time and (clock := _find_clock(argument, text)) is not None:  # "3 pm" is kept as 15:00
        return [] if clock.lower() in told or clock.split()[0].lower() in told else [Span(start, end)]
    return [
        span for word, span in words
        if not wanted.isdisjoint(spell_forms(word)) and told.isdisjoint(spell_forms(word))
    ]  # fmt: skip


def _find_clock(argument: Argument, text: str) -> str | None:
    """An hour as it is written, if it is written otherwise than it is kept."""
    written = text[argument.span.start : argument.span.end]
    kept = len(argument.lemmas) == 1 and ":" in argument.lemmas[0] and argument.lemmas[0] not in written
    return written if kept and written else None


def _has_told(argument: Argument, new: Sequence[Span]) -> bool:
    return len(argument.lemmas) > len(new)
