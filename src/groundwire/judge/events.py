"""Whether two statements tell of one event, and whether their times leave room for each other."""

from __future__ import annotations

from groundwire.judge.arguments import are_apart, relate_arguments
from groundwire.judge.predicates import relate_predicates, verbs
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.subjects import USER
from groundwire.text.values import Relation
from groundwire.types import Tense


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


_SCHEDULED = frozenset({"leave", "depart", "start", "begin"})


def as_scheduled(said: Proposition, other: Proposition) -> Proposition:
    """ "The flight leaves at six" is "the flight is at six", as far as nothing but times is told of either."""
    timed = bool(said.arguments) and all(a.is_time and a.role in ("at", "on") for a in said.arguments)
    if said.predicate not in _SCHEDULED or not timed or said.subject == USER or said.passive:
        return said
    if not all(a.is_time for a in other.arguments) or said.tense is Tense.PAST:
        return said
    return said._replace(predicate="be", lemmas=said.lemmas - {said.predicate})


_MOVING = frozenset({"move", "reschedule", "postpone", "push", "shift", "bring", "put", "delay", "change", "switch"})


def as_moved(said: Proposition) -> Proposition:
    """ "The appointment has been moved to Thursday": so it is on Thursday."""
    if said.predicate not in _MOVING or said.negated or said.modal or said.aspect or said.subject == USER:
        return said
    times = [a for a in said.arguments if a.role == "to" and a.is_time]
    if not times or said.tense is Tense.FUTURE or any(a.role == "object" for a in said.arguments):
        return said
    left = {lemma for a in said.arguments if a not in times for lemma in a.lemmas} | {said.predicate}
    return said._replace(
        predicate="be", passive=False, tense=Tense.PRESENT,
        arguments=tuple(a._replace(role="on") for a in times), lemmas=said.lemmas - left,
    )  # fmt: skip
