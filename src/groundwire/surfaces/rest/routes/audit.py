"""Audit: who did what, in a chain that cannot be changed unnoticed; and whose memories there are."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from groundwire.surfaces.records import describe_audit_entry
from groundwire.surfaces.rest.callers import Answer, Overseer, Owner
from groundwire.surfaces.rest.cursors import (
    DEFAULT,
    Cursor,
    Limit,
    describe_page,
    read_cursor,
    read_place,
    write_cursor,
)
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.entries import AuditPage, UsersPage

router = APIRouter(prefix="/v1", tags=["logs"])
_LIST, _USERS = "audit", "users"
_Target = Annotated[str | None, Query(min_length=1, max_length=512, description="Only about this thing.")]


@router.get("/audit", operation_id="listAudit", responses=answers(AuditPage, {200: "Newest first."}))
async def list_audit(
    caller: Overseer, user: Owner = None, target: _Target = None, limit: Limit = DEFAULT, cursor: Cursor = None
) -> Response:
    """Every write and every look at the review queue; details that quoted what was forgotten are gone."""
    scope, after = caller.scope(user), read_cursor(cursor, _LIST)

    def act() -> Answer:
        page = caller.ledger(scope).audit(after=after, limit=limit, target=target)
        return Answer(describe_page(_LIST, "audit", [describe_audit_entry(one) for one in page.items], page))

    return await caller.ask("list_audit", act)


@router.get("/users", operation_id="listUsers", responses=answers(UsersPage, {200: "By name."}))
async def list_users(caller: Overseer, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """Whose memories this key covers, how many there are, and how much waits for review."""
    after, own = read_place(cursor, _USERS), caller.credential.owner

    def act() -> Answer:
        found = caller.service.gw.keys().list_owners(caller.credential.tenant, after=after, limit=limit + 1, only=own)
        shown = [{"user": one.owner, "memories": one.memories, "waiting": one.waiting} for one in found[:limit]]
        last = found[limit - 1].owner if len(found) > limit else None
        return Answer({"users": shown, "next": write_cursor(_USERS, last)})

    return await caller.ask("list_users", act)
