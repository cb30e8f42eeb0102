"""Telling of change: sentences that lay a contradiction open are true when they name its values the right way round.

"Priya took over from Tom", "the earlier entry with Boulder is out of date", "your plan has changed": no memory says
so, but two memories together do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.comparisons import compares
from groundwire.judge.slots import relate_values
from groundwire.text.catalogue import load_catalogue
from groundwire.text.function_words import closed_classes
from groundwire.text.phrases import time_nouns
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.subjects import USER, is_relation
from groundwire.text.tables import read_table
from groundwire.text.values import Relation
from groundwire.types import ContradictionDetail, Polarity, Tense
from groundwire.verify.changes import find_mentions, is_visit, names, names_any, order_values, tell_apart, tells
from groundwire.verify.clauses import list_spellings
from groundwire.verify.partings import Parting, goes_against
from groundwire.verify.steps import find_step


def told_by(
    claim: ReadClaim,
    reading: Reading,
    contradictions: Sequence[ContradictionDetail],
    aliases: Aliases,
    partings: Iterable[Parting] = (),
    *,
    denied: bool = False,
) -> tuple[str, ...]:
    """Ids of the memories whose disagreement the claim reports; empty when it reports none. What a memory denies for
    certain has to say what was, or name both values."""
    for contradiction in contradictions:
        if any(tells(reading.text, v, contradiction.values) for v in contradiction.values) and _tells(
            claim, reading, contradiction, aliases, denied=denied
        ):
            return contradiction.memory_ids
    for parting in partings if contradictions else ():
        if parting.holds(claim) and not parting.is_dated:
            return parting.contradiction.memory_ids
    return ()


def _tells(
    claim: ReadClaim, reading: Reading, contradiction: ContradictionDetail, aliases: Aliases, *, denied: bool
) -> bool:
    change = order_values(contradiction)
    span = claim.claim.span
    text = reading.text[span.start : span.end]
    former = change.old if change.is_directed else contradiction.values
    old = [v for v in former if tells(text, v, contradiction.values)]
    new = tells(text, change.new, contradiction.values) and (change.is_directed or len(old) > 1)
    words = {w for value in (*change.old, change.new) for w in value.lower().split()}
    known = {*words, *_subject_words(contradiction), *time_nouns()}
    strangers = claim.proposition.names - known
    if strangers or any(map(is_visit, claim.facts)) or compares(claim.proposition):
        return False
    if contradiction.subject == USER and _ANOTHERS.search(text):
        return False  # "Dana was his manager before"
    if _only_does_something(text, (*change.old, change.new)):
        return False
    aims = [argument for argument in claim.proposition.arguments if argument.role == "for"]
    if any(argument.is_time or not names_any(argument.text, contradiction.values) for argument in aims):
        return False  # "left for a weekend", "were in Leeds for a wedding" tell of no change
    changes = _change_words("change").search(text.lower()) is not None
    said = {v: v if names(text, v) else tell_apart(v, contradiction.values) for v in contradiction.values}
    right = not (change.is_directed and _is_reversed(text, said[change.new], [said[v] for v in change.old]))
    if claim.claim.polarity is not Polarity.NEGATIVE and _was_so(claim, contradiction, former, words, aliases):
        return True
    if not _may_be_of(claim, contradiction) or not _may_carry(claim.proposition):
        return False  # "will move", "may leave": it has not come about
    if old and new and changes and right and _has_only_values(claim, (*change.old, change.new)):
        return True  # "Your reporting line was changed from Ines to Pavel"
    if not _is_only_about(claim, contradiction, words) or (not new and _does_something(claim, former)):
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
    return changes and not _has_numbers(claim) and any(names(reading.text, v) for v in change.old)


def _only_does_something(text: str, values: Sequence[str]) -> bool:
    """ "You told Lena", "Dana told me", "you told me about Leeds", "a single note": nothing has such a value."""
    found = [m.span() for value in values for m in find_mentions(text, value)]
    return bool(found) and all(
        _TOLD.search(text[:start])
        or _TELLS.match(text, end)
        or (_GIVEN.search(text[:start]) and _GIFT.match(text, end))
        or _is_of_a_record(text, start, end)
        for start, end in found
    )


_TOLD = re.compile(
    r"(?i)\b(?:tell|tells|told|telling|called|about|(?:notes?|records?|messages?|entry|entries)\s+(?:from|on))"
    r"\s+(?:the\s+|an?\s+)?$"
)
_TELLS = re.compile(
    r"(?i)\s+(?:(?:(?:has|had|have|also|just)\s+)*(?:said|told|gave|wrote|given)\b|had\s+an?\s|(?:is|was)\s+an\s+old(?:er)?\s)"
)
_GIVEN, _GIFT = re.compile(r"(?i)\b(?:gave|given|sent)\s+$"), re.compile(r"(?i)\s+(?:an?|the|your|my)\b")
_ANOTHERS = re.compile(r"(?i)\b(?:his|her|their)\s+(?!own\b)\w")
_SOME = re.compile(r"(?i)\ban?\s+$")


def _is_of_a_record(text: str, start: int, end: int) -> bool:
    followed = _records().match(text, end)
    return followed is not None and (followed["own"] is not None or _SOME.search(text[:start]) is not None)


@cache
def _records() -> re.Pattern[str]:
    nouns = "|".join(read_table("disclosure")["order"]["records"])
    return re.compile(rf"(?i)(?P<own>['’]s)?\s+(?:\w+\s+)?(?:{nouns})s?\b")


def _was_so(
    claim: ReadClaim, contradiction: ContradictionDetail, values: Sequence[str], words: set[str], aliases: Aliases
) -> bool:
    """ "Your favourite colour was blue": one memory says that it is, and another that it is no longer."""
    if any(c.isdigit() for lemma in claim.proposition.lemmas - words for c in lemma):
        return False  # when it was so is told by no memory
    return any(
        fact.tense is Tense.PAST
        and not is_visit(fact)
        and fact.slot_type == contradiction.slot_type
        and any(names(fact.raw, v) for v in values)
        and subjects_match(fact.subject, contradiction.subject, aliases)
        for fact in claim.facts
    )


def _may_carry(said: Proposition) -> bool:
    """The verb is one of change or says little itself, and what it says has come about."""
    if said.modal or said.subject.lower() in _NOBODY:
        return False
    known = said.predicate in _carrying_verbs() or not said.predicate
    return known or any(_change_words(kind).match(said.predicate) for kind in ("change", "turning"))


_NOBODY = frozenset({"nothing", "nobody", "none", "no one"})


@cache
def _carrying_verbs() -> frozenset[str]:
    table, words = read_table("disclosure"), read_table("fact_words")
    return frozenset([*table["carrying"], *table["saying"], *words["changes"], *words["leavings"]])


def _may_be_of(claim: ReadClaim, contradiction: ContradictionDetail) -> bool:
    """What the user did, they did not do for somebody or something else: "you were away", of a deadline."""
    said, (owner, _, thing) = claim.proposition, contradiction.subject.rpartition("'s ")
    if said.subject.lower() in ("he", "she"):
        return owner != USER or is_relation(thing.lower().split()[-1])  # "she had a latte" tells of nobody's order
    if said.subject != USER or contradiction.subject == USER or said.predicate in _saying_verbs() - {"be"}:
        return True
    words = thing.lower().split()
    is_own = owner == USER and not is_relation(words[-1]) and said.predicate != "be"
    return is_own or said.lemmas.issuperset(words)


def _has_only_values(claim: ReadClaim, values: Sequence[str]) -> bool:
    """Something of the user's, and the values."""
    said = claim.proposition
    thing = said.subject.removeprefix(f"{USER}'s ")
    if thing == said.subject or "'s " in thing or is_relation(thing.split()[-1]):
        return False
    _, of, whose = thing.partition(" of ")
    if of and not any(names(value, whose) for value in values):
        return False  # "your dose of aspirin", of ramipril
    return all(any(tells(argument.text, value, values) for value in values) for argument in said.arguments)


