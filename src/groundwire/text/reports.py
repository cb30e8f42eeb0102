"""What a clause does to the one inside it or beside it: dates it, denies it, makes it depend on something."""

from __future__ import annotations

from functools import cache

from groundwire.text.clefts import Clause, Role
from groundwire.text.phrases import Complement, is_time
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token

_TRUE = frozenset({"true", "correct", "right", "accurate", "case", "fact"})
_SCARCELY = frozenset({"hardly", "barely", "scarcely"})


@cache
def _former_words() -> frozenset[str]:
    return frozenset(read_table("fact_words")["former"])


def is_dated(report: Complement) -> bool:
    """ "You said in 2021 that…", "Earlier you said…": what was so then need not be so now."""
    times = [p for modifier in report.modifiers for p in modifier.phrases]
    return any(is_time(p) for p in times) or any(t.low in _former_words() for t in report.adverbs)


def is_conditional(clause: Clause, clauses: list[Clause]) -> bool:
    """ "If I win, I live in Rome" says nothing about where anybody lives."""
    if len(clauses) == 1:
        return clauses[0].role is Role.CONDITIONAL
    return clause.role is not Role.RELATIVE and Role.CONDITIONAL in [c.role for c in clauses]


def calls_untrue(report: Clause | None, tokens: list[Token]) -> bool:
    """ "It is not true that…": what is inside is denied, where "you did not say that…" leaves it open."""
    if report is None or report.verb.lemma != "be" or not is_denying(report, tokens):
        return False
    return any(token.low in _TRUE for token in tokens[report.verb.end : report.end])


def is_denying(report: Clause, tokens: list[Token]) -> bool:
    """ "is not", "is hardly"."""
    return report.verb.negated or any(t.low in _SCARCELY for t in tokens[report.verb.start : report.verb.end + 1])


def has_named_object(complement: Complement) -> bool:
    """ "You drive a Tesla to work": what is done to the Tesla counts, not why."""
    return bool(complement.objects) and "P" in complement.objects[0].letters
