"""Slot rules: a fact of the claim against a fact of the evidence, same subject and slot.

These rules are exact: an exclusive slot holds one value, a negation denies the value it names, and a
state that has ended is not the present one.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arithmetic import relate_amounts
from groundwire.judge.findings import Finding
from groundwire.judge.kinds import are_apart, introduced_as, relate_kinds
from groundwire.text.derivation import is_derived
from groundwire.text.lexicon import noun_lemma
from groundwire.text.numerals import numerals
from groundwire.text.quantities import read_quantity
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import are_opposites, concept, is_kind_of, same_meaning
from groundwire.text.values import Aliases as Spellings
from groundwire.text.values import Relation, compare, key
from groundwire.text.wording import LONGEST
from groundwire.types import ExtractedFact, Polarity, Span, Tense, Verdict

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT

# A value in the first slot says something about the second.
_IMPLIED = {("spouse", "marital_status"): "married"}
TAKING_IN = frozenset({"eat", "have", "drink", "consume"})
"""Slots about which an allergy or a diet says something."""


def compare_facts(claim: ExtractedFact, evidence: ExtractedFact, aliases: Aliases) -> Finding | None:
    """What `evidence` says about `claim`; None when it says nothing."""
    if claim.slot_type != evidence.slot_type:
        return _compare_implied(claim, evidence, aliases)
    if evidence.hedged or are_apart(claim, evidence) or not subjects_match(claim.subject, evidence.subject, aliases):
        return None
    relation = relate_in_slot(claim.slot_type, claim.raw, evidence.raw, aliases.spellings)
    if relation is Relation.DIFFERENT:
        relation = _relate_words(claim, evidence)
    elif relation is Relation.OVERLAPS and _is_within(claim.raw, evidence.raw):
        relation = Relation.GENERALISES
    if claim.polarity is Polarity.NEGATIVE:
        return _compare_negative(claim, evidence, relation)
    if evidence.polarity is Polarity.NEGATIVE:
        return _compare_denied(claim, evidence, relation)
    return _compare_positive(claim, evidence, relation)


def _is_within(claim: str, evidence: str) -> bool:
    """ "Over ninety" is what somebody of 92 is."""
    mine, theirs = read_quantity(claim.lower()), read_quantity(evidence.lower())
    return mine is not None and theirs is not None and relate_amounts(mine[0], theirs[0]) is SUPPORTED


def _relate_words(claim: ExtractedFact, evidence: ExtractedFact) -> Relation:
    if (relation := relate_kinds(claim, evidence)) is not Relation.DIFFERENT:
        return relation
    if claim.slot_type in ("diagnosis", "title") and _are_akin(claim.value, evidence.value):
        return Relation.EQUAL
    if claim.slot_type == "nationality":
        return _relate_nationalities(claim.value, evidence.value)
    if claim.slot_type == "religion" and _of_one_faith(claim.value, evidence.value):
        return Relation.EQUAL
    return Relation.DIFFERENT


def _are_akin(left: str, right: str) -> bool:
    """ "data analysis" and "data analyst", "teaching maths" and "maths teacher": the same stems."""
    one, two = left.split(), right.split()
    return len(one) == len(two) and all(any(w == v or is_derived(w, v) for v in two) for w in one)


def _relate_nationalities(left: str, right: str) -> Relation:
    """A country and a people: equal by their stem, otherwise not comparable."""
    peoples = (left in _demonyms(), right in _demonyms())
    if peoples == (True, True):
        return Relation.DIFFERENT
    return Relation.EQUAL if left[:4] == right[:4] else Relation.OVERLAPS


def _of_one_faith(left: str, right: str) -> bool:
    """ "A Buddhist" practises Buddhism: one stem, or the two words that a faith without one goes by."""
    known: list[list[str]] = read_table("grammar")["faiths"]["same"]
    return left[:5] == right[:5] or any(left in words and right in words for words in known)


@cache
def _demonyms() -> frozenset[str]:
    return frozenset(read_table("classes")["demonym"])


def relate_in_slot(slot: str, left: str, right: str, spellings: Spellings | None = None) -> Relation:
    """As `relate_values`; two ranks of one title ("sous chef", "head chef") exclude each other."""
    relation = relate_values(left, right, spellings)
    if relation is not Relation.OVERLAPS or slot != "title":
        return relation
    return Relation.EQUAL if same_meaning(left.casefold(), right.casefold()) else Relation.DIFFERENT


def relate_values(left: str, right: str, spellings: Spellings | None = None) -> Relation:
    """How two values relate, by spelling, number and place, and by the meaning of their words."""
    if left == right:
        return Relation.EQUAL
    is_long = len(left) > LONGEST or len(right) > LONGEST
    return _relate(left, right, spellings) if is_long else _relate_known(left, right, spellings)


@lru_cache(maxsize=16384)
def _relate_known(left: str, right: str, spellings: Spellings | None) -> Relation:
    return _relate(left, right, spellings)


def _relate(left: str, right: str, spellings: Spellings | None) -> Relation:
    relation = compare(left, right, aliases=spellings).relation
    if relation is not Relation.DIFFERENT:
        return relation
    one, two = (
        left.casefold().removeprefix("a ").removeprefix("an "),
        right.casefold().removeprefix("a ").removeprefix("an "),
    )
    if same_meaning(one, two):
        return Relation.EQUAL
    for reword in (_with_ordinals, _by_concept):
        mine, theirs = reword(left), reword(right)
        if mine == left and theirs == right and spellings is None:
            continue  # compared already
        if compare(mine, theirs).relation is Relation.EQUAL:
            return Relation.EQUAL
    if is_kind_of(one, two):
        return Relation.REFINES
    if is_kind_of(two, one):
        return Relation.GENERALISES
    if one.endswith(f" of {two}") or two.endswith(f" of {one}"):
        return Relation.OVERLAPS  # the centre of Ankara may be Ankara, and north of it not
    return Relation.DIFFERENT


@lru_cache(maxsize=8192)
def _with_ordinals(text: str) -> str:
    """ "the fifteenth of May" → the 15th of May."""
    known = numerals().ordinals
    return " ".join(f"{known[word.lower()]}th" if word.lower() in known else word for word in text.split())


@lru_cache(maxsize=8192)
def _by_concept(text: str) -> str:
    """Each word replaced by the name of its meaning: "two kids" → two child."""
    return " ".join(concept(noun_lemma(word)) if word.islower() else word for word in text.split())


def _found(
    claim: ExtractedFact,
    evidence: ExtractedFact,
    verdict: Verdict,
    strength: float,
    reason: str,
    *,
    former: bool = False,
) -> Finding:
    wrong = claim.value_span if verdict is REFUTED else None
    missing = claim.value_span if verdict is INSUFFICIENT else None
    return Finding(
        verdict, strength, reason, exact=True, former=former, slot=claim.slot_type,
        claim_value=claim.raw, evidence_value=evidence.raw, wrong=wrong, missing=missing,
    )  # fmt: skip


def _compare_implied(claim: ExtractedFact, evidence: ExtractedFact, aliases: Aliases) -> Finding | None:
    if (evidence.slot_type, claim.slot_type) == ("location", "work_location"):
        return _compare_places(claim, evidence, aliases)
    implied = _IMPLIED.get((evidence.slot_type, claim.slot_type))
    if implied is None or not subjects_match(claim.subject, evidence.subject, aliases) or evidence.tense is Tense.PAST:
        return None
    if claim.tense is Tense.PAST:
        return None  # who is married now may well have been engaged to another
    if evidence.polarity is Polarity.NEGATIVE or not evidence.pattern.startswith(
        ("be <married>", "my wife", "my husband", "marry", "wed")
    ):
        return None
    same = same_meaning(claim.value, implied)
    agrees = same is (claim.polarity is Polarity.POSITIVE)
    if agrees:
        return _found(claim, evidence, SUPPORTED, 0.9, "implied")
    return (
        _found(claim, evidence, REFUTED, 0.85, "implied")
        if same or are_opposites(claim.value, implied) or claim.exclusive
        else None
    )


def _compare_places(claim: ExtractedFact, evidence: ExtractedFact, aliases: Aliases) -> Finding | None:
    """ "a chef in Da Nang" who lives in Da Nang; living elsewhere says nothing about the work."""
    plain = claim.polarity is evidence.polarity is Polarity.POSITIVE and evidence.tense is claim.tense
    if not plain or not subjects_match(claim.subject, evidence.subject, aliases):
        return None
    agrees = relate_values(claim.raw, evidence.raw) in (Relation.EQUAL, Relation.GENERALISES)
    return _found(claim, evidence, SUPPORTED, 0.75, "implied") if agrees else None


def _compare_negative(claim: ExtractedFact, evidence: ExtractedFact, relation: Relation) -> Finding | None:
    """The claim denies a value."""
    if evidence.polarity is Polarity.NEGATIVE:
        holds = relation in (Relation.EQUAL, Relation.REFINES)
        return _found(claim, evidence, SUPPORTED, 0.95, "same_negation") if holds else None
    if relation in (Relation.EQUAL, Relation.GENERALISES):
        if evidence.tense is Tense.PAST and claim.tense is not Tense.PAST:
            if claim.exclusive or claim.ended:
                return _found(claim, evidence, SUPPORTED, 0.9, "ended")
            return _found(claim, evidence, INSUFFICIENT, 0.6, "other_time")  # "played chess once": they still may
        return _found(claim, evidence, REFUTED, 0.95 if claim.exclusive else 0.69, "denied_value")
    if (
        relation is Relation.DIFFERENT
        and claim.exclusive
        and evidence.tense is Tense.PRESENT
        and claim.tense is Tense.PRESENT
    ):
        return _found(claim, evidence, SUPPORTED, 0.88, "other_value")
    return None


def _compare_denied(claim: ExtractedFact, evidence: ExtractedFact, relation: Relation) -> Finding | None:
    """The evidence denies a value."""
    if relation not in (Relation.EQUAL, Relation.REFINES):
        return None
    if claim.tense is Tense.PAST and evidence.tense is not Tense.PAST:
        return _found(claim, evidence, SUPPORTED, 0.9, "ended") if evidence.ended else None
    return _found(claim, evidence, REFUTED, 0.95 if claim.exclusive else 0.69, "negated_by_evidence")


def _compare_positive(claim: ExtractedFact, evidence: ExtractedFact, relation: Relation) -> Finding | None:
    agrees = relation in (Relation.EQUAL, Relation.GENERALISES)
    if claim.tense is Tense.PAST and evidence.tense is Tense.PRESENT:
        return _found(claim, evidence, REFUTED, 0.75, "still_current") if agrees else None
    if claim.tense is Tense.PRESENT and evidence.tense is Tense.PAST:
        return _found(claim, evidence, REFUTED, 0.9, "former_value", former=True) if agrees else None
    if claim.tense is not evidence.tense:
        return _found(claim, evidence, INSUFFICIENT, 0.7, "other_time") if agrees else None
    if relation is Relation.EQUAL:
        if (nouns := _find_other_relation(claim, evidence)) is not None:
            return nouns
        return _found(claim, evidence, SUPPORTED, 0.97, "same_value")
    if relation is Relation.GENERALISES:
        return _found(claim, evidence, SUPPORTED, 0.92, "more_general")
    if relation is Relation.REFINES:
        return _found(claim, evidence, INSUFFICIENT, 0.75, "more_specific")
    if relation is Relation.OVERLAPS:
        return _found(claim, evidence, INSUFFICIENT, 0.6, "partly_same")
    if (claim.exclusive or amounts_differ(claim.raw, evidence.raw)) and claim.tense is Tense.PRESENT:
        return _found(claim, evidence, REFUTED, 0.95, "other_value")
    return None


def _find_other_relation(claim: ExtractedFact, evidence: ExtractedFact) -> Finding | None:
    """ "Your daughter Otto" where Otto is a son, "Tom is your uncle" where he is a cousin."""
    mine, theirs = introduced_as(claim.pattern), introduced_as(evidence.pattern)
    if not mine or not theirs or mine == theirs:
        return None
    people = read_table("people")
    sexes = ((people["male"], people["female"]), (people["female"], people["male"]))
    kin = people["converses"]["kin"]
    apart = concept(mine) in kin and concept(theirs) in kin and concept(mine) != concept(theirs)
    if not apart and not any(mine in one and theirs in other for one, other in sexes):
        return None
    start = claim.value_span.start - len(mine) - 1
    named = claim.pattern == f"my {mine} VALUE" and start >= claim.span.start
    wrong = Span(start, start + len(mine)) if named else claim.value_span
    return Finding(REFUTED, 0.95, "other_value", exact=True, slot=claim.slot_type, claim_value=mine,
                   evidence_value=theirs, wrong=wrong, exchange=False)  # fmt: skip


_AMOUNT = re.compile(r"\b\d[\d.,]*\b")


def without_amounts(value: str) -> str:
    """The value's key with its numbers blanked: what it is an amount of."""
    return _AMOUNT.sub("#", key(value))


