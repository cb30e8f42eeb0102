"""Contradictions among memories: one subject, one slot, values that cannot all be true now."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from groundwire.judge.alignment import Aliases
from groundwire.judge.kinds import side_of
from groundwire.judge.slots import relate_in_slot, without_amounts
from groundwire.text.catalogue import Catalogue, load_catalogue
from groundwire.text.lexicon import noun_lemma
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER
from groundwire.text.thesaurus import is_kind_of
from groundwire.text.values import Aliases as Spellings
from groundwire.text.values import Relation, key
from groundwire.types import (
    ContradictionDetail,
    ContradictionResult,
    ContradictionType,
    ExtractedFact,
    Memory,
    MemoryKind,
    Polarity,
    Tense,
)
from groundwire.verify.several import happens_to_many, is_among_several
from groundwire.verify.single import list_single_parts

TRUST_THRESHOLD = 0.75
TRUST_DIFF_THRESHOLD = 0.3
_RECURRING = re.compile(
    r"\b(?:[a-z]+days|weekends?|weekday|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:morning|afternoon|evening|night)s"
    r"|mornings|afternoons|evenings|nights|(?<=in )(?:the )?(?:summer|winter|spring|autumn|fall))\b",
    re.IGNORECASE,
)
_MOST_SCOPES = 16
_MOST_OPEN, _LONGEST_OPEN = 3, 120
_MOST_VALUES = 64
"""Beyond this many distinct values in one slot, new spellings are taken as new values unread: cost stays linear."""


def is_below(gap: float, threshold: float) -> bool:
    """0.95 - 0.65 is 0.3, whatever binary fractions make of it."""
    return gap < threshold - 1e-9


@dataclass(frozen=True, slots=True)
class Held:
    """A fact and the memory that holds it."""

    fact: ExtractedFact
    memory: Memory


Excludes = Callable[[Sequence[tuple[str, str]]], bool]
"""Whether no two of these statements can both be true, as far as a model can tell."""


class ContradictionDetector:
    """Finds the slots on which trusted memories disagree; trust is the stored one, never decayed."""

    def __init__(
        self,
        *,
        trust_threshold: float = TRUST_THRESHOLD,
        trust_gap: float = TRUST_DIFF_THRESHOLD,
        catalogue: Catalogue | None = None,
        spellings: Spellings | None = None,
        excludes: Excludes | None = None,
    ) -> None:
        self.trust_threshold = trust_threshold
        self.trust_gap = trust_gap
        self._catalogue = catalogue
        self._spellings = spellings
        self._excludes = excludes

    def detect(self, memories: Sequence[Memory]) -> tuple[ContradictionDetail, ...]:
        """Every contradiction, in the order in which its slot first appears."""
        read = [(m, read_text(m.text, self._catalogue)) for m in memories]
        held = [Held(fact, m) for m, reading in read for fact in reading.facts]
        parts = [Held(part, m) for m, reading in read for part in list_single_parts(reading)]
        return self.detect_in(held, Aliases.learn(h.fact for h in held), parts)

    def detect_in(
        self, held: Sequence[Held], aliases: Aliases, parts: Sequence[Held] = ()
    ) -> tuple[ContradictionDetail, ...]:
        """Contradictions of facts, and of what else there is one of, where no facts have told it already."""
        found = self._detect(held, aliases)
        known = [frozenset(detail.memory_ids) for detail in found]
        more = [d for d in self._detect(parts, aliases) if not any(ids.issuperset(d.memory_ids) for ids in known)]
        told = {frozenset(detail.memory_ids): detail for detail in reversed(more)}
        return (*found, *reversed(told.values()))

    def _detect(self, held: Sequence[Held], aliases: Aliases) -> tuple[ContradictionDetail, ...]:
        ended = _find_ended(held, aliases)
        told = [entry for entry in held if self._takes_part(entry) and not self._is_over(entry, ended, aliases)]
        found = [
            self._examine(_name_subject(together, aliases), together[-1].fact.slot_type, together)
            for together in group_held(told, aliases)
        ]
        return tuple(detail for detail in found if detail is not None)

    def _takes_part(self, entry: Held) -> bool:
        fact, memory = entry.fact, entry.memory
        if memory.kind is MemoryKind.SHARED_NARRATIVE or memory.trust < self.trust_threshold or fact.hedged:
            return False
        return fact.tense is Tense.PRESENT

    def _is_over(self, entry: Held, ended: _Ended, aliases: Aliases) -> bool:
        """Whether a newer memory tells by itself that this is over: "I left Klarna" leaves nothing to disclose."""
        fact, memory = entry.fact, entry.memory
        told = ended.get(_find_place(fact, aliases), ()) if ended else ()
        return any(
            (other.memory.timestamp or 0) > (memory.timestamp or 0)
            and other.memory.trust >= self.trust_threshold
            and is_below(memory.trust - other.memory.trust, self.trust_gap)
            and relate_in_slot(fact.slot_type, fact.raw, other.fact.raw, self._spellings) is Relation.EQUAL
            for other in told
        )

    def _examine(self, subject: str, slot: str, entries: list[Held]) -> ContradictionDetail | None:
        entries = sorted(entries, key=lambda e: (e.memory.timestamp is not None, e.memory.timestamp or 0))
        positive = [e for e in entries if e.fact.polarity is Polarity.POSITIVE]
        catalogue = self._catalogue or load_catalogue()
        stated, positive = positive, [e for e in positive if not catalogue.is_kind_word(slot, e.fact.value)]
        if positive:
            fixed = [e for e in positive if not _is_description(e)]  # "My mechanic is Paulo", and a genius as well
            exclusive = any(e.fact.exclusive and not is_among_several(e.fact, e.memory.text) for e in fixed)
            competing = self._compete(fixed if exclusive else _measured(positive))
            competing = competing or self._compete_openly(positive)
            if competing:
                return _detail(slot, subject, competing, ContradictionType.INCOMPATIBLE_VALUES)
        denied = self._denied(entries, stated)
        return _detail(slot, subject, denied, ContradictionType.DIRECT_NEGATION) if denied else None

    def _compete(self, entries: list[Held]) -> list[Held]:
        """Entries whose value another one of comparable trust excludes."""
        groups = group_values(entries, self._spellings)
        if len(groups) < 2 or len({e.memory.id for e in entries}) < 2:
            return []  # a memory that names two values holds both: "two cats, Miso and Tofu"
        best = [max(e.memory.trust for e in group) for group in groups]
        kept = [
            group
            for i, group in enumerate(groups)
            if any(j != i and is_below(abs(best[i] - best[j]), self.trust_gap) for j in range(len(groups)))
        ]
        members = {id(e) for group in kept for e in group}
        return [e for e in entries if id(e) in members] if len(kept) > 1 else []

    def _compete_openly(self, entries: list[Held]) -> list[Held]:
        """Values of a slot that no catalogue names, where every one of them rules out the others: one may have two
        bikes, but banks with one bank."""
        groups = group_values(entries, self._spellings)
        is_open = all(e.fact.pattern == "predicate" and not e.fact.exclusive for e in entries)
        is_open = is_open and not happens_to_many(entries[0].fact)
        if self._excludes is None or not is_open or not 1 < len(groups) <= _MOST_OPEN:
            return []
        texts = [group[-1].memory.text for group in groups]
        told_apart = len(set(texts)) == len(texts) and max(map(len, texts)) <= _LONGEST_OPEN
        if not told_apart or not self._excludes(list(combinations(texts, 2))):
            return []
        return self._compete(entries)

    def _denied(self, entries: list[Held], positive: list[Held]) -> list[Held]:
        """A value that one memory states and another denies."""
        negative = {key(e.fact.raw): e for e in entries if e.fact.polarity is Polarity.NEGATIVE}
        for entry in positive if negative else ():
            denial = negative.get(key(entry.fact.raw)) or _find_kind_denied(entry.fact, negative.values())
            if denial is not None and is_below(abs(denial.memory.trust - entry.memory.trust), self.trust_gap):
                return sorted((entry, denial), key=entries.index)
        return []


def group_held(held: Iterable[Held], aliases: Aliases) -> Iterator[list[Held]]:
    """Facts of one slot of one subject, of one kind and of the same days, where there are several."""
    groups: dict[tuple[str, str], list[Held]] = defaultdict(list)
    for entry in held:
        groups[_find_place(entry.fact, aliases)].append(entry)
    for entries in groups.values():
        for of_one in _split(entries, side_of) if len(entries) > 1 else ():
            for together in _split(of_one, _find_scope) if len(of_one) > 1 else ():
                if len(together) > 1:
                    yield together


def _name_subject(entries: Sequence[Held], aliases: Aliases) -> str:
    """Whose it is, where one of the memories says so."""
    named = [aliases.canonical(entry.fact.subject) for entry in entries]
    return next((subject for subject in named if subject.startswith(f"{USER}'s ")), named[0])


def _find_kind_denied(fact: ExtractedFact, denials: Iterable[Held]) -> Held | None:
    """ "I have no pets" denies the cat."""
    nouns = load_catalogue().nouns
    for held in denials:
        kind = noun_lemma(held.fact.value.rpartition(" ")[2])
        if nouns.get(kind) == fact.slot_type == kind or is_kind_of(noun_lemma(fact.value), kind):
            return held
    return None


def _find_place(fact: ExtractedFact, aliases: Aliases) -> tuple[str, str]:
    """Whose fact of what it is; "the book club" is the user's, and what starts at nine is at nine."""
    subject = aliases.canonical(fact.subject).removeprefix(f"{USER}'s ")
    verb, _, how = fact.slot_type.partition(" ")
    timed = fact.when is not None and fact.raw in fact.when and how in ("at", "on")
    return subject, f"be {how}" if verb in ("start", "begin") and timed else fact.slot_type