def _does_something(claim: ReadClaim, values: Sequence[str]) -> bool:
    """ "Dana changed the schedule": a former value may well do something to something else."""
    said = claim.proposition
    acts = said.predicate in _change_verbs() and any(argument.role == "object" for argument in said.arguments)
    return acts and not said.passive and any(names(said.subject, value) for value in values)


@cache
def _change_verbs() -> frozenset[str]:
    return frozenset(read_table("fact_words")["changes"])


def _is_only_about(claim: ReadClaim, contradiction: ContradictionDetail, words: set[str]) -> bool:
    """ "Microsoft replaced your laptop" names an old employer, but speaks of a laptop."""
    own = {*words, *_subject_words(contradiction), *contradiction.slot_type.replace("_", " ").split()}
    own |= _slot_nouns(contradiction.slot_type) | _report_words()
    kinds = ("change", "turning")
    return all(
        lemma in own or any(_change_words(kind).match(lemma) for kind in kinds) for lemma in claim.proposition.lemmas
    )


def _subject_words(contradiction: ContradictionDetail) -> frozenset[str]:
    subject = contradiction.subject.lower()
    return list_spellings(subject.rpartition("'s ")[2]) | frozenset(subject.split())


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


def _has_numbers(claim: ReadClaim) -> bool:
    return any(c.isdigit() for lemma in claim.proposition.lemmas - _report_words() for c in lemma)


