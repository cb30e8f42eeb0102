"""Having: what carries "you have a sister" and "Ben owns a yacht", and what only speaks of sisters and yachts.

A possessive presupposes what it names (JDG-020 from the other side): "my sister Ana lives in Rome" carries the sister.
Somebody who paints a boat, treats headaches or grew up on a farm need have none of them.
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import PLACES, relate_arguments
from groundwire.judge.coverage import only_owns
from groundwire.judge.findings import Finding
from groundwire.judge.kinds import is_a
from groundwire.judge.predicates import verbs
from groundwire.text.belongings import Belonging, find_belongings
from groundwire.text.calendar import small_number
from groundwire.text.derivation import is_derived
from groundwire.text.framing import words_for
from groundwire.text.inflection import plural
from groundwire.text.lexicon import noun_lemma
from groundwire.text.places import gazetteer
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER, names_person
from groundwire.text.thesaurus import same_meaning
from groundwire.text.values import Relation
from groundwire.types import Passage, Tense, Verdict

_WITHHELD = 0.8
_OWNER = re.compile(r"(\w+) ?['’]s\b")
_WORDS = re.compile(r"\w+")
_MOST_WORDS = 3


def find_presupposed(claim: Proposition, passage: Passage, aliases: Aliases) -> Finding | None:
    """Support from a possessive, unless the passage anywhere speaks of the thing as gone or only thought of."""
    wanted = _find_owned(claim)
    if wanted is None or claim.negated or claim.tense is not Tense.PRESENT:
        return None
    named = [b for b in find_belongings(passage.text) if _names(b, claim, wanted, aliases)]
    if not named or not all(b.is_real for b in named):
        return None
    carrying = next((b for b in named if b.described.issuperset(wanted.lemmas[:-1])), None)
    if carrying is None or (_is_plural(wanted) and not carrying.is_plural):
        return None
    return Finding(
        Verdict.SUPPORTED, 0.9, "presupposed", passage.id, exact=True, slot="have", claim_value=wanted.text,
        evidence_value=carrying.noun,
    )  # fmt: skip


def find_kept_place(claim: Proposition, evidence: Proposition, aliases: Aliases) -> Finding | None:
    """ "Keeps a cellar in Beaune" says that the cellar is there, and "has an appointment on Friday" when it is.

    Where a thing was bought it need not be.
    """
    if claim.predicate != "be" or claim.negated or evidence.negated or not claim.arguments:
        return None
    if evidence.predicate not in verbs("kept") or evidence.tense is not Tense.PRESENT or evidence.modal or claim.modal:
        return None
    thing = next((a for a in evidence.arguments if a.role == "object"), None)
    if thing is None or not _is_thing_of(claim, evidence, thing, aliases):
        return None
    relations: list[Relation | None] = []
    for mine in claim.arguments:
        if mine.role not in PLACES:
            return None
        rivals = [a for a in evidence.arguments if a.role == mine.role]
        found = [relate_arguments(mine, a) for a in rivals]
        apart = mine.is_time and found and all(r is Relation.DIFFERENT for r in found)
        if apart:
            return Finding(Verdict.REFUTED, 0.8, "other_value", claim_value=mine.text, evidence_value=rivals[0].text,
                           wrong=mine.span)  # fmt: skip
        relations.append(next((r for r in found if r in (Relation.EQUAL, Relation.GENERALISES)), None))
    return Finding(Verdict.SUPPORTED, 0.85, "same_statement") if None not in relations else None


def _is_thing_of(claim: Proposition, evidence: Proposition, thing: Argument, aliases: Aliases) -> bool:
    """ "your appointment" is the appointment that the user has."""
    owner, _, owned = claim.subject.rpartition("'s ")
    if owner and not subjects_match(owner, evidence.subject, aliases):
        return False
    return subjects_match(owned, thing.text, aliases)


def find_mere_mention(claim: str, passage: Passage) -> Finding | None:
    """The thing is spoken of, but nothing says that anybody has it; or it is said to be gone."""
    aliases = Aliases()
    for read in read_text(claim).claims:
        mine = read.proposition
        if _is_only_met(mine, passage, aliases):
            return Finding(
                Verdict.INSUFFICIENT, _WITHHELD, "only_mentioned", passage.id, claim_value=mine.arguments[0].text
            )  # fmt: skip
        wanted = _find_owned(mine)
        if wanted is None or mine.negated or mine.tense is not Tense.PRESENT or not _is_of_person(mine):
            continue
        noun = wanted.lemmas[-1]
        named = [b for b in find_belongings(passage.text) if _names(b, mine, wanted, aliases)]
        if any(b.is_real for b in named) and not _tells_fewer(wanted, noun, passage.text):
            continue
        statements = [statement.proposition for statement in read_text(passage.text).statements]
        spoken = [statement for statement in statements if _mentions(statement, noun)]
        in_law = not spoken and any(_is_compound(lemma, noun) for one in statements for lemma in one.lemmas)
        anothers = any(b.noun == noun for b in find_belongings(passage.text))  # "Tom's cousin" is nobody else's
        if named or in_law or anothers or (spoken and not any(_gives(statement) for statement in spoken)):
            return Finding(
                Verdict.INSUFFICIENT, _WITHHELD, "only_mentioned", passage.id, claim_value=wanted.text
            )  # fmt: skip
    return None


def _tells_fewer(wanted: Argument, noun: str, text: str) -> bool:
    """Of "two cousins", where only one is spoken of."""
    words = _WORDS.findall(text.lower())
    counts = [small_number(word) or 0 for word in wanted.text.lower().split()]
    return max(counts, default=0) > max(1, words.count(noun)) and plural(noun) not in words


def find_other_owner(claim: str, passage: Passage) -> Finding | None:
    """ "My daughter's teacher is called Marta" does not say that Marta is the daughter."""
    if not any(mark in passage.text for mark in ("'s ", "’s ", " of ")):
        return None
    statements = [read.proposition for read in read_text(passage.text).statements]
    owners = set(_OWNER.findall(claim)) & set(_OWNER.findall(passage.text))
    for read in read_text(claim).claims:
        mine = read.proposition
        if mine.negated or owners or not mine.arguments:
            continue  # what is not so, what both tell of the same owner's, and what says nothing of anybody
        naming = [s for s in statements if mine.names and mine.predicate == "be" and mine.names <= s.lemmas]
        if naming and all(only_owns(mine, statement) for statement in naming):
            return Finding(
                Verdict.INSUFFICIENT, _WITHHELD, "other_agent", passage.id, claim_value=mine.arguments[0].text,
                evidence_value=naming[0].subject_lemmas[-1],
            )  # fmt: skip
    return None


def find_relative(claim: str, passage: Passage) -> Finding | None:
    """ "The bakery is in Graz" says nothing of its owner, nor "my sister is a pilot" of her friend.

    Where the passage speaks of somebody beside the owner, or has a word for what they are to each other, it may.
    """
    if "'s " not in claim and "’s " not in claim and " of " not in claim:
        return None
    for read in read_text(claim).claims:
        owner, _, related = read.proposition.subject.rpartition("'s ")
        head = noun_lemma(related.lower().rpartition(" ")[2])
        if not owner or owner == USER or not names_person(head):
            continue
        statements = [statement.proposition for statement in read_text(passage.text).statements]
        if not statements or any(_tells_relation(head, lemma) for one in statements for lemma in one.lemmas):
            continue
        if all(statement.subject.casefold() == owner.casefold() for statement in statements):
            return Finding(
                Verdict.INSUFFICIENT, _WITHHELD, "other_agent", passage.id, claim_value=related, evidence_value=owner
            )  # fmt: skip
    return None


def _tells_relation(head: str, lemma: str) -> bool:
    return same_meaning(head, lemma) or is_a(lemma, head) or is_a(head, lemma) or is_derived(head, lemma)


def _is_only_met(claim: Proposition, passage: Passage, aliases: Aliases) -> bool:
    """ "Ben married a teacher" and "I live with a nurse" tell of somebody else's trade."""
    if claim.predicate != "be" or claim.negated or not claim.arguments or not _is_of_person(claim):
        return False
    said = claim.arguments[0]
    head = said.text.partition(" of ")[0].rpartition(" ")[2].lower()  # "director of the museum"
    noun = noun_lemma(head) if " of " in said.text else said.lemmas[-1] if said.lemmas else ""
    if said.role != "object" or said.is_name or not noun or not names_person(noun):
        return False
    statements = [read.proposition for read in read_text(passage.text).statements]
    spoken = [statement for statement in statements if _mentions(statement, noun)]
    return bool(spoken) and all(_meets(s, noun) and subjects_match(claim.subject, s.subject, aliases) for s in spoken)


