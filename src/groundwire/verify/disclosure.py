"""Disclosure: does the answer tell that a value it uses has changed or is disputed?

Judged on the claim about the contradicted slot. A cue elsewhere, about another slot or somebody else,
discloses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.slots import relate_in_slot
from groundwire.text.function_words import closed_classes
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.text.values import Relation
from groundwire.types import ContradictionDetail, ContradictionType, Disclosure, ExtractedFact, Polarity, Span, Tense
from groundwire.verify.both import words_of
from groundwire.verify.changes import find_mentions, find_told, is_visit, order_values
from groundwire.verify.partings import Parting
from groundwire.verify.single import find_single_parts
from groundwire.verify.telling import told_by


@dataclass(frozen=True, slots=True)
class Usage:
    """A claim that asserts one of the contradicted values."""

    claim: ReadClaim
    fact: ExtractedFact
    contradiction: ContradictionDetail


def find_usages(reading: Reading, contradictions: Sequence[ContradictionDetail], aliases: Aliases) -> tuple[Usage, ...]:
    """Claims of the answer that use a contradicted value as the present one."""
    found: list[Usage] = []
    for claim in reading.claims if contradictions else ():
        for fact in (*claim.facts, *find_single_parts(claim, reading.text)):
            if fact.tense is not Tense.PRESENT or fact.polarity is Polarity.NEGATIVE:
                continue
            for contradiction in contradictions:
                if (
                    fact.slot_type == contradiction.slot_type
                    and _is_about(fact, contradiction, aliases)
                    and _holds(fact, contradiction.values, aliases)
                ):
                    found.append(Usage(claim, fact, contradiction))
    return tuple(found)


def find_silent_usages(
    reading: Reading,
    contradictions: Iterable[ContradictionDetail],
    borne_out: Sequence[tuple[ReadClaim, Sequence[str]]],
    is_denied: Callable[[ReadClaim, ContradictionDetail, Sequence[str]], bool] | None = None,
) -> Iterator[Usage]:
    """Claims without a fact of the slot that use the present value all the same: one of the memories bears them out.

    `borne_out` are the claims that are supported, each with the memories that support it; `is_denied` says whether
    another memory of the contradiction denies a claim: then it is about that matter, whatever its words.
    """
    for contradiction in contradictions:
        change = order_values(contradiction)
        if contradiction.contradiction_type is not ContradictionType.INCOMPATIBLE_VALUES or not change.is_directed:
            continue
        if not any(
            find_told(reading.text, v, contradiction.values, Span(0, len(reading.text))) for v in contradiction.values
        ):
            continue
        for read, ids in borne_out:
            backed = not set(ids).isdisjoint(contradiction.memory_ids)
            speaks = _speaks_of(read, contradiction, reading, is_borne_out=backed)
            denied = backed and not speaks and is_denied is not None and is_denied(read, contradiction, ids)
            if not (speaks or denied):
                continue
            now = read.proposition.tense is Tense.PRESENT and read.claim.polarity is not Polarity.NEGATIVE
            now = now and _WAS.search(read.claim.text) is None
            for value in (change.new, *(change.old if now else ())):
                where = _find_used(read, reading, value, contradiction)
                if where is not None:
                    subject, slot, raw = contradiction.subject, contradiction.slot_type, reading.text[slice(*where)]
                    fact = ExtractedFact(subject, slot, value, raw, read.claim.span, where, "value")
                    yield Usage(read, fact, contradiction)
                    break


_THE = re.compile(r"\b(?:the|your|my) ([a-z-]+)")
_WAS = re.compile(r"(?i)\b(?:was|were|had|used to|wasn['’]t)\b")


def _find_used(read: ReadClaim, reading: Reading, value: str, contradiction: ContradictionDetail) -> Span | None:
    """Where a claim names the value, or its sentence does outside of any claim: "12 to 14, that is your slot"."""
    others = [other for other in contradiction.values if other != value]
    if found := find_told(reading.text, value, others, read.claim.span):
        return found[0]
    if value != order_values(contradiction).new:
        return None  # what was before may well be told beside it
    near = [other.claim.span for other in reading.claims if other.sentence == read.sentence]
    outside = (
        span for span in find_told(reading.text, value, others, read.sentence)
        if not any(one.start < span.end and span.start < one.end for one in near)
    )  # fmt: skip
    return next(outside, None)


def _speaks_of(read: ReadClaim, contradiction: ContradictionDetail, reading: Reading, *, is_borne_out: bool) -> bool:
    """ "Amazon is a company" names the value, but not whose it is.

    What one of the memories bears out speaks of them; of what is borne out by all that is known together, the sentence
    has to name the thing itself.
    """
    own = contradiction.subject.lower().removeprefix(f"{USER}'s ").split() if contradiction.subject != USER else []
    told = _words_of(read.claim.text) | read.proposition.lemmas
    if is_borne_out:
        theirs = contradiction.subject.startswith(USER) and not told.isdisjoint(_USER_WORDS)
        if theirs or any(word.removesuffix("'s") in told for word in own if word not in closed_classes()):
            return True  # "the release" is enough for the release date
        definite = _THE.findall(read.claim.text.lower())  # "the therapist", and not "a company"
        return not words_of(contradiction.slot_type, "").isdisjoint(definite)
    told |= _words_of(reading.text[slice(*read.sentence)])
    return len(own) > 1 and 3 * sum(word in told for word in own) >= 2 * len(own)


def _words_of(text: str) -> set[str]:
    return {word.strip(".,;:!?'’\"").removesuffix("'s").removesuffix("’s") for word in text.lower().split()}


_USER_WORDS = frozenset({"you", "your", "yours", "you're", "you’re", "you've", "you’ve", "i", "my", "user"})


def _is_about(fact: ExtractedFact, contradiction: ContradictionDetail, aliases: Aliases) -> bool:
    return subjects_match(fact.subject, contradiction.subject, aliases)


def _holds(fact: ExtractedFact, values: Iterable[str], aliases: Aliases) -> bool:
    return any(are_compatible(fact, other, aliases) for other in values)


def is_disclosed(usage: Usage, reading: Reading, aliases: Aliases, partings: Iterable[Parting] = ()) -> bool:
    """Does the answer present a competing value as former or as disputed?"""
    contradiction, rivals = usage.contradiction, _list_rivals(usage, aliases)
    if contradiction.contradiction_type is ContradictionType.DIRECT_NEGATION:
        rivals = [usage.fact.raw]
    outdated = _is_outdated(usage, aliases)
    if not outdated and _is_told(usage, reading, rivals, aliases):
        return True
    if any(_is_cued(reading, usage, rival, aliases, outdated=outdated) for rival in dict.fromkeys(rivals)):
        return True
    own = [parting for parting in partings if parting.contradiction is contradiction]
    return bool(own) and (not outdated or any(parting.holds(usage.claim) for parting in own))


def _list_rivals(usage: Usage, aliases: Aliases) -> list[str]:
    """The values of the contradiction that the answer does not use."""
    return [v for v in usage.contradiction.values if not are_compatible(usage.fact, v, aliases)]


def _is_outdated(usage: Usage, aliases: Aliases) -> bool:
    """Whether the answer uses a value that a newer one has taken the place of."""
    change = order_values(usage.contradiction)
    return change.is_directed and not are_compatible(usage.fact, change.new, aliases)


def _is_told(usage: Usage, reading: Reading, rivals: Sequence[str], aliases: Aliases) -> bool:
    """A claim of its own says that a rival value is over."""
    for claim in reading.claims:
        for fact in claim.facts:
            if fact.slot_type != usage.fact.slot_type or not _is_about(fact, usage.contradiction, aliases):
                continue
            former = fact.tense is Tense.PAST or fact.polarity is Polarity.NEGATIVE
            if former and not is_visit(fact) and _holds(fact, rivals, aliases):
                return True
    return False


def are_compatible(fact: ExtractedFact, value: str, aliases: Aliases) -> bool:
    """Can the fact's value and this one be the same thing?"""
    return relate_in_slot(fact.slot_type, fact.raw, value, aliases.spellings) is not Relation.DIFFERENT


