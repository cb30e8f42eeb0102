"""Both values at once: "I have two gate codes on file, 4471 and 9902", "unclear whether Nokia or Ericsson".

A sentence that names the values of a contradiction side by side, and says that both are recorded or that it is not
known which holds, hides nothing. It may say nothing else: a word that is neither a value, nor of the slot, nor about
records could be news, and then the sentence vouches for nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

from groundwire.text import lexicon
from groundwire.text.catalogue import load_catalogue
from groundwire.text.function_words import closed_classes
from groundwire.text.reading import Reading
from groundwire.text.tables import read_table
from groundwire.types import ContradictionDetail, ContradictionType, Span
from groundwire.verify.changes import find_mentions, names_any

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
_JOINED = re.compile(r"(?:n['’]t|['’](?:ve|s|re|m|d|ll))\b")
_MOST_LETTERS = 300


def find_both_told(reading: Reading, contradiction: ContradictionDetail) -> Iterator[Span]:
    """The sentences that lay both values open and say nothing else."""
    values = contradiction.values
    if contradiction.contradiction_type is not ContradictionType.INCOMPATIBLE_VALUES or len(set(values)) < 2:
        return
    if not names_any(reading.text, values):
        return
    for span in sorted({read.sentence for read in reading.claims}):
        text = reading.text[span.start : span.end]
        if len(text) <= _MOST_LETTERS and _lays_open(text, contradiction):
            yield span


def _lays_open(text: str, contradiction: ContradictionDetail) -> bool:
    named = [(found.start(), found.end()) for value in dict.fromkeys(contradiction.values)
             if (found := next(find_mentions(text, value), None)) is not None]  # fmt: skip
    if len(named) < 2:
        return False
    rest = list(text.lower())
    for start, end in named:
        rest[start:end] = " " * (end - start)
    words = _WORD.findall(_JOINED.sub("", "".join(rest)))
    if not _says_that_two_differ(words):
        return False  # "at Nokia or Ericsson" alone does not say that two records disagree
    known = _table("words") | words_of(contradiction.slot_type, contradiction.subject)
    return all(word in closed_classes() or word in known or _base(word) in known for word in words)


def _says_that_two_differ(words: Sequence[str]) -> bool:
    signs = _table("signs").intersection(words)
    if signs <= _table("counts"):
        told = {*words, *map(_base, words)}
        return bool(signs) and (not told.isdisjoint(_table("told")) or {"i", "have"} <= told)
    return True


@lru_cache(maxsize=4096)
def _base(word: str) -> str:
    noun = lexicon.noun_lemma(word)
    return noun if noun != word else lexicon.verb_lemma(word) or word


@lru_cache(maxsize=256)
def words_of(slot: str, subject: str) -> frozenset[str]:
    """The words of the slot, its frames and its subject."""
    nouns = [noun for noun, named in load_catalogue().nouns.items() if named == slot]
    row: dict[str, Any] = read_table("slots").get(slot, {})
    frames: Sequence[str] = [*row.get("states", ()), *row.get("events", ())]
    found = _WORD.findall(" ".join([*nouns, *frames, slot.replace("_", " "), subject]).lower())
    return frozenset({*found, *map(_base, found)})


@cache
def _table(name: str) -> frozenset[str]:
    return frozenset(read_table("disclosure")["both"][name])
