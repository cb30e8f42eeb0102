"""Reviews: what waits for a person, and what that person decides."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from groundwire.surfaces.records import describe_item
from groundwire.surfaces.remembering import describe_remembered
from groundwire.surfaces.requests import check_text
from groundwire.surfaces.rest.answers import ItemOut, PendingPage, RememberedOut, SheetOut
from groundwire.surfaces.rest.bodies import ApproveBody, EditBody, RejectBody
from groundwire.surfaces.rest.callers import Answer, Caller, Owner, Reviewer
from groundwire.surfaces.rest.cursors import DEFAULT, Cursor, Limit, describe_page, read_cursor
from groundwire.surfaces.rest.documents import IDEMPOTENT, answers
from groundwire.surfaces.sheets import describe_sheet
from groundwire.types import Scope

router = APIRouter(prefix="/v1", tags=["reviewing"])
_LIST = "reviews"
_STORED = {200: "Stored."}


@router.get("/reviews", operation_id="listReviews", responses=answers(PendingPage, {200: "Oldest first."}))
async def list_reviews(caller: Reviewer, user: Owner = None, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """What waits for a decision. That it was looked at is on record."""
    scope, after = caller.scope(user), read_cursor(cursor, _LIST)

    def act() -> Answer:
        page = caller.ledger(scope).pending(
            reviewer=caller.name, credential=caller.credential.id, after=after, limit=limit
        )
        return Answer(describe_page(_LIST, "pending", [describe_item(item) for item in page.items], page))

    return await caller.ask("list_reviews", act)


@router.get("/reviews/{review_id}", operation_id="getReview", responses=answers(SheetOut, {200: "The item."}, 404))
async def get(review_id: str, caller: Reviewer, user: Owner = None) -> Response:
    """One item: where it was said, the nearest memories, and what differs."""
    scope = caller.scope(user)

    def act() -> Answer:
        sheet = caller.reviews(scope).show(_check_id(review_id), reviewer=caller.name, credential=caller.credential.id)
        return Answer(describe_sheet(sheet))

    return await caller.ask("show_review", act)


@router.post(
    "/reviews/{review_id}/approve",
    operation_id="approveReview",
    openapi_extra=IDEMPOTENT,
    responses=answers(RememberedOut, _STORED, 404, 409),
)
async def approve(review_id: str, body: ApproveBody, caller: Reviewer, request: Request) -> Response:
    """Store an item in its own words. The key that proposed it cannot; a new duplicate is refused."""
    scope = caller.scope(body.user, body.tenant)
    return await _approve(caller, request, scope, review_id, None, body.replaces)


@router.post(
    "/reviews/{review_id}/edit",
    operation_id="editReview",
    openapi_extra=IDEMPOTENT,
    responses=answers(RememberedOut, _STORED, 404, 409),
)
async def edit(review_id: str, body: EditBody, caller: Reviewer, request: Request) -> Response:
    """Store an item in other words, which pass the gate like any others; the original stays with the memory."""
    scope = caller.scope(body.user, body.tenant)
    words = check_text(body.content, "content", caller.service.settings.max_memory_characters)
    return await _approve(caller, request, scope, review_id, words, body.replaces)


async def _approve(
    caller: Caller, request: Request, scope: Scope, review_id: str, content: str | None, replaces: list[str]
) -> Response:
    def act() -> Answer:
        done = caller.reviews(scope).approve(
            _check_id(review_id),
            reviewer=caller.name,
            credential=caller.credential.id,
            content=content,
            replaces=replaces,
        )
        decision = "approve" if content is None else "edit"
        caller.service.metrics.count("groundwire_review_decisions_total", decision=decision)
        return Answer(describe_remembered(done))

    return await caller.write("approve", request, scope, act)


@router.post(
    "/reviews/{review_id}/reject",
    operation_id="rejectReview",
    openapi_extra=IDEMPOTENT,
    responses=answers(ItemOut, {200: "Taken from the queue."}, 404, 409),
)
async def reject(review_id: str, body: RejectBody, caller: Reviewer, request: Request) -> Response:
    """Take an item from the queue without storing it; the reason is kept."""
    scope = caller.scope(body.user, body.tenant)
    reason = check_text(body.reason, "reason", caller.service.settings.max_memory_characters)

    def act() -> Answer:
        done = caller.reviews(scope).reject(
            _check_id(review_id), reason=reason, reviewer=caller.name, credential=caller.credential.id
        )
        caller.service.metrics.count("groundwire_review_decisions_total", decision="reject")
        return Answer(describe_item(done))

    return await caller.write("reject", request, scope, act)


def _check_id(id: str) -> str:
    return check_text(id, "review_id", 512)
