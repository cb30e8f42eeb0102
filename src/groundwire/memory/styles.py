"""The manners in which people ask for their answers, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from groundwire.text.tables import read_table


@dataclass(frozen=True, slots=True)
class Style:
    text: str
    cues: frozenset[str]


@cache
def load_styles() -> tuple[Style, ...]:
    rows: list[dict[str, str | list[str]]] = read_table("styles", "memory")["style"]
    return tuple(Style(str(row["text"]), frozenset(row["cues"])) for row in rows)


def cues_of(text: str) -> frozenset[str]:
    """The wordings that show a known style; none for a pattern that is no known style."""
    key = text.strip().rstrip(".").casefold()
    return next((style.cues for style in load_styles() if style.text.casefold() == key), frozenset[str]())
