"""One sentence of an answer as the detectors look at it: tagged words, verb groups, quotations, read when asked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import cast

from groundwire.detect.examination import Examination
from groundwire.text.tables import read_table
from groundwire.text.tagging import tag_text
from groundwire.text.tokens import Token
from groundwire.text.verbs import VerbGroup, read_verb_groups
from groundwire.types import ResponseSegment, Span, TemporalExpression

_QUOTED = re.compile(r"“[^”]{1,2000}”|\"[^\"\n]{1,2000}\"|«[^»]{1,2000}»|`[^`\n]{1,2000}`")
_WORD = re.compile(r"[a-z]+(?:[-'][a-z]+)*")
_RUN = re.compile(r"[a-z]+")
_CELL = 512
_LONGEST = 1_200
"""A sentence of more characters is not tagged: what goes on so long is a table, code or noise."""


@cache
def read_words(name: str, table: str = "temporal_faults") -> frozenset[str]:
    return frozenset(read_table(table, "detect")[name])


@cache
def _phrases_of(words: frozenset[str]) -> tuple[str, ...]:
    """Those with a blank or an apostrophe, which are not found word by word; `words` is a list of a table."""
    return tuple(word for word in words if " " in word or "'" in word)


@dataclass(slots=True)
class Sighting:
    """A segment, and what is seen in it; offsets are those of the whole answer."""

    segment: ResponseSegment
    text: str = field(init=False)
    start: int = field(init=False)
    times: tuple[TemporalExpression, ...] = field(init=False)
    low: str = field(init=False)
    is_question: bool = field(init=False)
    _tokens: list[Token] | None = None
    _starts: list[int] = field(default_factory=list[int])
    _letters: str = ""
    _groups: list[VerbGroup] | None = None
    _quoted: list[Span] | None = None
    _words: frozenset[str] | None = None
    _runs: frozenset[str] | None = None
    _mentioned: dict[frozenset[str], bool] = field(default_factory=dict[frozenset[str], bool])

    def __post_init__(self) -> None:
        self.text = text = self.segment.text
        self.start, self.times = self.segment.span.start, self.segment.temporals
        lowered = text.lower().replace("’", "'")
        self.low = lowered if len(lowered) == len(text) else text
        self.is_question = text.rstrip("\"”’')] ").endswith("?")

    @property
    def is_endless(self) -> bool:
        """Too long to be one sentence: only what can be told from a few words is looked for."""
        return len(self.text) > _LONGEST

    @property
    def words(self) -> frozenset[str]:
        if self._words is None:
            self._words = frozenset(_WORD.findall(self.low))
        return self._words

    @property
    def runs(self) -> frozenset[str]:
        """Every run of letters, parts of a hyphenated word for themselves: without one, many patterns are not tried."""
        if self._runs is None:
            self._runs = frozenset(_RUN.findall(self.text.casefold()))
        return self._runs

    def mentions(self, words: frozenset[str]) -> bool:
        """Whether one of the words stands here; of those with a blank or an apostrophe, anywhere in the text."""
        found = self._mentioned.get(words)
        if found is None:
            found = not words.isdisjoint(self.words)
            found = found or any(phrase in self.low for phrase in _phrases_of(words))
            self._mentioned[words] = found
        return found

    @property
    def tokens(self) -> list[Token]:
        if self._tokens is None:
            self._tokens, self._letters = ([], "") if self.is_endless else tag_text(self.text, self.start)
            self._starts = [token.start for token in self._tokens]
        return self._tokens

    @property
    def letters(self) -> str:
        return self._letters if self.tokens else ""

    @property
    def groups(self) -> list[VerbGroup]:
        if self._groups is None:
            self._groups = read_verb_groups(self.tokens, self.letters) if self.tokens else []
        return self._groups

    def index_at(self, offset: int) -> int:
        """The number of the first token at or behind an offset of the answer."""
        return bisect_left(self._starts, offset) if self.tokens else 0

    def between(self, start: int, end: int) -> str:
        """The lower-case words between two offsets of the answer."""
        return self.low[max(0, start - self.start) : max(0, end - self.start)]

    def is_quoted(self, span: Span) -> bool:
        if self._quoted is None:
            found = _QUOTED.finditer(self.text)
            self._quoted = [Span(self.start + m.start(), self.start + m.end()) for m in found]
        return any(quote.start <= span.start and span.end <= quote.end for quote in self._quoted)


class Places:
    """Spans that are taken; whether a new one meets one of them is told without looking at all."""

    def __init__(self) -> None:
        self._cells: dict[int, list[Span]] = defaultdict(list)

    def take(self, span: Span) -> bool:
        """Take the span, unless it overlaps one that is taken."""
        cells = range(span.start // _CELL, max(span.start, span.end - 1) // _CELL + 1)
        if any(one.start < span.end and span.start < one.end for cell in cells for one in self._cells[cell]):
            return False
        for cell in cells:
            self._cells[cell].append(span)
        return True


def look_at(segments: Sequence[ResponseSegment]) -> list[Sighting]:
    return [Sighting(segment) for segment in segments]


def look_through(examined: Examination) -> list[Sighting]:
    """The sentences of an answer, the same for every detector."""
    known = examined.memo.get("sightings")
    if known is None:
        known = examined.memo["sightings"] = look_at(examined.segments)
    return cast("list[Sighting]", known)
