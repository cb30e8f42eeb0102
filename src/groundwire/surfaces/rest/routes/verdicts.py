"""Verdicts: what was judged, with everything that is needed to judge it again."""

from __future__ import annotations

from fastapi import APIRouter, Response

from groundwire.surfaces.records import describe_verdict
from groundwire.surfaces.rest.callers import Answer, Owner, Reader
from groundwire.surfaces.rest.cursors import DEFAULT, Cursor, Limit, describe_page, read_cursor
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.entries import VerdictsPage

router = APIRouter(prefix="/v1", tags=["logs"])
_LIST = "verdicts"


@router.get("/verdicts", operation_id="listVerdicts", responses=answers(VerdictsPage, {200: "Newest first."}))
async def list_verdicts(caller: Reader, user: Owner = None, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """Claims that were checked against what is remembered of a user."""
    scope, after = caller.scope(user), read_cursor(cursor, _LIST)

    def act() -> Answer:
        page = caller.ledger(scope).verdicts(after=after, limit=limit)
        return Answer(describe_page(_LIST, "verdicts", [describe_verdict(one) for one in page.items], page))

    return await caller.ask("list_verdicts", act)
