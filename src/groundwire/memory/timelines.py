"""What was true when: for every slot that is remembered of somebody, what filled it and from when until when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from groundwire.text.reading import read_text
from groundwire.types import ExtractedFact, Memory, MemoryStatus, Polarity

_NEVER_TRUE = (MemoryStatus.PENDING, MemoryStatus.PROPOSAL)
_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Period:
    """A value of a slot while it held; `end` is None where it still does."""

    value: str
    begin: datetime | None
    end: datetime | None
    memory: Memory


@dataclass(frozen=True, slots=True)
class Timeline:
    """The periods of one slot, oldest first. Two that overlap in an exclusive slot are a conflict."""

    subject: str
    slot: str
    is_exclusive: bool
    periods: tuple[Period, ...]

    @property
    def has_changed(self) -> bool:
        return len(self.periods) > 1


def tell_timelines(memories: Iterable[Memory]) -> tuple[Timeline, ...]:
    """One for each subject and slot; those that changed most come first."""
    found: dict[tuple[str, str], dict[str, tuple[ExtractedFact, Memory]]] = defaultdict(dict)
    for memory in memories:
        if memory.status in _NEVER_TRUE:
            continue
        for fact in read_text(memory.text).facts:
            if fact.slot_type:
                found[fact.subject, fact.slot_type].setdefault(memory.id, (fact, memory))
    told = [
        Timeline(
            subject,
            slot,
            any(fact.exclusive for fact, _ in held.values()),
            tuple(sorted((_read_period(*one) for one in held.values()), key=_begin)),
        )
        for (subject, slot), held in found.items()
    ]
    return tuple(sorted(told, key=lambda one: (not one.is_exclusive, -len(one.periods), one.subject, one.slot)))


def _read_period(fact: ExtractedFact, memory: Memory) -> Period:
    value = fact.raw if fact.polarity is Polarity.POSITIVE else f"not {fact.raw}"
    return Period(value, memory.valid_from or memory.created_at, memory.valid_to, memory)


def _begin(period: Period) -> tuple[datetime, str]:
    return period.begin or _BEGINNING, period.memory.id
