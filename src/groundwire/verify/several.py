"""Of what there may well be several: two values of it contradict nothing."""

from __future__ import annotations

import re

from groundwire.text.framing import words_for
from groundwire.types import ExtractedFact

_AMONG = re.compile(
    r"\b(?:(?:one|some|two) of (?:my|our|the|his|her|their)"
    r"|(?:an?|another) [a-z]{1,20} of (?:mine|ours|his|hers|theirs))\b",
    re.IGNORECASE,
)
_ANY = re.compile(r"\b(?:an?|another)\s(?:[\w-]+\s){0,3}$")
_NAMED = " named VALUE"


def is_among_several(fact: ExtractedFact, text: str) -> bool:
    """ "One of my doctors", "a friend of mine", "I have a dog called Rex": there may be another."""
    if _AMONG.search(text, fact.span.start, fact.span.end) is not None:
        return True
    if fact.slot_type == "location" and fact.pattern.startswith("have "):
        return _ANY.search(text[fact.span.start : fact.value_span.start].lower()) is not None  # "a flat in Nice"
    if fact.slot_type != "name" or not fact.pattern.endswith(_NAMED):
        return False
    noun = fact.pattern.removesuffix(_NAMED)
    at = text.lower().rfind(noun.lower(), 0, fact.value_span.start)
    return at >= 0 and _ANY.search(text[max(0, at - 60) : at].lower()) is not None


def happens_to_many(fact: ExtractedFact) -> bool:
    """ "The bus stops at the library", and at the station as well."""
    slot = fact.slot_type
    return fact.pattern == "predicate" and not words_for("several").isdisjoint((slot, slot.partition(" ")[0]))
