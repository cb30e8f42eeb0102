"""A text with words exchanged, and where every piece of it stood before."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from groundwire.types import Span


class Exchange(NamedTuple):
    """`words` take the place of what stands at `[start, end)`."""

    start: int
    end: int
    words: str


class Rewritten:
    """`text` after the exchanges; `locate` gives the span of the original that a span of it came from."""

    __slots__ = ("_ends", "_exchanged", "_origins", "_starts", "is_changed", "text")

    def __init__(self, text: str, exchanges: Iterable[Exchange]) -> None:
        pieces: list[str] = []
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._ends: list[int] = []
        self._exchanged: list[bool] = []
        self.is_changed = False
        at = length = 0
        for start, end, words in sorted(exchanges):
            if start < at:
                continue  # two exchanges of one word: the first one stands
            self.is_changed = True
            for piece, origin, stop, exchanged in ((text[at:start], at, start, False), (words, start, end, True)):
                if piece:
                    self._note(length, origin, stop, exchanged=exchanged)
                    pieces.append(piece)
                    length += len(piece)
            at = end
        if at < len(text) or not pieces:
            self._note(length, at, len(text), exchanged=False)
            pieces.append(text[at:])
        self.text = "".join(pieces)

    def _note(self, length: int, origin: int, stop: int, *, exchanged: bool) -> None:
        self._starts.append(length)
        self._origins.append(origin)
        self._ends.append(stop)
        self._exchanged.append(exchanged)

    def locate(self, span: Span) -> Span:
        """Where the words of `span` stood; of an exchanged word, all of the word that it replaced."""
        if not self.is_changed:
            return span
        start = self._origin(span.start, at_end=False)
        return Span(start, max(start, self._origin(span.end - 1, at_end=True) if span.end > span.start else start))

    def _origin(self, position: int, *, at_end: bool) -> int:
        piece = max(0, bisect_right(self._starts, position) - 1)
        if self._exchanged[piece]:
            return self._ends[piece] if at_end else self._origins[piece]
        return min(self._origins[piece] + position - self._starts[piece] + at_end, self._ends[piece])
