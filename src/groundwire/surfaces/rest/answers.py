"""What requests are answered with: the objects of the command line, written down for the OpenAPI document.

Routes render with the command line's own functions; the tests hold these models against what those write.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from groundwire.memory.candidates import RejectionReason
from groundwire.types import (
    Action,
    Confidence,
    ContradictionType,
    MemoryKind,
    MemoryStatus,
    Standing,
    Verdict,
)
from groundwire.types.detection import HallucinationType, Handling
from groundwire.types.records import ReviewState


class Out(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FieldError(Out):
    field: str
    message: str


class ProblemOut(Out):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    request_id: str
    errors: list[FieldError] = []


# ── memories ────────────────────────────────────────────────────────────────────────────────────


class EvidenceOut(Out):
    claim: str
    capture_time: str
    confidence: Confidence
    source_id: str | None
    validity_horizon: str | None
    metadata: dict[str, Any]


class MemoryOut(Out):
    id: str
    text: str
    user: str
    tenant: str
    memory_type: str
    kind: MemoryKind
    status: MemoryStatus
    subject: str
    source: str | None
    trust: float
    confidence: float
    mentions: int
    timestamp: int | None
    created_at: str | None
    last_confirmed: str | None
    valid_from: str | None
    valid_to: str | None
    supersedes: str | None
    superseded_by: str | None
    why: str | None
    evidence: EvidenceOut | None


class TombstoneOut(Out):
    id: str
    forgotten_at: str
    forgotten_by: str
    supersedes: str | None
    superseded_by: str | None


class RecalledOut(MemoryOut):
    score: float
    lexical: float | None
    semantic: float | None
    confidence_now: float
    authoritative: bool


class MemoriesPage(Out):
    memories: list[MemoryOut]
    next: str | None


class SearchOut(Out):
    memories: list[RecalledOut]


class HistoryOut(Out):
    history: list[MemoryOut | TombstoneOut]


class ForgottenOut(Out):
    forgotten: list[TombstoneOut]
    dependent_memories: list[str]
    dependent_reviews: list[str]
    verdicts_deleted: int
    rejections_deleted: int
    purged: bool


class ReceiptOut(Out):
    tier: str
    approved: bool
    reason: str
    code: str
    checks_passed: list[str]
    checks_failed: list[str]
    similarity_score: float | None
    threshold: float | None
    conflicting_memory_id: str | None
    trust: float | None
    evidence: EvidenceOut


class RememberedOut(ReceiptOut):
    stored: bool
    memory_id: str | None
    review_id: str | None
    confirmed: bool
    memory: MemoryOut | None
    superseded: list[MemoryOut]


# ── extraction ──────────────────────────────────────────────────────────────────────────────────


class PlaceOut(Out):
    turn: int
    span: tuple[int, int]


class ProposalOut(Out):
    text: str
    type: MemoryKind
    proposed_type: MemoryKind
    confidence: float
    threshold: float
    band: str
    scoring: dict[str, Any]
    validation: dict[str, Any]
    reasoning: str
    spans: list[PlaceOut]
    authority: str
    decay_days: int
    update: str
    known_fact: str | None
    note: str | None


class RefusedOut(Out):
    text: str
    type: str
    confidence_score: float
    threshold: float | None
    rejection_reason: RejectionReason
    validation_details: dict[str, Any]


class ExtractionOut(Out):
    stored: list[ProposalOut]
    proposed: list[ProposalOut]
    rejected: list[RefusedOut]
    extractor: str
    log: list[str]


class ConversationOut(Out):
    remembered: list[RememberedOut]
    extraction: ExtractionOut
    log: list[str]


# ── checking ────────────────────────────────────────────────────────────────────────────────────


class JudgementOut(Out):
    verdict: Verdict
    confidence: float
    probabilities: dict[Verdict, float]
    evidence_used: list[str]
    explanation: str
    reason: str
    action: Action
    low_confidence: bool
    truncated: bool
    conflicting: list[str]
    latency_ms: float
    judge: str
    model: str | None
    calibration: str | None


class ClaimOut(Out):
    text: str
    span: tuple[int, int]
    verdict: Verdict
    standing: Standing
    confidence: float
    evidence: list[str]
    explanation: str
    action: Action
    wrong: tuple[int, int] | None
    correction: str | None


class ContradictionOut(Out):
    slot_type: str
    subject: str
    values: list[str]
    memory_ids: list[str]
    trust_scores: list[float]
    timestamps: list[int | None]
    contradiction_type: ContradictionType


class DisclosureOut(Out):
    slot_type: str
    subject: str
    phrase: str
    values: list[str]
    memory_ids: list[str]
    span: tuple[int, int]


class FlagOut(Out):
    type: HallucinationType
    span: tuple[int, int]
    content: str
    confidence: float
    severity: float
    suggestion: str | None
    evidence: str | None
    description: str
    severity_label: str
    correct_value: str | None
    value_span: tuple[int, int] | None
    related_span: tuple[int, int] | None
    source_id: str | None
    detector: str
    incident: int
    raw_confidence: float | None
    contradiction_type: ContradictionType | None
    factors: dict[str, float]
    explanation: str


class ReportOut(Out):
    grounded: bool
    claims: list[ClaimOut]
    claim_count: int
    hallucinations: list[str]
    unverifiable: list[str]
    contradictions: list[ContradictionOut]
    requires_disclosure: bool
    expected_disclosure: str | None
    disclosures: list[DisclosureOut]
    grounding_map: dict[str, str]
    corrected: str | None
    action: Action
    confidence: float
    caveat: str | None
    not_analysed: int
    latency_ms: float
    judge: str
    flags: list[FlagOut] = []
    """Only where they were asked for."""


class DetectionOut(Out):
    flags: list[FlagOut]
    actions: list[dict[str, Any]]
    mitigated: str
    risk: float
    handling: Handling
    confidence: float
    metrics: dict[str, float]
    errors: dict[str, str]
    not_analysed: int
    review_id: str | None


class ContradictionsOut(Out):
    contradictions: list[ContradictionOut]


# ── reviewing ───────────────────────────────────────────────────────────────────────────────────


class ItemOut(Out):
    review_id: str
    content: str
    user: str
    tenant: str
    memory_type: str
    kind: MemoryKind
    source: str
    state: ReviewState
    proposer: str
    submitted_at: str
    reason_for_review: str | None
    checks_failed: list[str]
    edited: str | None
    decided_at: str | None
    decided_by: str | None
    reason: str | None
    memory_id: str | None
    error: str | None
    evidence: EvidenceOut


class QuoteOut(Out):
    turn: int
    span: tuple[int, int]
    text: str


class NearOut(MemoryOut):
    similarity: float


class SheetOut(ItemOut):
    quotes: list[QuoteOut]
    nearest: list[NearOut]
    conflict: MemoryOut | None
    diff: list[str]


class PendingPage(Out):
    pending: list[ItemOut]
    next: str | None
