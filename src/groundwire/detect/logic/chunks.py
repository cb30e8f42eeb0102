"""The parts of a sentence that compare something, each with whom it is about, and the words that name a thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.tables import read_table
from groundwire.types import Span

_PARTS = re.compile(
    r",(?!\d)|[;:()–—]|\.\s|\b(?:and|but|yet|so|while|whereas|because|since|though|although|which|that\s+makes|which\s+makes|making)\b"
)
_BEING = re.compile(r"\s*being\s+\w+\s+than\b")
_WORD = re.compile(r"[A-Za-z0-9]+(?:[-'’][A-Za-z0-9]+)*")
_SHORT = 4
_AS_ONE = re.compile(r"\s*(?:being|as)\s+the\b")


class Chunk(NamedTuple):
    """A part of a sentence between its joints."""

    text: str
    start: int
    seen: Sighting
    shift: int = 0
    """Letters of the subject that were put in front."""


@cache
def list_words(name: str) -> frozenset[str]:
    return frozenset(read_table("orders", "detect")[name])


def split_parts(seen: Sighting) -> Iterator[Chunk]:
    at = 0
    for match in _PARTS.finditer(seen.text):
        if _BEING.match(seen.text, match.end()):
            continue  # "Clara, being taller than Anna, sits at the back"
        if match.start() - at > 3:
            yield Chunk(seen.text[at : match.start()], seen.start + at, seen)
        at = match.end()
    if len(seen.text) - at > 3:
        yield Chunk(seen.text[at:], seen.start + at, seen)


def span_of(chunk: Chunk) -> Span:
    own = chunk.seen.text[chunk.start - chunk.seen.start :]
    left = len(own) - len(own.lstrip()) if chunk.shift else len(chunk.text) - len(chunk.text.lstrip())
    return Span(
        chunk.start + left, chunk.start + (left if chunk.shift else 0) + len(chunk.text.rstrip(" .!")) - chunk.shift
    )


def find_bearer(seen: Sighting) -> str:
    """Whom a sentence is about: the first name or noun phrase in it."""
    first = next((group for group in seen.groups if group.start), None)
    if first is None:
        return ""
    front = seen.text[: seen.tokens[first.start].start - seen.start].partition(",")[0].strip()
    return front if len(front.split()) <= _SHORT and name_thing(front) else ""


def goes_on(chunk: Chunk) -> bool:
    """ "… and will therefore speak first", "being the eldest": the same somebody, in the next part of the sentence."""
    at = chunk.seen.index_at(chunk.start + len(chunk.text) - len(chunk.text.lstrip()))
    letters = chunk.seen.letters[at:].lstrip("R")
    return letters[:1] in ("b", "h", "d", "M") or _AS_ONE.match(chunk.text) is not None


def name_thing(text: str) -> frozenset[str]:
    """The words that tell which thing is meant."""
    found: set[str] = set()
    words = _WORD.findall(text)
    for place, word in enumerate(words):
        low = word.lower()
        if low == "a" and (
            word == "a" or (place + 1 < len(words) and words[place + 1].lower() not in list_words("light"))
        ):
            continue
        if low != "a" and low in list_words("light"):
            continue
        low = low.removesuffix("'s").removesuffix("’s")
        found.add((verb_lemma(low) or low) if low.endswith("ing") else noun_lemma(low))
    return frozenset(found)
