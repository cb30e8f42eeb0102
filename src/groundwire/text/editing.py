"""Edits of a text: values replaced and negations dropped, changed only where it must be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groundwire.text.calendar import read_moment
from groundwire.types import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace what stands at `span`; an empty span inserts."""

    span: Span
    text: str


_PERIOD = re.compile(r"\bcentury$|\d0s$")
"""What stands with "the": the 19th century, the 1920s; a year and a day stand without."""
_THE = re.compile(r"\bthe\s+$", re.IGNORECASE)
_ARTICLE = re.compile(r"\b([Aa])n?\s+$")
_LEANING = re.compile(r"\b(?:any\w*|ever|yet|either|but)\b", re.IGNORECASE)
"""Words that need their negation: "You do have any pets" is no sentence, and "not X but Y" says Y."""
_NEGATIONS = (
    (re.compile(r"\b(ca)n['’]t\b|\bcannot\b", re.IGNORECASE), "can"),
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will"),
    (re.compile(r"\s*\bno longer\b", re.IGNORECASE), " still"),
    (re.compile(r"n['’]t\b", re.IGNORECASE), ""),
    (re.compile(r"\s*\b(?:not|never)\b", re.IGNORECASE), ""),
)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with its edits; where two overlap, the first by position wins."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        if edit.span.start < at:
            continue
        pieces.append(with_article(text[at : edit.span.start], edit.text))
        pieces.append(edit.text)
        at = edit.span.end
    pieces.append(text[at:])
    return "".join(pieces)


def with_article(before: str, value: str) -> str:
    """ "a" before a consonant, "an" before a vowel."""
    found = _ARTICLE.search(before)
    if found is None or not value:
        return before
    article = found.group(1) + ("n" if _sounds_like_vowel(value) else "")
    return before[: found.start()] + article + " "


_CONSONANT_SOUND = re.compile(r"(?i)(?:uni(?!n|m[^o])|us[aeiu]|eu|one\b|once\b|ut[aei]|ub[aeiou])")
_SILENT_H = re.compile(r"(?i)(?:hour|honest|honou?r|heir)")


def _sounds_like_vowel(value: str) -> bool:
    """The sound decides: an MRI, a university, an hour."""
    first = value.split()[0]
    if len(first) > 1 and first.isupper() and not first.isdigit():
        return first[0] in "AEFHILMNORSX"
    if first[0].isdigit():
        return first.startswith(("8", "11", "18"))
    if _SILENT_H.match(first):
        return True
    return first[0].lower() in "aeiou" and not _CONSONANT_SOUND.match(first)


def replace_value(text: str, span: Span, value: str) -> Edit:
    """Put `value` where another stood, in that one's casing at a sentence's start."""
    old = text[span.start : span.end]
    if (
        old[:1].isupper()
        and value[:1].islower()
        and (span.start == 0 or text[: span.start].rstrip().endswith((".", "!", "?", "\n")))
    ):
        value = value[:1].upper() + value[1:]
    if _PERIOD.search(old) and not _PERIOD.search(value) and read_moment(value.lower()) is not None:
        article = _THE.search(text, 0, span.start)
        span = Span(article.start(), span.end) if article is not None else span
    elif _PERIOD.search(value) and not _PERIOD.search(old) and _THE.search(text, 0, span.start) is None:
        value = f"the {value}"
    return Edit(span, value)


def drop_negation(text: str, span: Span) -> Edit | None:
    """ "You do not work there" → "You do work there"."""
    clause = text[span.start : span.end]
    if _LEANING.search(clause) is not None or text.startswith(" but ", span.end):
        return None
    for pattern, plain in _NEGATIONS:
        found = pattern.search(clause)
        if found is not None:
            start = span.start + found.start()
            return Edit(Span(start, span.start + found.end()), plain)
    return None