_Ended = dict[tuple[str, str], list[Held]]


def _find_ended(held: Sequence[Held], aliases: Aliases) -> _Ended:
    """What memories tell as over beside what has taken its place, by whose and what it is."""
    found: _Ended = defaultdict(list)
    for entry in held:
        if entry.fact.tense is Tense.PAST and entry.fact.exclusive and entry.fact.polarity is Polarity.POSITIVE:
            found[_find_place(entry.fact, aliases)].append(entry)
    return found


def _split(entries: list[Held], find_scope: Callable[[ExtractedFact], str]) -> list[list[Held]]:
    """Facts of different days, or of different things, apart from each other, each with those that are told of none."""
    scopes = [find_scope(entry.fact) for entry in entries]
    distinct = [scope for scope in dict.fromkeys(scopes) if scope]
    if not 1 < len(distinct) < _MOST_SCOPES:
        return [entries]
    return [[e for e, own in zip(entries, scopes, strict=True) if own in ("", scope)] for scope in distinct]


def _find_scope(fact: ExtractedFact) -> str:
    """The days or the season that a fact is told of: on Saturdays one thing may hold, on Sundays another."""
    if fact.when is not None and fact.when.startswith("for ") and fact.raw not in fact.when:
        return fact.when.lower()  # the engineer on call for March
    found = _RECURRING.search(fact.when) if fact.when else None
    return found.group().lower() if found is not None and found.group().lower() not in fact.raw.lower() else ""


