"""The values of a contradiction in their order, and where a text names them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from groundwire.text.values import key
from groundwire.types import ContradictionDetail, ExtractedFact, Span


@dataclass(frozen=True, slots=True)
class Change:
    """The values of a contradiction in order: the present one, then the old ones, newest first."""

    new: str
    old: tuple[str, ...]
    is_directed: bool

    @property
    def phrase(self) -> str:
        if self.is_directed:
            return f"{self.new} (changed from {', '.join(self.old)})"
        return f"{self.new} (conflicts with {', '.join(self.old)})"


@lru_cache(maxsize=1024)
def order_values(contradiction: ContradictionDetail) -> Change:
    """The newest value leads; trust breaks a tie in time, and a full tie has no direction."""
    rows = sorted(
        zip(contradiction.timestamps, contradiction.trust_scores, contradiction.values, strict=True),
        key=lambda row: (-(row[0] or 0), -row[1], row[2]),
    )
    distinct: dict[str, tuple[int, float, str]] = {}
    for when, trust, value in rows:
        distinct.setdefault(key(value), (when or 0, trust, value))
    first, *others = distinct.values()
    tied = bool(others) and others[0][0] == first[0] and others[0][1] == first[1]
    return Change(first[2], tuple(value for _, _, value in others), not tied)


def find_mentions(text: str, value: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """Where a value stands in a text as whole words."""
    end = len(text) if end is None else end
    if text.isascii() and value.isascii():
        low, words = _lower(text), value.lower().split()
        for word in words:
            if word not in low:
                return iter(())  # as is usual: no pattern has to be made for it
        if words and not _has_own_form(value) and (len(words) == 1 or _SPACED.search(text) is None):
            return _find_plain(text, low, " ".join(words), start, end)
    return _mention(value).finditer(text, start, end)


@lru_cache(maxsize=64)
def _lower(text: str) -> str:
    """An answer is asked for many values, one after the other."""
    return text.lower()


def _find_plain(text: str, low: str, words: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The same as a pattern for the value finds, which takes longer to make than a few answers to search."""
    at = low.find(words, start, end)
    while at >= 0:
        stop = at + len(words)
        parted = (at == 0 or not _is_of_word(low[at - 1])) and (stop == end or not _is_of_word(low[stop]))
        if parted and (found := _STRETCH.match(text, at, stop)) is not None:
            yield found
        at = low.find(words, stop if parted else at + 1, end)


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


_STRETCH = re.compile(r".+", re.DOTALL)
_SPACED = re.compile(r"\s\s|[^\S ]")
"""More between two words than a blank."""


def names(text: str, value: str) -> bool:
    """Whether a value stands in a text."""
    return next(find_mentions(text, value), None) is not None


def tells(text: str, value: str, others: Sequence[str]) -> bool:
    """Whether a value stands in a text, or the number in it that tells it from the others: "from 75 to 100 mg"."""
    own = tell_apart(value, others)
    return names(text, value) or (own != value and names(text, own))


@lru_cache(maxsize=4096)
def names_any(text: str, values: tuple[str, ...]) -> bool:
    """Whether one of the values does: most contradictions are none of an answer's business."""
    return any(names(text, value) for value in values)


_UNCOUNTED = (
    r"(?!\s+(?!(?:was|has|is|as|this|its|does|plus|versus|always|perhaps|these|previous|across)\b)[a-z]{2,}s\b)"
)
"""A port 8080 is not what 8080 requests are."""
_MEASURED = re.compile(r"(?P<number>\d[\d.,]*\d|\d{2,}) (?P<unit>[a-z]{2,12}|[A-Z]{3})")


def _has_own_form(value: str) -> bool:
    """A number or an amount is not looked for as it is written."""
    return value.isdecimal() or _MEASURED.fullmatch(value) is not None


@lru_cache(maxsize=512)
def _mention(value: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in value.split())
    if (measured := _MEASURED.fullmatch(value)) is not None:  # "950 euros, up from 900"
        words = rf"{re.escape(measured['number'])}(?:\s+{re.escape(measured['unit'])})?"
    if value.isdecimal():
        words += _UNCOUNTED
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def tell_apart(value: str, others: Sequence[str]) -> str:
    """Of "room 2.07" and "room 4.12" the number; a value without one is itself."""
    shared = {word for other in others if other != value for word in other.casefold().split()}
    own = " ".join(word for word in value.split() if word.casefold() not in shared)
    return own if any(map(str.isdigit, own)) else value


def find_told(text: str, value: str, others: Sequence[str], span: Span) -> list[Span]:
    """Where a value stands in a stretch of text, or the number or a name in it that tells it from the others."""
    found = [Span(*m.span()) for m in find_mentions(text, value, *span)]
    own = tell_apart(value, others)
    if found:
        return found
    if own != value:
        return [Span(*m.span()) for m in find_mentions(text, own, *span)]
    shared = {word for other in others if other != value for word in other.casefold().split()}
    kept = [word for word in value.split() if word.casefold() not in shared and word[0].isupper()]
    if not kept or not value[0].isupper():
        return found
    whole = [Span(*m.span()) for m in find_mentions(text, " ".join(kept), *span) if text[m.start()].isupper()]
    alone = (m for word in kept if len(word) > 2 for m in find_mentions(text, word, *span))
    return whole or sorted(Span(*m.span()) for m in alone if text[m.start()].isupper())


def write_as_told(change: Change, text: str) -> Change:
    """The change with its values as the text has them: "Leiden" for Leiden University."""
    values = (change.new, *change.old)
    told = [
        text[slice(*found[0])] if (found := find_told(text, value, values, Span(0, len(text)))) else value
        for value in values
        if value
    ]
    return Change(told[0], tuple(told[1:]), change.is_directed) if len(set(told)) == len(values) else change


def is_visit(fact: ExtractedFact) -> bool:
    """ "You were in Leeds last week" does not tell where one lived."""
    return fact.pattern.startswith("be ") and fact.when is not None and _SHORT_TIME.search(fact.when) is not None


_SHORT_TIME = re.compile(
    r"(?i)\b(?:yesterday|today|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weeks?|weekends?|mornings?"
    r"|afternoons?|evenings?|nights?|christmas|easter|days?|hours?)\b"
)


def read_time(when: int | None) -> datetime | None:
    """When a memory was told; None where it is not known or no calendar has it."""
    try:
        return datetime.fromtimestamp(when, UTC) if when else None
    except (OverflowError, OSError, ValueError):
        return None
