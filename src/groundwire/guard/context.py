"""What comes before a sentence of a stream: a short stretch to read it with, and what was spoken of before that."""

from __future__ import annotations

from collections import deque

from groundwire.text.reading import follow
from groundwire.text.subjects import Discourse

_MOST_PIECES = 2
_ENOUGH = 1_200


class Context:
    """The tail of a stream. What falls off its end is remembered as what pronouns may stand for, so that its size, and
    with it the cost of a sentence, does not grow with the stream."""

    def __init__(self) -> None:
        self._pieces: deque[str] = deque()
        self._discourse = Discourse()

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    @property
    def discourse(self) -> Discourse:
        return self._discourse

    def add(self, text: str) -> None:
        self._pieces.append(text)
        while len(self._pieces) > _MOST_PIECES or (len(self._pieces) > 1 and sum(map(len, self._pieces)) > _ENOUGH):
            self._discourse = follow(self._pieces.popleft(), self._discourse)

    def break_off(self) -> None:
        """Code stands between: the next sentence begins a paragraph of its own."""
        if self._pieces and not self._pieces[-1].endswith("\n\n"):
            self._pieces[-1] += "\n\n"
