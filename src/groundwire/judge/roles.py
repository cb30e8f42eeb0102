"""Two sides of one relation: whose landlord somebody is is that person's tenant, and not their landlord in turn.

Each side has its words; a claim that names the other side of the same two people in the same order has exchanged them.
The same goes for deeds with two sides: who beat somebody did not lose to them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.judge.findings import Finding
from groundwire.text import lexicon
from groundwire.text.lexicon import noun_lemma
from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text
from groundwire.text.subjects import call_written, name_written
from groundwire.text.tables import read_table
from groundwire.types import Passage, Tense, Verdict

_SURE = 0.9
_WORD = re.compile(r"[a-z]+")
_NAMING = frozenset({"call", "name"})
_MEMBER = re.compile(r"(?:one of|a|an) (?=(?:my|your|our|his|her|their)\b|[A-Z])")
_OF = re.compile(r"(?:the |an? )?(?P<role>[a-z -]+?)s? of (?P<owner>.+)")


class _Tie(NamedTuple):
    """Somebody is of a role to somebody else."""

    who: str
    role: str
    whose: str
    tense: Tense


def find_exchange_of_sides(claim: str, passage: Passage) -> Finding | None:
    """What speaks against a claim whose words are all there: the two have each other's part."""
    for find in (find_exchanged_roles, find_exchanged_deeds):
        found = find(claim, passage)
        if found is not None and found.verdict is Verdict.REFUTED:
            return found
    return None


def find_exchanged_roles(claim: str, passage: Passage) -> Finding | None:
    """Whether the passage tells of the same two people from the other side, or the claim has exchanged the sides."""
    told = _ties_of(passage.text) if _may_tie(claim) else ()
    mine = _tie_of(claim) if told else None
    if mine is None:
        return None
    for theirs in told:
        if mine.tense is not theirs.tense:
            continue
        converse, same = _are_converse(mine.role, theirs.role), mine.role == theirs.role
        turned = (mine.who, mine.whose) == (theirs.whose, theirs.who)
        alike = (mine.who, mine.whose) == (theirs.who, theirs.whose)
        if (converse and turned) or (same and alike):
            return Finding(Verdict.SUPPORTED, _SURE, "same_statement", passage.id, exact=True)
        if (converse and alike) or (same and turned):
            return Finding(
                Verdict.REFUTED, _SURE, "other_value", passage.id, claim_value=mine.role, evidence_value=theirs.role,
                exact=True, exchange=False,
            )  # fmt: skip
    return None


def tells_deed(claim: str) -> bool:
    """Whether it tells of a deed with two sides."""
    return bool(_deeds_of(claim))


def find_exchanged_deeds(claim: str, passage: Passage) -> Finding | None:
    """ "Nina lost to Olga", where Nina beat her: the two have exchanged their parts."""
    mine = _deeds_of(claim)
    if not mine:
        return None
    told = [deed for read in read_text(passage.text).statements for deed in _read_deeds(read.proposition)]
    for one in mine:
        for other in told:
            if (one.number, one.side) != (other.number, not other.side) or not _share_things(one, other):
                continue
            if (one.who, one.whom) == (other.who, other.whom):
                return Finding(
                    Verdict.REFUTED, _SURE, "opposite", passage.id, claim_value=one.verb, evidence_value=other.verb,
                    exact=True, exchange=False,
                )  # fmt: skip
    return None


