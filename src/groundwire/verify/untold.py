"""What is new in a claim: where a model finds that the memories do not settle it, the part that none of them has.

"You take magnesium before bed because of your migraines" is not wrong about the magnesium. A claim of which
the memories know nothing at all is untold as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from groundwire.judge.consultation import LEFT_OPEN
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.text import lexicon
from groundwire.text.propositions import Argument
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.text.thesaurus import concept
from groundwire.types import Span, Verdict

_WORD = re.compile(r"\w+(?:[.,'’-]\w+)*")


def mark_untold(
    claims: Sequence[ReadClaim], parts: Sequence[tuple[Part, ...]], text: str, passages: Iterable[ReadPassage]
) -> list[tuple[Part, ...]]:
    """The parts of every claim, with the place of what is new in those that the model leaves open."""
    if not any(_is_open(f) for own in parts for part in own for f in part.findings):
        return list(parts)
    told = _list_told(passages)
    return [tuple(_mark(p, _look(read, p, text, told)) for p in own) for read, own in zip(claims, parts, strict=True)]


def _look(read: ReadClaim, part: Part, text: str, told: set[str]) -> Span | None:
    if not any(map(_is_open, part.findings)):
        return None
    if part.argument is not None:
        return _find_untold([part.argument], text, told)
    span = read.claim.span
    return _find_untold([a for a in read.proposition.arguments if span.start <= a.span.start < span.end], text, told)


def _is_open(finding: Finding) -> bool:
    return finding.verdict is Verdict.INSUFFICIENT and finding.reason in LEFT_OPEN and finding.missing is None


def _mark(part: Part, span: Span | None) -> Part:
    if span is None or (part.fact is not None and part.fact.pattern != "predicate"):
        return part
    return replace(part, findings=tuple(replace(f, missing=span) if _is_open(f) else f for f in part.findings))


def _list_told(passages: Iterable[ReadPassage]) -> set[str]:
    """Every word of the memories, in every form."""
    texts = (passage.passage.text.lower() for passage in passages)
    return {word for text in texts for found in _WORD.findall(text) for word in _spellings(found)}


def _find_untold(arguments: Sequence[Argument], text: str, told: set[str]) -> Span | None:
    """The new words of the only argument that has any, where something else is told."""
    new = [(a, _list_new(a, text, told)) for a in arguments]
    found = [spans for _, spans in new if spans]
    if len(found) != 1 or not any(_has_told(argument, spans) for argument, spans in new):
        return None
    return Span(found[0][0].start, found[0][-1].end)


def _spellings(word: str) -> tuple[str, ...]:
    noun, verb = lexicon.noun_lemma(word), lexicon.verb_lemma(word)
    return word, noun, concept(noun), *((verb, concept(verb)) if verb else ())


def _list_new(argument: Argument, text: str, told: set[str]) -> list[Span]:
    """Where the words of the argument stand that no passage has in any form."""
    start, end = argument.span
    words = ((m.group().lower(), Span(start + m.start(), start + m.end())) for m in _WORD.finditer(text[start:end]))
    wanted = set(argument.lemmas)
    return [
        span for word, span in words
        if not wanted.isdisjoint(_spellings(word)) and told.isdisjoint(_spellings(word))
    ]  # fmt: skip


def _has_told(argument: Argument, new: Sequence[Span]) -> bool:
    return len(argument.lemmas) > len(new)
