"""Search: what is remembered about something."""

from __future__ import annotations

from fastapi import APIRouter, Response

from groundwire.surfaces.recalling import describe_recalled, read_recall_request
from groundwire.surfaces.rest.answers import SearchOut
from groundwire.surfaces.rest.bodies import SearchBody
from groundwire.surfaces.rest.callers import Answer, Reader
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.short_way import ShortRoute

router = APIRouter(prefix="/v1", tags=["memories"], route_class=ShortRoute)


@router.post("/search", operation_id="search", responses=answers(SearchOut, {200: "Best first."}))
async def search(body: SearchBody, caller: Reader) -> Response:
    """Find memories by words and by meaning; `as_of` asks for what held at an earlier time."""
    scope = caller.scope(body.user, body.tenant)

    def act() -> Answer:
        gw = caller.service.gw
        asked = read_recall_request(body.fields("user", "tenant"), scope, gw.settings)
        found = gw.recall(
            asked.query,
            user=scope.owner,
            tenant=scope.tenant,
            limit=asked.limit,
            as_of=asked.as_of,
            min_confidence=asked.min_confidence,
        )
        return Answer(describe_recalled(found))

    return await caller.ask("search", act)
