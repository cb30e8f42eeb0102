"""Verbs: which of them say the same, which the opposite, and which only that something is wished for or possible."""

from __future__ import annotations

from functools import cache

from groundwire.text.derivation import is_derived
from groundwire.text.framing import words_for
from groundwire.text.propositions import Proposition
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import are_opposites, same_meaning

_WISHES = frozenset({"want", "plan", "hope", "intend", "aim", "wish", "try", "consider", "dream", "decide", "prepare",
                     "suppose"})  # fmt: skip


@cache
def verbs(name: str) -> frozenset[str]:
    """A list of verbs of grammar.toml."""
    return frozenset(read_table("grammar")[name]["verbs"])


def relate_predicates(claim: Proposition, evidence: Proposition) -> bool | None:
    """True for opposites, False for the same, None when the verbs do not meet."""
    mine, theirs = claim.predicate, evidence.predicate
    if mine == theirs and _is_leave_opposed(claim.aspect, evidence.aspect):
        return True
    if mine == theirs or (mine in verbs("naming") and theirs in verbs("naming")):
        return False
    if mine in verbs("vague") or theirs in verbs("vague"):
        return False if mine in verbs("owning") and theirs in verbs("owning") else None
    if same_meaning(mine, theirs):
        return False
    return True if are_opposites(mine, theirs) else None


def _is_leave_opposed(mine: str, theirs: str) -> bool:
    """ "are allowed to", "are forbidden to"."""
    if not mine or not theirs:
        return False
    given, refused = words_for("leave.given"), words_for("leave.refused")
    left, right = mine.split(" ")[0], theirs.split(" ")[0]
    return (left in given and right in refused) or (left in refused and right in given)


def is_real(claim: Proposition, evidence: Proposition) -> bool:
    """A wish or a possibility does not support a fact."""
    if not (claim.aspect or evidence.aspect or evidence.modal):
        return True
    left, right = claim.aspect.split(" ")[0], evidence.aspect.split(" ")[0]
    if right in _WISHES and not (left == right or same_meaning(left, right)):
        return False
    if left in _WISHES and right not in _WISHES:
        return False
    leave = words_for("leave.given") | words_for("leave.refused")
    if (left in leave) is not (right in leave):
        return False
    return not (evidence.modal in words_for("unreal") and claim.modal not in words_for("unreal"))


def means_same(left: str, right: str) -> bool:
    """One verb in two words, or two words of one stem."""
    return left == right or same_meaning(left, right) or is_derived(left, right)
