"""What a store keeps, as JSON objects: memories, what was forgotten, what waits for review."""

from __future__ import annotations

from datetime import datetime

from groundwire.surfaces.responses import JsonObject
from groundwire.types import EvidenceObject, Memory, Verdict
from groundwire.types.records import (
    AuditEntry,
    Forgotten,
    PendingMemory,
    Rejection,
    Session,
    Tombstone,
    VerdictRecord,
)


def describe_time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def describe_evidence(evidence: EvidenceObject) -> JsonObject:
    return {
        "claim": evidence.claim,
        "capture_time": evidence.capture_time.isoformat(),
        "confidence": evidence.confidence.value,
        "source_id": evidence.source_id,
        "validity_horizon": describe_time(evidence.validity_horizon),
        "metadata": dict(evidence.metadata),
    }


def describe_memory(memory: Memory) -> JsonObject:
    return {
        "id": memory.id,
        "text": memory.text,
        "user": memory.owner,
        "tenant": memory.tenant,
        "memory_type": memory.memory_type,
        "kind": memory.kind.value,
        "status": memory.status.value,
        "subject": memory.subject,
        "source": memory.source,
        "trust": memory.trust,
        "confidence": memory.confidence,
        "mentions": memory.mentions,
        "timestamp": memory.timestamp,
        "created_at": describe_time(memory.created_at),
        "last_confirmed": describe_time(memory.last_confirmed),
        "valid_from": describe_time(memory.valid_from),
        "valid_to": describe_time(memory.valid_to),
        "supersedes": memory.supersedes,
        "superseded_by": memory.superseded_by,
        "why": memory.why or None,
        "evidence": None if memory.evidence is None else describe_evidence(memory.evidence),
    }


def describe_tombstone(stone: Tombstone) -> JsonObject:
    return {
        "id": stone.id,
        "forgotten_at": stone.forgotten_at.isoformat(),
        "forgotten_by": stone.forgotten_by,
        "supersedes": stone.supersedes,
        "superseded_by": stone.superseded_by,
    }


def describe_forgotten(forgotten: Forgotten) -> JsonObject:
    return {
        "forgotten": [describe_tombstone(stone) for stone in forgotten.tombstones],
        "dependent_memories": list(forgotten.memories),
        "dependent_reviews": list(forgotten.reviews),
        "verdicts_deleted": forgotten.verdicts,
        "rejections_deleted": forgotten.rejections,
        "purged": forgotten.is_purged,
    }


def describe_item(item: PendingMemory) -> JsonObject:
    return {
        "review_id": item.queue_id,
        "content": item.content,
        "user": item.user_id,
        "tenant": item.tenant_id,
        "memory_type": item.memory_type,
        "kind": item.kind.value,
        "source": item.source,
        "state": item.state.value,
        "proposer": item.proposer,
        "submitted_at": item.submitted_at.isoformat(),
        "reason_for_review": item.validation_result.get("reason"),
        "checks_failed": list(item.validation_result.get("checks_failed") or ()),
        "edited": item.edited,
        "decided_at": describe_time(item.decided_at),
        "decided_by": item.decided_by,
        "reason": item.reason or None,
        "memory_id": item.memory_id,
        "error": item.error or None,
        "evidence": describe_evidence(item.evidence),
    }


# ── logs ────────────────────────────────────────────────────────────────────────────────────────


def describe_verdict(record: VerdictRecord) -> JsonObject:
    return {
        "user": record.owner,
        "recorded_at": record.recorded_at.isoformat(),
        "claim": record.claim,
        "verdict": record.verdict.value,
        "confidence": record.confidence,
        "judge": record.judge,
        "evidence": list(record.evidence),
        "evidence_used": list(record.evidence_used),
        "probabilities": {v.value: record.probabilities[v] for v in Verdict if v in record.probabilities},
        "action": record.action.value,
        "explanation": record.explanation,
        "model": record.model or None,
        "calibration": record.calibration or None,
    }


def describe_rejection(rejection: Rejection) -> JsonObject:
    return {
        "user": rejection.owner,
        "timestamp": rejection.timestamp.isoformat(),
        "rejection_reason": rejection.rejection_reason,
        "extracted_text": rejection.extracted_text,
        "confidence_score": rejection.confidence_score,
        "threshold": rejection.threshold,
        "type": rejection.type.value,
        "validation_details": dict(rejection.validation_details),
    }


def describe_audit_entry(entry: AuditEntry) -> JsonObject:
    return {
        "sequence": entry.sequence,
        "recorded_at": entry.recorded_at.isoformat(),
        "user": entry.owner,
        "actor": entry.actor,
        "action": entry.action,
        "target": entry.target,
        "outcome": entry.outcome,
        "hash": entry.hash,
        "previous": entry.previous,
        "details": None if entry.details is None else dict(entry.details),
    }


def describe_session(session: Session) -> JsonObject:
    return {
        "id": session.id,
        "user": session.owner,
        "started_at": session.started_at.isoformat(),
        "ended_at": describe_time(session.ended_at),
        "metadata": dict(session.metadata),
    }
