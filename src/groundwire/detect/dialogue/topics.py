"""What a statement is about: its nouns with their modifiers, its verbs, and whom it concerns.

A cosine of short statements measures their wording; whether two of them answer the same question is told better by the
things and persons that they share.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.detect.dialogue.kindred import draw_circle, is_same
from groundwire.detect.dialogue.stated_values import PEOPLE, find_values
from groundwire.evidence.speakers import FIRST, SECOND
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.text.thesaurus import concept

_LONGEST = 1_200
_EMPTY = frozenset({"own", "whole", "same", "very", "entire", "actual", "good", "great", "nice", "current", "upcoming"})
_OTHERS = frozenset({"next", "other", "another", "second", "third", "following", "different"})
"""What sets a thing off from the one spoken of before."""
_OURS = frozenset({"we", "our", "us", "ours"})


class Topic(NamedTuple):
    """Content words by lemma; a noun keeps the words in front of it."""

    nouns: Mapping[str, frozenset[frozenset[str]]]
    """Each with the words in front of it, once for every mention."""
    verbs: frozenset[str]
    qualities: frozenset[str]
    persons: frozenset[str]
    """`user`, `assistant`."""
    counted: frozenset[str]
    """Nouns that only say what is counted: "six guests"."""
    introduced: frozenset[str]
    """Nouns with "a" or "another": something not spoken of before."""
    words: frozenset[str]
    """Nouns, verbs and qualities."""
    telling: frozenset[str]
    """Those that not every statement has."""


@cache
def common_words() -> frozenset[str]:
    """Words so common that sharing them relates nothing."""
    return frozenset(read_table("prior", "detect")["common"]["words"])


@lru_cache(maxsize=8192)
def read_topic(text: str) -> Topic:
    """The topic of one statement in the voice of the answer."""
    tokens, letters = share_tags(text[:_LONGEST])
    nouns: dict[str, frozenset[frozenset[str]]] = {}
    persons: set[str] = set()
    introduced: set[str] = set()
    values = find_values(text[:_LONGEST])
    valued = [value.span for value in values]
    counted = frozenset(v.kind.partition(":")[2] for v in values if v.kind.startswith(("count:", "rank:")))
    for i, token in enumerate(tokens):
        if valued and any(span.start <= token.start < span.end for span in valued):
            continue
        if token.low in FIRST:
            persons.add("assistant")
        elif token.low in SECOND or token.low in _OURS:
            persons.add("user")
        elif letters[i] in "NP@":
            start = i
            while start and letters[start - 1] in "NPJ#" and tokens[start].is_apart:
                start -= 1
            lemma = noun_lemma(token.low)
            before = {t.lemma for t in tokens[start:i] if t.tag != "#" and not t.low[0].isdigit()}
            if start and tokens[start - 1].low in _OTHERS:
                before.add(tokens[start - 1].low)
            before |= {t.low for t in tokens[start:i] if t.low in _OTHERS}
            nouns[lemma] = nouns.get(lemma, frozenset()) | {frozenset(before)}
            if start and tokens[start - 1].low in ("a", "an", "another"):
                introduced.add(lemma)
    common = common_words()
    verbs = frozenset([t.lemma for t in tokens if t.tag in "VBEG"]) - common
    qualities = frozenset([t.lemma for t in tokens if t.tag == "J"]) - common
    words = verbs.union(nouns, qualities)
    return Topic(nouns, verbs, qualities, frozenset(persons), counted, frozenset(introduced), words, words - common)


def share(left: Topic, right: Topic) -> tuple[frozenset[str], bool]:
    """The words of `left` that `right` has as well, in the same sense; and whether they speak of different things.

    "The blue room" and "the green room" share a noun and are two rooms all the same.
    """
    circle = draw_circle(right.words)
    found = {word for word in left.telling if circle.has_kin(word) and not _is_counted(word, left.counted)}
    apart = together = False
    for noun, mentions in left.nouns.items():
        for other, others in right.nouns.items():
            if is_same(noun, other) and not _is_counted(noun, left.counted | right.counted):
                differ = all(_differ(m - {other}, o - {noun}) for m in mentions for o in others)
                apart, together = apart or differ, together or not differ
                if differ:
                    found.discard(noun)
    return frozenset(found), apart and not together


def _differ(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether the words in front of a noun tell one thing from another."""
    mine, theirs = mine - _EMPTY, theirs - _EMPTY
    apart = bool(mine and theirs) and not any(is_same(one, other) for one in mine for other in theirs)
    return apart or bool((mine & _OTHERS) - theirs)


def _is_counted(noun: str, counted: frozenset[str]) -> bool:
    return bool(counted) and (noun in counted or concept(noun) in counted or (noun in PEOPLE and "people" in counted))


def count_words(topic: Topic) -> int:
    return len(topic.telling)
