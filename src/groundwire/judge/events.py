"""Whether two statements tell of one event, and whether their times leave room for each other."""

from __future__ import annotations

from groundwire.judge.arguments import are_apart, relate_arguments
from groundwire.judge.predicates import relate_predicates, verbs
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.values import Relation


def tells_same_event(claim: Proposition, evidence: Proposition) -> bool:
    """The same is said of the same thing, whether it does it or has it done: "the law passed", "the law was passed"."""
    mine, theirs = claim.subject_lemmas, evidence.subject_lemmas
    same = claim.subject == evidence.subject or (bool(mine) and mine == theirs)
    return same and relate_predicates(claim, evidence) is False


def find_times_apart(claim: Proposition, evidence: Proposition) -> tuple[Argument, Argument] | None:
    """A time of the claim with the one of the evidence in its place, if no time of the evidence agrees with it."""
    theirs = [a for a in evidence.arguments if a.is_time]
    for mine in [a for a in claim.arguments if a.is_time]:
        apart = [other for other in theirs if are_apart(mine, other)]
        relations = {relate_arguments(mine, other) for other in theirs}
        if apart and relations.isdisjoint((Relation.EQUAL, Relation.GENERALISES)):
            return mine, apart[0]
    return None


def happens_once(claim: Proposition) -> bool:
    """Whether one time leaves no room for another: a house is built once, and a cup won every year."""
    return claim.predicate in verbs("functional") or claim.predicate in verbs("once")
