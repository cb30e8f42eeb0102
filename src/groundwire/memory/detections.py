"""Detections on record: what was found and done in a turn, and answers that a person has to look at."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from groundwire.memory.protocols import Store
from groundwire.memory.traces import PATTERNS, pattern_prefix, trace_patterns, trace_report, turn_prefix
from groundwire.types import Confidence, EvidenceObject, MemoryKind, Scope
from groundwire.types.detection import DetectionReport, Escalate
from groundwire.types.records import Act, PendingMemory

PROPOSER = "groundwire.detect"
"""The credential under which answers are queued: nobody signs with it, so anybody else may decide."""
ANSWER = "answer"
_MOST_FLAGS = 20
_LONGEST_QUOTE = 300


def record_detection(
    store: Store, scope: Scope, report: DetectionReport, session: str, turn: int | str, now: datetime
) -> None:
    """Keep a report under its paths; one that is there already for the turn is replaced, patterns included."""
    prefix = turn_prefix(session, turn)
    values = trace_report(report, session, turn)
    with store.transaction():
        before = store.sessions.values(scope, f"{prefix}detection/flag/")
        earlier = [value for path, value in before.items() if path.endswith("/pattern")]
        known = store.sessions.values(scope, f"{PATTERNS}/")
        store.sessions.replace(scope, prefix, values, now)
        for name, leaves in trace_patterns(known, report, earlier, now).items():
            place = pattern_prefix(name)
            store.sessions.replace(scope, place, {place + leaf: value for leaf, value in leaves.items()}, now)


def queue_answer(
    store: Store, scope: Scope, report: DetectionReport, longest: int, now: datetime, proposer: str = PROPOSER
) -> str:
    """Put an answer into the review queue and return its id there; `proposer` is the credential that brought it.

    It is a narrative: even if somebody approves it, it never becomes evidence for another answer.
    """
    reason = next((action.reason for action in report.actions if isinstance(action, Escalate)), "")
    content = report.response.replace("\x00", "\ufffd").strip() or "(an empty answer)"
    evidence = EvidenceObject(
        claim=content[:longest],
        capture_time=now,
        confidence=Confidence.LOW,
        metadata={"flags": [_describe(report, index) for index in range(min(len(report.flags), _MOST_FLAGS))]},
    )
    item = PendingMemory(
        queue_id="",
        user_id=scope.owner,
        content=content[:longest],
        memory_type=ANSWER,
        source=PROPOSER,
        evidence=evidence,
        submitted_at=now,
        tenant_id=scope.tenant,
        proposer=proposer,
        kind=MemoryKind.SHARED_NARRATIVE,
        validation_result={"tier": "flag_review", "reason": reason, "confidence": report.confidence},
    )
    return store.reviews.enqueue(item, Act(proposer, now, proposer)).queue_id


def _describe(report: DetectionReport, index: int) -> Mapping[str, Any]:
    flag = report.flags[index]
    return {
        "type": flag.hallucination_type.value,
        "content": flag.content[:_LONGEST_QUOTE],
        "confidence": round(flag.confidence, 4),
        "evidence": (flag.evidence or "")[:_LONGEST_QUOTE],
    }
