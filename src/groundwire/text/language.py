"""Whether a text is English: what a reader of English makes of anything else is a guess."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import is_known
from groundwire.text.tables import read_table

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENOUGH = 0.45
_FEW = 3
_LONGEST_WORD = 40
_SAMPLE = 4000
_REMEMBERED = 1000
_READABLE = 0.3
_ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ly", ""))
# Addresses, paths, identifiers and anything with a digit or a sign inside: no language at all.
_TECHNICAL = re.compile(r"[\d_@/\\=<>{}\[\]$#*~^|`]|^-|\w[.:(\-]\w|[a-z][A-Z]")


def is_english(text: str) -> bool:
    """Latin letters, and among the words in lower case mostly known ones; names and numbers tell nothing."""
    return _is_english_known(text) if len(text) <= _REMEMBERED else _is_english(text[:_SAMPLE])


@lru_cache(maxsize=2048)
def _is_english_known(text: str) -> bool:
    return _is_english(text)


def _is_english(text: str) -> bool:
    words = _WORD.findall(text)
    letters = sum(map(len, words))
    if (
        any(len(word) > _LONGEST_WORD for word in words)
        or sum(word.isascii() * len(word) for word in words) * 2 < letters
    ):
        return False
    telling = [word for word in words if word[0].islower()]
    if len(telling) < _FEW:
        return True
    known = sum(word in closed_classes() or is_known(word) for word in telling)
    return known >= _ENOUGH * len(telling)


# ── foreign by its own words ────────────────────────────────────────────────────────────────────


def has_words(text: str) -> bool:
    """Whether anything is said at all: signs, numbers and pictures are no statement."""
    return _WORD.search(text) is not None


def is_foreign(text: str) -> bool:
    """Whether a text is in another language: by another script, by that language's own words, or by none it shares
    with English. What is too short to tell, names and identifiers are not foreign."""
    words = [word for chunk in text[:_SAMPLE].split() if not _TECHNICAL.search(chunk) for word in _WORD.findall(chunk)]
    if not words:
        return _is_other_script(text[:_SAMPLE])
    english, foreign, unknown = _weigh(words)
    others = sum(not _is_latin(word) for word in words)
    if others > max(english, len(words) - others) or others >= 3 * english > 0 or (others and not english):
        return True
    if foreign >= 1 and foreign + unknown / 2 > english:
        return True
    telling = [word for word in words if word[0].islower() and _is_latin(word)]
    known = sum(_is_english_word(word) for word in telling)
    return len(telling) > _FEW and known < _READABLE * len(telling)


def _weigh(words: list[str]) -> tuple[float, float, float]:
    """What speaks for English, what for another language, and how many words neither knows."""
    table, particles = _foreign_words()
    english = foreign = unknown = 0.0
    for index, word in enumerate(words):
        low = word.casefold().replace("’", "'")
        elided = low.partition("'")[2] if "'" in low[:3] and not _is_english_word(low) else ""
        if (low in particles and _is_within_name(words, index)) or not _is_latin(word):
            continue
        if low in table or elided in table:
            # "in", "was" and "me" are as good English; "son", "war" and "pour" tell less than "wir" and "nous".
            english += low in closed_classes() and 0.5
            foreign += low not in closed_classes() and (0.5 if is_known(low) else 1)
        elif low in closed_classes() or (word[0].islower() and _is_english_word(low)):
            english += 1
        elif word[0].islower():
            unknown += 1
        elif index == 0 and _is_english_word(low):
            english += 0.5
    return english, foreign, unknown


def _is_within_name(words: list[str], index: int) -> bool:
    """Between two capitals, or a capital itself before another: "Ana de la Cruz", "La Paz"."""
    before = any(word[0].isupper() for word in words[max(0, index - 2) : index + 1])
    return before and any(word[0].isupper() for word in words[index + 1 : index + 3])


def _is_english_word(word: str) -> bool:
    low = word.casefold().replace("’", "'")
    if low in closed_classes() or is_known(low) or ("'" in low and is_known(low.partition("'")[0])):
        return True
    return any(low.endswith(ending) and is_known(low.removesuffix(ending) + rest) for ending, rest in _ENDINGS)


def _is_other_script(text: str) -> bool:
    return not text.isascii() and any(c.isalpha() and not _is_latin_letter(c) for c in text)


def _is_latin(word: str) -> bool:
    return word.isascii() or all(_is_latin_letter(character) for character in word if character.isalpha())


@lru_cache(maxsize=4096)
def _is_latin_letter(character: str) -> bool:
    return character.isascii() or unicodedata.name(character, "").startswith(("LATIN", "FULLWIDTH LATIN", "MODIFIER"))


@cache
def _foreign_words() -> tuple[frozenset[str], frozenset[str]]:
    table = read_table("languages")
    words = frozenset(word for line in table["words"].values() for word in line.split())
    return words, frozenset(table["names"]["particles"])
