"""Clauses that tell when: "before it was paid", "when smoke is detected", "until the audit ends"."""

from __future__ import annotations

from functools import cache

from groundwire.text.clefts import Clause, Role
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.types import Tense


@cache
def _markers(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["timing"][kind])


def find_timing(clause: Clause, clauses: list[Clause], tokens: list[Token]) -> list[Token]:
    """The words of the clause that tells when this one is so; none where it tells of itself alone."""
    if len(clauses) == 1:
        return []
    for other in clauses:
        if _tells_when(other, tokens) and find_main(other, clauses) is clause:
            marker, *rest = tokens[_find_marker(other, tokens) : other.end]
            if marker.text[0].isupper():
                small = Token(marker.low, marker.start, marker.end)
                small.tag, small.lemma, marker = marker.tag, marker.lemma, small
            return [marker, *rest] if rest else []
    return []


def is_recurring(clause: Clause, clauses: list[Clause], tokens: list[Token]) -> bool:
    """ "The alarm rings when smoke is detected" does not say that any is: it is told with what it brings about."""
    if not _tells_when(clause, tokens) or clause.verb.tense is Tense.PAST or clause.verb.perfect:
        return False
    marker = tokens[_find_marker(clause, tokens)].low
    return marker in _markers("recurring") and find_main(clause, clauses) is not None


def find_main(timing: Clause, clauses: list[Clause]) -> Clause | None:
    """The clause that another tells the time of: the one before it, or, where it comes first, the one behind."""
    at = next(i for i, clause in enumerate(clauses) if clause is timing)
    if at:
        return clauses[at - 1] if clauses[at - 1].role is not Role.CONDITIONAL else None
    return clauses[1] if len(clauses) > 1 and clauses[1].role is Role.MAIN else None


def _tells_when(clause: Clause, tokens: list[Token]) -> bool:
    if clause.role is not Role.SUBORDINATE:
        return False
    at = _find_marker(clause, tokens)
    marker = tokens[at].low
    if marker == "while" and (at == 0 or tokens[at - 1].tag == ","):
        return False  # "Ana is in Rome, while Ben is in Oslo": no time, but a contrast
    return marker in _markers("all")


def _find_marker(clause: Clause, tokens: list[Token]) -> int:
    return clause.start + (tokens[clause.start].tag == "," and clause.start + 1 < len(tokens))
