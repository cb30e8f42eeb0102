"""From a decision to what is kept: stored, queued, confirmed or refused, in one transaction with its audit entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from groundwire.errors import InvalidInput
from groundwire.memory.candidates import RejectionReason
from groundwire.memory.checks import Candidate
from groundwire.memory.decay import Origin
from groundwire.memory.existing import ExistingMemories
from groundwire.memory.fingerprints import find_topics
from groundwire.memory.gate import IngestionValidator
from groundwire.memory.outcomes import Remembered
from groundwire.memory.protocols import Store
from groundwire.memory.receipts import IngestionTier, Source, ValidationResult
from groundwire.memory.standing import ORIGIN
from groundwire.memory.stored import StoredMemories, marks_of
from groundwire.memory.updates import Replaced, find_beginning, find_replaced
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER
from groundwire.types import EvidenceObject, Memory, MemoryKind, MemoryStatus, Scope
from groundwire.types.records import ACCEPTED, Act, CandidateOutcome, PendingMemory, Rejection

_TRIES = 3
_ABOUT = 8
_NAME = 512
_MOST_CITATIONS = 16
_VOUCHED = frozenset({Source.USER, Source.MANUAL, Source.DOCUMENTATION})


class BuildGate(Protocol):
    """A gate over what exists, as of a time."""

    def __call__(
        self, provider: ExistingMemories, *, repository: str | None = None, now: Callable[[], datetime] | None = None
    ) -> IngestionValidator: ...


@dataclass(frozen=True, slots=True)
class Submission:
    """A claim with everything that is needed to keep it. `note` is why a person has to see it, whatever the gate
    says; `extraction` is what grounded it in a conversation."""

    candidate: Candidate
    tenant: str
    credential: str
    kind: MemoryKind = MemoryKind.USER_FACT
    repository: str | None = None
    valid_from: datetime | None = None
    note: str = ""
    extraction: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def scope(self) -> Scope:
        return Scope(self.candidate.user_id, self.tenant)

    @property
    def is_extracted(self) -> bool:
        return bool(self.extraction)


class Rememberer:
    """The writer behind the gate. What a decision rested on cannot change before it is carried out."""

    def __init__(self, store: Store, build_gate: BuildGate, *, switched_off: Sequence[str] = ()) -> None:
        """`switched_off` are defences that the deployment does without: every decision is on record with them."""
        self._switched_off = list(switched_off)
        self._store = store
        self._build_gate = build_gate

    def remember(self, submission: Submission, now: datetime) -> Remembered:
        """Decide and keep. The gate may ask the network, so it works before the transaction; if somebody else has
        written meanwhile it decides again, at last while nobody else can."""
        _check_text(submission.candidate.content)
        store, scope = self._store, submission.scope
        if store.is_read_only:
            with store.transaction():  # raises, before anybody is asked anything
                pass
        for _ in range(_TRIES):
            version = store.changes(scope)
            receipt = self._decide(submission, now)
            with store.transaction():
                if store.changes(scope) == version:
                    return self._keep(submission, receipt, now)
        with store.transaction():
            return self._keep(submission, self._decide(submission, now), now)

    def _decide(self, submission: Submission, now: datetime) -> ValidationResult:
        gate = self._build_gate(self.look_at(submission.scope, now), repository=submission.repository, now=lambda: now)
        return gate.decide(submission.candidate)

    def look_at(self, scope: Scope, now: datetime) -> StoredMemories:
        return StoredMemories(self._store.memories, scope.tenant, now)

    def _keep(self, submission: Submission, receipt: ValidationResult, now: datetime) -> Remembered:
        act = Act(submission.credential, now, submission.credential)
        match receipt.tier:
            case IngestionTier.AUTO_APPROVE if not submission.note:
                kept = self._store_claim(submission, receipt, act)
            case IngestionTier.BLOCK:
                kept = self._confirm_or_refuse(submission, receipt, act)
            case IngestionTier.AUTO_APPROVE | IngestionTier.FLAG_REVIEW:
                kept = self._queue(submission, receipt, act)
        self._note(submission, kept, act)
        return kept

    def _store_claim(self, submission: Submission, receipt: ValidationResult, act: Act) -> Remembered:
        trust = receipt.trust if receipt.trust is not None else 0.0
        evidence = replace(
            receipt.evidence,
            metadata={
                **receipt.evidence.metadata,
                **submission.extraction,
                "tier": receipt.tier.label,
                "reason": receipt.reason,
                "proposer": submission.credential,
                ORIGIN: _find_origin(submission, receipt).value,
            },
        )
        source = str(receipt.evidence.metadata.get("source", submission.candidate.source))
        memory = Memory(
            id="",
            text=submission.candidate.content,
            trust=trust,
            source=Source.CONVERSATION if submission.is_extracted and source == Source.USER else source[:_NAME],
            kind=submission.kind,
            owner=submission.scope.owner,
            tenant=submission.tenant,
            subject=_find_subject(submission.candidate.content),
            memory_type=submission.candidate.memory_type,
            confidence=trust,
            evidence=evidence,
            valid_from=submission.valid_from,
        )
        stored, superseded = self.admit(memory, act)
        self._count(submission, ACCEPTED, trust, act)
        return Remembered(receipt, stored, superseded=superseded)

    def admit(self, memory: Memory, act: Act, *, replaces: Sequence[str] = ()) -> tuple[Memory, tuple[Memory, ...]]:
        """Store a memory that may enter, and end those whose place it takes."""
        scope, memories = memory.scope, self._store.memories
        about = self.look_at(scope, act.now).find_about(scope.owner, find_topics(memory.text), _ABOUT)
        ended = list(find_replaced(memory.text, [old for old in about if old.id not in replaces]))
        for id in replaces:
            old = memories.get(scope, id)
            if old is not None and old.status is not MemoryStatus.SUPERSEDED:  # what has ended since does not end again
                ended.append(Replaced(old, "replaced by a reviewer"))
        begins = memory.valid_from or find_beginning(memory.text, act.now)
        if memory.valid_from is None and begins is not None and any(_begins(old) > begins for old in _of(ended)):
            begins = None  # it cannot have begun before what it ends: then it is news as of now
        memory = replace(memory, valid_from=begins or act.now)
        ended = [old for old in ended if _begins(old.memory) <= (begins or act.now)]
        marks = marks_of(memory.text)
        if not ended:
            return memories.add(memory, act, fingerprints=marks), ()
        first, *others = _of(ended)
        why = ", ".join(dict.fromkeys(old.why for old in ended))
        stored = memories.supersede(
            first.id, memory, act, why=why, fingerprints=marks, others=[old.id for old in others]
        )
        superseded = (memories.get(scope, old.id) for old in _of(ended))
        return stored, tuple(old for old in superseded if old is not None)

    def _queue(self, submission: Submission, receipt: ValidationResult, act: Act) -> Remembered:
        candidate = submission.candidate
        if submission.note and receipt.approved:
            receipt = replace(
                receipt, tier=IngestionTier.FLAG_REVIEW, code="proposal", reason=submission.note, trust=None
            )
        evidence = replace(
            receipt.evidence,
            metadata={**receipt.evidence.metadata, **submission.extraction, "proposer": submission.credential},
        )
        item = PendingMemory(
            queue_id="",
            user_id=candidate.user_id,
            tenant_id=submission.tenant,
            content=candidate.content,
            memory_type=candidate.memory_type[:_NAME],
            source=str(receipt.evidence.metadata.get("source", candidate.source))[:_NAME],
            evidence=evidence,
            submitted_at=act.now,
            proposer=submission.credential,
            kind=submission.kind,
            validation_result={**describe_receipt(receipt), "confidence": candidate.confidence},
        )
        queued = self._store.reviews.enqueue(item, act, fingerprints=marks_of(candidate.content))
        self._count(submission, ACCEPTED, candidate.confidence or 0.0, act)
        return Remembered(receipt, review_id=queued.queue_id)

    def _confirm_or_refuse(self, submission: Submission, receipt: ValidationResult, act: Act) -> Remembered:
        """What is known already is confirmed by whoever may say so; everything else that is blocked is logged."""
        known = receipt.conflicting_memory_id if receipt.code == "duplicate" else None
        existing = self._store.memories.get(submission.scope, known) if known is not None else None
        if existing is not None and _is_grounded(submission, receipt):
            confirmed = self._store.memories.confirm(submission.scope, existing.id, act)
            self._count(submission, ACCEPTED, confirmed.confidence, act)
            return Remembered(receipt, confirmed, is_confirmation=True)
        self._store.logs.record_rejections([_make_rejection(submission, receipt, act)])
        return Remembered(receipt, review_id=known if existing is None else None)

    def _count(self, submission: Submission, outcome: str, confidence: float, act: Act) -> None:
        scope = submission.scope
        entry = CandidateOutcome(scope.owner, act.now, outcome, submission.kind, confidence, scope.tenant)
        self._store.logs.record_outcomes([entry])

    def _note(self, submission: Submission, kept: Remembered, act: Act) -> None:
        """The receipt in the audit trail: the names of the checks, and nothing of what was said."""
        receipt = kept.receipt
        target = (kept.memory.id if kept.memory is not None else kept.review_id) or ""
        details: dict[str, Any] = {
            "code": receipt.code,
            "passed": [_check_name(check) for check in receipt.checks_passed],
            "failed": [_check_name(check) for check in receipt.checks_failed],
            "credential": submission.credential,
            "confirmed": kept.is_confirmation,
            "superseded": [memory.id for memory in kept.superseded],
            "conflicting": receipt.conflicting_memory_id,
            "switched_off": self._switched_off,
        }
        self._store.audit.record(submission.scope, "gate", target, act, outcome=receipt.tier.label, details=details)


def describe_receipt(receipt: ValidationResult) -> dict[str, Any]:
    """A receipt as it is kept beside what it decided on."""
    return {
        "tier": receipt.tier.label,
        "code": receipt.code,
        "reason": receipt.reason,
        "checks_passed": list(receipt.checks_passed),
        "checks_failed": list(receipt.checks_failed),
        "similarity_score": receipt.similarity_score,
        "threshold": receipt.threshold,
        "conflicting_memory_id": receipt.conflicting_memory_id,
        "citations": [
            {"id": check.source_id, "status": check.status.value, "reason": check.reason}
            for check in receipt.citations[:_MOST_CITATIONS]
        ],
    }


def _find_origin(submission: Submission, receipt: ValidationResult) -> Origin:
    spoken = receipt.evidence.metadata.get("source") in (Source.CONVERSATION, Source.CHAT)
    is_cited = any(check.valid for check in receipt.citations)
    return Origin.EXTRACTED if submission.is_extracted or (spoken and not is_cited) else Origin.TRUSTED


def _is_grounded(submission: Submission, receipt: ValidationResult) -> bool:
    """Whether this repetition says anything: a model that repeats what is stored confirms nothing."""
    return (
        receipt.evidence.metadata.get("source") in _VOUCHED
        or any(check.valid for check in receipt.citations)
        or "stated_by_user" in receipt.checks_passed
    )


def _make_rejection(submission: Submission, receipt: ValidationResult, act: Act) -> Rejection:
    """The gate's refusals in the words of the rejection log: the claim is of a sort that is not stored."""
    details = {
        "exact_match": receipt.similarity_score == 1.0,
        "key_phrases": False,
        "semantic_similarity": receipt.similarity_score,
        "reason": f"{receipt.code}: {receipt.reason}",
        "receipt": describe_receipt(receipt),
    }
    return Rejection(
        owner=submission.scope.owner,
        timestamp=act.now,
        rejection_reason=RejectionReason.TYPE_RULE.value,
        extracted_text=submission.candidate.content,
        confidence_score=submission.candidate.confidence or 0.0,
        threshold=receipt.threshold or 0.0,
        type=submission.kind,
        validation_details=details,
        tenant=submission.tenant,
    )


def _check_text(content: str) -> None:
    """What no store could hold is refused before the gate reads it."""
    if "\x00" in content:
        raise InvalidInput("content", "holds a NUL character")
    try:
        content.encode()
    except UnicodeEncodeError:
        raise InvalidInput("content", "it holds half of a surrogate pair, which is not Unicode text") from None


def _check_name(check: str) -> str:
    return check.partition(":")[0]


def _find_subject(content: str) -> str:
    """Whom the claim is about; the user where it is about several."""
    subjects = {fact.subject for fact in read_text(content).facts}
    return subjects.pop()[:_NAME] if len(subjects) == 1 else USER


def _begins(memory: Memory) -> datetime:
    return memory.valid_from or datetime.min.replace(tzinfo=UTC)


def _of(replaced: Sequence[Replaced]) -> list[Memory]:
    return [old.memory for old in replaced]


def vouch(evidence: EvidenceObject, reviewer: str, now: datetime, **further: object) -> EvidenceObject:
    """The evidence of a claim that a person approved."""
    noted = {"reviewer": reviewer, "approved_at": now.isoformat(), ORIGIN: Origin.APPROVED.value, **further}
    return replace(evidence, metadata={**evidence.metadata, **noted})
