"""The write gate: every claim that wants to become a memory is checked, put in one tier, and given a receipt.

The gate decides and writes nothing; whoever calls it stores, queues or rejects in one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from groundwire.errors import InvalidInput
from groundwire.judge.judge import Judge
from groundwire.memory.checks import (
    Candidate,
    Check,
    CitationsCheck,
    ConflictCheck,
    DuplicateCheck,
    StatementCheck,
    SupportCheck,
    check_hedges,
    check_instructions,
    check_permission,
    check_readable,
    check_source,
)
from groundwire.memory.conflicts import ConflictChecker
from groundwire.memory.dedup import DedupChecker
from groundwire.memory.existing import ExistingMemories, NoMemories
from groundwire.memory.policy import GroundedIngestionConfig
from groundwire.memory.provenance import CitationVerifier
from groundwire.memory.receipts import (
    CONFIDENCE_OF,
    EvidenceObject,
    IngestionTier,
    Source,
    ValidationResult,
)
from groundwire.memory.tiers import Decision, Findings, determine_tier
from groundwire.text.temporal import find_times
from groundwire.types import TemporalRelation, Tense

TRUST_STATED = 0.90
TRUST_REVIEWED = 0.85
"""For the review queue: what a reviewer's approval is worth."""
TRUST_DOCUMENTED = 0.80


class IngestionValidator:
    """One gate over one provider of existing memories. `checks` is what it does, in this order."""

    def __init__(
        self,
        provider: ExistingMemories | None = None,
        enable_dedup: bool = True,
        *,
        judge: Judge,
        now: Callable[[], datetime],
        verifier: CitationVerifier,
        config: GroundedIngestionConfig | None = None,
        relevance_judge: Judge | None = None,
    ) -> None:
        """`judge` compares claims with memories and should be quick; `relevance_judge` reads what is cited."""
        self.config = config or GroundedIngestionConfig()
        self._now = now
        provider = provider or NoMemories()
        reader = relevance_judge or judge
        dedup = DedupChecker(
            provider,
            self.config.threshold,
            method=self.config.method,
            judge=judge if self.config.merge_paraphrases else None,
        )
        self.checks: tuple[Check, ...] = (
            check_permission,
            StatementCheck(reader, self.config.takes_caller_at_word),
            check_readable,
            check_hedges,
            check_instructions,
            CitationsCheck(verifier, reader if self.config.verify_claim_relevance else None),
            DuplicateCheck(dedup if enable_dedup else None),
            ConflictCheck(ConflictChecker(provider, judge)),
            *([SupportCheck(provider, reader)] if self.config.auto_approve_ai_synthesis else []),
            check_source,
        )

    async def validate(self, content: str, memory_type: str, source: str, user_id: str) -> ValidationResult:
        """The asynchronous edge: the same decision, made in a thread of its own."""
        from asyncio import to_thread

        return await to_thread(self.validate_now, content, memory_type, source, user_id)

    def validate_now(self, content: str, memory_type: str, source: str, user_id: str) -> ValidationResult:
        return self.decide(Candidate(content, memory_type, source, user_id))

    def decide(self, candidate: Candidate) -> ValidationResult:
        """The receipt for one candidate; refuses what is empty or too large, and fails closed otherwise."""
        self._refuse_oversized(candidate)
        findings = Findings(candidate.source, candidate.memory_type)
        for check in self.checks:
            findings = check(candidate, findings)
            if findings.is_refused:
                break  # whatever else there is, it stays refused: no further look-up, no network
        return self._write_receipt(candidate, findings, determine_tier(findings))

    def recheck(self, candidate: Candidate) -> Findings:
        """What may have changed while a claim waited for a person: its wording, duplicates and contradictions.

        The person vouches for the rest.
        """
        self._refuse_oversized(candidate)
        findings = Findings(candidate.source, candidate.memory_type)
        for check in self.checks:
            if check is check_hedges or isinstance(check, DuplicateCheck | ConflictCheck):
                findings = check(candidate, findings)
                if findings.is_refused:
                    break
        return findings

    def _refuse_oversized(self, candidate: Candidate) -> None:
        limit = self.config.max_content_characters
        if not candidate.content.strip():
            raise InvalidInput("content", "is empty")
        if len(candidate.content) > limit:
            raise InvalidInput("content", f"has {len(candidate.content):,} characters; at most {limit:,} are taken")
        if not candidate.user_id.strip():
            raise InvalidInput("user_id", "is empty; a memory belongs to somebody")
        try:
            size = len(json.dumps(dict(candidate.metadata)).encode())
        except (TypeError, ValueError) as error:
            raise InvalidInput("metadata", f"cannot be written as JSON: {error}") from None
        if size > self.config.max_metadata_bytes:
            raise InvalidInput("metadata", f"has {size:,} bytes; at most {self.config.max_metadata_bytes:,} are taken")

    def _write_receipt(self, candidate: Candidate, findings: Findings, decision: Decision) -> ValidationResult:
        now = self._now().astimezone(UTC)
        duplicate, conflict = findings.duplicate, findings.conflict
        existing = duplicate.existing_memory_id if duplicate is not None and duplicate.is_duplicate else None
        evidence = EvidenceObject(
            claim=candidate.content,
            capture_time=now,
            confidence=CONFIDENCE_OF[decision.tier],
            source_id=findings.verified[0].source_id if findings.verified else None,
            validity_horizon=_find_horizon(candidate, now),
            metadata={**candidate.metadata, **_describe(candidate, findings, decision)},
        )
        return ValidationResult(
            tier=decision.tier,
            code=decision.code,
            reason=decision.reason,
            evidence=evidence,
            checks_passed=findings.passed,
            checks_failed=findings.failed,
            similarity_score=round(duplicate.similarity, 4) if duplicate is not None else None,
            conflicting_memory_id=existing or (conflict.memory.id if conflict is not None else None),
            threshold=self.config.threshold if duplicate is not None else None,
            trust=_trust(candidate, findings) if decision.tier is IngestionTier.AUTO_APPROVE else None,
            citations=findings.citations,
        )


