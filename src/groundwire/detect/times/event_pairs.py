"""Events of which one comes first, as the tables tell them: pairs, and each two stages of a script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from groundwire.text.tables import read_table


class EventPair(NamedTuple):
    first: frozenset[str]
    first_nouns: frozenset[str]
    then: frozenset[str]
    then_nouns: frozenset[str]
    objects: frozenset[str]
    """What the first event may be said of in words of its own: "his first job"."""
    strict: bool
    dated: bool
    undated: bool
    """Only in so many words: who arrives may depart again, or have departed elsewhere before."""
    apart: bool
    """Each event has a place of its own: one leaves Oslo and lands in Doha."""


@cache
def event_pairs() -> tuple[EventPair, ...]:
    rows = read_table("event_pairs", "detect")["pairs"]
    sets = ("first", "first_nouns", "then", "then_nouns", "objects")
    found: list[EventPair] = []
    for row in rows:
        first, first_nouns, then, then_nouns, objects = (frozenset[str](row.get(name, ())) for name in sets)
        flags = (bool(row.get(name)) for name in ("strict", "dated", "undated", "apart"))
        found.append(EventPair(first, first_nouns, then, then_nouns, objects, *flags))
    return (*found, *_staged_pairs())


def _staged_pairs() -> Iterator[EventPair]:
    """Each two stages of a script; their dates are compared elsewhere."""
    for script in read_table("scripts", "detect")["scripts"]:
        stages = [
            (
                frozenset(w for w in stage if not w.startswith("the ")),
                frozenset(w[4:] for w in stage if w.startswith("the ")),
            )
            for stage in script["stages"]
        ]
        for k, (first, first_nouns) in enumerate(stages):
            for then, then_nouns in stages[k + 1 :]:
                nothing = frozenset[str]()
                yield EventPair(first, first_nouns, then, then_nouns, nothing, False, False, True, False)


@cache
def event_words() -> frozenset[str]:
    ends: list[str] = read_table("event_pairs", "detect")["life"]["ends"]
    return frozenset(ends).union(*(pair.first | pair.then for pair in event_pairs()))


def pairs_among(verbs: set[str]) -> Iterator[EventPair]:
    """The pairs of which both events are among the verbs."""
    return (p for p in event_pairs() if not (verbs.isdisjoint(p.first) or verbs.isdisjoint(p.then)))


@cache
def pairs_by_first() -> tuple[Mapping[str, Sequence[EventPair]], Mapping[str, Sequence[EventPair]]]:
    """The pairs by the verb and by the noun of their first event, in the order of the table."""
    by_verb: dict[str, list[EventPair]] = defaultdict(list)
    by_noun: dict[str, list[EventPair]] = defaultdict(list)
    for pair in event_pairs():
        for verb in pair.first:
            by_verb[verb].append(pair)
        for noun in pair.first_nouns:
            by_noun[noun].append(pair)
    return by_verb, by_noun


@cache
def event_nouns() -> frozenset[str]:
    return frozenset[str]().union(*(pair.first_nouns | pair.then_nouns for pair in event_pairs()))


@cache
def life_words(name: str) -> frozenset[str]:
    """The verbs of the table of lives under one heading."""
    words: list[str] = read_table("event_pairs", "detect")["life"][name]
    return frozenset(words)
