"""What each tool does: read the arguments, ask the library, describe its answer. No tool approves anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from groundwire.errors import InvalidInput, NotFound
from groundwire.memory.receipts import Source
from groundwire.surfaces.fields import NAME_CHARACTERS, read_limit, read_moment, read_name, read_share
from groundwire.surfaces.gating import read_turns
from groundwire.surfaces.mcp.callers import Caller
from groundwire.surfaces.mcp.reports import (
    Moments,
    choose_weightiest,
    describe_verdict,
    find_report,
    name_report,
)
from groundwire.surfaces.recalling import describe_history, describe_recalled, find_memory_id, read_end_of
from groundwire.surfaces.records import describe_forgotten, describe_item, describe_memory, describe_tombstone
from groundwire.surfaces.remembering import describe_remembered
from groundwire.surfaces.requests import Fields, check_text, read_passages
from groundwire.surfaces.responses import JsonObject, describe_contradiction, describe_report
from groundwire.types import Memory, Scope
from groundwire.types.records import AuditEntry, PendingMemory, Tombstone, VerdictRecord

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.settings import Settings

SEARCHED = 10
_ABOUT = 20
MOST_STEPS = 50
_SPOKEN = (Source.CONVERSATION, Source.CHAT)


@dataclass(frozen=True, slots=True)
class Desk:
    """What every tool works with."""

    keeper: Groundwire
    moments: Moments

    @property
    def limits(self) -> Settings:
        return self.keeper.settings


Work = Callable[[Desk, Caller, Fields], JsonObject]


# ── writing ─────────────────────────────────────────────────────────────────────────────────────


def add_memory(desk: Desk, caller: Caller, fields: Fields) -> JsonObject:
    """The gate decides. What the conversation is said to hold has to be in the turns that are handed in."""
    source = read_name(fields, "source", Source.AI_SYNTHESIS)
    turns = read_turns(fields.get("turns"), desk.limits)
    done = desk.keeper.remember(
        _read(fields, "content", desk.limits.max_memory_characters),
        user=caller.scope.owner,
        tenant=caller.scope.tenant,
        source=source,
        memory_type=read_name(fields, "memory_type", "fact"),
        turns=() if turns is None and source in _SPOKEN else turns,
        valid_from=read_moment(fields, "valid_from"),
        validity_horizon=read_moment(fields, "validity_horizon"),
        credential=caller.credential,
        allowed_sources=caller.sources,
        now=desk.moments.next(),
    )
    return describe_remembered(done)


def forget_memory(desk: Desk, caller: Caller, fields: Fields) -> JsonObject:
    scope = caller.scope
    done = desk.keeper.forget(
        _read_memory_id(desk, scope, fields),
        user=scope.owner,
        tenant=scope.tenant,
        reason=_read(fields, "reason", desk.limits.max_memory_characters),
        credential=caller.credential,
        now=desk.moments.next(),
    )
    return describe_forgotten(done)


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def search_memories(desk: Desk, caller: Caller, fields: Fields) -> JsonObject:
    found = desk.keeper.recall(
        _read(fields, "query", desk.limits.max_memory_characters),
        user=caller.scope.owner,
        tenant=caller.scope.tenant,
        limit=read_limit(fields, SEARCHED),
        as_of=read_end_of(fields, "as_of"),
        min_confidence=read_share(fields, "min_confidence"),
        now=desk.moments.next(),
    )
    return describe_recalled(found)


def get_memory(desk: Desk, caller: Caller, fields: Fields) -> JsonObject:
    entry = find_entry(desk.keeper, caller.scope, _read_memory_id(desk, caller.scope, fields))
    if isinstance(entry, Tombstone):
        raise NotFound("memory", entry.id)
    return describe_memory(entry)


def memory_history(desk: Desk, caller: Caller, fields: Fields) -> JsonObject:
    scope = caller.scope
    has_id, has_query = fields.get("memory_id") is not None, fields.get("query") is not None
    if has_id == has_query:
        raise InvalidInput("memory_id", "give either a memory_id or a query")
    memory_id = _read_memory_id(desk, scope, fields) if has_id else None
    query = _read(fields, "query", desk.limits.max_memory_characters) if has_query else None
    found = desk.keeper.history(user=scope.owner, tenant=scope.tenant, memory_id=memory_id, query=query)
    return describe_history(found)


def verify_answer(desk: Desk, caller: Caller, fields: Fields) -> JsonObject:
    """Against what is remembered, or against passages where the caller hands some in."""
    answer = _read(fields, "answer", desk.limits.max_answer_characters)
    if fields.get("passages") is not None:
        passages = read_passages(fields["passages"], desk.limits, "passages")
        return {"report_id": None, **describe_report(desk.keeper.verify(answer, passages=passages))}
    moment = desk.moments.next()
    report = desk.keeper.verify(answer, user=caller.scope.owner, tenant=caller.scope.tenant, now=moment)
    is_logged = bool(report.claims) and "verdict_log" not in report.metadata
    return {"report_id": name_report(moment) if is_logged else None, **describe_report(report)}


def find_contradictions(desk: Desk, caller: Caller, fields: Fields) -> JsonObject:
    scope, moment = caller.scope, desk.moments.next()
    found = desk.keeper.ledger(scope.owner, scope.tenant).contradictions(moment)
    if fields.get("about") is not None:
        about = _read(fields, "about", desk.limits.max_memory_characters)
        hits = desk.keeper.recall(about, user=scope.owner, tenant=scope.tenant, limit=_ABOUT, now=moment)
        meant = {hit.memory.id for hit in hits}
        found = tuple(detail for detail in found if meant.intersection(detail.memory_ids))
    return {"contradictions": [describe_contradiction(detail) for detail in found]}


# ── explaining ──────────────────────────────────────────────────────────────────────────────────


def explain_decision(desk: Desk, caller: Caller, fields: Fields) -> JsonObject:
    """Why something is remembered, waits, was replaced or forgotten, or why an answer was judged as it was."""
    name, scope = _read(fields, "id", NAME_CHARACTERS), caller.scope
    records = find_report(desk.keeper, scope, name)
    if records:
        return _explain_report(name, records)
    trail = desk.keeper.ledger(scope.owner, scope.tenant).audit(target=name, limit=MOST_STEPS)
    steps = [_describe_step(entry) for entry in sorted(trail.items, key=lambda entry: entry.sequence)]
    try:
        return {**_explain_memory(find_entry(desk.keeper, scope, name)), "steps": steps}
    except NotFound:
        return {**_explain_item(_find_item(desk, caller, name)), "steps": steps}


def _explain_report(name: str, records: list[VerdictRecord]) -> JsonObject:
    deciding = choose_weightiest(records)
    return {
        "id": name,
        "kind": "report",
        "decision": deciding.verdict.value,
        "reason": deciding.explanation,
        "verdicts": [describe_verdict(record) for record in records],
        "steps": [],
    }


def _explain_memory(entry: Memory | Tombstone) -> JsonObject:
    if isinstance(entry, Tombstone):
        reason = f"Forgotten by {entry.forgotten_by} on {entry.forgotten_at.date().isoformat()}."
        left = describe_tombstone(entry)
        return {"id": entry.id, "kind": "memory", "decision": "forgotten", "reason": reason, "forgotten": left}
    stated = entry.evidence.metadata.get("reason") if entry.evidence is not None else None
    reason = entry.why or str(stated or "No reason was written down.")
    memory = describe_memory(entry)
    return {"id": entry.id, "kind": "memory", "decision": entry.status.value, "reason": reason, "memory": memory}


def _explain_item(item: PendingMemory) -> JsonObject:
    waiting = str(item.validation_result.get("reason") or "")
    return {
        "id": item.queue_id,
        "kind": "review",
        "decision": item.state.value,
        "reason": item.reason or waiting or "No reason was written down.",
        "item": describe_item(item),
    }


def _find_item(desk: Desk, caller: Caller, name: str) -> PendingMemory:
    """Seen under the caller's own credential, so that the trail does not say that the user looked."""
    own = caller.credential
    reviews = desk.keeper.reviews(caller.scope.owner, caller.scope.tenant, reviewers=[own])
    try:
        return reviews.show(name, reviewer=own, credential=own, now=desk.moments.next()).item
    except NotFound:
        raise NotFound("memory, item for review or report", name) from None


def _describe_step(entry: AuditEntry) -> JsonObject:
    return {
        "at": entry.recorded_at.isoformat(),
        "actor": entry.actor,
        "action": entry.action,
        "outcome": entry.outcome,
        "details": None if entry.details is None else dict(entry.details),
    }


# ── arguments ───────────────────────────────────────────────────────────────────────────────────


def find_entry(keeper: Groundwire, scope: Scope, memory_id: str) -> Memory | Tombstone:
    """The memory, or what is left of it; NotFound where there never was one for this owner."""
    line = keeper.history(user=scope.owner, tenant=scope.tenant, memory_id=memory_id)
    for entry in line:
        if entry.id == memory_id:
            return entry
    raise NotFound("memory", memory_id)


def _read(fields: Fields, name: str, limit: int) -> str:
    if fields.get(name) is None:
        raise InvalidInput(name, "is required")
    return check_text(fields[name], name, limit)


def _read_memory_id(desk: Desk, scope: Scope, fields: Fields) -> str:
    return find_memory_id(desk.keeper, scope, _read(fields, "memory_id", NAME_CHARACTERS))
