"""A memory made complete and checked before it is written."""

from __future__ import annotations

import uuid
from dataclasses import replace

from groundwire.errors import InvalidInput
from groundwire.store.options import StoreOptions
from groundwire.store.values import check_number, check_text, to_micros
from groundwire.types.memories import EvidenceObject, Memory, MemoryStatus
from groundwire.types.records import Act, PendingMemory

NAME_LENGTH = 512


def new_id() -> str:
    return uuid.uuid4().hex


def complete(memory: Memory, act: Act, options: StoreOptions) -> Memory:
    """With an id and all its times; refuses what no store could hold or no reader could understand."""
    check_text("text", memory.text, options.text_characters, may_be_empty=False)
    for name in ("id", "subject", "memory_type", "source", "supersedes", "superseded_by"):
        check_text(name, getattr(memory, name) or "", NAME_LENGTH)
    check_text("why", memory.why, options.text_characters)
    if memory.status is MemoryStatus.PENDING:
        raise InvalidInput("status", "what is pending belongs in the review queue")
    check_number("timestamp", memory.timestamp)
    if memory.mentions < 1:
        raise InvalidInput("mentions", f"{memory.mentions} is less than one")
    if memory.evidence is not None:
        check_evidence(memory.evidence, options)
    valid_from = memory.valid_from or act.now
    if memory.valid_to is not None and to_micros("valid_to", memory.valid_to) < to_micros("valid_from", valid_from):
        raise InvalidInput("valid_to", f"the memory ends at {memory.valid_to}, before it begins at {valid_from}")
    return replace(
        memory,
        id=memory.id or new_id(),
        timestamp=int(act.now.timestamp()) if memory.timestamp is None else memory.timestamp,
        created_at=memory.created_at or act.now,
        last_confirmed=memory.last_confirmed or act.now,
        valid_from=valid_from,
    )


def check_evidence(evidence: EvidenceObject, options: StoreOptions) -> None:
    check_text("evidence.claim", evidence.claim, options.text_characters)
    check_text("evidence.source_id", evidence.source_id or "", options.text_characters)


def check_item(item: PendingMemory, options: StoreOptions) -> None:
    check_text("content", item.content, options.text_characters, may_be_empty=False)
    for name in ("queue_id", "memory_type", "source", "proposer"):
        check_text(name, getattr(item, name), NAME_LENGTH)
    check_evidence(item.evidence, options)
    if item.submitted_at.tzinfo is None:
        raise InvalidInput("submitted_at", "it has no time zone; use an aware datetime")
