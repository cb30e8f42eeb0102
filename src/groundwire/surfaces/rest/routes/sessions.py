"""Sessions: conversations with a beginning and an end; and values that a user's agents keep under paths."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from groundwire.surfaces.fields import check_name
from groundwire.surfaces.records import describe_session
from groundwire.surfaces.requests import check_text
from groundwire.surfaces.rest.bodies import EndBody, SessionBody, ValuesBody
from groundwire.surfaces.rest.callers import Answer, Owner, Proposer, Reader
from groundwire.surfaces.rest.cursors import (
    DEFAULT,
    Cursor,
    Limit,
    describe_page,
    read_cursor,
    read_place,
    write_cursor,
)
from groundwire.surfaces.rest.documents import IDEMPOTENT, answers
from groundwire.surfaces.rest.entries import SessionOut, SessionsPage, ValuesOut, ValuesPage

router = APIRouter(prefix="/v1", tags=["sessions"])
_LIST, _VALUES = "sessions", "values"
_Prefix = Annotated[str, Query(max_length=512, description="Only paths that begin with this.")]


@router.post(
    "/sessions",
    operation_id="beginSession",
    status_code=201,
    openapi_extra=IDEMPOTENT,
    responses=answers(SessionOut, {201: "Begun."}, 409),
)
async def begin(body: SessionBody, caller: Proposer, request: Request) -> Response:
    """Begin a conversation; without an id it is given one."""
    scope = caller.scope(body.user, body.tenant)
    id = secrets.token_hex(16) if body.id is None else check_name(body.id, "id")

    def act() -> Answer:
        begun = caller.ledger(scope).begin_session(id, body.metadata)
        return Answer(describe_session(begun), 201)

    return await caller.write("begin_session", request, scope, act)


@router.get("/sessions", operation_id="listSessions", responses=answers(SessionsPage, {200: "Newest first."}))
async def list_sessions(caller: Reader, user: Owner = None, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """The conversations of a user."""
    scope, after = caller.scope(user), read_cursor(cursor, _LIST)

    def act() -> Answer:
        page = caller.ledger(scope).sessions(after=after, limit=limit)
        return Answer(describe_page(_LIST, "sessions", [describe_session(one) for one in page.items], page))

    return await caller.ask("list_sessions", act)


@router.get("/sessions/{session_id}", operation_id="getSession", responses=answers(SessionOut, {200: "It."}, 404))
async def get(session_id: str, caller: Reader, user: Owner = None) -> Response:
    """One conversation."""
    scope = caller.scope(user)
    return await caller.ask(
        "get_session", lambda: Answer(describe_session(caller.ledger(scope).session(_check_id(session_id))))
    )


@router.post(
    "/sessions/{session_id}/end",
    operation_id="endSession",
    openapi_extra=IDEMPOTENT,
    responses=answers(SessionOut, {200: "Ended, now or before."}, 404, 409),
)
async def end(session_id: str, body: EndBody, caller: Proposer, request: Request) -> Response:
    """End a conversation; ending it again changes nothing."""
    scope = caller.scope(body.user, body.tenant)

    def act() -> Answer:
        return Answer(describe_session(caller.ledger(scope).end_session(_check_id(session_id))))

    return await caller.write("end_session", request, scope, act)


@router.get("/values", operation_id="getValues", responses=answers(ValuesPage, {200: "In the order of the paths."}))
async def get_values(
    caller: Reader, user: Owner = None, prefix: _Prefix = "", limit: Limit = DEFAULT, cursor: Cursor = None
) -> Response:
    """Values by path; a prefix means itself and no pattern."""
    scope, after = caller.scope(user), read_place(cursor, _VALUES)

    def act() -> Answer:
        start = check_text(prefix, "prefix", 512) if prefix else ""
        found = dict(caller.ledger(scope).values(start, after=after, limit=limit + 1))
        shown = dict(list(found.items())[:limit])
        last = list(shown)[-1] if len(found) > limit else None
        return Answer({"values": shown, "next": write_cursor(_VALUES, last)})

    return await caller.ask("get_values", act)


@router.put(
    "/values",
    operation_id="putValues",
    openapi_extra=IDEMPOTENT,
    responses=answers(ValuesOut, {200: "As they are now."}, 409),
)
async def put_values(body: ValuesBody, caller: Proposer, request: Request) -> Response:
    """Keep JSON values under paths."""
    scope = caller.scope(body.user, body.tenant)

    def act() -> Answer:
        caller.ledger(scope).put_values(body.values)
        return Answer({"values": body.values})

    return await caller.write("put_values", request, scope, act)


def _check_id(id: str) -> str:
    return check_text(id, "session_id", 512)
