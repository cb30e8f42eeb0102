"""Claims that wait for a person: seen with what they rest on, decided once, by somebody other than the proposer."""

from __future__ import annotations

import difflib
import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NoReturn, cast

from groundwire.errors import (
    GroundwireError,
    IllegalChange,
    InvalidInput,
    NotFound,
    NotPermitted,
    RejectionError,
)
from groundwire.memory.checks import Candidate
from groundwire.memory.gate import TRUST_REVIEWED
from groundwire.memory.outcomes import (
    BulkEntry,
    BulkOutcome,
    NearMemory,
    Remembered,
    ReviewAction,
    ReviewView,
    SourceQuote,
)
from groundwire.memory.protocols import ReviewStore, Store
from groundwire.memory.receipts import IngestionTier, ValidationResult
from groundwire.memory.remembering import BuildGate, Rememberer, vouch
from groundwire.memory.stored import Excluding
from groundwire.memory.tiers import Findings, determine_tier
from groundwire.types import Confidence, EvidenceObject, Memory, Scope, Span
from groundwire.types.records import Act, PendingMemory, ReviewState

_NEAREST = 3
_LONGEST_ORIGINAL = 2_000
"""A longer original stays in the item itself, which the evidence names."""
_REFUSALS = (NotFound, NotPermitted, IllegalChange, RejectionError, InvalidInput)


