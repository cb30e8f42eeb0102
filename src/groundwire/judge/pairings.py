"""What goes with what: "GitLab for CI and Jira for tickets" does not say that Jira is used for CI.

Each half of such a claim stands in the evidence, in two statements that give each of them to another.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import has_same_role, relate_arguments
from groundwire.judge.predicates import means_same
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.relations import Relation

_NO_ALIASES = Aliases()
FEWEST_PAIRED = 4
"""Parts of one statement that can come in two pairs."""


def find_mispaired(claim: Proposition, evidence: Iterable[Proposition]) -> Argument | None:
    """The part of the claim that the evidence gives to another; None where some statement has both."""
    if len(claim.arguments) < 2 or claim.negated:
        return None
    told = [
        said for said in evidence
        if not said.negated and means_same(claim.predicate, said.predicate) and len(said.arguments) > 1
        and subjects_match(claim.subject, said.subject, _NO_ALIASES)
    ]  # fmt: skip
    if (crossed := next((a for said in told if (a := _find_crossed(claim, said)) is not None), None)) is not None:
        return crossed
    if len(told) < 2:
        return None
    thing, *others = claim.arguments
    for detail in others:
        if any(_has(said, thing) and _has(said, detail) for said in told):
            continue
        mine = any(_has(said, thing) and _has_other(said, detail) for said in told)
        theirs = any(_has(said, detail) and _has_other(said, thing) for said in told)
        if mine and theirs:
            return detail
    return None


def _find_crossed(claim: Proposition, said: Proposition) -> Argument | None:
    """ "Until 2027 for cars and until 2025 for trucks": they come in pairs, and the claim takes one of each."""
    if len(said.arguments) < FEWEST_PAIRED:
        return None
    for one, other in combinations(claim.arguments, 2):
        ones, others = ([a for a in said.arguments if a.role == part.role] for part in (one, other))
        if one.role == other.role or len(ones) < 2 or len(ones) != len(others):
            continue
        mine, theirs = (
            [i for i, a in enumerate(parts) if relate_arguments(part, a) is Relation.EQUAL]
            for part, parts in ((one, ones), (other, others))
        )
        if len(mine) == len(theirs) == 1 and mine != theirs:
            return one if one.is_time else other
    return None


def _has(said: Proposition, part: Argument) -> bool:
    return any(
        has_same_role(part, other) and relate_arguments(part, other) in (Relation.EQUAL, Relation.GENERALISES)
        for other in said.arguments
    )


def _has_other(said: Proposition, part: Argument) -> bool:
    """Something else in the same place, and not this."""
    relations = [relate_arguments(part, other) for other in said.arguments if has_same_role(part, other)]
    return bool(relations) and all(relation is Relation.DIFFERENT for relation in relations)
