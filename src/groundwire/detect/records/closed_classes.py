"""Members of classes that everybody can count: a country, an element, a planet or a vitamin that there is not.

Nothing need be known to say so; who asked for something made up gets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from groundwire.detect.examination import Examination
from groundwire.detect.records.invention import known_text
from groundwire.detect.records.public_names import public_class
from groundwire.evidence.names import name_words
from groundwire.text.places import is_place
from groundwire.text.tables import read_table
from groundwire.types import Span

_LONGEST = 2_000
_NAME = r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?"
_CLOSED = r"(?=\s*(?:[,.;]|$)|\s(?:in|where|that|with|which|on)\b)"
""" "Anna is a country singer" says nothing of a country."""
_METAL = re.compile(r"(?:ium|um|on|ine|gen|ese|th)$")
_DENIED = re.compile(
    r"\b(?:no|not|never|fictional|fictitious|imaginary|invented|made-up|mythical|legendary)\b|n['’]t\b"
)
_UNLESS_PUBLIC = ("country", "continent")


@cache
def _classes() -> dict[str, tuple[tuple[str, ...], frozenset[str]]]:
    table = read_table("closed_classes", "detect")
    return {
        kind: (tuple(row["nouns"]), frozenset(row.get("members", row.get("past", ())))) for kind, row in table.items()
    }


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """ "The country of X", "the element X", "X, a planet …", "the X Ocean"; a vitamin has letter and figure."""
    made: list[tuple[str, re.Pattern[str]]] = []
    for kind, (nouns, _) in _classes().items():
        noun = "|".join(re.escape(n) for n in sorted(nouns, key=len, reverse=True))
        if kind == "vitamin":
            made.append((kind, re.compile(r"\b[Vv]itamins? (?P<name>[A-Z]-?\d{0,3})\b(?! ?[-–])")))
            continue
        if kind == "ocean":
            made.append((kind, re.compile(r"\b[Tt]he (?P<name>[A-Z]\w+(?: [A-Z]\w+)?) Ocean\b")))
            continue
        lead = rf"(?:(?i:the|a|an|our|its)\s+)(?:[a-z-]+\s+){{0,2}}(?:{noun})"
        joint = r"\s+" if kind == "month" else r"(?:\s+(?:of|called|named|known as))?\s+"
        made.append((kind, re.compile(rf"\b{lead}{joint}(?P<name>{_NAME}|[a-z]+ium\b)")))
        if kind in ("country", "planet", "continent"):
            kinds = rf"(?:an?|the \w+est) (?:[a-z-]+ ){{0,2}}(?:{noun})"
            made.append((kind, re.compile(rf"\b(?P<name>{_NAME})(?:,| is) {kinds}{_CLOSED}")))
    return tuple(made)


@cache
def _marks() -> tuple[str, ...]:
    """What a sentence has one of, if any of the patterns can be found in it."""
    return ("itamin", "Ocean", *(noun for nouns, _ in _classes().values() for noun in nouns))


def find_unheard_of(examined: Examination) -> Iterator[tuple[Span, str]]:
    """Where each stands, and why there is no such thing."""
    for segment in examined.segments:
        text = segment.text[:_LONGEST]
        if not [mark for mark in _marks() if mark in text] or text.rstrip().endswith("?") or _DENIED.search(text):
            continue
        for kind, pattern in _patterns():
            for match in pattern.finditer(text):
                if not _is_member(kind, match["name"]) and not _is_said(examined, match["name"]):
                    start = segment.span.start + match.start("name")
                    if kind == "vitamin":
                        start = segment.span.start + match.start()
                    yield Span(start, segment.span.start + match.end("name")), f"there is no such {kind}"


def _is_member(kind: str, name: str) -> bool:
    members = _classes()[kind][1]
    low = name.casefold()
    if kind == "element" and _METAL.search(low.split()[0]) is None:
        return True  # "the element Sidebar": of a page, or of something else that has elements
    if low in members or low.split()[0] in members or low.removesuffix("s") in members:
        return True
    if kind in _UNLESS_PUBLIC:
        return is_place(name_words(name)) or is_place(name_words(name)[:1]) or public_class(name) != ""
    return False


def _is_said(examined: Examination, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", known_text(examined)) is not None
