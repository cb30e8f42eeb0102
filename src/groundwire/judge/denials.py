"""How far a denial reaches: who never drinks alcohol drinks no wine, and who eats no chicken may eat meat."""

from __future__ import annotations

from groundwire.text.propositions import Argument, Proposition
from groundwire.text.thesaurus import is_kind_of

Difference = tuple[Argument, Argument]
"""A part of a claim, and what the evidence has in its place."""
_ANYTHING = frozenset({"anything", "anyone", "anybody"})


def take_in(
    matched: list[Argument], missing: list[Argument], differing: list[Difference], evidence: Proposition
) -> tuple[list[Argument], list[Argument], list[Difference]]:
    """The parts of a claim sorted anew: what a denial includes is met by it."""
    within = [a for a in (*missing, *(mine for mine, _ in differing)) if _is_within(a, evidence)]
    if not within:
        return matched, missing, differing
    left = [a for a in missing if a not in within]
    return [*matched, *within], left, [pair for pair in differing if pair[0] not in within]


def is_wider(mine: Argument, evidence: Proposition) -> bool:
    """Whether a part of the claim says more than what is denied."""
    others = [a for a in evidence.arguments if a.role == mine.role and a.lemmas] if mine.lemmas else []
    return any(is_kind_of(a.lemmas[-1], mine.lemmas[-1]) for a in others) and all(
        a.lemmas[-1] != mine.lemmas[-1] for a in others
    )


def _is_within(mine: Argument, evidence: Proposition) -> bool:
    others = [a for a in evidence.arguments if a.role == mine.role and not mine.is_time]
    return any(other.text.lower() in _ANYTHING or _is_kind(mine, other) for other in others)


def _is_kind(mine: Argument, other: Argument) -> bool:
    return bool(mine.lemmas) and len(other.lemmas) == 1 and is_kind_of(mine.lemmas[-1], other.lemmas[-1])
