"""What a store keeps, as JSON objects: memories, what was forgotten, what waits for review."""

from __future__ import annotations

from datetime import datetime

from groundwire.surfaces.responses import JsonObject
from groundwire.types import EvidenceObject, Memory
from groundwire.types.records import Forgotten, PendingMemory, Tombstone


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
