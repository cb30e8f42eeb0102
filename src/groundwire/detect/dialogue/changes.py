"""Changes told openly, and corrections: a difference with earlier turns that nobody hides is no contradiction."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.text.signals import corrects_itself
from groundwire.text.tables import read_table


@cache
def _changes() -> re.Pattern[str]:
    return _join(read_table("prior", "detect")["changes"]["phrases"])


@cache
def _corrections() -> re.Pattern[str]:
    return _join(read_table("prior", "detect")["corrections"]["phrases"])


@cache
def _admissions() -> re.Pattern[str]:
    return _join(read_table("prior", "detect")["changes"]["admissions"])


@cache
def _hearsay() -> re.Pattern[str]:
    return _join(read_table("prior", "detect")["hearsay"]["phrases"])


def is_hearsay(sentence: str) -> bool:
    """Whether somebody only passes on or believes what the sentence says."""
    return _hearsay().match(sentence.strip().casefold()) is not None


@cache
def _openers() -> re.Pattern[str]:
    words: list[str] = read_table("prior", "detect")["corrections"]["openers"]
    return re.compile(rf"\W*(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)


def _join(phrases: list[str]) -> re.Pattern[str]:
    """Any of them, in a text in small letters."""
    body = "|".join(phrase.replace(" ", r"\s+") for phrase in phrases)
    return re.compile(rf"(?<!\w)(?:{body})")


@lru_cache(maxsize=4096)
def tells_change(sentence: str) -> bool:
    """Whether a sentence says that things changed, or that something said before was wrong."""
    if _changes().search(sentence.casefold()) is not None:
        return True
    return corrects_itself(sentence)


def admits(sentence: str) -> bool:
    """Whether a sentence owns up to an error, whatever it was about."""
    return _admissions().search(sentence.casefold()) is not None


@lru_cache(maxsize=4096)
def corrects(sentence: str) -> bool:
    """Whether a sentence of a turn takes back or replaces what was said before it."""
    return _openers().match(sentence) is not None or _corrections().search(sentence.casefold()) is not None
