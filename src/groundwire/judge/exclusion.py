"""How surely two values exclude each other: where one thing can be true, another value refutes."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.judge.arguments import PLACES
from groundwire.judge.comparisons import compares
from groundwire.judge.predicates import verbs
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.thesaurus import are_opposites
from groundwire.text.tokens import number_words
from groundwire.types import Tense


def exclude(
    claim: Proposition, evidence: Proposition, mine: Argument, theirs: Argument, matched: Sequence[Argument]
) -> float:
    """How surely the two values exclude each other; 0 when both can be true, and where one is only compared with."""
    if "than" in (mine.role, theirs.role) or compares(claim):
        return 0.0
    anchored = claim.passive or any(not a.is_time for a in matched)
    if mine.is_time and theirs.is_time:
        if claim.tense is Tense.PAST and all(a.is_time for a in claim.arguments):
            return 0.8
        return 0.85 if anchored or claim.subject != "user" or claim.predicate in verbs("functional") else 0.0
    if has_number(mine) and has_number(theirs) and _head(mine) == _head(theirs):
        return 0.9
    if any(are_opposites(a, b) for a in mine.lemmas for b in theirs.lemmas):
        return 0.88
    if claim.predicate == "be":
        fixed = mine.role != "object" or ((mine.is_name or has_number(mine)) and (theirs.is_name or has_number(theirs)))
        return 0.82 if fixed and claim.subject != "user" else 0.0
    if claim.predicate in verbs("functional"):
        return 0.8
    settled = (
        claim.subject != "user" and claim.predicate in verbs("settled") and mine.role in ("at", "in", "on", "into")
    )
    if mine.role in PLACES and (anchored or settled):
        return 0.75
    if claim.passive and mine.is_name and theirs.is_name and mine.role == theirs.role:
        return 0.75
    if has_number(mine) and has_number(theirs) and not (_head(mine) and _head(theirs)):
        return 0.78
    if mine.role == theirs.role == "object" and _are_of_one_kind(claim, mine, theirs, anchored):
        return 0.75
    return _leave_out(evidence, mine, theirs) or _do_mostly(claim, evidence, mine, theirs)


def _are_of_one_kind(claim: Proposition, mine: Argument, theirs: Argument, anchored: bool) -> bool:
    """ "A window seat on the train to Rome" is no aisle seat on it."""
    qualified = len(mine.lemmas) == len(theirs.lemmas) == 2 and mine.lemmas[-1] == theirs.lemmas[-1]
    return qualified and anchored and claim.predicate not in verbs("additive") and not (mine.is_name or theirs.is_name)


def _do_mostly(claim: Proposition, evidence: Proposition, mine: Argument, theirs: Argument) -> float:
    """Who mostly shoots landscapes does not mostly shoot portraits."""
    same = mine.role == theirs.role and claim.arguments == (mine,) and evidence.arguments == (theirs,)
    both = not _MOSTLY.isdisjoint(claim.adverbs) and not _MOSTLY.isdisjoint(evidence.adverbs)
    return 0.75 if same and both else 0.0


_MOSTLY = frozenset({"mostly", "mainly", "primarily", "chiefly", "predominantly"})


def _leave_out(evidence: Proposition, mine: Argument, theirs: Argument) -> float:
    """ "We only accept cash" excludes cards; with another part beside it, "only" may be said of that."""
    if _ONLY.isdisjoint(evidence.adverbs) or evidence.negated or mine.role != theirs.role or mine.is_time:
        return 0.0
    # "brews coffee only with an AeroPress"
    last = evidence.arguments[-1:] == (theirs,) and len(evidence.arguments) <= 2
    return 0.8 if (evidence.arguments == (theirs,) if mine.role == "object" else last) else 0.0


_ONLY = frozenset({"only", "solely", "exclusively"})


def has_number(argument: Argument) -> bool:
    return any(lemma[:1].isdigit() or lemma[:1] in "$€£¥" for lemma in argument.lemmas) or any(
        lemma in number_words() for lemma in argument.lemmas
    )


def _head(argument: Argument) -> str:
    words = [w for w in argument.lemmas if not w[:1].isdigit() and w not in number_words()]
    return words[-1] if words else ""


def are_of_more(claim: Proposition, evidence: Proposition, mine: Argument) -> bool:
    """ "Five tickets cost 200 euros" against "a ticket costs 40": what is told of several is not told of each."""
    return has_number(mine) and any(map(_is_count, claim.subject_lemmas)) is not any(
        map(_is_count, evidence.subject_lemmas)
    )


def _is_count(lemma: str) -> bool:
    return lemma.isdecimal()
