"""Relatives told apart by a small word: an older brother is not the younger one, whatever he is called."""

from __future__ import annotations

import re

from groundwire.judge.findings import Finding
from groundwire.text.subjects import is_relation
from groundwire.types import Passage, Verdict

_OPEN = 0.8
_OLDER = frozenset({"older", "elder", "eldest", "oldest", "big"})
_YOUNGER = frozenset({"younger", "youngest", "little", "baby", "kid"})
_RANKED = re.compile(rf"\b({'|'.join(sorted(_OLDER | _YOUNGER))}) ([a-z-]+)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<=[a-z,:] )[A-Z]\w+")


def find_other_rank(claim: str, passage: Passage) -> Finding | None:
    """ "My younger brother is called Tom" does not say that the older one is."""
    mine = _find_ranked(claim)
    if len(mine) != 1:
        return None
    ((_, own, relation),) = mine
    told = _find_ranked(passage.text)
    for name in set(_NAME.findall(claim)):
        at = [place.start() for place in re.finditer(rf"\b{re.escape(name)}\b", passage.text)]
        nearest = [_find_own(told, place) for place in at]
        others = [one for one in nearest if one is not None and one[2] == relation]
        if at and len(others) == len(at) and all(one[1] is not own for one in others):
            return Finding(Verdict.INSUFFICIENT, _OPEN, "other_agent", passage.id, claim_value=name)
    return None


def _find_own(told: list[tuple[int, bool, str]], place: int) -> tuple[int, bool, str] | None:
    """The one before a name, else the one behind it."""
    before = [one for one in told if one[0] < place]
    return before[-1] if before else next(iter(told), None)


def _find_ranked(text: str) -> list[tuple[int, bool, str]]:
    """Where each of them stands, whether it is the older one, and what they are."""
    return [
        (found.start(), found[1].lower() in _OLDER, found[2].lower())
        for found in _RANKED.finditer(text)
        if is_relation(found[2].lower())
    ]