class Reviews:
    """The queue of one owner. `reviewer` is the owner where nobody is named; the credential must not be the
    proposer's. `reviewers` are others whom the tenant lets decide."""

    def __init__(
        self,
        store: Store,
        rememberer: Rememberer,
        build_gate: BuildGate,
        scope: Scope,
        *,
        now: Callable[[], datetime],
        reviewers: Collection[str] = (),
    ) -> None:
        self._store = store
        self._rememberer = rememberer
        self._build_gate = build_gate
        self._scope = scope
        self._now = now
        self._reviewers = frozenset(reviewers)

    def pending(
        self,
        *,
        limit: int = 100,
        reviewer: str | None = None,
        credential: str = "reviewer",
        now: datetime | None = None,
    ) -> tuple[PendingMemory, ...]:
        """Undecided items, oldest first."""
        act = self._act(reviewer, credential, now)
        self._check_reader(act, "")
        return self._store.reviews.pending(self._scope, act, limit=limit)

    def show(
        self,
        queue_id: str,
        *,
        reviewer: str | None = None,
        credential: str = "reviewer",
        now: datetime | None = None,
    ) -> ReviewView:
        """One item with where it was said, the nearest memories, and the difference; NotFound if it is not here."""
        act = self._act(reviewer, credential, now)
        item = self._find(queue_id, act)
        stored = self._rememberer.look_at(self._scope, act.now)
        near = stored.find_near(self._scope.owner, item.content, _NEAREST)
        against = item.validation_result.get("conflicting_memory_id")
        conflict = self._store.memories.get(self._scope, against) if against else None
        other = conflict or (near[0][0] if near else None)
        return ReviewView(
            item=item,
            quotes=tuple(_read_quotes(item.evidence)),
            nearest=tuple(NearMemory(memory, round(similarity, 4)) for memory, similarity in near),
            conflict=conflict,
            diff=tuple(compare_words(other.text, item.content)) if other is not None else (),
        )

    def approve(
        self,
        queue_id: str,
        *,
        reviewer: str | None = None,
        credential: str = "reviewer",
        content: str | None = None,
        replaces: Sequence[str] = (),
        now: datetime | None = None,
    ) -> Remembered:
        """Store the item, or the text that the reviewer made of it; a new duplicate is reported and not stored.

        `replaces` names memories that end with it. What cannot be stored stays in the queue.
        """
        act = self._act(reviewer, credential, now)
        kept: list[Remembered] = []

        def store(item: PendingMemory) -> str:
            kept[:] = [self._admit(item, act, replaces)]
            memory = kept[0].memory
            assert memory is not None
            return memory.id

        self._store.reviews.approve(self._scope, queue_id, act, store, edited=content, reviewers=self._reviewers)
        return kept[0]

    def edit(
        self,
        queue_id: str,
        *,
        content: str,
        reviewer: str | None = None,
        credential: str = "reviewer",
        replaces: Sequence[str] = (),
        now: datetime | None = None,
    ) -> Remembered:
        """Approve in other words; the original and the editor stay in the evidence."""
        return self.approve(
            queue_id, reviewer=reviewer, credential=credential, content=content, replaces=replaces, now=now
        )

    def reject(
        self,
        queue_id: str,
        *,
        reason: str,
        reviewer: str | None = None,
        credential: str = "reviewer",
        now: datetime | None = None,
    ) -> PendingMemory:
        """Take the item from the queue; the reason stays in the audit trail."""
        act = self._act(reviewer, credential, now)
        return self._store.reviews.reject(self._scope, queue_id, act, reason=reason, reviewers=self._reviewers)

    def bulk(
        self,
        queue_ids: Sequence[str],
        action: ReviewAction | str,
        *,
        preview: bool = True,
        reason: str = "",
        reviewer: str | None = None,
        credential: str = "reviewer",
        now: datetime | None = None,
    ) -> BulkOutcome:
        """Decide on many, each for itself; a preview says what would happen and changes nothing."""
        if action not in tuple(ReviewAction):
            raise InvalidInput("action", f"{action!r} is none of {', '.join(ReviewAction)}")
        action = ReviewAction(action)
        if action is ReviewAction.REJECT and not reason.strip():
            raise InvalidInput("reason", "a rejection needs one")
        act = self._act(reviewer, credential, now)
        entries: list[BulkEntry] = []
        for queue_id in dict.fromkeys(queue_ids):
            content = ""
            try:
                item = self._find(queue_id, act)
                content = item.content
                if preview:
                    self._foresee(item, action, act)
                    entries.append(BulkEntry(queue_id, content))
                else:
                    entries.append(BulkEntry(queue_id, content, self._decide(item, action, reason, act)))
            except _REFUSALS as error:
                entries.append(BulkEntry(queue_id, content, error=str(error)))
        return BulkOutcome(action, preview, tuple(entries))

    # ── deciding ────────────────────────────────────────────────────────────────────────────────

    def _act(self, reviewer: str | None, credential: str, now: datetime | None) -> Act:
        return Act(reviewer or self._scope.owner, now or self._now(), credential)

    def _find(self, queue_id: str, act: Act) -> PendingMemory:
        self._check_reader(act, queue_id)
        item = self._store.reviews.get(self._scope, queue_id, act)
        if item is None:
            raise NotFound("item for review", queue_id)
        return item

    def _check_reader(self, act: Act, queue_id: str) -> None:
        if act.actor != self._scope.owner and act.actor not in self._reviewers:
            refusal = NotPermitted(f"{act.actor!r} is no reviewer for {self._scope.owner!r}")
            self._refuse(act, queue_id, refusal)

    def _refuse(self, act: Act, queue_id: str, error: GroundwireError) -> NoReturn:
        outcome = f"refused: {type(error).__name__}"
        if not self._store.is_read_only:
            self._store.audit.record(self._scope, "view", queue_id, act, outcome=outcome, details={})
        raise error

    def _decide(self, item: PendingMemory, action: ReviewAction, reason: str, act: Act) -> str | None:
        if action is ReviewAction.REJECT:
            self.reject(item.queue_id, reason=reason, reviewer=act.actor, credential=act.credential, now=act.now)
            return None
        kept = self.approve(item.queue_id, reviewer=act.actor, credential=act.credential, now=act.now)
        return kept.memory.id if kept.memory is not None else None

    def _foresee(self, item: PendingMemory, action: ReviewAction, act: Act) -> None:
        """Raises what deciding would raise now."""
        if hmac.compare_digest(act.credential.encode(), item.proposer.encode()):
            raise NotPermitted("the credential that proposed a memory cannot decide on it")
        if not item.state.may_become(ReviewState.APPROVED):
            raise IllegalChange(f"item {item.queue_id!r} is {item.state} already")
        if action is ReviewAction.APPROVE:
            self._recheck(item, act, exclude=item.queue_id)

    def _recheck(self, item: PendingMemory, act: Act, exclude: str = "") -> Findings:
        """The checks whose answer may have changed; a check that cannot be made approves nothing."""
        text = item.edited or item.content
        provider = Excluding(self._rememberer.look_at(self._scope, act.now), exclude)
        gate = self._build_gate(provider, now=lambda: act.now)
        findings = gate.recheck(Candidate(text, item.memory_type, item.source, item.user_id))
        if findings.is_refused or findings.failures:
            decision = determine_tier(findings)
            raise RejectionError(text, decision.code, decision.reason)
        return findings

    def _admit(self, item: PendingMemory, act: Act, replaces: Sequence[str]) -> Remembered:
        """Inside the transaction that takes the item from the queue."""
        findings = self._recheck(item, act)
        text = item.edited or item.content
        further: dict[str, object] = {"queue_id": item.queue_id, "proposer": item.proposer}
        further |= {"tier": item.validation_result.get("tier"), "reason": item.validation_result.get("reason")}
        if item.edited is not None and item.edited != item.content:
            further |= {"editor": act.actor, "original": item.content[:_LONGEST_ORIGINAL]}
        if findings.conflict is not None:
            further |= {"contradicts": findings.conflict.memory.id}
        evidence = vouch(replace(item.evidence, claim=text, confidence=Confidence.HIGH), act.actor, act.now, **further)
        confidence = item.validation_result.get("confidence")
        trust = float(confidence) if isinstance(confidence, int | float) else TRUST_REVIEWED
        memory = Memory(
            id="",
            text=text,
            trust=trust,
            source=item.source,
            kind=item.kind,
            owner=item.user_id,
            tenant=item.tenant_id,
            memory_type=item.memory_type,
            confidence=trust,
            evidence=evidence,
        )
        stored, superseded = self._rememberer.admit(memory, act, replaces=replaces)
        receipt = ValidationResult(
            tier=IngestionTier.AUTO_APPROVE,
            code="approved_by_reviewer",
            reason=f"Approved by {act.actor}.",
            evidence=evidence,
            checks_passed=findings.passed,
            checks_failed=findings.failed,
            conflicting_memory_id=findings.conflict.memory.id if findings.conflict is not None else None,
            trust=trust,
        )
        return Remembered(receipt, stored, superseded=superseded)


