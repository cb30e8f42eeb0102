"""Whether a sentence speaks of another case than the one before it: another day, another place, other people."""

from __future__ import annotations

import re

from groundwire.detect.dialogue.circumstances import are_apart, are_other_days, read_frames
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma
from groundwire.text.thesaurus import is_kind_of, same_meaning

_ABSOLUTE = frozenset("everywhere always never anywhere nowhere ever whole entire entirely any still".split())  # noqa: SIM905
_ELSEWHEN = re.compile(
    r"\b(?:yesterday|tomorrow|(?:last|next|the\s+previous|the\s+following)\s+(?:week|month|year|night|season|time|day|summer|winter|spring|autumn)|ago)\b"
)
_NEIGHBOUR = re.compile(r"^(?:the|our|its|their)\s+(?:next|neighbouring|adjacent|opposite|previous|former)\s")
_PURPOSE, _TO_DO = re.compile(r"to ([a-z]+)\b[^,]{0,30},"), re.compile(r"\bto ([a-z]+)\W*$")
_WEEK = re.compile(r"\bduring\s+the\s+week\b|\bweekdays?\b")
_WEEKEND = re.compile(r"\b(?:weekends?|(?:satur|sun)days?)\b")


def is_another_case(one: Sighting, other: Sighting) -> bool:
    """What is true in one case need not be so in another; "never" and "everywhere" speak of all of them."""
    if not _ABSOLUTE.isdisjoint(one.words):
        return False
    is_named = any(frame in one.low for frame in read_frames(other.text))
    if (are_apart(other.text, one.text) and not is_named) or are_other_days(other.text, one.text):
        return True
    if _ELSEWHEN.search(other.low) and not _ELSEWHEN.search(one.low):
        return True
    if any(a.search(one.low) and b.search(other.low) for a, b in ((_WEEK, _WEEKEND), (_WEEKEND, _WEEK))):
        return True
    if (purpose := _PURPOSE.match(other.low)) and (known := _TO_DO.search(one.low)) and purpose[1] != known[1]:
        return True  # "You need no account to browse. To check out, you do need one"
    return _NEIGHBOUR.match(other.low) is not None or _is_placed_elsewhere(one, other)


def _is_placed_elsewhere(one: Sighting, other: Sighting) -> bool:
    """ "In the plenary, twelve voted against": a place, or people, of which the first sentence knows nothing."""
    match = re.match(r"[IU]D?S?J*(?P<head>N+),?(?=[DSpNPJ#M])|[IU][DS][JN]*(?P<odd>[JN]),", other.letters)
    if match is None or other.tokens[0].low not in ("in", "at", "for", "during", "among", "on", "inside"):
        return False
    head = noun_lemma(other.tokens[match.end("head" if match["head"] else "odd") - 1].low)
    return head not in {noun_lemma(token.low) for token in one.tokens}


_UNIVERSAL = re.compile(r"(?:all|every|each|none|no|both|any)\b")
_HEAD_ENDS = re.compile(r"\s(?:of|in|at|for|with|on|from|to|by|that|which|who)\s")


def is_no_member(one: str, other: str) -> bool:
    """ "All the windows face north. The balcony door faces south": all of a kind, and another thing."""
    if not _UNIVERSAL.match(one.lower()) or not other.lower().startswith(("the ", "this ", "that ")):
        return False
    kind = _UNIVERSAL.sub("", one.lower(), count=1).removeprefix(" of")
    heads = [_HEAD_ENDS.split(subject, maxsplit=1)[0].split()[-1:] for subject in (kind, other.lower())]
    if not all(heads) or not all(head[0].isalpha() for head in heads) or heads[1][0] in _COUNTED:
        return False
    mine, yours = (noun_lemma(head[0]) for head in heads)
    return mine != yours and not is_kind_of(yours, mine) and not same_meaning(mine, yours)


_COUNTED = frozenset(
    [
        "one",
        "ones",
        "two",
        "three",
        "four",
        "five",
        "six",
        "first",
        "second",
        "third",
        "last",
        "other",
        "others",
        "rest",
        "model",
        "models",
        "version",
        "versions",
        "type",
        "types",
        "kind",
        "kinds",
        "item",
        "items",
        "product",
        "products",
        "variety",
        "edition",
    ]
)
