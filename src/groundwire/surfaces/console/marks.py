"""A text cut where spans begin and end, so that a page can colour each piece and nest nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from groundwire.types import Span


class Piece(NamedTuple):
    """A part of the text and the number of the span that covers it, None where none does.

    `is_first` tells where a span begins, so that it is announced and reached by keyboard once.
    """

    text: str
    number: int | None
    is_first: bool = False


def cut(text: str, spans: Sequence[Span]) -> list[Piece]:
    """In order and without a gap: the pieces joined are the text. Where spans overlap, the shorter one wins."""
    wanted = sorted(range(len(spans)), key=lambda n: (spans[n].end - spans[n].start, spans[n].start, n))
    starts = {max(0, min(span.start, len(text))) for span in spans}
    ends = {max(0, min(span.end, len(text))) for span in spans}
    edges = sorted({0, len(text)} | starts | ends)
    pieces: list[Piece] = []
    seen: set[int] = set()
    for start, end in pairwise(edges):
        number = next((n for n in wanted if spans[n].start <= start and end <= spans[n].end), None)
        if pieces and pieces[-1].number == number:
            pieces[-1] = pieces[-1]._replace(text=pieces[-1].text + text[start:end])
            continue
        pieces.append(Piece(text[start:end], number, number is not None and number not in seen))
        if number is not None:
            seen.add(number)
    return pieces
