"""Two sides of one relation: whose landlord somebody is is that person's tenant, and not their landlord in turn.

Each side has its words; a claim that names the other side of the same two people in the same order has exchanged them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.judge.findings import Finding
from groundwire.text.lexicon import noun_lemma
from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text
from groundwire.text.subjects import name_written
from groundwire.text.tables import read_table
from groundwire.types import Passage, Tense, Verdict

_SURE = 0.9
_NAMING = frozenset({"be", "call", "name"})
_MEMBER = re.compile(r"(?:one of|a|an) (?=(?:my|your|our|his|her|their)\b|[A-Z])")
_OF = re.compile(r"(?:the |an? )?(?P<role>[a-z -]+?)s? of (?P<owner>.+)")


class _Tie(NamedTuple):
    """Somebody is of a role to somebody else."""

    who: str
    role: str
    whose: str


def find_exchanged_roles(claim: str, passage: Passage) -> Finding | None:
    """Whether the passage tells of the same two people from the other side, or the claim has exchanged the sides."""
    if _sides().keys().isdisjoint(re.findall(r"[a-z]+", claim.lower())):
        return None
    said = read_text(claim).claims
    mine = _read_tie(said[0].proposition) if len(said) == 1 else None
    if mine is None:
        return None
    for read in read_text(passage.text).statements:
        theirs = _read_tie(read.proposition)
        if theirs is None or not _are_converse(mine.role, theirs.role):
            continue
        if (mine.who, mine.whose) == (theirs.whose, theirs.who):
            return Finding(Verdict.SUPPORTED, _SURE, "same_statement", passage.id, exact=True)
        if (mine.who, mine.whose) == (theirs.who, theirs.whose):
            return Finding(
                Verdict.REFUTED, _SURE, "other_value", passage.id, claim_value=mine.role, evidence_value=theirs.role,
                exact=True, exchange=False,
            )  # fmt: skip
    return None


@lru_cache(maxsize=4096)
def _read_tie(said: Proposition) -> _Tie | None:
    """ "Henrik is my landlord", "my landlord is called Henrik", "Acme is one of our suppliers"."""
    named = [a for a in said.arguments if a.role == "object"]
    if said.predicate not in _NAMING or said.negated or said.modal or said.tense is Tense.PAST or len(named) != 1:
        return None
    thing = _name(named[0].text)
    for who, other in ((said.subject, thing), (thing, said.subject)):
        owner, _, role = other.rpartition("'s ")
        lemma = noun_lemma(role.lower())
        if owner and lemma in _sides():
            return _Tie(who, lemma, owner)
    return None


def _name(text: str) -> str:
    text = _MEMBER.sub("", text)
    turned = _OF.fullmatch(text)
    return name_written(text) if turned is None else f"{name_written(turned['owner'])}'s {turned['role']}"


def _are_converse(left: str, right: str) -> bool:
    one, two = _sides()[left], _sides()[right]
    return any((relation, not side) in two for relation, side in one)


@cache
def _sides() -> dict[str, frozenset[tuple[int, bool]]]:
    """Every word with the relations that it is a side of, and which side it is."""
    relations: list[list[list[str]]] = read_table("people")["converses"]["relations"]
    found: dict[str, set[tuple[int, bool]]] = {}
    for number, (upper, lower) in enumerate(relations):
        for side, words in ((True, upper), (False, lower)):
            for word in words:
                found.setdefault(word, set()).add((number, side))
    return {word: frozenset(sides) for word, sides in found.items()}