def _meets(statement: Proposition, noun: str) -> bool:
    """The noun is whom something is done to or with, not what the subject is or becomes."""
    roles = [a.role for a in statement.arguments if a.lemmas and (is_a(a.lemmas[-1], noun) or is_a(a.lemmas[0], noun))]
    taken = statement.predicate not in _becoming() and not statement.is_fragment
    return bool(roles) and all(role in _COMPANY or (role == "object" and taken) for role in roles)


_COMPANY = frozenset({"with", "from", "by", "for", "against", "beside", "near", "opposite"})


@cache
def _becoming() -> frozenset[str]:
    return words_for("belongings.becoming")


def _find_owned(claim: Proposition) -> Argument | None:
    """What is said to be had: the only thing that the claim says."""
    if (
        claim.predicate not in verbs("owning")
        or claim.passive
        or claim.modal
        or claim.aspect
        or len(claim.arguments) != 1
    ):
        return None
    (argument,) = claim.arguments
    plain = argument.role == "object" and argument.lemmas and not argument.is_name
    return argument if plain and len(argument.text.split()) <= _MOST_WORDS else None


def _is_of_person(claim: Proposition) -> bool:
    """The user, somebody of theirs, or somebody called by name: what "a man" in a picture has, other words tell."""
    named = bool(claim.subject_lemmas) and claim.names.issuperset(claim.subject_lemmas)
    named = named and claim.subject.casefold() not in gazetteer().nodes
    return claim.subject == USER or claim.subject.startswith(f"{USER}'s ") or named


def _names(belonging: Belonging, claim: Proposition, wanted: Argument, aliases: Aliases) -> bool:
    noun = wanted.lemmas[-1]
    return is_a(belonging.noun, noun) and subjects_match(claim.subject, belonging.owner, aliases)


def _is_plural(argument: Argument) -> bool:
    return argument.text.rsplit(" ", 1)[-1].casefold() != argument.lemmas[-1]


def _mentions(statement: Proposition, noun: str) -> bool:
    return any(is_a(lemma, noun) for lemma in statement.lemmas)


def _is_compound(word: str, noun: str) -> bool:
    """ "brother-in-law" and "ex-wife" are neither brother nor wife."""
    return "-" in word and noun in word.split("-")


def _gives(statement: Proposition) -> bool:
    """Whether having may follow from what is said."""
    return statement.is_fragment or (statement.predicate in _having() and not _is_about(statement))


def _is_about(statement: Proposition) -> bool:
    """ "I am allergic to cats", "I am afraid of dogs": to be something towards a thing is not to have it."""
    return statement.predicate == "be" and any(a.role in ("to", "of", "about") for a in statement.arguments)


@cache
def _having() -> frozenset[str]:
    return words_for("belongings.having")
