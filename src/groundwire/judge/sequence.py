"""What came first: "shipped before it was paid" against "paid before it was shipped".

Two statements of the same two events agree where both put the same one first, whichever of them is the main clause, and
exclude each other where they do not.
"""

from __future__ import annotations

from groundwire.judge.findings import Finding
from groundwire.judge.predicates import means_same
from groundwire.text.lexicon import verb_lemma
from groundwire.text.propositions import Argument, Proposition
from groundwire.types import Verdict

_MARKERS = frozenset({"before", "after"})


def relate_orders(claim: Proposition, evidence: Proposition) -> Finding | None:
    """Support or refutation where both tell the order of the same two events; None elsewhere."""
    mine = _find_other(claim)
    theirs = _find_other(evidence) if mine is not None else None
    if mine is None or theirs is None or claim.negated or evidence.negated:
        return None
    if claim.subject != evidence.subject and evidence.lemmas.isdisjoint(claim.subject_lemmas):
        return None
    turned = mine.role != theirs.role
    exchanged = _exchange(claim, mine, evidence, theirs)
    if exchanged:
        verdict = Verdict.SUPPORTED if turned else Verdict.REFUTED
    elif turned and claim.subject == evidence.subject and _is_same(claim, mine, evidence, theirs):
        verdict = Verdict.REFUTED
    else:
        return None
    reason = "same_statement" if verdict is Verdict.SUPPORTED else "opposite"
    return Finding(verdict, 0.85, reason, exact=True, exchange=False)


def tells_order(said: Proposition) -> bool:
    """Asked of every pair, so without ceremony."""
    for argument in said.arguments:  # noqa: SIM110
        if argument.role in _MARKERS:
            return True
    return False


def _find_other(said: Proposition) -> Argument | None:
    """The event that another is told to be before or after."""
    told = [a for a in said.arguments if a.role in _MARKERS and not a.is_time and a.lemmas]
    return told[0] if len(told) == 1 else None


def _exchange(claim: Proposition, mine: Argument, evidence: Proposition, theirs: Argument) -> bool:
    """Whether what is the main clause of the one is the other event of the other, and the other way round."""
    if means_same(claim.predicate, evidence.predicate):
        people = claim.subject_lemmas, evidence.subject_lemmas
        if claim.subject == evidence.subject and _cross(claim, mine, evidence, theirs):
            return True  # "worked at ABB before Siemens"
        named = all(people) and set(people[0]) <= set(theirs.lemmas) and set(people[1]) <= set(mine.lemmas)
        return named and people[0] != people[1]
    return _has(theirs, claim.predicate) and _has(mine, evidence.predicate)


def _cross(claim: Proposition, mine: Argument, evidence: Proposition, theirs: Argument) -> bool:
    """Whether what comes second in the one is told of first in the other."""
    ours = {lemma for a in claim.arguments if a is not mine and not a.is_time for lemma in a.lemmas}
    others = {lemma for a in evidence.arguments if a is not theirs and not a.is_time for lemma in a.lemmas}
    return bool(ours and others) and ours <= set(theirs.lemmas) and others <= set(mine.lemmas)


def _is_same(claim: Proposition, mine: Argument, evidence: Proposition, theirs: Argument) -> bool:
    return means_same(claim.predicate, evidence.predicate) and set(mine.lemmas) == set(theirs.lemmas)


def _has(event: Argument, verb: str) -> bool:
    return any(means_same(verb, lemma) or verb_lemma(lemma) == verb for lemma in event.lemmas)
