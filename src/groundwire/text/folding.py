"""Undoes typographic disguise, and remembers where every character came from.

Compatibility forms, invisible characters and letters of other scripts that look Latin all let a word slip past a
pattern while a reader sees it plainly. `fold` gives the text a reader sees; spans found there go back through
`Folded.locate`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.text.tables import read_table
from groundwire.types import Span

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")

# Sorting the marks on one letter is quadratic in their number; no script needs more than a few.
_MARKS_KEPT = 16


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` as a reader sees it; `starts[i]` and `ends[i]` bound what character i was in the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def locate(self, start: int, end: int) -> Span:
        """The span of the original text that `text[start:end]` was folded from."""
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else (self.ends[-1] if self.ends else 0)
            return Span(at, at)
        return Span(self.starts[start], self.ends[end - 1])


def fold(text: str) -> Folded:
    """NFKC, invisible characters out, look-alike letters and typographic quotes to their plain form."""
    if text.isascii():
        return Folded(text, range(len(text)), range(1, len(text) + 1))
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    position = 0
    for run in _BEYOND_ASCII.finditer(text):
        characters.extend(text[position : run.start()])
        starts.extend(range(position, run.start()))
        ends.extend(range(position + 1, run.start() + 1))
        position = run.end()
        _fold_run(text, run.start(), run.end(), characters, starts, ends)
    characters.extend(text[position:])
    starts.extend(range(position, len(text)))
    ends.extend(range(position + 1, len(text) + 1))
    return Folded("".join(characters), starts, ends)


def fold_text(text: str) -> str:
    """The folded text alone, for callers that compare and need no spans."""
    return text if text.isascii() else fold(text).text


def _fold_run(text: str, start: int, end: int, characters: list[str], starts: list[int], ends: list[int]) -> None:
    """Folds a run beyond ASCII; marks attach to the letter before them, which may be an ASCII one."""
    invisible = _invisible()
    index = start
    while index < end:
        char = text[index]
        if char in invisible:
            index += 1
        elif _attaches(char):
            index = _fold_marked(text, index, end, characters, starts, ends)
        else:
            for piece in _fold_character(char):
                characters.append(piece)
                starts.append(index)
                ends.append(index + 1)
            index += 1


def _fold_marked(text: str, start: int, end: int, characters: list[str], starts: list[int], ends: list[int]) -> int:
    """Composes the letter last written with the marks that follow it; gives the index after them."""
    invisible = _invisible()
    index = start
    marks: list[str] = []
    while index < end and (text[index] in invisible or _attaches(text[index])):
        if text[index] not in invisible and len(marks) < _MARKS_KEPT:
            marks.append(text[index])
        index += 1
    origin = starts[-1] if starts else start
    composed = _compose((characters[-1] if characters else "") + "".join(marks))
    if characters:
        characters.pop()
        starts.pop()
        ends.pop()
    for piece in composed:
        characters.append(piece)
        starts.append(origin)
        ends.append(index)
    return index


@lru_cache(maxsize=4096)
def _fold_character(char: str) -> str:
    folded = unicodedata.normalize("NFKC", char.translate(_look_alikes()))
    return folded.translate(_look_alikes())


def _compose(cluster: str) -> str:
    """NFKC of one letter with its marks; marks that cannot join a Latin letter are decoration and go."""
    composed = unicodedata.normalize("NFKC", cluster)
    if composed[:1].isascii() and composed[:1].isalnum():
        composed = "".join(char for char in composed if char.isascii() or not _attaches(char))
    return composed.translate(_look_alikes())


@lru_cache(maxsize=4096)
def _attaches(char: str) -> bool:
    """Whether `char` may compose with the one before it: marks, and the vowels and finals of Hangul."""
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"


@cache
def _invisible() -> frozenset[str]:
    table = read_table("confusables")["invisible"]
    points: list[str] = table["points"]
    ranges: list[list[str]] = table["ranges"]
    hidden = {chr(int(point, 16)) for point in points}
    for first, last in ranges:
        hidden.update(chr(point) for point in range(int(first, 16), int(last, 16) + 1))
    return frozenset(hidden)


@cache
def _look_alikes() -> dict[int, str]:
    table = read_table("confusables")
    groups: list[dict[str, str]] = [table["letters"], table["marks"]]
    return {
        ord(impostor): plain
        for group in groups
        for plain, row in group.items()
        for impostor in row
        if impostor != plain and not impostor.isascii()
    }
