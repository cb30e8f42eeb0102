"""What is near a place, or outside of it, is not in it."""

from __future__ import annotations

import re

from groundwire.judge.universals import Difference

_INSIDE = re.compile(r"\b(?:in|inside|within) (?:the )?(?P<place>[A-Z][\w’'-]+)")
_BESIDE = (
    r"\b(?:near|nearby|close to|outside(?: of)?|north of|south of|east of|west of|beside|around) (?:the )?{place}\b"
)


def find_nearness(claim: str, text: str) -> Difference | None:
    """A place that the claim puts something in, and the evidence always near it."""
    for inside in _INSIDE.finditer(claim):
        place = re.escape(inside["place"])
        told = len(re.findall(rf"\b{place}\b", text))
        if told and told == len(re.findall(_BESIDE.format(place=place), text, re.IGNORECASE)):
            return "detail_missing", inside["place"], ""
    return None
