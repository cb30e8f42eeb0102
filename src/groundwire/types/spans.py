"""Where something stands in a text, and how two statements exclude each other: words that all others are made of."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Span(NamedTuple):
    """Half-open `[start, end)` offsets into the original text."""

    start: int
    end: int


class ContradictionType(StrEnum):
    DIRECT_NEGATION = "DirectNegation"
    INCOMPATIBLE_VALUES = "IncompatibleValues"
    TEMPORAL_IMPOSSIBILITY = "TemporalImpossibility"
    LOGICAL_IMPOSSIBILITY = "LogicalImpossibility"
