"""States: whether a thing can be as the answer says while the record has it otherwise."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

from groundwire.text.tables import read_table

_RUN = re.compile(r"\w+")
_CONTRACTED = re.compile(r"n['’]t\b")
_DENIAL = re.compile(r"\b(?:not|never|no longer)\b")


@cache
def _states() -> dict[str, list[tuple[int, re.Pattern[str], tuple[str, ...]]]]:
    """The phrases by their first word, each with its rank (longer ones first) and the states that it names."""
    table: dict[str, list[str]] = read_table("status", "detect")["states"]
    meant: dict[str, list[str]] = defaultdict(list)
    for state, found in table.items():
        for phrase in found:
            meant[phrase].append(state)
    by_word: dict[str, list[tuple[int, re.Pattern[str], tuple[str, ...]]]] = defaultdict(list)
    for rank, phrase in enumerate(sorted(meant, key=lambda p: -len(p))):
        pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
        by_word[_RUN.findall(phrase)[0]].append((rank, pattern, tuple(meant[phrase])))
    return by_word


@cache
def _exclusions() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in read_table("status", "detect")["excludes"]["pairs"])


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[frozenset[str], bool]:
    low, found = _CONTRACTED.sub(" not", text.casefold()), set[str]()
    known = _states()
    for _, pattern, states in sorted(
        (one for word in set(_RUN.findall(low)) for one in known.get(word, ())), key=lambda one: one[0]
    ):
        match = pattern.search(low)
        if match is not None:
            found.update(states)
            low = low[: match.start()] + " " * len(match.group()) + low[match.end() :]
    return frozenset(found), _DENIAL.search(low) is not None


def read_states(text: str) -> frozenset[str]:
    """The states that a phrase speaks of; a longer phrase hides the shorter one inside it."""
    return _read(text)[0]


def _read_stored(text: str) -> frozenset[str]:
    word = _words().get(text.strip().casefold())
    return read_states(text) | frozenset([word] if word else [])


@cache
def _words() -> dict[str, str]:
    return read_table("status", "detect")["words"]


def exclude_each_other(said: str, stored: str) -> bool:
    """Whether the two cannot both be so; a denial of the stored state excludes it as well."""
    mine, denied = _read(said)
    theirs = _read_stored(stored)
    if not mine or not theirs:
        return False
    if denied:
        return bool(mine & theirs)
    return not mine & theirs and any(frozenset({m, t}) in _exclusions() for m in mine for t in theirs)


def agree(said: str, stored: str) -> bool:
    """One state in two wordings; what is not approved may well be pending."""
    mine, denied = _read(said)
    theirs = _read_stored(stored)
    if denied:
        return not mine & theirs and any(frozenset({m, t}) in _exclusions() for m in mine for t in theirs)
    return bool(mine & theirs)
