"""A claim with what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from groundwire.detect.sayings import Point
from groundwire.evidence.lookups import Entity
from groundwire.text.reading import ReadClaim
from groundwire.text.tables import read_table
from groundwire.types.memories import Memory

_BY_RULE = 0.95


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

    @property
    def is_judged(self) -> bool:
        """Whether a judge of language alone finds a difference: enough to point at it, too little to take it out."""
        if self.statement is not None:
            return self.confidence < _BY_RULE
        return self.point is None or not self.point.sureness

    @property
    def is_event(self) -> bool:
        if self.point is None or self.point.facet is None:
            return False
        return self.point.facet.entity.type.casefold() in event_types()


@cache
def event_types() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["kinds"]["events"])


@cache
def opinion_words() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["opinions"]["words"])


@cache
def comparing_words() -> frozenset[str]:
    """Words that set one thing against another: what they say is worked out, not stored."""
    return frozenset(read_table("types", "detect")["comparing"]["words"])
