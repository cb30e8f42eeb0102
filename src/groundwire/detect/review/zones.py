"""Journeys across time zones: the clocks at both ends do not tell how long they take."""

from __future__ import annotations

import re

from groundwire.detect.examination import Examination
from groundwire.types.detection import HallucinationFlag

_ZONES = re.compile(
    r"\b(?:date ?line|time ?zones?|time differences?|(?:at|in) local time|local times?|jet ?lag|hours? (?:ahead|behind)"
    r"|(?:clocks?|watch(?:es)?) (?:go(?:es)?|must be|is|are)?\s?(?:put |set |turned )?(?:back|forward)"
    r"|(?:gain(?:s|ed)?|los(?:e|es|t)) (?:an|a|one|two|three|\d+) (?:hours?|days?)"
    r"|(?:summer|daylight[- ]saving) time)\b",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"\b(?:hours?|minutes?|days?|nights?)\b", re.IGNORECASE)
_ARRIVES = re.compile(
    r"\b(?:land|lands|arrive|arrives|reach|reaches|arrival|get (?:to|in)|gets (?:to|in)|touch(?:es)? down)\b"
)


def crosses_zones(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether a length, or an arrival before the departure, is flagged in an answer that tells of other clocks."""
    if _ZONES.search(examined.text) is None:
        return False
    return _LENGTH.search(flag.content) is not None or _ARRIVES.search(flag.content.casefold()) is not None
