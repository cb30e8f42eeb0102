"""Edits of a flagged answer: places that change, and notes. The rest stays as it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.types import Span


@dataclass(frozen=True, slots=True)
class Change:
    """What stands at `span` becomes `text`; an empty span inserts."""

    span: Span
    text: str

    @property
    def growth(self) -> int:
        return len(self.text) - (self.span.end - self.span.start)


def apply_changes(text: str, changes: Iterable[Change]) -> str:
    """From the end of the text to its start, so that no change moves the place of another."""
    pieces: list[str] = []
    end = len(text)
    for change in sorted(changes, key=lambda c: (c.span, c.text), reverse=True):
        if change.span.end > end:
            raise ValueError(f"the change at {tuple(change.span)} overlaps the one after it")
        pieces += [text[change.span.end : end], change.text]
        end = change.span.start
    pieces.append(text[:end])
    return "".join(reversed(pieces))


def move(place: int, changes: Iterable[Change]) -> int:
    """Where a place of the original text is after the changes; one that was replaced is where its change ends."""
    moved = place
    for change in changes:
        if change.span.end <= place:
            moved += change.growth
        elif change.span.start < place:
            moved += change.span.start + len(change.text) - place
    return moved


def put_note(text: str, span: Span, note: str) -> Change:
    """A note behind the words that it is about, before the full stop."""
    place = span.end
    while place > span.start and not text[place - 1].isalnum() and text[place - 1] in " \t\r\n.,;:!?…。！？":
        place -= 1
    while 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum():
        place += 1
    return Change(Span(place, place), f" {note}" if place else f"{note} ")
