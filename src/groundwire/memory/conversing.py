"""A conversation remembered: extracted, checked against its source, put through the gate, and kept as a whole."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar, cast

from groundwire.errors import InvalidInput, QueueFull
from groundwire.judge.judge import Judge
from groundwire.memory import candidates as said
from groundwire.memory.checks import Candidate
from groundwire.memory.conversation import Conversation, Speaker
from groundwire.memory.fingerprints import find_topics
from groundwire.memory.intake import Intake
from groundwire.memory.outcomes import Refusal, Remembered, RememberedConversation
from groundwire.memory.protocols import Store
from groundwire.memory.receipts import MemoryType, Source
from groundwire.memory.remembering import Rememberer, Submission
from groundwire.text.language import is_foreign
from groundwire.types import MemoryKind, MemoryStatus, Scope
from groundwire.types.records import Rejection

_ABOUT = 4
_NEAR = 2
_LONGEST = 8_192
_MOST_QUOTES = 8
_QUOTED = 500
_LARGEST = 12_000
_ALWAYS = ("exact_match", "key_phrases", "semantic_similarity")
_TYPES = {
    MemoryKind.USER_FACT: MemoryType.FACT,
    MemoryKind.USER_PATTERN: MemoryType.PREFERENCE,
    MemoryKind.SHARED_NARRATIVE: MemoryType.FACT,
}

T = TypeVar("T")


class Listener:
    """What is grounded in the user's own words counts as the user's word; what falls short of that waits for review."""

    def __init__(self, store: Store, rememberer: Rememberer, judge: Judge) -> None:
        self._store = store
        self._rememberer = rememberer
        self._judge = judge

    def remember(
        self,
        conversation: Conversation,
        extracted: said.Extracted,
        scope: Scope,
        *,
        extractor: str,
        credential: str,
        allowed_sources: frozenset[str] | None,
        now: datetime,
    ) -> RememberedConversation:
        """All that the conversation gives is kept together or not at all."""
        intake = Intake(conversation, self._judge, look_up=lambda text: self._find_known(scope, text, now))
        extraction = intake.run(extracted, extractor=extractor)
        remembered: list[Remembered] = []
        refused: list[Refusal] = []
        with self._store.transaction():
            self._store.logs.record_rejections([_as_record(r, scope, now) for r in extraction.rejected])
            for proposal in (*extraction.stored, *extraction.proposed):
                submission = _submit(proposal, scope, extractor, credential, allowed_sources)
                try:
                    remembered.append(self._rememberer.remember(submission, now))
                except (QueueFull, InvalidInput) as error:  # what else was said is kept
                    refused.append(Refusal(proposal, str(error)))
        unread = _count_unread(conversation)
        told = [f"[EXTRACT] {unread} of the user's turns not in English: nothing was read from them"] if unread else []
        told += [f"[STORE] {one.proposal.candidate.text!r}: refused ({one.why})" for one in refused]
        log = (*extraction.log[:-2], *told, *_conclude(remembered, extraction.count))
        return RememberedConversation(replace(extraction, log=log), tuple(remembered), log, tuple(refused), unread)

    def _find_known(self, scope: Scope, text: str, now: datetime) -> Sequence[str]:
        """What is stored about the same thing; the whole memory would be too much to compare with."""
        stored = self._rememberer.look_at(scope, now)
        near = [memory for memory, _ in stored.find_near(scope.owner, text, _NEAR)]
        about = stored.find_about(scope.owner, find_topics(text), _ABOUT)
        return list({m.text: None for m in (*about, *near) if m.status is MemoryStatus.ACTIVE})


def _count_unread(conversation: Conversation) -> int:
    """Words of the user that the extractor by rules passes over, because it reads English alone."""
    own = (Speaker.USER, Speaker.NARRATOR)
    return sum(u.speaker in own and is_foreign(u.text) for u in conversation.utterances)


def _submit(
    proposal: said.Proposal, scope: Scope, extractor: str, credential: str, allowed: frozenset[str] | None
) -> Submission:
    candidate = Candidate(
        content=proposal.candidate.text,
        memory_type=_TYPES[proposal.kind],
        source=Source.USER,
        user_id=scope.owner,
        confidence=proposal.confidence,
        allowed_sources=allowed,
    )
    grounding = proposal.grounding
    extraction: dict[str, object] = {
        "extractor": extractor,
        "method": grounding.method.value if grounding.method else None,
        "quotes": [
            {"turn": place.turn, "span": list(place.span), "text": quote[:_QUOTED]}
            for place, quote in list(zip(grounding.places, grounding.quotes, strict=False))[:_MOST_QUOTES]
        ],
        "scoring": proposal.scoring.describe(),
    }
    return Submission(candidate, scope.tenant, credential, proposal.kind, note=proposal.note, extraction=extraction)


def _as_record(rejection: said.Rejection, scope: Scope, now: datetime) -> Rejection:
    """What an extractor makes up may be anything; the log takes only what it can hold."""
    is_kind = rejection.kind in MemoryKind.__members__
    details = {name: _clean(value) for name, value in rejection.details.items()}
    if len(json.dumps(details)) > _LARGEST:
        details = {name: details.get(name) for name in _ALWAYS} | {"reason": str(details.get("reason"))[:_QUOTED]}
    if not is_kind:
        details["proposed_type"] = _clean(rejection.kind[:64])
    return Rejection(
        owner=scope.owner,
        timestamp=now,
        rejection_reason=rejection.reason.value,
        extracted_text=_clean(rejection.text[:_LONGEST]),
        confidence_score=rejection.confidence,
        threshold=rejection.threshold or 0.0,
        type=MemoryKind(rejection.kind) if is_kind else MemoryKind.USER_FACT,
        validation_details=details,
        tenant=scope.tenant,
    )


def _clean(value: T) -> T:
    """Strings that every store can hold, wherever they are."""
    if isinstance(value, str):
        return cast(T, value.encode("utf-8", "replace").decode())
    if isinstance(value, Mapping):
        members = cast(Mapping[str, object], value)
        return cast(T, {_clean(name): _clean(member) for name, member in members.items()})
    if isinstance(value, list | tuple):
        return cast(T, [_clean(member) for member in cast(Sequence[object], value)])
    return value


def _conclude(remembered: Sequence[Remembered], found: int) -> list[str]:
    stored = sum(one.is_stored and not one.is_confirmation for one in remembered)
    confirmed = sum(one.is_confirmation for one in remembered)
    queued = sum(one.review_id is not None and not one.is_stored for one in remembered)
    others = ", ".join(
        f"{count} {what}" for count, what in ((confirmed, "confirmed"), (queued, "waiting for review")) if count
    )
    return [
        f"[STORE] {stored} memories" + (f", {others}" if others else ""),
        f"[RESULT] {stored}/{found} extractions stored",
    ]
