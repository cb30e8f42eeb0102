"""Values to fill a store with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from groundwire.types import Confidence, EvidenceObject, Memory, Scope
from groundwire.types.records import Act, PendingMemory

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ADA = Scope("ada")
BOB = Scope("bob")
SECRET = "hunter2hunter2"
"""A password that must not turn up anywhere."""


def at(days: float) -> datetime:
    return NOW + timedelta(days=days)


def act(days: float = 0, actor: str = "ada", credential: str = "console") -> Act:
    return Act(actor, at(days), credential)


def evidence(claim: str = "said so", **fields: Any) -> EvidenceObject:
    return EvidenceObject(claim, NOW, Confidence.HIGH, **fields)


def memory(text: str, id: str = "", scope: Scope = ADA, **fields: Any) -> Memory:
    return Memory(id, text, owner=scope.owner, tenant=scope.tenant, **{"evidence": evidence(text), **fields})


def pending(content: str, queue_id: str = "", scope: Scope = ADA, days: float = 0, **fields: Any) -> PendingMemory:
    return PendingMemory(
        queue_id=queue_id,
        user_id=scope.owner,
        tenant_id=scope.tenant,
        content=content,
        submitted_at=at(days),
        **{
            "memory_type": "fact",
            "source": "ai_synthesis",
            "proposer": "agent",
            "evidence": evidence(content),
            **fields,
        },
    )
