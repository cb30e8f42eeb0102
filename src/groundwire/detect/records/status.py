"""States: whether a thing can be as the answer says while the record has it otherwise."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

from groundwire.text.lexicon import readings, verb_lemma
from groundwire.text.tables import read_table

_RUN = re.compile(r"\w+")
_CONTRACTED = re.compile(r"n['’]t\b")
_AT_HEAD = re.compile(r" (?:on|today|tomorrow|this|next)\b")
""" "free on Friday": the state, and when it is so."""
_DEED = re.compile(r"(?P<not>not(?: yet)? |never |un(?=[a-z]{3,}ed))?(?P<done>[a-z]+(?:ed|en|id|ld|nt|wn|ne|ut))")
""" "not yet signed", "unsigned", "signed": what was done or not."""
_UNREAL = frozenset(
    "will would can could may might must should shall if once until unless when after before to".split()  # noqa: SIM905
)
_WAS = re.compile(r"\b(?:was|were)\b", re.IGNORECASE)
_DENYING = frozenset("not never no nobody none without neither nor yet".split())  # noqa: SIM905
_REACH = 4
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


@cache
def _stages() -> frozenset[tuple[str, str]]:
    return frozenset((one, other) for one, other in read_table("status", "detect")["stages"]["pairs"])


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
    word = _words().get(_AT_HEAD.split(text.strip().casefold(), maxsplit=1)[0])
    return read_states(text) | frozenset([word] if word else [])


@cache
def _words() -> dict[str, str]:
    return read_table("status", "detect")["words"]


def exclude_each_other(said: str, stored: str) -> bool:
    """Whether the two cannot both be so; a denial of the stored state excludes it as well."""
    if _turns_deed(said, stored):
        return True
    mine, denied = _read(said)
    theirs = _read_stored(stored)
    if not mine or not theirs:
        return False
    if _is_denied(stored):
        return not denied and bool(mine & theirs) and _UNREAL.isdisjoint(_RUN.findall(said.casefold()))
    if denied:
        return bool(mine & theirs)
    if _WAS.search(said) and any((m, t) in _stages() for m in mine for t in theirs):
        return False
    return not mine & theirs and any(frozenset({m, t}) in _exclusions() for m in mine for t in theirs)


def _is_past(word: str) -> bool:
    return any(tag in ("VBN", "VBD") for tag, _ in readings(word))


@lru_cache(maxsize=4096)
def _turns_deed(said: str, stored: str) -> bool:
    """ "Has already signed", where it is "not yet signed"; and the other way round."""
    match = _DEED.fullmatch(stored.strip().casefold())
    verb = verb_lemma(match["done"]) if match is not None and _is_past(match["done"]) else None
    if match is None or verb is None:
        return False
    words = _RUN.findall(_CONTRACTED.sub(" not", said.casefold()))
    done = [k for k, word in enumerate(words) if verb_lemma(word) == verb and _is_past(word)]
    if not done or not _UNREAL.isdisjoint(words):
        return False
    denied = [not _DENYING.isdisjoint(words[max(0, k - _REACH) : k]) for k in done]
    return all(is_denied is not bool(match["not"]) for is_denied in denied)


def agree(said: str, stored: str) -> bool:
    """One state in two wordings; what is not approved may well be pending."""
    mine, denied = _read(said)
    theirs = _read_stored(stored)
    if _is_denied(stored):
        return denied and bool(mine & theirs)
    if denied:
        return not mine & theirs and any(frozenset({m, t}) in _exclusions() for m in mine for t in theirs)
    return bool(mine & theirs)


def _is_denied(stored: str) -> bool:
    """ "not yet approved"; a phrase that names a state denies nothing."""
    return _read(stored)[1]
