"""Telling of change: sentences that lay a contradiction open are true when they name its values the right way round.

"Priya took over from Tom", "the earlier entry with Boulder is out of date", "your plan has changed": no memory says
so, but two memories together do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from groundwire.judge.comparisons import compares
from groundwire.judge.slots import relate_values
from groundwire.text.catalogue import load_catalogue
from groundwire.text.phrases import time_nouns
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.tables import read_table
from groundwire.text.values import Relation
from groundwire.types import ContradictionDetail, Polarity, Tense
from groundwire.verify.disclosure import find_mentions, order_values


def told_by(
    claim: ReadClaim, reading: Reading, contradictions: Sequence[ContradictionDetail], *, denied: bool = False
) -> tuple[str, ...]:
    """Ids of the memories whose disagreement the claim reports; empty when it reports none. What a memory denies for
    certain has to say what was, or name both values."""
    for contradiction in contradictions:
        if _tells(claim, reading, contradiction, denied=denied):
            return contradiction.memory_ids
    return ()


def _tells(claim: ReadClaim, reading: Reading, contradiction: ContradictionDetail, *, denied: bool) -> bool:
    change = order_values(contradiction)
    span = claim.claim.span
    text = reading.text[span.start : span.end]
    former = change.old if change.is_directed else contradiction.values
    old = [v for v in former if _mentions(text, v)]
    new = _mentions(text, change.new) and (change.is_directed or len(old) > 1)
    words = {w for value in (*change.old, change.new) for w in value.lower().split()}
    known = {*words, *contradiction.subject.lower().split(), *time_nouns()}
    strangers = claim.proposition.names - known
    if strangers or compares(claim.proposition):
        return False
    if any(argument.role == "for" and argument.is_time for argument in claim.proposition.arguments):
        return False  # "left for a weekend" tells of no change
    changes = _change_words("change").search(text.lower()) is not None
    right = not (change.is_directed and _is_reversed(text, change.new))
    if claim.claim.polarity is not Polarity.NEGATIVE:
        if _was_so(claim, contradiction, former, words):
            return True
        if old and new and changes:
            return right
    if not _is_only_about(claim, contradiction, words):
        return False
    changes = changes or _change_words("turning").search(text.lower()) is not None
    if claim.claim.polarity is Polarity.NEGATIVE:
        return bool(old) and not new and changes  # "not Dana any more"
    if old and new:
        return changes and right
    if denied:
        return False
    if old:
        said = claim.claim.tense is Tense.PAST and claim.proposition.predicate in _saying_verbs()
        return changes or said
    if new:
        return changes
    return changes and not _has_numbers(claim) and any(_mentions(reading.text, v) for v in change.old)


def _was_so(claim: ReadClaim, contradiction: ContradictionDetail, values: Sequence[str], words: set[str]) -> bool:
    """ "Your favourite colour was blue": one memory says that it is, and another that it is no longer."""
    if any(c.isdigit() for lemma in claim.proposition.lemmas - words for c in lemma):
        return False  # when it was so is told by no memory
    return any(
        fact.tense is Tense.PAST
        and fact.slot_type == contradiction.slot_type
        and any(_mentions(fact.raw, v) for v in values)
        for fact in claim.facts
    )


def _is_only_about(claim: ReadClaim, contradiction: ContradictionDetail, words: set[str]) -> bool:
    """ "Microsoft replaced your laptop" names an old employer, but speaks of a laptop."""
    own = {*words, *contradiction.subject.lower().split(), *contradiction.slot_type.replace("_", " ").split()}
    own |= _slot_nouns(contradiction.slot_type) | _report_words()
    kinds = ("change", "turning")
    return all(
        lemma in own or any(_change_words(kind).match(lemma) for kind in kinds) for lemma in claim.proposition.lemmas
    )


@cache
def _slot_nouns(slot: str) -> frozenset[str]:
    known = load_catalogue().slots.get(slot)
    return frozenset(word for noun in known.nouns for word in noun.split()) if known is not None else frozenset()


@cache
def _report_words() -> frozenset[str]:
    return frozenset(read_table("disclosure")["report"])


@cache
def _saying_verbs() -> frozenset[str]:
    """ "It was Aldi", "you had mentioned Aldi": what was said once need not hold any more."""
    return frozenset(["be", *read_table("disclosure")["saying"]])


def _mentions(text: str, value: str) -> bool:
    return next(find_mentions(text, value), None) is not None


def _has_numbers(claim: ReadClaim) -> bool:
    return any(c.isdigit() for lemma in claim.proposition.lemmas for c in lemma)


def _is_reversed(text: str, new: str) -> bool:
    """ "changed from NEW to OLD" tells it the wrong way round."""
    return any(_sources().search(text[: found.start()].lower()) for found in find_mentions(text, new))


@cache
def _change_words(kind: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(read_table('disclosure')[kind])})")


@cache
def _sources() -> re.Pattern[str]:
    return re.compile(r"(?:from|replaced|instead of|left|formerly|previously|superseded)\s+(?:the\s+|a\s+|an\s+)?$")


def is_disputed_value(text: str, contradictions: Sequence[ContradictionDetail]) -> bool:
    """Is it one of those about which the memories disagree?"""
    return any(_mentions(text, value) for contradiction in contradictions for value in contradiction.values)


def is_old_value(text: str, contradictions: Sequence[ContradictionDetail]) -> bool:
    """Does this part of an answer only name a value that was superseded?"""
    for contradiction in contradictions:
        for value in order_values(contradiction).old:
            if _mentions(text, value) or relate_values(text, value) is Relation.EQUAL:
                return True
    return False
