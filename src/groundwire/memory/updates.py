"""What a new statement ends: the memories whose place it takes, because it says that something has changed.

"I work at Amazon now" ends "I work at Google". "I work at Amazon", said by itself, does not: both stay, and the
contradiction is disclosed when it matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from functools import cache

from groundwire.memory.phrasing import has_phrase, words_about
from groundwire.text.reading import read_text
from groundwire.text.tables import read_table
from groundwire.text.temporal import find_times
from groundwire.text.values import key
from groundwire.types import ExtractedFact, Memory, MemoryStatus, Polarity, TemporalRelation, Tense
from groundwire.verify.contradictions import ContradictionDetector

_CANDIDATE = "candidate"
_STARTS = (TemporalRelation.AT, TemporalRelation.SINCE, TemporalRelation.DURING)


@dataclass(frozen=True, slots=True)
class Replaced:
    """A memory that ends, and why; the reason quotes neither, so that each can be forgotten."""

    memory: Memory
    why: str


def find_replaced(content: str, stored: Sequence[Memory]) -> tuple[Replaced, ...]:
    """Those that the statement ends as a whole; one that says more than what has changed stays, and contradicts."""
    if not tells_change(content):
        return ()
    found = [_compare(content, memory) for memory in stored if memory.status is MemoryStatus.ACTIVE]
    return tuple(replaced for replaced in found if replaced is not None)


def tells_change(content: str) -> bool:
    """By a word of change, or by an event that is one: moving, joining, leaving."""
    if has_phrase(content, words_about("attitudes", "change", "words")):
        return True
    return any(_is_event(fact) for fact in read_text(content).facts)


def find_beginning(content: str, now: datetime) -> datetime | None:
    """Since when the statement holds, where it says so: "I moved to Berlin in May", "I have lived here since 2019"."""
    has_event = any(_is_event(fact) for fact in read_text(content).facts)
    dates = {
        found.resolved_date
        for found in find_times(content, now=now)
        if found.resolved_date is not None
        and found.resolved_date <= now.date()
        and (found.relation is TemporalRelation.SINCE or (has_event and found.relation in _STARTS))
    }
    return datetime.combine(dates.pop(), time(), UTC) if len(dates) == 1 else None


def _compare(content: str, memory: Memory) -> Replaced | None:
    said = read_text(content).facts
    held = [fact for fact in read_text(memory.text).facts if fact.tense is Tense.PRESENT]
    detector = ContradictionDetector(trust_threshold=0.0, trust_gap=1.01)
    against = {
        (detail.subject, detail.slot_type)
        for detail in detector.detect((memory, Memory(_CANDIDATE, content)))
        if {memory.id, _CANDIDATE} <= set(detail.memory_ids)
    }
    changes: dict[str, None] = {}
    for fact in held:
        if fact.exclusive and (fact.subject, fact.slot_type) in against and _has_value(said, fact.slot_type):
            changes[f"{_name(fact)} changed"] = None
        elif any(_ends(new, fact) for new in said):
            changes[f"{_name(fact)} ended"] = None
        else:
            return None
    return Replaced(memory, ", ".join(changes)) if changes else None


def _has_value(said: Sequence[ExtractedFact], slot: str) -> bool:
    return any(
        new.slot_type == slot and new.tense is Tense.PRESENT and new.polarity is Polarity.POSITIVE and not new.hedged
        for new in said
    )


def _ends(new: ExtractedFact, old: ExtractedFact) -> bool:
    """ "No longer at Google", "left Google", "used to work at Google" about "works at Google"."""
    same = (new.subject, new.slot_type, key(new.value)) == (old.subject, old.slot_type, key(old.value))
    is_over = new.ended or new.tense is Tense.PAST
    return same and old.polarity is Polarity.POSITIVE and is_over and not new.hedged


def _is_event(fact: ExtractedFact) -> bool:
    return fact.pattern in _events(fact.slot_type)


@cache
def _events(slot: str) -> frozenset[str]:
    entry = read_table("slots").get(slot, {})
    return frozenset((*entry.get("events", ()), *entry.get("endings", ())))


def _name(fact: ExtractedFact) -> str:
    return fact.slot_type.replace("_", " ")
