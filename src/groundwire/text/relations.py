"""How one value relates to another, and how two such answers combine."""

from __future__ import annotations

from collections.abc import Set
from enum import StrEnum
from typing import NamedTuple


class Relation(StrEnum):
    """How the left value relates to the right one."""

    EQUAL = "equal"
    REFINES = "refines"
    GENERALISES = "generalises"
    OVERLAPS = "overlaps"
    DIFFERENT = "different"

    @property
    def inverse(self) -> Relation:
        """The same answer, asked the other way round."""
        if self is Relation.REFINES:
            return Relation.GENERALISES
        if self is Relation.GENERALISES:
            return Relation.REFINES
        return self


class Comparison(NamedTuple):
    """A relation and the short reason that a person is shown."""

    relation: Relation
    reason: str


def join(first: Relation, second: Relation) -> Relation:
    """The relation of two compound values whose parts relate as `first` and `second`."""
    if first is second:
        return first
    if Relation.DIFFERENT in (first, second):
        return Relation.DIFFERENT
    if first is Relation.EQUAL:
        return second
    if second is Relation.EQUAL:
        return first
    return Relation.OVERLAPS


def relate_sets(left: Set[int], right: Set[int]) -> Relation:
    """How what one side allows relates to what the other does: the fewer, the more is said."""
    if left == right:
        return Relation.EQUAL
    if left < right:
        return Relation.REFINES
    if left > right:
        return Relation.GENERALISES
    return Relation.OVERLAPS if left & right else Relation.DIFFERENT
