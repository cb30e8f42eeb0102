"""Mending a stretch of text sentence by sentence: what cannot stay is left out, what is not known is marked."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.text.sentences import split_sentences
from groundwire.types import ClaimReport, Sentence, SentenceKind, Span
from groundwire.verify.correction import Edit, apply_edits


def find_sentences(text: str, claims: Iterable[ClaimReport], offset: int = 0) -> list[Sentence]:
    """The sentences of `text` in which the claims are made; `offset` is where `text` begins in the claims' own."""
    places = [place - offset for claim in claims for place in (claim.span.start, *(s.start for s in _others(claim)))]
    return [s for s in split_sentences(text) if any(s.span.start <= place < s.span.end for place in places)]


def _others(claim: ClaimReport) -> tuple[Span, ...]:
    return claim.claim.other_spans


def mend(text: str, *, leave_out: Iterable[Sentence] = (), mark: Iterable[Sentence] = (), annotation: str = "") -> str:
    """The text without some sentences, and with a mark behind others."""
    edits = [Edit(_whole_line(text, sentence.span), "") for sentence in leave_out]
    return apply_edits(text, [*edits, *(_mark(sentence, annotation) for sentence in mark)])


def _mark(sentence: Sentence, annotation: str) -> Edit:
    """Behind the sentence; in a row of a table, inside its last cell."""
    end = sentence.span.end
    if sentence.kind is SentenceKind.TABLE_ROW:
        end -= len(sentence.text) - len(sentence.text.rstrip(" \t|"))
    return Edit(Span(end, end), annotation)


def _whole_line(text: str, span: Span) -> Span:
    start = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    end = text.find("\n", span.end)
    end = len(text) if end < 0 else end + 1
    is_alone = not _bare(text[start : span.start]) and not _bare(text[span.end : end])
    if is_alone and start < span.start:
        return Span(start, end)
    after = span.end
    while after < len(text) and text[after] in " \t":
        after += 1
    return Span(span.start, after)


def _bare(text: str) -> str:
    """What is left of a margin without bullets, numbers and marks of emphasis."""
    return text.strip(" \t\r\n-*+•>|#_").rstrip(".)").strip("0123456789 ")