def amounts_differ(left: str, right: str) -> bool:
    """ "5 mg of ramipril" and "10 mg of ramipril": one thing in two amounts, even where many things are allowed."""
    thing = without_amounts(left)
    return key(left) != key(right) and thing.startswith("# ") and thing == without_amounts(right)


def compare_diets(claim: ExtractedFact, evidence: ExtractedFact, aliases: Aliases) -> Finding | None:
    """What an allergy or a diet says about eating something."""
    if claim.slot_type not in TAKING_IN or evidence.tense is not Tense.PRESENT:
        return None
    if evidence.slot_type not in ("diet", "allergy", "intolerance"):
        return None
    if evidence.polarity is Polarity.NEGATIVE or not subjects_match(claim.subject, evidence.subject, aliases):
        return None
    barred = read_table("implications")["barred"].get(evidence.value, ()) if evidence.slot_type == "diet" else ()
    relation = relate_values(claim.raw, evidence.raw)
    allergic = evidence.slot_type in ("allergy", "intolerance") and relation in (Relation.EQUAL, Relation.REFINES)
    if not allergic and noun_lemma(claim.value) not in barred:
        return None
    if claim.polarity is Polarity.NEGATIVE:
        return _found(claim, evidence, SUPPORTED, 0.8, "implied")
    return None if claim.slot_type == "have" else _found(claim, evidence, REFUTED, 0.69, "implied")
