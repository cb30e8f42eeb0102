"""Which words have to do with each other: one meaning, a kind or a part of it, one stem, opposites.

Every word is looked up once and leaves keys; two words are akin where their keys meet, so that a word finds its kin
among many in one step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from groundwire.text.derivation import is_derived
from groundwire.text.places import gazetteer
from groundwire.text.thesaurus import denied_base, list_above, load_clusters, load_kinds, load_opposites
from groundwire.text.values import Relation, compare

_ENDINGS = ("iages", "iage", "ied", "ies", "ying", "ations", "ation", "ions", "ion", "ment", "ing", "ed", "al", "y")
_SHORTEST = 4


class Keys(NamedTuple):
    """`own` is what a word is found by; `same` and `opposite` are what it looks for."""

    own: frozenset[str]
    same: frozenset[str]
    opposite: frozenset[str]


@lru_cache(maxsize=16384)
def read_keys(word: str) -> Keys:
    meant = {f"same {one}" for one in load_clusters().concepts_of(word)}
    kinds = load_kinds().concepts_of(word)
    above = frozenset[str]().union(*(list_above(one) for one in kinds))
    opposites = load_opposites()
    senses = opposites.concepts_of(word)
    against = frozenset[str]().union(*(opposites.links.get(one, ()) for one in senses))
    base = denied_base(word) or ""
    own = {*meant, *(f"kind {one}" for one in kinds), *(f"below {one}" for one in above)}
    own |= {f"sense {one}" for one in senses} | {f"word {word}", f"denies {base}"}
    same = {*meant, *(f"kind {one}" for one in above), *(f"below {one}" for one in kinds)}
    opposite = {f"sense {one}" for one in against} | {f"denies {word}", f"word {base}"}
    return Keys(frozenset(own), frozenset(same), frozenset(opposite))


@lru_cache(maxsize=65536)
def is_same(left: str, right: str) -> bool:
    """One word or meaning; or one a kind or a part of the other: a cat and pets, Tokyo and Japan."""
    if left == right or not read_keys(left).same.isdisjoint(read_keys(right).own):
        return True
    return _is_built_alike(left, right) or _is_place_in(left, right)


@lru_cache(maxsize=65536)
def is_akin(left: str, right: str) -> bool:
    """The same word or meaning, a kind or a part of it, or its opposite."""
    return is_same(left, right) or not read_keys(left).opposite.isdisjoint(read_keys(right).own)


def _is_built_alike(left: str, right: str) -> bool:
    if left[:_SHORTEST] != right[:_SHORTEST]:
        return False
    return is_derived(left, right) or is_derived(right, left) or _stem(left) == _stem(right)


def _stem(word: str) -> str:
    """A word without one ending, where enough is left of it: married, marriage, marry."""
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= _SHORTEST), "")
    return word.removesuffix(ending) if ending else word


def _is_place_in(left: str, right: str) -> bool:
    nodes = gazetteer().nodes
    if left not in nodes or right not in nodes:
        return False
    return compare(left.title(), right.title()).relation is not Relation.DIFFERENT


class Circle:
    """A few words, of which one may be akin to another."""

    __slots__ = ("_beginnings", "_keys", "_places", "_words")

    def __init__(self, words: frozenset[str]) -> None:
        nodes = gazetteer().nodes
        self._words = words
        self._keys = frozenset[str]().union(*[read_keys(word).own for word in words])
        self._places = [word for word in words if word in nodes]
        self._beginnings = {word[:_SHORTEST] for word in words}

    def has_kin(self, word: str) -> bool:
        """Whether `is_akin` holds of the word and one of these."""
        keys = read_keys(word)
        if word in self._words or not (keys.same.isdisjoint(self._keys) and keys.opposite.isdisjoint(self._keys)):
            return True
        if word[:_SHORTEST] in self._beginnings and any(_is_built_alike(word, other) for other in self._words):
            return True
        return bool(self._places) and any(_is_place_in(word, other) for other in self._places)


@lru_cache(maxsize=8192)
def draw_circle(words: frozenset[str]) -> Circle:
    return Circle(words)


class Vocabulary:
    """Words, each found by those that are akin to it."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_key: dict[str, set[str]] = defaultdict(set)
        self._by_beginning: dict[str, set[str]] = defaultdict(set)
        self._places: set[str] = set()
        nodes = gazetteer().nodes
        for word in words:
            for key in read_keys(word).own:
                self._by_key[key].add(word)
            self._by_beginning[word[:_SHORTEST]].add(word)
            if word in nodes:
                self._places.add(word)

    def find_akin(self, word: str) -> set[str]:
        keys = read_keys(word)
        found: set[str] = set()
        for key in keys.same | keys.opposite:
            found |= self._by_key.get(key, set())
        alike = self._by_beginning.get(word[:_SHORTEST], set())
        found |= {other for other in alike if other == word or _is_built_alike(word, other)}
        if word in gazetteer().nodes:
            found |= {other for other in self._places if _is_place_in(word, other)}
        return found
