"""What is near a place, or outside of it, is not in it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from groundwire.judge.universals import Difference
from groundwire.text.cues import Cued
from groundwire.text.propositions import Argument

_WITHIN = ("in", "inside", "within")
_ROLES = frozenset({*_WITHIN, "at"})
_INSIDE = re.compile(rf"\b(?:{'|'.join(_WITHIN)}) (?:the )?(?P<place>[A-Z][\w’'-]+)")
_NEAR = r"\b(?:near|nearby|close to|outside(?: of)?|north of|south of|east of|west of|beside|around) "
_BESIDE = Cued(re.compile(_NEAR, re.IGNORECASE), "near nearby close outside north south east west beside around")


def find_nearness(claim: str, text: str) -> Difference | None:
    """A place that the claim puts something in, and the evidence always near it."""
    if not _BESIDE.may_match(text):
        return None
    for inside in _INSIDE.finditer(claim):
        if inside["place"] not in text or _BESIDE.search(text) is None:
            continue  # as is usual: no pattern has to be made for the place
        place = re.escape(inside["place"])
        told = len(re.findall(rf"\b{place}\b", text))
        if told and told == len(re.findall(rf"{_NEAR}(?:the )?{place}\b", text, re.IGNORECASE)):
            return "detail_missing", inside["place"], ""
    return None


def is_told_near(argument: Argument, others: Iterable[Argument]) -> bool:
    """The same of what was read: "in Malmö", where one of the others is "near Malmö"."""
    return argument.role in _ROLES and any(a.role == "near" and a.lemmas == argument.lemmas for a in others)
