"""What is answered about logs, sessions and the service itself; see `answers` for the rest."""

from __future__ import annotations

from typing import Any

from groundwire.surfaces.rest.answers import Out
from groundwire.types import Action, MemoryKind, Verdict

# ── logs ────────────────────────────────────────────────────────────────────────────────────────


class VerdictOut(Out):
    user: str
    recorded_at: str
    claim: str
    verdict: Verdict
    confidence: float
    judge: str
    evidence: list[str]
    evidence_used: list[str]
    probabilities: dict[Verdict, float]
    action: Action
    explanation: str
    model: str | None
    calibration: str | None


class VerdictsPage(Out):
    verdicts: list[VerdictOut]
    next: str | None


class RejectionOut(Out):
    user: str
    timestamp: str
    rejection_reason: str
    extracted_text: str
    confidence_score: float
    threshold: float
    type: MemoryKind
    validation_details: dict[str, Any]


class RejectionsPage(Out):
    rejections: list[RejectionOut]
    next: str | None


class ShareOut(Out):
    label: str
    count: int
    percent: float


class RejectionSummaryOut(Out):
    total: int
    shares: list[ShareOut]
    most_common: str | None
    recommendation: str


class AuditOut(Out):
    sequence: int
    recorded_at: str
    user: str
    actor: str
    action: str
    target: str
    outcome: str
    hash: str
    previous: str
    details: dict[str, Any] | None


class AuditPage(Out):
    audit: list[AuditOut]
    next: str | None


class UserOut(Out):
    user: str
    memories: int
    waiting: int


class UsersPage(Out):
    users: list[UserOut]
    next: str | None


# ── sessions and values ─────────────────────────────────────────────────────────────────────────


class SessionOut(Out):
    id: str
    user: str
    started_at: str
    ended_at: str | None
    metadata: dict[str, Any]


class SessionsPage(Out):
    sessions: list[SessionOut]
    next: str | None


class ValuesOut(Out):
    values: dict[str, Any]


class ValuesPage(ValuesOut):
    next: str | None


# ── health ──────────────────────────────────────────────────────────────────────────────────────


class HealthOut(Out):
    status: str


class ReadinessOut(Out):
    status: str
    store: str
    model: str
