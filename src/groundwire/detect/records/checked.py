"""A claim with what is known of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from groundwire.detect.records.acquaintance import PERSONS
from groundwire.detect.records.facets import Facet
from groundwire.detect.records.sayings import Point, Sureness
from groundwire.evidence.lookups import Entity
from groundwire.evidence.meanings import load_meanings
from groundwire.text.lexicon import readings
from groundwire.text.reading import ReadClaim
from groundwire.text.tables import read_table
from groundwire.types.memories import Memory

_LENGTHS = frozenset({"night", "day", "week", "hour", "month"})
_NO_LONGER = re.compile(r"\b(?:no|any) longer\b|\beach (?:day|night|week|month|year|hour|visit|session|time)\b")
_LINKS = frozenset({"of", "the", "a", "an", "for", "and", "in", "at"})


class Standing(StrEnum):
    """How a claim stands to what is known."""

    SUPPORTED = "supported"
    DIFFERS = "differs"
    SILENT = "silent"
    UNKNOWN = "unknown"
    EXEMPT = "exempt"


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim, whom it is about, and what is known of that."""

    read: ReadClaim
    standing: Standing
    subject: str = ""
    entity: Entity | None = None
    point: Point | None = None
    statement: Memory | None = None
    confidence: float = 0.0
    points: tuple[Point, ...] = field(default=())
    is_doubted: bool = False
    """A rule found the difference, and the judge, who reads the whole sentence, does not see it."""
    is_ruled: bool = False
    """Rules and judge refute it by everything that comes near, read together."""

    @property
    def is_unsure(self) -> bool:
        """Whether the difference is enough to point at a sentence and too little to take it out.

        So with a statement, which can hold beside much; with what a judge of language alone finds; with an attribute
        that is only supposed to be meant, or that is somebody else's; with what rule and judge see differently.
        """
        least = Sureness.ALONE if self.is_event else Sureness.HINTED
        if self.is_doubted or self.statement is not None or self.point is None or self.point.sureness < least:
            return True
        facet = self.point.facet
        if facet is None or (self.entity is not None and facet.entity is not self.entity):
            return True
        is_post = "title" in facet.meanings and "department" not in facet.meanings
        return is_post and not _are_of_one_office(self.point.text, facet.best.value)

    @property
    def is_of_fact(self) -> bool:
        """Whether it is a fact that is denied, and no value of an attribute: a relation, a state, what happens when."""
        facet = self.point.facet if self.point is not None else None
        if facet is None:
            return self.statement is not None
        is_state = "status" in facet.meanings and facet.entity.type.casefold() not in PERSONS
        is_happening = self.is_event and _is_part_of_happening(facet)
        return self.statement is not None or is_happening or facet.is_relation or is_state

    @property
    def is_event(self) -> bool:
        if self.point is None or self.point.facet is None:
            return False
        return self.point.facet.entity.type.casefold() in event_types()


def _are_of_one_office(said: str, kept: str) -> bool:
    """ "head of sales" and "head of legal"; a senior partner may well be a vet, and nothing of that is changed."""
    mine, theirs = (set(text.casefold().replace("-", " ").split()) - _LINKS for text in (said, kept))
    return bool(mine & theirs)


@cache
def event_types() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["kinds"]["events"])


@cache
def dealings() -> frozenset[str]:
    """Events that are a record as well: the date of an order is what happens, its carrier an attribute."""
    return frozenset(read_table("types", "detect")["kinds"]["dealings"])


@cache
def _offers() -> frozenset[str]:
    """What comes again and again, with its days and its prices: those are attributes, as those of a product are."""
    return frozenset(read_table("types", "detect")["kinds"]["offers"])


def _is_part_of_happening(facet: Facet) -> bool:
    """When and where it is, and who is there; its price or its seats are attributes like others."""
    kind = facet.entity.type.casefold()
    if kind in _offers() or (facet.kind == "amount" and facet.dimension != "duration"):
        return False
    return kind not in dealings() or _says_when_or_where(facet)


def _says_when_or_where(facet: Facet) -> bool:
    table = load_meanings().by_id
    is_place = any(table[meaning].kind == "place" for meaning in facet.meanings)
    is_when = facet.kind in ("date", "clock", "when") or facet.dimension == "duration"
    return is_when or is_place or not facet.words.isdisjoint(_LENGTHS)


@cache
def opinion_words() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["opinions"]["words"])


@cache
def institutions() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["institutions"]["words"])


def is_comparative(word: str) -> bool:
    found = readings(word.strip(".,;:!?"))
    return bool(found) and found[0][0] in ("JJR", "RBR")


def sets_apart(text: str) -> bool:
    """Whether a text sets one thing against another: what it says is worked out, not stored. What is "no longer" so
    is set against nothing."""
    words = _NO_LONGER.sub(" ", text.casefold()).replace(",", " ").split()
    return not comparing_words().isdisjoint(words)


@cache
def comparing_words() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["comparing"]["words"])
