"""One whole told in a sentence and its parts in the next: "40 children in total … 25 run, and the other 20 jump"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.detect.amounts.counts import Amount, add_up, may_count, read_amounts, show, show_sum, tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words
from groundwire.text.lexicon import noun_lemma, verb_lemma

_LONGEST = 400
_OTHERS = re.compile(r"\b(?:the|its|their|our|your)\s+(?:other|remaining)\s+$|\bthe\s+rest\s*,\s+$")
_IN_ALL = re.compile(r"(?:\s+[a-z-]+){0,2}?\s*,?\s+(?:in\s+(?:all|total|sum)|altogether|overall)\b")
_THERE = re.compile(r"\bthere\s+(?:are|were)\s+(?:exactly\s+|just\s+)?$|\ba\s+total\s+of\s+$")
_OPEN = re.compile(r"\b(?:about|around|roughly|some|both|also|twice|each|every|per|if|or|more|fewer|new|later)\b")
_BASE = re.compile(r"\s*of\s+(?:the|all|our|its|their|your)\s+(?:[a-z]+\s+)?(?P<noun>[a-z]+)")


def check_others(seen: Sighting, amounts: Sequence[Amount], earlier: Sequence[Sighting]) -> Clash | None:
    """Two parts, the second of them all the others, against a whole that was counted in one of the sentences before."""
    if len(amounts) != 2 or not all(a.is_exact and not a.has_sign for a in amounts) or _OPEN.search(seen.low):
        return None
    one, rest = amounts
    if _OTHERS.search(seen.low[: rest.start]) is None or not one.noun:
        return None
    for other in reversed(earlier):
        wholes = [a for a in read_amounts(other.low) if _is_whole(other, a)] if len(other.low) <= _LONGEST else []
        if len(wholes) != 1 or not wholes[0].is_exact or _OPEN.search(other.low[: wholes[0].end]):
            continue
        if wholes[0].noun != one.noun or one.value >= wholes[0].value or add_up(amounts) == wholes[0].value:
            return None
        evidence = f"{show_sum(amounts)}, not {show(wholes[0].value)}"
        return tell_clash(seen, one.start, len(seen.text.rstrip(". ")), evidence, other.segment.span)
    return None


def _is_whole(seen: Sighting, amount: Amount) -> bool:
    if not amount.noun or amount.has_sign:
        return False
    return _IN_ALL.match(seen.low, amount.end) is not None or _THERE.search(seen.low[: amount.start]) is not None


def check_shares_of_before(seen: Sighting, amounts: Sequence[Amount], previous: Sighting | None) -> Clash | None:
    """ "The lake got 60 percent of the votes. The zoo got 30 percent and the hall 25": shares of the same whole."""
    if previous is None or len(previous.low) > _LONGEST or "%" not in {a.unit for a in amounts}:
        return None
    before = [a for a in read_amounts(previous.low) if a.unit == "%"]
    base = _BASE.match(previous.low, before[-1].end) if len(before) == 1 else None
    if base is None or base["noun"] not in read_words("shared_out", "sums"):
        return None
    shares = [before[0], *amounts]
    if any(a.unit != "%" or not a.is_exact for a in shares) or _BASE.search(seen.low) or add_up(shares) <= 100:
        return None
    if _OPEN.search(seen.low) or _OPEN.search(previous.low) or not _do_the_same(seen, previous):
        return None
    evidence = f"{show_sum(shares)}, not 100"
    return tell_clash(seen, 0, len(seen.text.rstrip(". ")), evidence, previous.segment.span)


def _do_the_same(seen: Sighting, previous: Sighting) -> bool:
    mine, yours = ([group.lemma for group in side.groups] for side in (seen, previous))
    return bool(mine) and mine[0] in yours


_FOR_EACH = re.compile(r"\bfor (?:an?|each|every) ([a-z]+)")


def is_rated(seen: Sighting, earlier: Sequence[Sighting]) -> bool:
    """ "They won 15 and drew 6. With three points for a win and one for a draw …": so many for each of those."""
    each = set(_FOR_EACH.findall(seen.low)) if " for " in seen.low else set[str]()
    before = earlier[-1] if earlier and each else None
    if before is None or not may_count(before.low):
        return False
    return any(word in each or verb_lemma(word) in each or noun_lemma(word) in each for word in before.words)