def _is_cued(reading: Reading, usage: Usage, rival: str, aliases: Aliases, *, outdated: bool) -> bool:
    window = _window(reading, usage.claim.sentence)
    start, end = window
    for found in find_mentions(reading.text, rival, start, end):
        span = Span(*found.span())
        if span.start < usage.fact.value_span.end and usage.fact.value_span.start < span.end:
            continue
        if _belongs_elsewhere(reading, span, usage, aliases):
            continue
        near = reading.text[max(start, span.start - 160) : min(end, span.end + 80)].lower()
        if _words("conflict").search(near):
            return True
        if outdated:
            continue
        others = [c for c in reading.claims if c.claim.span.start <= span.start and span.end <= c.claim.span.end]
        if others and all(c is not usage.claim for c in others):
            if any(told_by(c, reading, [usage.contradiction], aliases) for c in others):
                return True
            continue
        before = reading.text[max(start, span.start - 60) : span.start].lower()
        if _UNREAL.search(before):
            continue
        after = reading.text[span.end : min(end, span.end + 48)].lower()
        if _cues("before").search(before) or _adjectives().search(before) or _cues("after").match(after):
            return True
        if _words("changed").search(near):
            return True
    return False


_UNREAL = re.compile(r"\b(?:may|might|could|would|should|will|if|unless)\b[^.;:,()]*$")
"""What may have been discloses nothing."""