@lru_cache(maxsize=4096)
def _lemmas_of(claim: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a claim, and the same as verbs."""
    words = frozenset(_WORD.findall(claim.lower()))
    return words, frozenset([lexicon.verb_lemma(word) or word for word in words])


def _may_tie(claim: str) -> bool:
    words, lemmas = _lemmas_of(claim)
    return not (_sides().keys().isdisjoint(words) and _acting().keys().isdisjoint(lemmas))


@lru_cache(maxsize=4096)
def _ties_of(text: str) -> tuple[_Tie, ...]:
    """What a passage says of two people at a time."""
    found = [_read_tie(read.proposition) for read in read_text(text).statements]
    return tuple([tie for tie in found if tie is not None])


@lru_cache(maxsize=4096)
def _tie_of(claim: str) -> _Tie | None:
    """What the claim says of two people; it is asked for with every passage."""
    said = read_text(claim).claims
    return _read_tie(said[0].proposition) if len(said) == 1 else None


@lru_cache(maxsize=4096)
def _deeds_of(claim: str) -> tuple[_Deed, ...]:
    if _deeds().keys().isdisjoint(_lemmas_of(claim)[1]):
        return ()
    said = read_text(claim).claims
    return _read_deeds(said[0].proposition) if len(said) == 1 else ()


class _Deed(NamedTuple):
    who: str
    verb: str
    whom: str
    thing: frozenset[str]
    number: int
    side: bool


def _share_things(mine: _Deed, theirs: _Deed) -> bool:
    return not mine.thing or not theirs.thing or not mine.thing.isdisjoint(theirs.thing)


@lru_cache(maxsize=4096)
def _read_deeds(said: Proposition) -> tuple[_Deed, ...]:
    """What is done to or with whom, for every relation that the verb is a side of."""
    if said.negated or said.modal or said.passive:
        return ()
    found: list[_Deed] = []
    for number, side, preposition in _deeds().get(said.predicate, ()):
        partners = [a for a in said.arguments if a.role == (preposition or "object") and not a.is_time]
        if len(partners) != 1:
            continue
        things = [a for a in said.arguments if a.role == "object" and a is not partners[0]]
        thing = frozenset(lemma for a in things for lemma in a.lemmas)
        who, whom = call_written(said.subject), call_written(partners[0].text)
        found.append(_Deed(who, said.predicate, whom, thing, number, side))
    return tuple(found)


@cache
def _deeds() -> dict[str, tuple[tuple[int, bool, str], ...]]:
    rows: list[tuple[list[str], str, list[str], str]] = read_table("people")["converses"]["deeds"]
    found: dict[str, list[tuple[int, bool, str]]] = {}
    for number, (ones, before, others, behind) in enumerate(rows):
        for side, words, preposition in ((True, ones, before), (False, others, behind)):
            for word in words:
                found.setdefault(word, []).append((number, side, preposition))
    return {word: tuple(sides) for word, sides in found.items()}


def _read_tie(said: Proposition) -> _Tie | None:
    """ "Henrik is my landlord", "my landlord is called Henrik", "Acme is one of our suppliers"."""
    named = [a for a in said.arguments if a.role == "object"]
    role = _acting().get(said.predicate)
    alone = len(named) == 1 and not any(a is not named[0] and not a.is_time for a in said.arguments)
    if role and alone and not (said.negated or said.modal or said.passive):
        return _Tie(call_written(said.subject), role, call_written(named[0].text), said.tense)
    naming = said.predicate == "be" or (said.passive and said.predicate in _NAMING)
    if not naming or said.negated or said.modal or len(named) != 1:
        return None
    thing = _name(named[0].text)
    for who, other in ((said.subject, thing), (thing, said.subject)):
        owner, _, role = other.rpartition("'s ")
        lemma = noun_lemma(role.lower())
        if owner and lemma in _sides():
            return _Tie(call_written(who), lemma, call_written(owner), said.tense)
    return None


def _name(text: str) -> str:
    text = _MEMBER.sub("", text)
    turned = _OF.fullmatch(text)
    return name_written(text) if turned is None else f"{name_written(turned['owner'])}'s {turned['role']}"


def _are_converse(left: str, right: str) -> bool:
    one, two = _sides()[left], _sides()[right]
    return any((relation, not side) in two for relation, side in one)


@cache
def _acting() -> dict[str, str]:
    """Verbs that say what the nouns do: who manages somebody is their manager."""
    return read_table("people")["converses"]["acting"]


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
