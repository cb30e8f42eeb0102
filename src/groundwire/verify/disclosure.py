"""Disclosure: does the answer tell that a value it uses has changed or is disputed?

Judged on the claim about the contradicted slot. A cue elsewhere, about another slot or somebody else,
discloses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.slots import relate_in_slot
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.tables import read_table
from groundwire.text.values import Relation, key
from groundwire.types import ContradictionDetail, ContradictionType, Disclosure, ExtractedFact, Polarity, Span, Tense


@dataclass(frozen=True, slots=True)
class Usage:
    """A claim that asserts one of the contradicted values."""

    claim: ReadClaim
    fact: ExtractedFact
    contradiction: ContradictionDetail


def find_usages(reading: Reading, contradictions: Sequence[ContradictionDetail], aliases: Aliases) -> tuple[Usage, ...]:
    """Claims of the answer that use a contradicted value as the present one."""
    found: list[Usage] = []
    for claim in reading.claims:
        for fact in claim.facts:
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


def _is_about(fact: ExtractedFact, contradiction: ContradictionDetail, aliases: Aliases) -> bool:
    return subjects_match(fact.subject, contradiction.subject, aliases)


def _holds(fact: ExtractedFact, values: Iterable[str], aliases: Aliases) -> bool:
    return any(are_compatible(fact, other, aliases) for other in values)


def is_disclosed(usage: Usage, reading: Reading, aliases: Aliases) -> bool:
    """Does the answer present a competing value as former or as disputed?"""
    contradiction = usage.contradiction
    rivals = [v for v in contradiction.values if not are_compatible(usage.fact, v, aliases)]
    if contradiction.contradiction_type is ContradictionType.DIRECT_NEGATION:
        rivals = [usage.fact.raw]
    change = order_values(contradiction)
    outdated = change.is_directed and not are_compatible(usage.fact, change.new, aliases)
    if not outdated and _is_told(usage, reading, rivals, aliases):
        return True
    return any(_is_cued(reading, usage, rival, aliases, outdated=outdated) for rival in dict.fromkeys(rivals))


def _is_told(usage: Usage, reading: Reading, rivals: Sequence[str], aliases: Aliases) -> bool:
    """A claim of its own says that a rival value is over."""
    for claim in reading.claims:
        for fact in claim.facts:
            if fact.slot_type != usage.fact.slot_type or not _is_about(fact, usage.contradiction, aliases):
                continue
            former = fact.tense is Tense.PAST or fact.polarity is Polarity.NEGATIVE
            if former and _holds(fact, rivals, aliases):
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
        before = reading.text[max(start, span.start - 60) : span.start].lower()
        after = reading.text[span.end : min(end, span.end + 48)].lower()
        if not outdated and (_cues("before").search(before) or _cues("after").match(after)):
            return True
        near = reading.text[max(start, span.start - 160) : min(end, span.end + 80)].lower()
        if _words("conflict").search(near) or (not outdated and _words("changed").search(near)):
            return True
        if not outdated and _is_put_aside(reading, span, usage):
            return True
    return False


def _is_put_aside(reading: Reading, span: Span, usage: Usage) -> bool:
    """A rival beside the value that is not told as what holds now: "…, up from 900", "Dana held the post"."""
    sentence = usage.claim.sentence
    if _PART_OF_A_NAME.match(reading.text, span.end) is not None:
        return False
    others = [c for c in reading.claims if c.claim.span.start <= span.start and span.end <= c.claim.span.end]
    if not others or all(c is usage.claim for c in others):
        return sentence.start <= span.start and span.end <= sentence.end
    return all(c is usage.claim or (_is_former(c) and c.proposition.predicate in _plain_verbs()) for c in others)


def _is_former(claim: ReadClaim) -> bool:
    """In the past, or a participle beside what holds: "Dana having held the post"."""
    return claim.claim.tense is Tense.PAST or _PARTICIPLE.search(claim.claim.text) is not None


_PARTICIPLE = re.compile(r"\b(?:having|being)\b")
_PART_OF_A_NAME = re.compile(r" [A-Z]|-\w|'s|’s")


def find_mentions(text: str, value: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """Where a value stands in a text as whole words."""
    if text.isascii() and value.isascii():
        low = text.lower()
        if not all(word in low for word in value.lower().split()):
            return iter(())  # as is usual: no pattern has to be made for it
    return _mention(value).finditer(text, start, len(text) if end is None else end)


def _belongs_elsewhere(reading: Reading, span: Span, usage: Usage, aliases: Aliases) -> bool:
    """The value occurs as a fact about another slot or another subject."""
    for claim in reading.claims:
        for fact in claim.facts:
            overlaps = fact.value_span.start < span.end and span.start < fact.value_span.end
            if overlaps and fact.pattern == "predicate" and not _tells_change(fact):
                return True
            if overlaps and fact.pattern != "predicate":
                same = fact.slot_type == usage.fact.slot_type and _is_about(fact, usage.contradiction, aliases)
                if not same:
                    return True
    return False


def _tells_change(fact: ExtractedFact) -> bool:
    """An open fact whose verb is one of being or changing may be the disclosure itself."""
    verb = fact.slot_type.split(" ")[0]
    return verb in _plain_verbs()


_SETTINGS = tuple(
    "take come pass hand hold part sell swap trade drop plan schedule set book fix announce".split()  # noqa: SIM905
)


@cache
def _plain_verbs() -> frozenset[str]:
    words = read_table("fact_words")
    return frozenset(
        [*words["changes"], *words["leavings"], "be", "have", *read_table("disclosure")["saying"], *_SETTINGS]
    )


def _window(reading: Reading, sentence: Span) -> tuple[int, int]:
    """The sentence of the claim and its neighbours."""
    spans = sorted({claim.sentence for claim in reading.claims})
    at = spans.index(sentence)
    before = spans[at - 1].start if at else 0
    after = spans[at + 1].end if at + 1 < len(spans) else len(reading.text)
    return (before if sentence.start - before < 400 else sentence.start), (
        after if after - sentence.end < 400 else sentence.end
    )


_MEASURED = re.compile(r"(?P<number>\d[\d.,]*\d|\d{2,}) (?P<unit>[a-z]{2,12}|[A-Z]{3})")


@lru_cache(maxsize=512)
def _mention(value: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in value.split())
    if (measured := _MEASURED.fullmatch(value)) is not None:  # "950 euros, up from 900"
        words = rf"{re.escape(measured['number'])}(?:\s+{re.escape(measured['unit'])})?"
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


@cache
def _cues(side: str) -> re.Pattern[str]:
    words = "|".join(
        re.escape(cue).replace(r"\ ", r"\s+") for cue in sorted(read_table("disclosure")[side], key=len, reverse=True)
    )
    if side == "before":
        return re.compile(rf"(?<!\w)(?:{words})(?:[\s:,\"“'(]+(?!and\b|or\b)[\w'’-]+){{0,3}}[\s:,\"“'(]*$")
    return re.compile(rf"^[\s,\"”')]*(?:[\w'’-]+\s+){{0,2}}(?:{words})(?!\w)")


@cache
def _words(name: str) -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in read_table("disclosure")[name])
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


@dataclass(frozen=True, slots=True)
class Change:
    """The values of a contradiction in order: the present one, then the old ones, newest first."""

    new: str
    old: tuple[str, ...]
    is_directed: bool

    @property
    def phrase(self) -> str:
        if self.is_directed:
            return f"{self.new} (changed from {', '.join(self.old)})"
        return f"{self.new} (conflicts with {', '.join(self.old)})"


def order_values(contradiction: ContradictionDetail) -> Change:
    """The newest value leads; trust breaks a tie in time, and a full tie has no direction."""
    rows = sorted(
        zip(contradiction.timestamps, contradiction.trust_scores, contradiction.values, strict=True),
        key=lambda row: (-(row[0] or 0), -row[1], row[2]),
    )
    distinct: dict[str, tuple[int, float, str]] = {}
    for when, trust, value in rows:
        distinct.setdefault(key(value), (when or 0, trust, value))
    first, *others = distinct.values()
    tied = bool(others) and others[0][0] == first[0] and others[0][1] == first[1]
    return Change(first[2], tuple(value for _, _, value in others), not tied)


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
    usages: Sequence[Usage], reading: Reading, aliases: Aliases
) -> tuple[tuple[Usage, Disclosure], ...]:
    """One entry for each contradicted slot that the answer uses in silence."""
    found: dict[tuple[str, str], tuple[Usage, Disclosure]] = {}
    for usage in usages:
        place = (usage.contradiction.subject, usage.contradiction.slot_type)
        if place in found or is_disclosed(usage, reading, aliases):
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