class ReviewQueue:
    """The queue as other programs use it: asynchronous, over any store of reviews, with their own way of storing.

    `store_callback` gets the approved item inside the transaction that takes it from the queue, and returns the
    memory's id; if it raises, the item is pending again.
    """

    def __init__(
        self,
        store_callback: Callable[[PendingMemory], str],
        *,
        reviews: ReviewStore,
        now: Callable[[], datetime],
        tenant: str = "default",
        reviewers: Collection[str] = (),
    ) -> None:
        self._store_callback = store_callback
        self._reviews = reviews
        self._now = now
        self._tenant = tenant
        self._reviewers = frozenset(reviewers)

    async def enqueue(
        self,
        user_id: str,
        content: str,
        memory_type: str,
        source: str,
        evidence: EvidenceObject,
        validation_result: Mapping[str, Any],
        *,
        proposer: str,
    ) -> str:
        """The id of the item; QueueFull rather than displace another."""
        now = self._now()
        item = PendingMemory(
            queue_id="",
            user_id=user_id,
            content=content,
            memory_type=memory_type,
            source=source,
            evidence=evidence,
            submitted_at=now,
            tenant_id=self._tenant,
            proposer=proposer,
            validation_result=validation_result,
        )
        return (await _in_thread(lambda: self._reviews.enqueue(item, Act(proposer, now, proposer)))).queue_id

    async def get_pending(self, user_id: str, limit: int = 100) -> tuple[PendingMemory, ...]:
        act = Act(user_id, self._now())
        return await _in_thread(lambda: self._reviews.pending(Scope(user_id, self._tenant), act, limit=limit))

    async def get_by_id(self, queue_id: str, user_id: str) -> PendingMemory | None:
        act = Act(user_id, self._now())
        return await _in_thread(lambda: self._reviews.get(Scope(user_id, self._tenant), queue_id, act))

    async def approve(
        self,
        queue_id: str,
        reviewer: str,
        *,
        user_id: str | None = None,
        credential: str = "reviewer",
        edited: str | None = None,
    ) -> str:
        """The id of the memory; `user_id` is the reviewer where nobody else is named."""
        scope, act = Scope(user_id or reviewer, self._tenant), Act(reviewer, self._now(), credential)
        return await _in_thread(
            lambda: self._reviews.approve(
                scope, queue_id, act, self._store_callback, edited=edited, reviewers=self._reviewers
            )
        )

    async def reject(
        self, queue_id: str, reviewer: str, reason: str, *, user_id: str | None = None, credential: str = "reviewer"
    ) -> PendingMemory:
        scope, act = Scope(user_id or reviewer, self._tenant), Act(reviewer, self._now(), credential)
        return await _in_thread(
            lambda: self._reviews.reject(scope, queue_id, act, reason=reason, reviewers=self._reviewers)
        )


async def _in_thread(action: Callable[[], Any]) -> Any:
    from asyncio import to_thread

    return await to_thread(action)


def compare_words(stored: str, proposed: str) -> list[str]:
    """Word by word: "- " was stored, "+ " is proposed, "  " is in both."""
    return [line for line in difflib.ndiff(stored.split(), proposed.split()) if not line.startswith("?")]


def _read_quotes(evidence: EvidenceObject) -> list[SourceQuote]:
    found: list[SourceQuote] = []
    for quote in cast(Sequence[Mapping[str, Any]], evidence.metadata.get("quotes") or ()):
        start, end = quote["span"]
        found.append(SourceQuote(quote["turn"], Span(start, end), quote["text"]))
    return found
