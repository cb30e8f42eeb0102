"""Time is data: confidence fades when it is read, and what is stored stays as it was.

    confidence read = confidence stored · 2^(−age / window)

The age counts from the last confirmation. From the end of its window a memory is no evidence any more; ninety days
later it is archived, never deleted; a new confirmation wakes it up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from groundwire.memory.kinds import DAY, RULES
from groundwire.settings import Settings
from groundwire.types import MemoryKind

ARCHIVE_AFTER = 90 * DAY
WINDOWS: Mapping[MemoryKind, int] = {kind: rule.window for kind, rule in RULES.items()}


def windows_of(settings: Settings) -> dict[MemoryKind, int]:
    """The windows of a deployment, in seconds."""
    return {
        MemoryKind.USER_FACT: settings.fact_window * DAY,
        MemoryKind.USER_PATTERN: settings.pattern_window * DAY,
        MemoryKind.SHARED_NARRATIVE: settings.narrative_window * DAY,
    }


class Origin(StrEnum):
    EXTRACTED = "extracted"
    """From conversation: fades."""
    APPROVED = "approved"
    """A person approved it."""
    TRUSTED = "trusted"
    """From a trusted source."""


class Stage(StrEnum):
    ACTIVE = "active"
    INACTIVE = "inactive"
    """Kept, and not returned as evidence."""
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class Vitality:
    """What a memory's standing in time depends on. Times are Unix seconds."""

    kind: MemoryKind
    confidence: float
    last_confirmed: int
    mentions: int = 1
    origin: Origin = Origin.EXTRACTED
    validity_horizon: int | None = None


def read_confidence(memory: Vitality, now: int, windows: Mapping[MemoryKind, int] = WINDOWS) -> float:
    """The confidence at `now`; only what was extracted from conversation fades."""
    if memory.origin is not Origin.EXTRACTED:
        return memory.confidence
    age = max(0, now - memory.last_confirmed)
    return memory.confidence * 2.0 ** (-age / windows[memory.kind])


def find_stage(memory: Vitality, now: int, windows: Mapping[MemoryKind, int] = WINDOWS) -> Stage:
    """Whether it is evidence at `now`, and where it is kept if not."""
    ended = _end(memory, windows)
    if ended is None or now < ended:
        return Stage.ACTIVE
    return Stage.INACTIVE if now < ended + ARCHIVE_AFTER else Stage.ARCHIVED


def _end(memory: Vitality, windows: Mapping[MemoryKind, int]) -> int | None:
    """When it stops being evidence: its window, or for what a person vouched for its horizon, if it has one."""
    if memory.origin is not Origin.EXTRACTED:
        return memory.validity_horizon
    faded = memory.last_confirmed + windows[memory.kind]
    return faded if memory.validity_horizon is None else min(faded, memory.validity_horizon)


def confirm(memory: Vitality, now: int) -> Vitality:
    """The same thing was said again: one mention more, and its time begins anew. The confidence stays."""
    return replace(memory, mentions=memory.mentions + 1, last_confirmed=max(memory.last_confirmed, now))
