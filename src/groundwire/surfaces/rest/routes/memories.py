"""Memories: proposed, listed, read, told, forgotten."""

from __future__ import annotations

import hashlib
from contextlib import nullcontext
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from groundwire.surfaces.extracting import describe_extraction, read_extract_request
from groundwire.surfaces.recalling import describe_history
from groundwire.surfaces.records import describe_forgotten, describe_memory
from groundwire.surfaces.remembering import describe_remembered, read_remember_request
from groundwire.surfaces.requests import check_text
from groundwire.surfaces.responses import JsonObject, write_json
from groundwire.surfaces.rest.answers import (
    ConversationOut,
    ForgottenOut,
    HistoryOut,
    MemoriesPage,
    MemoryOut,
    RememberedOut,
)
from groundwire.surfaces.rest.bodies import ConversationBody, RememberBody
from groundwire.surfaces.rest.callers import Answer, Caller, Overseer, Owner, Proposer, Reader, respond
from groundwire.surfaces.rest.cursors import DEFAULT, Cursor, Limit, describe_page, read_cursor
from groundwire.surfaces.rest.documents import IDEMPOTENT, answers
from groundwire.surfaces.rest.problems import Changed
from groundwire.surfaces.rest.short_way import ShortRoute
from groundwire.types import Memory, MemoryStatus, Scope

router = APIRouter(prefix="/v1", tags=["memories"], route_class=ShortRoute)
_LIST = "memories"
_CREATED, _SEEN, _WAITS = 201, 200, 202
_IfMatch = Annotated[str | None, Header(max_length=1_000, description="Only if it is still this version.")]
_IfNoneMatch = Annotated[str | None, Header(max_length=1_000, description="Only if it is not this version.")]
_Reason = Annotated[
    str, Query(min_length=1, max_length=1_000, description="Why; it is kept, so do not quote the memory.")
]


@router.post(
    "/memories",
    operation_id="createMemory",
    status_code=_CREATED,
    openapi_extra=IDEMPOTENT,
    responses=answers(
        RememberedOut,
        {_CREATED: "Stored.", _SEEN: "Known already, or refused.", _WAITS: "Waits for review."},
        409,
    ),
)
async def create(body: RememberBody, caller: Proposer, request: Request) -> Response:
    """Let the write gate decide on a claim and carry that out; the answer is its receipt."""
    scope = caller.scope(body.user, body.tenant)

    def act() -> Answer:
        gw, fields = caller.service.gw, body.fields("user", "tenant")
        asked = read_remember_request(fields, scope, gw.settings)
        done = gw.remember(
            asked.content,
            user=scope.owner,
            tenant=scope.tenant,
            source=asked.source,
            memory_type=asked.memory_type,
            turns=_vouch(caller, asked.turns),
            valid_from=asked.valid_from,
            validity_horizon=asked.validity_horizon,
            credential=caller.credential.id,
            allowed_sources=caller.allowed_sources,
        )
        caller.service.metrics.note_remembered(done)
        is_new = done.is_stored and not done.is_confirmation
        status = _CREATED if is_new else _WAITS if done.review_id is not None else _SEEN
        headers = {"Location": f"/v1/memories/{done.memory.id}"} if is_new and done.memory else {}
        return Answer(describe_remembered(done), status, headers)

    return await caller.write("remember", request, scope, act)