def _belongs_elsewhere(reading: Reading, span: Span, usage: Usage, aliases: Aliases) -> bool:
    """The value occurs as a fact about another slot or another subject."""
    for claim in reading.claims:
        for fact in claim.facts:
            overlaps = fact.value_span.start < span.end and span.start < fact.value_span.end
            if overlaps and fact.pattern != "predicate":
                same = fact.slot_type == usage.fact.slot_type and _is_about(fact, usage.contradiction, aliases)
                if not same:
                    return True
    return False


def _window(reading: Reading, sentence: Span) -> tuple[int, int]:
    """The sentence of the claim and its neighbours."""
    spans = sorted({claim.sentence for claim in reading.claims})
    at = spans.index(sentence)
    before = spans[at - 1].start if at else 0
    after = spans[at + 1].end if at + 1 < len(spans) else len(reading.text)
    return (before if sentence.start - before < 400 else sentence.start), (
        after if after - sentence.end < 400 else sentence.end
    )


@cache
def _cues(side: str) -> re.Pattern[str]:
    words = "|".join(
        re.escape(cue).replace(r"\ ", r"\s+") for cue in sorted(read_table("disclosure")[side], key=len, reverse=True)
    )
    if side == "before":
        return re.compile(rf"(?<!\w)(?:{words})(?:[\s:,\"“'(]+(?!and\b|or\b)[\w'’-]+){{0,3}}[\s:,\"“'(]*$")
    return re.compile(rf"^[\s,\"”')]*(?:[\w'’-]+\s+){{0,2}}(?:{words})(?!\w)")


@cache
def _adjectives() -> re.Pattern[str]:
    """ "the old road to Leeds" has an old road: only what says what the value is may stand between them."""
    table = read_table("disclosure")
    words, nouns = "|".join(map(re.escape, table["adjectives"])), "|".join(map(re.escape, table["report"]))
    return re.compile(rf"(?<!\w)(?:{words})(?:\s+(?:{nouns}))?(?:,|:|\s+(?:was|is|at|in|with|of|as))?[\s\"“'(]*$")


@cache
def _words(name: str) -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in read_table("disclosure")[name])
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


def _phrase(usage: Usage, aliases: Aliases) -> str:
    """What would be honest to say in the place of the value."""
    contradiction, own = usage.contradiction, usage.fact.raw
    if contradiction.contradiction_type is ContradictionType.DIRECT_NEGATION:
        return f"{own} (denied by another memory)"
    change = order_values(contradiction)
    if change.is_directed:
        return change.phrase
    others = [v for v in (change.new, *change.old) if not are_compatible(usage.fact, v, aliases)]
    return f"{own} (conflicts with {', '.join(others)})"


def missing_disclosures(
    usages: Sequence[Usage], reading: Reading, aliases: Aliases, partings: Iterable[Parting] = ()
) -> tuple[tuple[Usage, Disclosure], ...]:
    """One entry for each contradicted slot that the answer uses in silence."""
    found: dict[tuple[str, str], tuple[Usage, Disclosure]] = {}
    for usage in usages:
        place = (usage.contradiction.subject, usage.contradiction.slot_type)
        if place in found or is_disclosed(usage, reading, aliases, partings):
            continue
        contradiction = usage.contradiction
        disclosure = Disclosure(
            slot_type=contradiction.slot_type,
            subject=contradiction.subject,
            phrase=_phrase(usage, aliases),
            values=contradiction.values,
            memory_ids=contradiction.memory_ids,
            span=usage.fact.value_span,
        )
        found[place] = (usage, disclosure)
    return tuple(found.values())
