"""What is remembered, of whom, and on what evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from groundwire.errors import InvalidInput


class Scope(NamedTuple):
    """Whose memory it is. Every question to a store names one, and nothing outside it is ever answered."""

    owner: str
    tenant: str = "default"


class MemoryKind(StrEnum):
    USER_FACT = "USER_FACT"
    USER_PATTERN = "USER_PATTERN"
    SHARED_NARRATIVE = "SHARED_NARRATIVE"


class MemoryStatus(StrEnum):
    """Only ACTIVE is current; PENDING waits in the review queue, PROPOSAL was never applied, the rest was current."""

    ACTIVE = "active"
    PENDING = "pending"
    PROPOSAL = "proposal"
    INACTIVE = "inactive"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    ARCHIVED = "archived"

    def may_become(self, status: MemoryStatus) -> bool:
        """Whether a memory may go from this status to that one."""
        return status in _STATUS_CHANGES[self]


_RESTING = frozenset({MemoryStatus.INACTIVE, MemoryStatus.EXPIRED, MemoryStatus.ARCHIVED})
_STATUS_CHANGES: Mapping[MemoryStatus, frozenset[MemoryStatus]] = {
    MemoryStatus.ACTIVE: _RESTING | {MemoryStatus.SUPERSEDED},
    MemoryStatus.PENDING: frozenset(),
    MemoryStatus.PROPOSAL: frozenset({MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED}),
    MemoryStatus.INACTIVE: frozenset({MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED}),
    MemoryStatus.EXPIRED: frozenset({MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED}),
    MemoryStatus.SUPERSEDED: frozenset({MemoryStatus.ARCHIVED}),
    MemoryStatus.ARCHIVED: frozenset({MemoryStatus.ACTIVE}),
}


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class EvidenceObject:
    """Why a claim was let in: where it came from, how sure that is, and until when it holds.

    `metadata` keeps the rest of the way: citation checks, the reason of the tier, the reviewer.
    """

    claim: str
    capture_time: datetime
    confidence: Confidence
    source_id: str | None = None
    validity_horizon: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def is_valid_at(self, moment: datetime) -> bool:
        """Past its horizon a memory is no evidence any more."""
        return self.validity_horizon is None or moment.astimezone(UTC) < self.validity_horizon.astimezone(UTC)


def _check_written(key: object, text: object, timestamp: object) -> None:
    """What Python would take without a word, and fail on much later."""
    for name, value in (("id", key), ("text", text)):
        if not isinstance(value, str):
            raise InvalidInput(name, f"memory {key!r} has {name} {value!r}; it must be a string")
    if isinstance(timestamp, datetime):
        raise InvalidInput("timestamp", f"memory {key!r} has a datetime; give seconds, int(when.timestamp())")
    if timestamp is not None and not isinstance(timestamp, (int, float)):
        raise InvalidInput("timestamp", f"memory {key!r} has {timestamp!r}; it must be seconds since 1970")


@dataclass(frozen=True, slots=True)
class Memory:
    """A stored statement with the trust and the time that it carries; refuses what is out of range.

    It holds from `valid_from` until `valid_to`; a change never overwrites it, but ends it and names what took its
    place (`superseded_by`) and `why`.
    """

    id: str
    text: str
    trust: float = 1.0
    timestamp: int | None = None
    source: str | None = None
    kind: MemoryKind = MemoryKind.USER_FACT
    status: MemoryStatus = MemoryStatus.ACTIVE
    owner: str = ""
    tenant: str = "default"
    subject: str = "user"
    memory_type: str = "fact"
    confidence: float = 1.0
    evidence: EvidenceObject | None = None
    created_at: datetime | None = None
    last_confirmed: datetime | None = None
    mentions: int = 1
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    supersedes: str | None = None
    superseded_by: str | None = None
    why: str = ""

    def __post_init__(self) -> None:
        _check_written(self.id, self.text, self.timestamp)
        if math.isnan(self.trust) or not 0.0 <= self.trust <= 1.0:
            raise InvalidInput("trust", f"memory {self.id!r} has trust {self.trust}; it must be in [0, 1]")
        if math.isnan(self.confidence) or not 0.0 <= self.confidence <= 1.0:
            raise InvalidInput("confidence", f"memory {self.id!r} has {self.confidence}; it must be in [0, 1]")

    @property
    def scope(self) -> Scope:
        return Scope(self.owner, self.tenant)
