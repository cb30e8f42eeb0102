"""What a clause does to the one inside it or beside it: dates it, denies it, makes it depend on something."""

from __future__ import annotations

from functools import cache

from groundwire.text.clefts import Clause, Role
from groundwire.text.complements import REPLACED, Complement
from groundwire.text.lexicon import readings
from groundwire.text.phrases import is_time
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.verbs import VerbGroup
from groundwire.types import Tense

_TRUE = frozenset({"true", "correct", "right", "accurate", "case", "fact"})
_SCARCELY = frozenset({"hardly", "barely", "scarcely"})


@cache
def _former_words() -> frozenset[str]:
    return frozenset(read_table("fact_words")["former"])


def is_dated(report: Complement) -> bool:
    """ "You said in 2021 that…", "Earlier you said…": what was so then need not be so now."""
    times = [p for modifier in report.modifiers for p in modifier.phrases]
    return any(is_time(p) for p in times) or any(t.low in _former_words() for t in report.adverbs)


def is_conditional(clause: Clause, clauses: list[Clause], tokens: list[Token]) -> bool:
    """ "If I win, I live in Rome" says nothing about where anybody lives; "…; the soup has nuts" says what it says."""
    if len(clauses) == 1:
        return clauses[0].role is Role.CONDITIONAL
    if clause.role is Role.RELATIVE:
        return False
    return any(c is clause or not _is_apart(clause, c, tokens) for c in clauses if c.role is Role.CONDITIONAL)


def _is_apart(clause: Clause, condition: Clause, tokens: list[Token]) -> bool:
    """Whether the condition is one of another clause: behind a semicolon, or joined on by "and" or "but"."""
    if clause.verb.start < condition.verb.start:
        between = tokens[clause.verb.end : condition.verb.start]
        opening = next((i for i, token in enumerate(between) if token.low in _CONDITIONS), len(between))
        joined = opening > 0 and between[opening - 1].tag == "C"
        return joined or any(token.tag == ";" for token in between)
    between = tokens[condition.verb.end : clause.verb.start]
    return any(token.tag == ";" or token.low == "but" for token in between)


_CONDITIONS = frozenset({"if", "unless", "when", "whenever", "once", "provided", "suppose", "supposing"})


def calls_untrue(report: Clause | None, tokens: list[Token]) -> bool:
    """ "It is not true that…": what is inside is denied, where "you did not say that…" leaves it open."""
    if report is None or report.verb.lemma != "be" or not is_denying(report, tokens):
        return False
    return any(token.low in _TRUE for token in tokens[report.verb.end : report.end])


def is_denying(report: Clause, tokens: list[Token]) -> bool:
    """ "is not", "is hardly"; what is not to be forgotten is so."""
    if report.verb.lemma == "forget":
        return False
    return report.verb.negated or any(t.low in _SCARCELY for t in tokens[report.verb.start : report.verb.end + 1])


def acts_on(verb: VerbGroup, complement: Complement) -> bool:
    """ "You taught them to swim", "you drive a Tesla to save fuel": what is done to whom counts, not what for.

    Not so "have a plan to move", "made the decision to quit", whose noun says no more than the verb would.
    """
    if not complement.objects or verb.lemma == "be":
        return False
    return "P" in complement.objects[0].letters or verb.lemma not in _HOLDING


_HOLDING = frozenset({"have", "make", "take"})


@cache
def _subjectless_verbs() -> frozenset[str]:
    return frozenset(read_table("grammar")["subjectless"]["verbs"])


def is_order(tokens: list[Token], letters: str, clause: Clause) -> bool:
    """An imperative: a bare verb with nobody before it, unless "I" was plainly left out."""
    token = tokens[clause.verb.start]
    if clause.subjects or clause.role is not Role.MAIN:
        return False
    verb = tokens[clause.verb.end - 1]
    if token.low in ("let", "please") or token.low == "let's":
        return True
    if token.tag == "M" or (token.tag == "d" and token.lemma == "do" and token.low not in ("do", "don't", "don’t")):
        return False  # "On Mondays guests can swim": somebody is there, though not found
    if token.tag == "d" and clause.verb.negated:
        return True
    if verb.low == "be":
        return True
    after = tokens[clause.verb.end].low if clause.verb.end < len(tokens) else ""
    if verb.lemma in ("enjoy", "love", "like") and after in ("the", "your", "this", "it"):
        return True
    if clause.verb.start == 0 and verb.tag == "V" and _is_always_alike(verb.low):
        return _goes_on_ordering(tokens, letters)
    return verb.tag in "B" and verb.low == verb.lemma and verb.lemma not in _subjectless_verbs()


def _is_always_alike(verb: str) -> bool:
    """ "Put", "set", "cut": the past looks like the order."""
    return {"VBD", "VB"} <= {tag for tag, _ in readings(verb)}


def _goes_on_ordering(tokens: list[Token], letters: str) -> bool:
    """ "… and take a break" would be "took" if it told what was done; nor does anybody tell so of "your" things."""
    found = {tokens[at].low for at in range(1, len(letters)) if letters[at - 1] == "C" and letters[at] in "VB"}
    ordered = any("VBD" not in {tag for tag, _ in readings(word)} for word in found)
    return ordered or any(token.low == "your" for token in tokens)


def is_ordered(tokens: list[Token], letters: str, clause: Clause, clauses: list[Clause]) -> bool:
    """ "Restart it and call me": after an order, a verb without a subject is one too."""
    if clause.order or is_order(tokens, letters, clause):
        return True
    parent = clause.parent
    if clause.role is Role.RELATIVE and parent is not None and parent.order:
        return True
    return not clause.subjects and clauses[0] is not clause and is_order(tokens, letters, clauses[0])


def is_reported(clause: Clause) -> bool:
    """ "You said it was navy": the past of the report, not of what it reports."""
    report = clause.parent
    if clause.role is not Role.EMBEDDED or report is None or report.verb.tense is not Tense.PAST:
        return False
    return not any(is_time(p) for _, p in report.openings) and not is_dated(report.complement)


def is_denied(clause: Clause, tokens: list[Token]) -> bool:
    return clause.role is Role.EMBEDDED and clause.parent is not None and is_denying(clause.parent, tokens)


def take_replaced(clause: Clause) -> tuple[int, int] | None:
    """ "Instead of tea, …": where what is denied stands, which is then no opening any more."""
    found = next(((phrase.start, phrase.end) for how, phrase in clause.openings if how == REPLACED), None)
    if found is not None:
        clause.openings = [(how, phrase) for how, phrase in clause.openings if how != REPLACED]
    return found
