"""What came first: "shipped before it was paid" against "paid before it was shipped".

Two statements of the same two events agree where both put the same one first, whichever of them is the main clause, and
exclude each other where they do not.
"""

from __future__ import annotations

from groundwire.judge.findings import Finding
from groundwire.judge.predicates import means_same
from groundwire.text.propositions import Proposition
from groundwire.types import Verdict

_MARKERS = frozenset({"before", "after"})

_Order = tuple[frozenset[str], frozenset[str]]
"""The words of what came first, and of what came then."""


def relate_orders(claim: Proposition, evidence: Proposition) -> Finding | None:
    """Support or refutation where both tell the order of the same two events; None elsewhere."""
    mine = _read(claim)
    theirs = _read(evidence) if mine is not None else None
    if mine is None or theirs is None or claim.negated or evidence.negated:
        return None
    if claim.subject != evidence.subject and evidence.lemmas.isdisjoint(claim.subject_lemmas):
        return None
    agreed = _meet(mine[0], theirs[0]) and _meet(mine[1], theirs[1])
    crossed = _meet(mine[0], theirs[1]) and _meet(mine[1], theirs[0])
    if agreed is crossed or (agreed and means_same(claim.predicate, evidence.predicate)):
        return None
    if agreed:
        return Finding(Verdict.SUPPORTED, 0.85, "same_statement", exact=True)
    return Finding(Verdict.REFUTED, 0.85, "opposite", exact=True, exchange=False)


def tells_order(said: Proposition) -> bool:
    return any(argument.role in _MARKERS for argument in said.arguments)


def _read(said: Proposition) -> _Order | None:
    told = [argument for argument in said.arguments if argument.role in _MARKERS and not argument.is_time]
    if len(told) != 1 or not told[0].lemmas:
        return None
    other, main = frozenset(told[0].lemmas), frozenset((said.predicate, *said.subject_lemmas))
    other, main = other - main, main - other
    return (main, other) if told[0].role == "before" else (other, main)


def _meet(one: frozenset[str], other: frozenset[str]) -> bool:
    return any(means_same(left, right) for left in one for right in other)