def _is_description(entry: Held) -> bool:
    """ "My mechanic is a genius" says what he is like, and not who he is."""
    fact = entry.fact
    is_open = fact.pattern == "predicate" and not fact.exclusive
    return is_open and (fact.raw.islower() or not fact.slot_type.startswith("be"))


def _measured(entries: list[Held]) -> list[Held]:
    """Where many values are allowed, one thing in two amounts still is a contradiction."""
    by_thing: dict[str, list[Held]] = defaultdict(list)
    for entry in entries:
        by_thing[without_amounts(entry.fact.raw)].append(entry)
    return next((found for thing, found in by_thing.items() if thing.startswith("# ") and len(found) > 1), list[Held]())


def group_values(entries: Sequence[Held], spellings: Spellings | None = None) -> list[list[Held]]:
    """Entries by value: equal, more specific and more general values are one."""
    groups: dict[str, list[Held]] = {}
    for entry in entries:
        own = key(entry.fact.raw)
        if own not in groups and len(groups) < _MOST_VALUES:
            slot, raw = entry.fact.slot_type, entry.fact.raw
            same = (
                k
                for k, group in groups.items()
                if relate_in_slot(slot, raw, group[0].fact.raw, spellings) is not Relation.DIFFERENT
            )
            own = next(same, own)
        groups.setdefault(own, []).append(entry)
    return list(groups.values())


def _detail(slot: str, subject: str, entries: list[Held], kind: ContradictionType) -> ContradictionDetail:
    return ContradictionDetail(
        slot_type=slot,
        values=tuple(("not " if e.fact.polarity is Polarity.NEGATIVE else "") + e.fact.raw for e in entries),
        memory_ids=tuple(e.memory.id for e in entries),
        trust_scores=tuple(e.memory.trust for e in entries),
        timestamps=tuple(e.memory.timestamp for e in entries),
        subject=subject,
        contradiction_type=kind,
    )


def classify_pair(left: str, right: str) -> ContradictionResult:
    """Do two statements contradict each other, and how?"""
    memories = (Memory("left", left), Memory("right", right))
    found = ContradictionDetector().detect(memories)
    if not found:
        return ContradictionResult(is_contradiction=False, confidence=0.9)
    return ContradictionResult(is_contradiction=True, confidence=0.95, contradiction_type=found[0].contradiction_type)
