"""Conditions in front of a statement, or behind it: what holds in one case is compared with what holds in the same.

"If the flag is up, nobody may swim. When the flag is up, members may swim": with the shared condition taken off, the
two statements stand against each other. A condition that is mere politeness ("if you like") is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.detect.logic.parts import cut
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma, verb_lemma

_REACH = 3
_LONGEST = 300
_OPENS = r"(?:if|when|whenever|while|in case|as long as|as soon as|once)"
_LEADING = re.compile(rf"{_OPENS}\s+(?P<case>[^,;:]{{3,80}}),\s+(?:then\s+)?(?=\S)")
_TRAILING = re.compile(rf",?\s+{_OPENS}\s+(?P<case>[^,;:]{{3,80}})$")
_POLITE = re.compile(r"(?:you|they|he|she|we)(?:'d| would)? (?:like|want|wish|prefer|fancy)s?(?: (?:to|it|that))?")
_NEEDY = re.compile(
    r"you(?:'re| are)? (?:need|want|like|prefer|fancy|feel like|have time|in a hurry|hungry|thirsty|tired|looking for"
    r"|get (?:hungry|thirsty|bored))\b[^,;:]*"
)
""" "If you need milk, come by on Sunday": whoever needs none may come all the same, and finds the door open."""
_ORDER = re.compile(r"(?:just |please |simply )?(?P<verb>[a-z]+)\b")
_SOLE = re.compile(
    r"\b(?:only (?:one|way|door|entrance|exit|option|person|the)|the (?:only|sole)|no other|nowhere else|nothing else"
    r"|no alternative|a single)\b"
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_EMPTY = frozenset("the a an is are be it its there then was were has have does do".split())  # noqa: SIM905


class _Case(NamedTuple):
    words: frozenset[str]
    start: int
    end: int
    """Where the statement without its condition begins and ends."""
    is_polite: bool


def without_conditions(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Every sentence; one whose condition was a condition before, or is none, as the statement alone."""
    found: list[Sighting] = []
    cases = [_read(seen) for seen in sightings]
    for place, (seen, case) in enumerate(zip(sightings, cases, strict=True)):
        if case is None:
            found.append(seen)
            continue
        near = range(max(0, place - _REACH), min(len(cases), place + _REACH + 1))
        shared = any(k != place and (other := cases[k]) is not None and other.words == case.words for k in near)
        sole = any(_SOLE.search(other.low) for other in sightings[max(0, place - 2) : place])
        is_free = case.is_polite or (shared and bool(case.words)) or sole
        found.append(cut(seen, case.start, case.end) if is_free else seen)
    return found


def _read(seen: Sighting) -> _Case | None:
    if seen.is_question or len(seen.low) > _LONGEST:
        return None
    end = len(seen.low.rstrip(" .!"))
    if (leading := _LEADING.match(seen.low)) is not None:
        is_free = _is_polite(leading["case"]) or _invites(leading["case"], seen, leading.end())
        return _Case(_content(leading["case"]), leading.end(), len(seen.text), is_free)
    if (trailing := _TRAILING.search(seen.low, 0, end)) is not None:
        return _Case(_content(trailing["case"]), 0, trailing.start(), _is_polite(trailing["case"]))
    return None


def _is_polite(case: str) -> bool:
    return _POLITE.fullmatch(case.strip()) is not None


def _invites(case: str, seen: Sighting, at: int) -> bool:
    """Somebody's need, and what to do about it."""
    order = _ORDER.match(seen.low, at)
    return order is not None and verb_lemma(order["verb"]) == order["verb"] and _NEEDY.fullmatch(case) is not None


def _content(case: str) -> frozenset[str]:
    words = [word for word in _WORD.findall(case) if word not in _EMPTY]
    return frozenset(verb_lemma(word) or noun_lemma(word) for word in words)
