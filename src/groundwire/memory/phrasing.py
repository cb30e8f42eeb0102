"""The words of a text that carry meaning, each with every form it may stand for, so that wordings can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.text import lexicon
from groundwire.text.subjects import is_user_word
from groundwire.text.tables import read_table
from groundwire.text.tagging import tag
from groundwire.text.tokens import Token, tokenize
from groundwire.text.values import key, packaged_aliases

_FUNCTION = frozenset("DSpItCWUn',.:;-()\"Mdbh")
_MOST_WORDS = 4_000


@cache
def _weights(name: str) -> frozenset[str]:
    return frozenset(read_table("testimony", "memory")["weights"][name])


@cache
def words_about(table: str, section: str, name: str) -> frozenset[str]:
    """A list of one of the tables of this room."""
    found: list[str] = read_table(table, "memory")[section][name]
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    forms: frozenset[str]
    start: int
    end: int
    is_number: bool = False
    is_name: bool = False

    def matches(self, other: Word) -> bool:
        if self.is_number or other.is_number:
            return self.is_number and other.is_number and bool(self.forms & other.forms)
        return bool(self.forms & other.forms)


@lru_cache(maxsize=8192)
def content_words(text: str, offset: int = 0) -> tuple[Word, ...]:
    """Content words in order: no articles, pronouns, auxiliaries or words of degree; numbers in one spelling."""
    tokens = tokenize(text, offset)[:_MOST_WORDS]
    tag(tokens)
    found: list[Word] = []
    for token in tokens:
        if token.low in _weights("intensifiers") or not any(c.isalnum() for c in token.text):
            continue
        if token.tag == "R" and token.low not in _weights("frequency"):
            continue
        if (token.tag in _FUNCTION and token.low not in _weights("frequency")) or is_user_word(token):
            continue
        found.extend(_split(token))
    return tuple(found)


def _split(token: Token) -> list[Word]:
    """ "step-by-step" is the same words as "step by step"."""
    if token.tag == "#":
        return [Word(token.text, frozenset(key(token.low).split()), token.start, token.end, is_number=True)]
    pieces = [(m.group(), m.start()) for m in re.finditer(r"[^\s-]+", token.text)]
    if len(pieces) == 1:
        pieces = [(token.text, 0)]
    words: list[Word] = []
    for piece, at in pieces:
        low = piece.lower().strip("'’.")
        if len(pieces) > 1 and low in ("by", "to", "of", "and", "in", "the", "a", "on", "up"):
            continue
        forms = forms_of(low) | ({token.lemma} if len(pieces) == 1 else set[str]())
        if forms & _weights("light"):
            continue
        start = token.start + at
        numeric = low[:1].isdigit()
        words.append(Word(piece, frozenset(forms), start, start + len(piece), numeric, token.tag == "P"))
    return words


@lru_cache(maxsize=16384)
def forms_of(low: str) -> frozenset[str]:
    """Every lemma that a word may have; tags are not sure enough to choose one."""
    spell = packaged_aliases().spell
    found = {low, lexicon.noun_lemma(low), lexicon.verb_lemma(low) or low}
    found |= {lemma for _, lemma in lexicon.readings(low)}
    found.add(_singular(low))
    found |= {form.replace("our", "or") for form in found}  # colour and color; the odd "hor" meets only itself
    return frozenset({spell(form) for form in found} | {form for form in found if form != low} | {spell(low)})


def _singular(low: str) -> str:
    """Without the -s of a noun or verb, for what the dictionary does not know."""
    if len(low) < 4 or not low.endswith("s") or low.endswith(("ss", "us", "is")):
        return low
    if low.endswith("ies"):
        return low[:-3] + "y"
    return low[:-2] if low.endswith(("ches", "shes", "xes", "sses", "zes")) else low[:-1]


def in_order(wanted: Sequence[Word], available: Sequence[Word]) -> tuple[Word, ...]:
    """The words of `available` that say `wanted` in the same order, or nothing."""
    found: list[Word] = []
    at = 0
    for word in wanted:
        while at < len(available) and not word.matches(available[at]):
            at += 1
        if at == len(available):
            return ()
        found.append(available[at])
        at += 1
    return tuple(found)


def missing_from(wanted: Iterable[Word], available: Sequence[Word]) -> list[Word]:
    return [word for word in wanted if not any(word.matches(other) for other in available)]


@lru_cache(maxsize=1024)
def phrase_pattern(phrases: frozenset[str]) -> re.Pattern[str]:
    """Any of the phrases as whole words, whatever the spacing."""
    ordered = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    body = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in ordered)
    return re.compile(rf"(?<![\w'’])(?:{body})(?![\w])", re.IGNORECASE)


def has_phrase(text: str, phrases: frozenset[str]) -> bool:
    return phrase_pattern(phrases).search(text.replace("’", "'")) is not None