def _trust(candidate: Candidate, findings: Findings) -> float:
    """What an approved memory enters with: the extraction's confidence, or what its grounding is worth."""
    if candidate.confidence is not None:
        return candidate.confidence
    stated = findings.source == Source.USER or findings.is_stated
    return TRUST_STATED if findings.verified or stated else TRUST_DOCUMENTED


def _find_horizon(candidate: Candidate, now: datetime) -> datetime | None:
    """As given; otherwise the end of the day up to which the claim itself says that it holds."""
    if candidate.validity_horizon is not None:
        given = candidate.validity_horizon
        return given.astimezone(UTC) if given.tzinfo else given.replace(tzinfo=UTC)
    days: list[date] = [
        found.resolved_date
        for found in find_times(candidate.content, now=now)
        if found.relation is TemporalRelation.UNTIL
        and found.resolved_date is not None
        and found.tense is not Tense.PAST
        and found.resolved_date >= now.date()
    ]
    return datetime.combine(max(days) + timedelta(days=1), time(), UTC) if days else None


def _describe(candidate: Candidate, findings: Findings, decision: Decision) -> dict[str, object]:
    """What an audit wants to know later."""
    described: dict[str, object] = {
        "code": decision.code,
        "source": findings.source,
        "memory_type": findings.memory_type,
    }
    if findings.source != candidate.source:
        described["claimed_source"] = candidate.source[:64]
    if findings.citations:
        described["citations"] = [
            {"type": c.citation.type.value, "id": c.citation.id, "status": c.status.value, "reason": c.reason}
            for c in findings.citations
        ]
        described["relevance"] = findings.relevance.value
    if findings.speculation.hedges:
        described["hedges"] = list(findings.speculation.kinds)
    if findings.instructions:
        described["instructions"] = [hit.why for hit in findings.instructions]
    if findings.duplicate is not None and findings.duplicate.is_duplicate:
        described["duplicate_found_by"] = findings.duplicate.method
    if findings.conflict is not None:
        described["contradiction"] = findings.conflict.explanation
        described["contradicts"] = findings.conflict.memory.id
    return described