def _is_reversed(text: str, new: str, old: Sequence[str]) -> bool:
    """ "changed from NEW to OLD", "NEW handed it over to OLD" tell it the wrong way round."""
    places = [found.start() for found in find_mentions(text, new)]
    if any(_sources().search(text[:start].lower()) for start in places):
        return True
    later = [found.start() for value in old for found in find_mentions(text, value, max(places, default=0))]
    return bool(places) and any(_TARGET.search(text[:start].lower()) for start in later)


def tells_other_way(text: str, contradictions: Sequence[ContradictionDetail]) -> bool:
    """ "Went from 10 to 5 mg", "rose to 78 kg" tell a change that went the other way, whoever bears the words out."""
    return any(
        change.is_directed and any(_turns(text, old, change.new, contradiction.values) for old in change.old)
        for contradiction in contradictions
        for change in (order_values(contradiction),)
    )


def _turns(text: str, old: str, new: str, values: Sequence[str]) -> bool:
    before, after = (v if names(text, v) else tell_apart(v, values) for v in (old, new))
    if not names(text, after):
        return False
    for found in find_mentions(text, after):
        if _FROM.search(text[: found.start()].lower()) and any(
            _TO.search(text[found.end() : other.start()].lower()) for other in find_mentions(text, before, found.end())
        ):
            return True
    step = find_step(old, new)
    told = names(text, before) or any(_ONTO.search(text[: m.start()].lower()) for m in find_mentions(text, after))
    return step is not None and told and goes_against(text.lower().split(), step)


_FROM = re.compile(r"\bfrom\s+(?:the\s+|an?\s+)?$")
_ONTO = re.compile(r"\bto\s+$")
_TO = re.compile(r"^[^.;]{0,24}\bto\s+(?:the\s+|an?\s+)?$")
_TARGET = re.compile(r"\b(?:over|back|on)?\s*(?:to|into|in favou?r of)\s+(?:the\s+|a\s+|an\s+)?$")


@cache
def _change_words(kind: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(read_table('disclosure')[kind])})")


@cache
def _sources() -> re.Pattern[str]:
    return re.compile(r"(?:from|replaced|instead of|left|formerly|previously|superseded)\s+(?:the\s+|a\s+|an\s+)?$")


def is_disputed_value(text: str, contradictions: Sequence[ContradictionDetail]) -> bool:
    """Is it one of those about which the memories disagree?"""
    return any(names(text, value) for contradiction in contradictions for value in contradiction.values)


def is_old_value(text: str, contradictions: Sequence[ContradictionDetail]) -> bool:
    """Does this part of an answer only name a value that was superseded?"""
    for contradiction in contradictions:
        for value in order_values(contradiction).old:
            if relate_values(text, value) is Relation.EQUAL or _names_only(text, value):
                return True
    return False


def names_old_value(text: str, contradictions: Sequence[ContradictionDetail]) -> bool:
    """Does the text name a value that was superseded, in whatever words?"""
    return any(tells(text, value, c.values) for c in contradictions for value in order_values(c).old)


def _names_only(text: str, value: str) -> bool:
    """The value with nothing beside it but what says that it is an old one: not "the old harbour of Porto"."""
    rest = set(text.lower().split()) - set(value.lower().split())
    return names(text, value) and all(
        word in _report_words() or word in closed_classes() or _change_words("change").match(word) for word in rest
    )
