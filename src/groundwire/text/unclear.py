"""Clauses whose parts cannot be told apart by their order alone: their sentence is not taken apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.clefts import Clause, Role, is_adverbial

_GIFTS = re.compile("(?:P+|SN+|p)(?:[DS#][JN]*N+)C(?:P+|SN+|p)(?:[DS#][JN]*N+)")
""" "You gave Ana the keys and Bo the car"."""


def is_unclear(clause: Clause, letters: str) -> bool:
    """ "You had soup; Ana, the fish", "Rex is 5, and your cat, Mimi, 3", "the reason you left"."""
    said, behind = clause.complement, letters[clause.verb.end : clause.end]
    if clause.antecedent is not None and clause.role is Role.RELATIVE and not clause.shared_subject:
        placed = [phrase for modifier in said.modifiers for phrase in modifier.phrases]
        if any(described in placed for described, _ in said.appositions):
            return True  # "the man you met at the fair, Ivan, …"
        return is_adverbial(clause.antecedent) and letters[clause.start] != "W"
    if ";" in behind:
        return True
    listed = "," in behind and clause.verb.lemma in ("be", "have")
    return bool(said.second) and (listed or _GIFTS.match(behind) is not None)


def let_go(unclear: Clause, clauses: Sequence[Clause]) -> None:
    """What is said of "the reason you left" is not said of a reason."""
    unclear.adrift = True
    for clause in clauses:
        if clause.subjects and unclear.antecedent and clause.subjects[0].start == unclear.antecedent.start:
            clause.adrift = True
