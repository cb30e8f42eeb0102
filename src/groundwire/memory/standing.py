"""Where a stored memory stands in time: what is left of its confidence, and whether it is evidence."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from groundwire.memory.decay import Origin, Stage, Vitality, find_stage, read_confidence
from groundwire.memory.receipts import Source
from groundwire.types import Memory, MemoryKind, MemoryStatus

ORIGIN = "origin"
"""Under this name the evidence of a memory says who vouches for it."""
Windows = Mapping[MemoryKind, int]


def origin_of(memory: Memory) -> Origin:
    """As it was admitted; without a note of that, what came from a conversation fades."""
    noted = memory.evidence.metadata.get(ORIGIN) if memory.evidence is not None else None
    if noted in tuple(Origin):
        return Origin(noted)
    return Origin.EXTRACTED if memory.source in (Source.CONVERSATION, Source.CHAT) else Origin.TRUSTED


def confidence_at(memory: Memory, when: datetime, windows: Windows) -> float:
    return read_confidence(_vitality(memory, when), int(when.timestamp()), windows)


def is_current(memory: Memory, when: datetime, windows: Windows) -> bool:
    """Whether it held at `when` and had not faded by then."""
    begun = memory.valid_from is None or memory.valid_from <= when
    ended = memory.valid_to is not None and memory.valid_to <= when
    if not begun or ended or memory.status in (MemoryStatus.PENDING, MemoryStatus.PROPOSAL):
        return False
    return find_stage(_vitality(memory, when), int(when.timestamp()), windows) is Stage.ACTIVE


def is_evidence(memory: Memory, when: datetime, windows: Windows) -> bool:
    """Current, and of a kind that grounds anything: a shared narrative never does."""
    return memory.kind is not MemoryKind.SHARED_NARRATIVE and is_current(memory, when, windows)


def _vitality(memory: Memory, when: datetime) -> Vitality:
    horizon = memory.evidence.validity_horizon if memory.evidence is not None else None
    confirmed = memory.last_confirmed or memory.created_at or when
    return Vitality(
        kind=memory.kind,
        confidence=memory.confidence,
        last_confirmed=int(confirmed.timestamp()),
        mentions=memory.mentions,
        origin=origin_of(memory),
        validity_horizon=None if horizon is None else int(horizon.timestamp()),
    )
