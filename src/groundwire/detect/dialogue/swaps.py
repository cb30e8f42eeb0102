"""Somebody or something of the user's taken for another: "your daughter", where only a son was ever spoken of.

That somebody has a son says nothing of a daughter, and no judge refutes the one by the other. It is a mistake because
the answer speaks of one who was never mentioned, in the place of one who was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from groundwire.text.lexicon import noun_lemma
from groundwire.text.numerals import numerals
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import is_kind_of, same_meaning

_OWNS = re.compile(r"(?:You|We) have (?P<many>an?|[a-z]+|\d{1,3}) (?P<thing>[a-z][a-z -]{1,30})")
_WORD = re.compile(r"[a-z]+")
_MOST_TURNS = 20


def are_swapped(said: str, prior: str, turns: Sequence[str]) -> bool:
    """Whether what the answer takes the user to have stands in the place of what the user told to have."""
    mine, theirs = _OWNS.fullmatch(said.strip(" .")), _OWNS.fullmatch(prior.strip(" ."))
    if mine is None or theirs is None or _count(mine["many"]) != _count(theirs["many"]):
        return False
    one, other = (noun_lemma(match["thing"].split()[-1]) for match in (mine, theirs))
    if not _are_rivals(one, other):
        return False
    return not any(_mentions(one, word) for turn in turns[-_MOST_TURNS:] for word in _words(turn))


def _count(word: str) -> int:
    return 1 if word in ("a", "an") else int(word) if word.isdigit() else numerals().units.get(word, 0)


@lru_cache(maxsize=4096)
def _are_rivals(one: str, other: str) -> bool:
    """Two of one family, or two animals; whoever has a mother has a father as well."""
    if one == other or same_meaning(one, other):
        return False
    if frozenset((one, other)) in _pairs():
        return True
    animals = all(is_kind_of(word, "animal") for word in (one, other))
    return animals and not is_kind_of(one, other) and not is_kind_of(other, one)


@cache
def _pairs() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in read_table("prior", "detect")["swaps"]["pairs"])


@lru_cache(maxsize=512)
def _words(turn: str) -> frozenset[str]:
    return frozenset(noun_lemma(word) for word in _WORD.findall(turn.casefold()))


def _mentions(thing: str, word: str) -> bool:
    """The thing itself, or something that it may be: "my children" may be daughters."""
    if word in read_table("prior", "detect")["swaps"]["loosely"].get(thing, ()):
        return True
    return word == thing or (len(word) > 2 and (same_meaning(word, thing) or is_kind_of(thing, word)))
