"""The one place where rows become values, and values rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from groundwire.store.values import (
    from_json,
    from_micros,
    from_micros_or_none,
    mapping_to_json,
    to_json,
    to_micros,
    to_micros_or_none,
)
from groundwire.types import Action, Verdict
from groundwire.types.access import Credential, Role
from groundwire.types.memories import Confidence, EvidenceObject, Memory, MemoryKind, MemoryStatus, Scope
from groundwire.types.records import (
    AuditEntry,
    CandidateOutcome,
    PendingMemory,
    Rejection,
    ReviewState,
    Session,
    Tombstone,
    VerdictRecord,
)

Row = Mapping[Any, Any]
EVIDENCE = "evidence_"
"""What the columns of the evidence are called where they stand beside those of a memory."""


def memory_to_row(memory: Memory, scope: int) -> dict[str, Any]:
    """A memory whose times have been filled in."""
    return {
        "scope": scope,
        "id": memory.id,
        "text": memory.text,
        "subject": memory.subject,
        "kind": memory.kind.value,
        "memory_type": memory.memory_type,
        "source": memory.source,
        "trust": float(memory.trust),
        "confidence": float(memory.confidence),
        "timestamp": memory.timestamp,
        "status": memory.status.value,
        "created_at": to_micros_or_none("created_at", memory.created_at),
        "last_confirmed": to_micros_or_none("last_confirmed", memory.last_confirmed),
        "mentions": memory.mentions,
        "valid_from": to_micros_or_none("valid_from", memory.valid_from),
        "valid_to": to_micros_or_none("valid_to", memory.valid_to),
        "supersedes": memory.supersedes,
        "superseded_by": memory.superseded_by,
        "why": memory.why,
    }


def row_to_memory(row: Row, scope: Scope) -> Memory:
    """From a row of memories with that of its evidence, if any, beside it."""
    return Memory(
        id=row["id"],
        text=row["text"],
        trust=row["trust"],
        timestamp=row["timestamp"],
        source=row["source"],
        kind=MemoryKind(row["kind"]),
        status=MemoryStatus(row["status"]),
        owner=scope.owner,
        tenant=scope.tenant,
        subject=row["subject"],
        memory_type=row["memory_type"],
        confidence=row["confidence"],
        evidence=None if row[EVIDENCE + "claim"] is None else row_to_evidence(row, EVIDENCE),
        created_at=from_micros(row["created_at"]),
        last_confirmed=from_micros(row["last_confirmed"]),
        mentions=row["mentions"],
        valid_from=from_micros(row["valid_from"]),
        valid_to=from_micros_or_none(row["valid_to"]),
        supersedes=row["supersedes"],
        superseded_by=row["superseded_by"],
        why=row["why"],
    )


def evidence_to_row(evidence: EvidenceObject, limit: int | None = None) -> dict[str, Any]:
    return {
        "claim": evidence.claim,
        "capture_time": to_micros("capture_time", evidence.capture_time),
        "confidence": evidence.confidence.value,
        "source_id": evidence.source_id,
        "validity_horizon": to_micros_or_none("validity_horizon", evidence.validity_horizon),
        "metadata": mapping_to_json("metadata", evidence.metadata, limit),
    }


def row_to_evidence(row: Row, prefix: str = "") -> EvidenceObject:
    return EvidenceObject(
        claim=row[prefix + "claim"],
        capture_time=from_micros(row[prefix + "capture_time"]),
        confidence=Confidence(row[prefix + "confidence"]),
        source_id=row[prefix + "source_id"],
        validity_horizon=from_micros_or_none(row[prefix + "validity_horizon"]),
        metadata=from_json(row[prefix + "metadata"]),
    )


def review_to_row(item: PendingMemory, scope: int, limit: int | None = None) -> dict[str, Any]:
    return {
        "scope": scope,
        "id": item.queue_id,
        "content": item.content,
        "kind": item.kind.value,
        "memory_type": item.memory_type,
        "source": item.source,
        "evidence": to_json("evidence", evidence_to_row(item.evidence, limit)),
        "validation_result": mapping_to_json("validation_result", item.validation_result, limit),
        "proposer": item.proposer,
        "submitted_at": to_micros("submitted_at", item.submitted_at),
        "state": item.state.value,
        "edited": item.edited,
        "decided_at": to_micros_or_none("decided_at", item.decided_at),
        "decided_by": item.decided_by,
        "reason": item.reason,
        "memory_id": item.memory_id,
        "error": item.error,
    }


def row_to_review(row: Row, scope: Scope) -> PendingMemory:
    return PendingMemory(
        queue_id=row["id"],
        user_id=scope.owner,
        tenant_id=scope.tenant,
        content=row["content"],
        memory_type=row["memory_type"],
        source=row["source"],
        evidence=row_to_evidence(from_json(row["evidence"])),
        submitted_at=from_micros(row["submitted_at"]),
        proposer=row["proposer"],
        kind=MemoryKind(row["kind"]),
        validation_result=from_json(row["validation_result"]),
        state=ReviewState(row["state"]),
        edited=row["edited"],
        decided_at=from_micros_or_none(row["decided_at"]),
        decided_by=row["decided_by"],
        reason=row["reason"],
        memory_id=row["memory_id"],
        error=row["error"],
    )


def row_to_verdict(row: Row, scope: Scope) -> VerdictRecord:
    return VerdictRecord(
        owner=scope.owner,
        tenant=scope.tenant,
        recorded_at=from_micros(row["recorded_at"]),
        claim=row["claim"],
        verdict=Verdict(row["verdict"]),
        confidence=row["confidence"],
        judge=row["judge"],
        evidence=tuple(json.loads(row["evidence"])),
        evidence_used=tuple(json.loads(row["evidence_used"])),
        probabilities={Verdict(name): value for name, value in from_json(row["probabilities"]).items()},
        action=Action(row["action"]),
        explanation=row["explanation"],
        model=row["model"],
        calibration=row["calibration"],
    )


def row_to_rejection(row: Row, scope: Scope) -> Rejection:
    return Rejection(
        owner=scope.owner,
        tenant=scope.tenant,
        timestamp=from_micros(row["timestamp"]),
        rejection_reason=row["rejection_reason"],
        extracted_text=row["extracted_text"],
        confidence_score=row["confidence_score"],
        threshold=row["threshold"],
        type=MemoryKind(row["type"]),
        validation_details=from_json(row["validation_details"]),
    )


def row_to_outcome(row: Row, scope: Scope) -> CandidateOutcome:
    return CandidateOutcome(
        owner=scope.owner,
        tenant=scope.tenant,
        recorded_at=from_micros(row["recorded_at"]),
        outcome=row["outcome"],
        type=MemoryKind(row["type"]),
        confidence=row["confidence"],
    )


def row_to_session(row: Row, scope: Scope) -> Session:
    return Session(
        id=row["id"],
        owner=scope.owner,
        tenant=scope.tenant,
        started_at=from_micros(row["started_at"]),
        ended_at=from_micros_or_none(row["ended_at"]),
        metadata=from_json(row["metadata"]),
    )


def row_to_tombstone(row: Row, scope: Scope) -> Tombstone:
    return Tombstone(
        id=row["id"],
        owner=scope.owner,
        tenant=scope.tenant,
        forgotten_at=from_micros(row["forgotten_at"]),
        forgotten_by=row["forgotten_by"],
        supersedes=row["supersedes"],
        superseded_by=row["superseded_by"],
    )


def tombstone_to_row(tombstone: Tombstone, scope: int) -> dict[str, Any]:
    return {
        "scope": scope,
        "id": tombstone.id,
        "forgotten_at": to_micros("forgotten_at", tombstone.forgotten_at),
        "forgotten_by": tombstone.forgotten_by,
        "supersedes": tombstone.supersedes,
        "superseded_by": tombstone.superseded_by,
    }


def row_to_audit_entry(row: Row) -> AuditEntry:
    return AuditEntry(
        sequence=row["sequence"],
        recorded_at=from_micros(row["recorded_at"]),
        owner=row["owner"],
        tenant=row["tenant"],
        actor=row["actor"],
        action=row["action"],
        target=row["target"],
        outcome=row["outcome"],
        digest=row["digest"],
        previous=row["previous"],
        hash=row["hash"],
        details=None if row["details"] is None else from_json(row["details"]),
    )


def credential_to_row(credential: Credential, digest: str) -> dict[str, Any]:
    return {
        "id": credential.id,
        "name": credential.name,
        "tenant": credential.tenant,
        "owner": credential.owner,
        "roles": to_json("roles", sorted(credential.roles)),
        "sources": None if credential.sources is None else to_json("sources", sorted(credential.sources)),
        "digest": digest,
        "created_at": to_micros("created_at", credential.created_at),
        "revoked_at": to_micros_or_none("revoked_at", credential.revoked_at),
        "last_used": to_micros_or_none("last_used", credential.last_used),
    }


def row_to_credential(row: Row) -> Credential:
    return Credential(
        id=row["id"],
        name=row["name"],
        tenant=row["tenant"],
        owner=row["owner"],
        roles=frozenset(map(Role, json.loads(row["roles"]))),
        sources=None if row["sources"] is None else frozenset(json.loads(row["sources"])),
        created_at=from_micros(row["created_at"]),
        revoked_at=from_micros_or_none(row["revoked_at"]),
        last_used=from_micros_or_none(row["last_used"]),
    )
