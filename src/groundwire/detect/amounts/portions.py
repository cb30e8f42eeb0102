"""Parts of a whole that was counted before: "Of the 40 questions, 25 were right and 20 wrong"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from groundwire.detect.amounts.counts import Amount, add_up, read_amounts, show, show_sum, tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words

JOINS = re.compile(r",|\band\b|\bplus\b")
COUNTED_TWICE = re.compile(r"\b(?:also|both|points?|hours?|euros?|years?|old|times)\b|[$€£:]")
_LONGEST = 1_200
_OF_THE = re.compile(r"^\W*(?:out\s+of|of)\s+(?:(?:the|our|all|its|their|these|those)\s+)?$")
_OF_THIS = re.compile(
    r"^\W*(?:out\s+)?of\s+(?:this|that|it|these|those|them|which)(?:\s+(?:sum|amount|money|total|budget))?,?\s+$"
)
_NOBODY_TWICE = re.compile(
    r",?\s*(?:and\s+|but\s+|with\s+|while\s+)?\b(?:nobody|no\s+one|no\s+[a-z]+|none(?:\s+of\s+them)?|never)\s+(?:[a-z]+\s+){0,2}?"
    r"(?:both|twice|more\s+than\s+one|more\s+than\s+once|two)\b(?:\s+of\s+them)?"
)
_MORE = re.compile(r"\b(?:also|both|again|each|per|percent|another)\b|%")


def check_portion(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """ "Of the 40 questions, 25 were right and 20 wrong"; that nobody does both leaves no other way to read it."""
    if len(amounts) < 3 or not _OF_THE.match(seen.low[: amounts[0].start]):
        return None
    apart = _NOBODY_TWICE.search(seen.low)
    low = seen.low if apart is None else seen.low[: apart.start()] + seen.low[apart.end() :]
    whole, parts = amounts[0], [a for a in amounts[1:] if apart is None or a.end <= apart.start()]
    joined = all(JOINS.search(seen.low[one.end : other.start]) for one, other in pairwise(parts))
    if not joined or any(a.unit == "%" or not a.is_exact for a in amounts) or COUNTED_TWICE.search(low):
        return None
    if len(parts) < 2 or add_up(parts) <= whole.value or (apart is None and _tells_apart(seen, parts)):
        return None
    return tell_clash(seen, parts[0].start, parts[-1].end, f"{show_sum(parts)} of {show(whole.value)}")


def _tells_apart(seen: Sighting, parts: Sequence[Amount]) -> bool:
    """ "12 are vegetarians, 5 eat no gluten and 20 drink wine": each part does its own, and some do both."""
    start = seen.index_at(seen.start + parts[0].start)
    return len({group.lemma for group in seen.groups if group.start >= start}) > 1


def check_part_of_before(seen: Sighting, amounts: Sequence[Amount], previous: Sighting | None) -> Clash | None:
    """ "It costs 900 euros. Of this, 500 goes to the hall, 300 to the band and 250 to drinks": more than there is."""
    if previous is None or len(previous.text) > _LONGEST or len(amounts) < 2:
        return None
    if not _OF_THIS.match(seen.low[: amounts[0].start]) or _MORE.search(seen.low):
        return None
    before = read_amounts(previous.low)
    if len(before) != 1 or not before[0].is_exact or not all(a.is_exact for a in amounts):
        return None
    whole, units = before[0], read_words("units", "sums")
    measured = {a.unit if a.has_sign else a.noun for a in (whole, *amounts) if a.has_sign or a.noun in units}
    joined = all(JOINS.search(seen.low[one.end : other.start]) for one, other in pairwise(amounts))
    if len(measured) > 1 or not joined or add_up(amounts) <= whole.value or _tells_apart(seen, amounts):
        return None
    evidence = f"{show_sum(amounts)} of {show(whole.value)}"
    return tell_clash(seen, amounts[0].start, len(seen.text.rstrip(". ")), evidence, previous.segment.span)
