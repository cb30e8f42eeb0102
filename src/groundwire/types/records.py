"""What a store keeps besides memories: the review queue, the logs, the audit trail, what was forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from groundwire.types import Action, Verdict
from groundwire.types.memories import EvidenceObject, Memory, MemoryKind, Scope


@dataclass(frozen=True, slots=True)
class Act:
    """Who does something, when, and with which credential: what the audit trail has to know of every write."""

    actor: str
    now: datetime
    credential: str = ""


# ── the review queue ────────────────────────────────────────────────────────────────────────────


class ReviewState(StrEnum):
    """PENDING is the only state that anything follows; an item is decided once."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"

    def may_become(self, state: ReviewState) -> bool:
        return self is ReviewState.PENDING and state is not ReviewState.PENDING


@dataclass(frozen=True, slots=True)
class PendingMemory:
    """A claim that waits for a person; `proposer` is the credential that may never decide on it.

    `content` is what was proposed, `edited` what the reviewer made of it, `error` why storing it failed last.
    """

    queue_id: str
    user_id: str
    content: str
    memory_type: str
    source: str
    evidence: EvidenceObject
    submitted_at: datetime
    tenant_id: str = "default"
    proposer: str = ""
    kind: MemoryKind = MemoryKind.USER_FACT
    validation_result: Mapping[str, Any] = field(default_factory=dict[str, Any])
    state: ReviewState = ReviewState.PENDING
    edited: str | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None
    reason: str = ""
    memory_id: str | None = None
    error: str = ""

    @property
    def scope(self) -> Scope:
        return Scope(self.user_id, self.tenant_id)


# ── the logs ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """One judgement with everything that is needed to make it again."""

    owner: str
    recorded_at: datetime
    claim: str
    verdict: Verdict
    confidence: float
    judge: str
    evidence: tuple[str, ...] = ()
    """Ids of the memories that the judge was given."""
    evidence_used: tuple[str, ...] = ()
    probabilities: Mapping[Verdict, float] = field(default_factory=dict[Verdict, float])
    action: Action = Action.CONTINUE
    explanation: str = ""
    model: str = ""
    calibration: str = ""
    tenant: str = "default"

    @property
    def scope(self) -> Scope:
        return Scope(self.owner, self.tenant)


@dataclass(frozen=True, slots=True)
class Rejection:
    """What was refused entry, and by which measure."""

    owner: str
    timestamp: datetime
    rejection_reason: str
    extracted_text: str
    confidence_score: float
    threshold: float
    type: MemoryKind
    validation_details: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tenant: str = "default"

    @property
    def scope(self) -> Scope:
        return Scope(self.owner, self.tenant)

    @property
    def subject_id(self) -> str:
        return f"USER:{self.owner}"

    @property
    def tenant_id(self) -> str:
        return f"TENANT:{self.tenant}"


ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class CandidateOutcome:
    """What became of one candidate, without its words: ACCEPTED, or the reason of its rejection."""

    owner: str
    recorded_at: datetime
    outcome: str
    type: MemoryKind
    confidence: float
    tenant: str = "default"

    @property
    def scope(self) -> Scope:
        return Scope(self.owner, self.tenant)


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation; `ended_at` is None while it lasts."""

    id: str
    owner: str
    started_at: datetime
    ended_at: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tenant: str = "default"

    @property
    def scope(self) -> Scope:
        return Scope(self.owner, self.tenant)


# ── the audit trail ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One link of the chain. `details` can be erased when a person asks to be forgotten, and the chain still holds:
    it covers their salted digest. None of the other fields quotes a memory."""

    sequence: int
    recorded_at: datetime
    owner: str
    tenant: str
    actor: str
    action: str
    target: str
    outcome: str
    digest: str
    previous: str
    hash: str
    details: Mapping[str, Any] | None = None


# ── forgetting ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Tombstone:
    """That there was a memory, and nothing of what it said."""

    id: str
    owner: str
    forgotten_at: datetime
    forgotten_by: str
    supersedes: str | None = None
    superseded_by: str | None = None
    tenant: str = "default"

    @property
    def scope(self) -> Scope:
        return Scope(self.owner, self.tenant)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What went with a memory, and what rested on it and is still there.

    `memories` and `reviews` name what now lacks a foundation; the counts are of log entries that quoted it and were
    deleted. `is_purged` is False while another process still reads older pages of the file.
    """

    tombstones: tuple[Tombstone, ...]
    memories: tuple[str, ...] = ()
    reviews: tuple[str, ...] = ()
    verdicts: int = 0
    rejections: int = 0
    is_purged: bool = True


# ── answers ─────────────────────────────────────────────────────────────────────────────────────


class Ranked(NamedTuple):
    """What a search found, before it is read: the id of a memory and its score."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Match:
    """A memory that a search found; a higher score is a better match, comparable within one search only."""

    memory: Memory
    score: float


@dataclass(frozen=True, slots=True)
class FingerprintMatch:
    """Who carries a fingerprint: a memory, or an item that waits for review."""

    fingerprint: str
    memory_id: str | None = None
    queue_id: str | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A memory with a fingerprint that it carries; an item that waits for review is a pending memory."""

    fingerprint: str
    memory: Memory


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A memory that retrieval found; `lexical` (BM25) and `semantic` (cosine) are None where that side did not."""

    memory: Memory
    score: float
    lexical: float | None = None
    semantic: float | None = None
