"""Rejections: what was refused entry, and what to change."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Response

from groundwire.surfaces.fields import read_moment
from groundwire.surfaces.records import describe_rejection
from groundwire.surfaces.rest.callers import Answer, Owner, Reader
from groundwire.surfaces.rest.cursors import DEFAULT, Cursor, Limit, describe_page, read_cursor
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.entries import RejectionsPage, RejectionSummaryOut

router = APIRouter(prefix="/v1", tags=["logs"])
_LIST = "rejections"
_Since = Annotated[str | None, Query(max_length=64, description="ISO 8601; only what was refused from then on.")]


@router.get("/rejections", operation_id="listRejections", responses=answers(RejectionsPage, {200: "Newest first."}))
async def list_rejections(
    caller: Reader, user: Owner = None, limit: Limit = DEFAULT, cursor: Cursor = None
) -> Response:
    """What was refused entry, with the measure that it fell short of."""
    scope, after = caller.scope(user), read_cursor(cursor, _LIST)

    def act() -> Answer:
        page = caller.ledger(scope).rejections(after=after, limit=limit)
        return Answer(describe_page(_LIST, "rejections", [describe_rejection(one) for one in page.items], page))

    return await caller.ask("list_rejections", act)


@router.get(
    "/rejections/summary",
    operation_id="summariseRejections",
    responses=answers(RejectionSummaryOut, {200: "By outcome, with a recommendation."}),
)
async def summarise(caller: Reader, user: Owner = None, since: _Since = None) -> Response:
    """How the last hundred candidates fared, or all since a time."""
    scope, moment = caller.scope(user), read_moment({"since": since}, "since")

    def act() -> Answer:
        return Answer(asdict(caller.service.gw.rejections(user=scope.owner, tenant=scope.tenant, since=moment)))

    return await caller.ask("summarise_rejections", act)
