"""Kinds and names in one slot: "a dog" is carried by "a golden retriever", "a sister" by "my sister Ana".

A value that says which kind of thing it is ("two cats", "parrot") is compared by its noun; a name has the kind with
which it was introduced. A value of no known kind is neither the one nor the other: nothing follows from it by rule.
"""

from __future__ import annotations

from functools import lru_cache

from groundwire.text.catalogue import load_catalogue
from groundwire.text.lexicon import noun_lemma
from groundwire.text.membership import class_words
from groundwire.text.relations import Relation
from groundwire.text.thesaurus import is_kind_of, same_meaning
from groundwire.text.tokens import is_number_word
from groundwire.types import ExtractedFact

_CLASSES = {"vehicle": "vehicle", "pet": "pet"}
"""Slots whose things are a class of words, each of them a kind."""
_MOST_WORDS = 6


def relate_kinds(claim: ExtractedFact, evidence: ExtractedFact) -> Relation:
    """How two different values of one slot relate when one of them only says the kind."""
    catalogue = load_catalogue()
    mine = catalogue.is_kind_word(claim.slot_type, claim.value)
    theirs = catalogue.is_kind_word(evidence.slot_type, evidence.value)
    if mine is theirs:
        return Relation.DIFFERENT
    if mine:
        return _relate(claim.slot_type, claim.value, evidence)
    return _relate(evidence.slot_type, evidence.value, claim).inverse


def _relate(slot: str, kind: str, other: ExtractedFact) -> Relation:
    """A kind against a value that says more."""
    wanted = noun_lemma(kind)
    known = _known_kinds(other)
    if any(is_a(noun, wanted) for noun in known):
        return Relation.GENERALISES
    if wanted == slot and (not known or slot in _CLASSES):
        return Relation.GENERALISES  # whatever stands in the slot of pets is a pet
    return Relation.OVERLAPS


def is_of_another_kind(claim: ExtractedFact, evidence: ExtractedFact) -> bool:
    """Whether the claim names a kind, and the evidence something that is known to be of another."""
    if not load_catalogue().is_kind_word(claim.slot_type, claim.value) or not _known_kinds(evidence):
        return False
    return _relate(claim.slot_type, claim.value, evidence) is not Relation.GENERALISES


def _known_kinds(fact: ExtractedFact) -> tuple[str, ...]:
    return _kinds_of(fact.slot_type, fact.value) or _kinds_of(fact.slot_type, introduced_as(fact.pattern))


def is_a(noun: str, kind: str) -> bool:
    """Whether the one noun means the other, or a kind of it."""
    return noun == kind or same_meaning(noun, kind) or is_kind_of(noun, kind) or noun in class_words(kind)


@lru_cache(maxsize=4096)
def _kinds_of(slot: str, value: str) -> tuple[str, ...]:
    """The nouns at the end of a value that say what it is: "two twin brothers" → twin brother, brother."""
    words = value.lower().split()[:_MOST_WORDS]
    while words and (words[0].isdecimal() or is_number_word(words[0])):
        words = words[1:]
    until = next((i for i, word in enumerate(words) if i and word in ("of", "named", "called", "with", "from")), None)
    words = words[:until]
    if not words:
        return ()
    words[-1] = noun_lemma(words[-1])
    endings = [" ".join(words[i:]) for i in range(len(words))]
    return tuple(ending for ending in endings if _is_kind(slot, ending))


def _is_kind(slot: str, noun: str) -> bool:
    """A noun of the slot, or a word of its class of which it is known what it is: a poodle is a dog."""
    nouns = load_catalogue().nouns
    if nouns.get(noun) == slot:
        return True
    placed = slot in _CLASSES and noun in class_words(_CLASSES[slot])
    return placed and any(is_a(noun, kind) for kind, place in nouns.items() if place == slot and kind != slot)


def introduced_as(pattern: str) -> str:
    """The noun of "my NOUN is VALUE", "my NOUN VALUE", "NOUN named VALUE"; empty where the name came without."""
    if pattern.startswith("my "):
        return pattern.removeprefix("my ").removesuffix(" VALUE").removesuffix(" is")
    return pattern.removesuffix(" named VALUE") if pattern.endswith(" named VALUE") else ""


def side_of(fact: ExtractedFact) -> str:
    """Which thing of its slot a fact is about, by the noun that introduces it: the dentist, or the accountant."""
    slot = load_catalogue().slots.get(fact.slot_type)
    return slot.side_of(introduced_as(fact.pattern)) if slot is not None and slot.apart else ""


def are_apart(left: ExtractedFact, right: ExtractedFact) -> bool:
    """Whether two facts of one slot are about different things."""
    one, other = side_of(left), side_of(right)
    return bool(one and other) and one != other
