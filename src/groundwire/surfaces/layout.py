"""Text on a terminal: rows that fit, markers that stand under what they mark, nothing that steers the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from groundwire.types import Span

NARROWEST = 24
WIDEST = 120


class Tone(StrEnum):
    """What a colour means; the value is the terminal's code for it."""

    PLAIN = ""
    GOOD = "32"
    BAD = "31"
    DOUBTFUL = "33"
    NOTE = "36"
    STRONG = "1"
    FAINT = "2"
    NOWHERE = "35"
    AGAINST = "91"
    EARLIER = "95"
    UNTIMELY = "34"
    ABSURD = "93"


class Sign(NamedTuple):
    symbol: str
    tone: Tone


class Mark(NamedTuple):
    """A stretch of the text with the character that underlines it."""

    span: Span
    marker: str
    tone: Tone


@dataclass(frozen=True, slots=True)
class View:
    """What the terminal can show."""

    width: int = 80
    color: bool = False
    symbols: bool = True

    @property
    def columns(self) -> int:
        return max(NARROWEST, min(self.width, WIDEST))

    def paint(self, text: str, tone: Tone) -> str:
        return f"\x1b[{tone.value}m{text}\x1b[0m" if self.color and tone.value and text else text

    def sign(self, sign: Sign) -> str:
        return sign.symbol if self.symbols or sign.symbol.isascii() else "+" if sign.tone is Tone.GOOD else "x"


def underline(text: str, marks: Iterable[Mark], view: View, margin: int) -> list[str]:
    """The text in rows that fit, each with its markers beneath; where marks overlap the last one is shown."""
    shown = neutralise(text)
    owner: list[Mark | None] = [None] * len(text)
    for mark in marks:
        for index in range(max(mark.span.start, 0), min(mark.span.end, len(text))):
            owner[index] = mark
    lines: list[str] = []
    for start, end in _split_rows(shown.rstrip(), view.columns - margin):
        row = Span(start, start + len(shown[start:end].rstrip()))
        lines.append(_paint_row(shown, owner, row, view))
        markers = "".join(_marker(owner[index]) * cells(shown[index]) for index in range(*row)).rstrip()
        if markers:
            lines.append(view.paint(markers, Tone.FAINT))
    return lines


def _marker(mark: Mark | None) -> str:
    return mark.marker if mark else " "


def _paint_row(text: str, owner: Sequence[Mark | None], row: Span, view: View) -> str:
    parts: list[str] = []
    start, end = row
    while start < end:
        mark = owner[start]
        stop = start
        while stop < end and owner[stop] is mark:
            stop += 1
        parts.append(view.paint(text[start:stop], mark.tone if mark else Tone.PLAIN))
        start = stop
    return "".join(parts)


def wrap(text: str, width: int) -> list[str]:
    return [text[row.start : row.end].rstrip() for row in _split_rows(text, width)]


def _split_rows(text: str, width: int) -> Iterator[Span]:
    """Spans of rows that fit `width` cells, broken after a space where there is one and at every line feed."""
    start = used = fresh = 0
    for index, character in enumerate(text):
        if character == "\n":
            yield Span(start, index)
            start, used, fresh = index + 1, 0, index + 1
            continue
        room = cells(character)
        if used + room > width and not character.isspace() and index > start:
            cut = fresh if fresh > start else index
            yield Span(start, cut)
            start, used = cut, sum(cells(text[place]) for place in range(cut, index))
        used += room
        if character.isspace():
            fresh = index + 1
    yield Span(start, len(text))


@cache
def cells(character: str) -> int:
    """Columns a character takes on a terminal: none, one or two."""
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def pad(text: str, width: int) -> str:
    return text + " " * max(0, width - sum(map(cells, text)))


def beside(label: str, label_width: int, rows: Sequence[str]) -> list[str]:
    first, *rest = rows or [""]
    return [f"  {label}  {first}".rstrip(), *(f"{' ' * (label_width + 4)}{row}".rstrip() for row in rest)]


def indent(rows: Iterable[str], by: int = 2) -> list[str]:
    return [f"{' ' * by}{row}".rstrip() for row in rows]


def join(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


@cache
def _visible_forms() -> dict[int, str]:
    """Control characters as something to look at: text from a model must not steer the terminal."""
    forms = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) != "\n"}
    forms |= dict.fromkeys(map(ord, "\t\r\v\f\x85\u2028\u2029"), " ")
    forms |= {code: "\ufffd" for code in range(0x7F, 0xA0) if code != 0x85}
    forms |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd")
    return forms


def neutralise(text: str) -> str:
    """Same length as `text`, so that spans stay true."""
    return text.translate(_visible_forms()).encode("utf-8", "replace").decode()


def flatten(text: str) -> str:
    return " ".join(neutralise(text).split())