def _vouch(caller: Caller, turns: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Only whoever may claim any source is taken at their word that a user said something: others show the turns."""
    return turns if turns is not None or caller.allowed_sources is None else ()


@router.post(
    "/conversations",
    operation_id="rememberConversation",
    openapi_extra=IDEMPOTENT,
    responses=answers(ConversationOut, {200: "What became of everything that was extracted."}, 409, 502),
)
async def converse(body: ConversationBody, caller: Proposer, request: Request) -> Response:
    """Extract from a summary or from turns what may be remembered, and remember all of it or nothing."""
    scope = caller.scope(body.user, body.tenant)

    def act() -> Answer:
        gw = caller.service.gw
        asked = read_extract_request(body.fields("user", "tenant"), gw.settings)
        done = gw.remember_conversation(
            asked.source,
            user=scope.owner,
            tenant=scope.tenant,
            candidates=asked.candidates,
            credential=caller.credential.id,
            allowed_sources=caller.allowed_sources,
        )
        caller.service.metrics.note_remembered(*done.remembered)
        caller.service.metrics.note_extraction(done.extraction)
        body_out: JsonObject = {
            "remembered": [describe_remembered(one) for one in done.remembered],
            "extraction": describe_extraction(done.extraction),
            "log": list(done.log),
        }
        return Answer(body_out)

    return await caller.write("remember_conversation", request, scope, act)


@router.get(
    "/memories", operation_id="listMemories", responses=answers(MemoriesPage, {200: "In the order of their arrival."})
)
async def list_memories(
    caller: Reader,
    user: Owner = None,
    status: Annotated[MemoryStatus | None, Query(description="Only of this status.")] = None,
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """Everything that is remembered of a user, whatever its status."""
    scope, after = caller.scope(user), read_cursor(cursor, _LIST)

    def act() -> Answer:
        page = caller.ledger(scope).memories(after=after, limit=limit, status=status)
        return Answer(describe_page(_LIST, "memories", [describe_memory(m) for m in page.items], page))

    return await caller.ask("list_memories", act)


@router.get(
    "/memories/{memory_id}",
    operation_id="getMemory",
    responses={
        **answers(MemoryOut, {200: "The memory, with its version in ETag."}, 404),
        304: {"description": "It is still the version that If-None-Match names."},
    },
)
async def get(memory_id: str, caller: Reader, user: Owner = None, if_none_match: _IfNoneMatch = None) -> Response:
    """One memory with its evidence."""
    scope = caller.scope(user)
    memory = await caller.service.run(lambda: caller.ledger(scope).memory(_check_id(memory_id)))
    etag = tag_of(memory)
    if _names(if_none_match, etag):
        return Response(status_code=304, headers={"ETag": etag})
    return respond(Answer(describe_memory(memory), headers={"ETag": etag, "Cache-Control": "private, no-cache"}))


@router.get(
    "/memories/{memory_id}/history",
    operation_id="getMemoryHistory",
    responses=answers(HistoryOut, {200: "Oldest first."}, 404),
)
async def history(memory_id: str, caller: Reader, user: Owner = None) -> Response:
    """Everything that ever stood in this memory's place, with what replaced it and why."""
    scope = caller.scope(user)

    def act() -> Answer:
        gw, id = caller.service.gw, _check_id(memory_id)
        return Answer(describe_history(gw.history(user=scope.owner, tenant=scope.tenant, memory_id=id)))

    return await caller.ask("history", act)


@router.delete(
    "/memories/{memory_id}",
    operation_id="forgetMemory",
    openapi_extra=IDEMPOTENT,
    responses=answers(ForgottenOut, {200: "What went, and what rested on it."}, 404, 409, 412),
)
async def forget(
    memory_id: str, reason: _Reason, caller: Overseer, request: Request, user: Owner = None, if_match: _IfMatch = None
) -> Response:
    """Delete a memory for good, with everything that quotes it; that there was one stays on record."""
    scope = caller.scope(user)

    def act() -> Answer:
        gw, id = caller.service.gw, _check_id(memory_id)
        with caller.ledger(scope).together() if if_match is not None else nullcontext():
            _check_version(caller, scope, id, if_match)
            gone = gw.forget(id, user=scope.owner, tenant=scope.tenant, reason=reason, credential=caller.credential.id)
        body = describe_forgotten(gone)
        return Answer(body if if_match is None else _clean_up(caller, body))

    return await caller.write("forget", request, scope, act, lambda body: _clean_up(caller, body))


def _clean_up(caller: Caller, body: JsonObject) -> JsonObject:
    """Inside a transaction the file cannot be cleaned; so it is done as soon as that is over."""
    return {**body, "purged": caller.service.gw.once().finish()}


def _check_version(caller: Caller, scope: Scope, id: str, if_match: str | None) -> None:
    if if_match is None:
        return
    memory = caller.ledger(scope).memory(id)
    if not _names(if_match, tag_of(memory)):
        raise Changed(f"memory {id!r} is no longer the version that If-Match names; read it again")


def tag_of(memory: Memory) -> str:
    """Of everything that a client sees of a memory."""
    return f'"{hashlib.sha256(write_json(describe_memory(memory)).encode()).hexdigest()[:32]}"'


def _names(header: str | None, etag: str) -> bool:
    if header is None:
        return False
    return header.strip() == "*" or etag in [part.strip().removeprefix("W/") for part in header.split(",")]


def _check_id(id: str) -> str:
    return check_text(id, "memory_id", 512)
