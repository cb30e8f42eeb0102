"""Finds references to things that can be checked: decision records, commits, addresses and issues.

Addresses are taken out first, so that a path never yields a commit, an issue or a record.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from groundwire.text.folding import Folded, fold
from groundwire.text.tables import read_table
from groundwire.types import Citation, CitationType

_URL = re.compile(r'(?<![a-z0-9])https?://[^\s<>"]+', re.IGNORECASE)
_TRAILING = ".,;:!?'*_`~|"
_CLOSING = {")": "(", "]": "[", "}": "{"}

_UUID = r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
_REFERENCE = re.compile(
    rf"""
    (?P<uuid>{_UUID})
  | (?P<adr>\[ADR[-–—\ ]?(?P<bracketed>\d{{1,9}})\] | \bADR[-–—\ ]?(?P<plain>\d{{1,9}})\b)
  | \bGH-(?P<gh>\d{{1,10}})\b
  | (?P<hash>(?<![\w&#])\#(?:(?P<issue>\d{{1,10}})\b|\w+))
  | (?P<commit>(?<![\w#])[0-9a-f]{{7,40}}\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[\w']+")
_STOP = re.compile(r"[.!?]\s|\n")
_NEXT_WORD = re.compile(r"\s+([a-z][\w'-]*)", re.IGNORECASE)

# How far from "#12" an issue word still belongs to it.
_REACH = 40


class CitationDetector:
    """Detection only: whether the thing exists is for a verifier to say."""

    def detect(self, text: str) -> tuple[Citation, ...]:
        """Citations in text order; an ADR's id is canonical ("ADR-003"), an issue's its number."""
        folded = fold(text)
        found: list[Citation] = []
        position, pieces = 0, list[str]()
        for match in _URL.finditer(folded.text):
            end = _trim_url(folded.text, match.start(), match.end())
            pieces.append(folded.text[position : match.start()])
            pieces.append(" " * (match.end() - match.start()))
            position = match.end()
            if end > match.start():
                span = folded.locate(match.start(), end)
                found.append(Citation(CitationType.URL, span, text[span.start : span.end]))
        pieces.append(folded.text[position:])
        found.extend(_find_references("".join(pieces), folded))
        return tuple(sorted(found, key=lambda citation: citation.span))


def _trim_url(text: str, start: int, end: int) -> int:
    """Where the address ends once the sentence's own punctuation is left off; `start` if nothing remains."""
    surplus = {
        closing: text.count(closing, start, end) - text.count(opening, start, end)
        for closing, opening in _CLOSING.items()
    }
    while end > start:
        char = text[end - 1]
        if char in _TRAILING:
            end -= 1
        elif surplus.get(char, 0) > 0:
            surplus[char] -= 1
            end -= 1
        else:
            break
    host = text.find("//", start, end) + 2
    return end if host >= 2 and end > host and (text[host].isalnum() or text[host] == "[") else start


def _find_references(text: str, folded: Folded) -> list[Citation]:
    found: list[Citation] = []
    table = _tables()
    for match in _REFERENCE.finditer(text):
        span = folded.locate(match.start(), match.end())
        if number := match.group("bracketed") or match.group("plain"):
            found.append(Citation(CitationType.ADR, span, f"ADR-{int(number):03d}"))
        elif number := match.group("gh"):
            found.append(Citation(CitationType.ISSUE, span, number))
        elif number := match.group("issue"):
            if _is_issue(text, match.start(), match.end(), int(number), table):
                found.append(Citation(CitationType.ISSUE, span, number))
        elif (token := match.group("commit")) and not token.isdecimal() and token.lower() not in table.hex_words:
            found.append(Citation(CitationType.COMMIT, span, token))
    return found


def _is_issue(text: str, start: int, end: int, number: int, table: _Tables) -> bool:
    """Tells issue 12 from rank 12, jersey 12 and colour 123."""
    before = _words_before(text, start)
    last = before[-1] if before else ""
    if last in table.colours:
        return False
    match = _NEXT_WORD.match(text, end, end + _REACH)
    following = match.group(1).lower() if match else ""
    if last in table.not_after and number <= table.ranking_limit and text[start - 1].isspace():
        return last in table.copulas and following in table.context
    if following in table.context or not table.context.isdisjoint(before):
        return True
    return not following or following in table.followers


def _words_before(text: str, start: int) -> list[str]:
    """The last four words of the same sentence."""
    window = text[max(0, start - _REACH) : start].lower()
    return _WORD.findall(_STOP.split(window)[-1])[-4:]


@dataclass(frozen=True, slots=True)
class _Tables:
    context: frozenset[str]
    not_after: frozenset[str]
    copulas: frozenset[str]
    colours: frozenset[str]
    followers: frozenset[str]
    ranking_limit: int
    hex_words: frozenset[str]


@cache
def _tables() -> _Tables:
    table: dict[str, Any] = read_table("citations")
    issue: dict[str, Any] = table["issue"]
    return _Tables(
        context=frozenset(issue["context"]),
        not_after=frozenset(issue["not_after"]) | frozenset(issue["copulas"]),
        copulas=frozenset(issue["copulas"]),
        colours=frozenset(issue["colours"]),
        followers=frozenset(issue["followers"]),
        ranking_limit=int(issue["ranking_limit"]),
        hex_words=frozenset(table["commit"]["words"]),
    )
