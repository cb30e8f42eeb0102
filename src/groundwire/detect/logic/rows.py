"""Comparisons and chains that stand in a row: whether they make a circle is reckoned, not judged."""

from __future__ import annotations

import re

from groundwire.detect.sightings import Sighting

_RELATION = re.compile(
    r"\b(?:(?:left|right|north|south|east|west)\s+of|(?:[a-z]{2,}er|more\s+[a-z]+)\s+than|reports?\s+to|depends?\s+on|before|after|ahead\s+of)\b"
)
_ARTICLE = re.compile(r"^(?:the|an?|my|your|our)\s+")


def is_in_a_row(one: Sighting, mine: str, other: Sighting, yours: str) -> bool:
    """Two comparisons of one kind, or the same said of the next in a chain; `mine` and `yours` are the subjects."""
    if any(group.negated for side in (one, other) for group in side.groups):
        return False
    first, last = (_RELATION.search(side.low) for side in (one, other))
    if first is not None and last is not None and first.group() == last.group():
        return True
    return _is_chain(one, _ARTICLE.sub("", mine.lower()), other, _ARTICLE.sub("", yours.lower()))


def _is_chain(one: Sighting, mine: str, other: Sighting, yours: str) -> bool:
    """ "B reports to C, C reports to the board": what is said of the next in a row denies nothing of the first."""
    if not mine or not yours or mine == yours or yours not in one.low or mine in other.low:
        return False
    verbs = [{group.lemma for group in side.groups} for side in (one, other)]
    return bool(verbs[0]) and verbs[0] == verbs[1] and not one.low.startswith(yours)
