"""Detect: what kind of wrong an answer is, where, and what to do about it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from groundwire.surfaces.detecting import read_detect_request
from groundwire.surfaces.flags import describe_detection
from groundwire.surfaces.rest.answers import DetectionOut
from groundwire.surfaces.rest.bodies import DetectBody
from groundwire.surfaces.rest.callers import Answer, Caller, allow
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.short_way import ShortRoute
from groundwire.types.access import Role

router = APIRouter(prefix="/v1", tags=["checking"], route_class=ShortRoute)
_Asker = Annotated[Caller, Depends(allow(Role.READ, Role.PROPOSE))]


@router.post(
    "/detect",
    operation_id="detect",
    responses=answers(DetectionOut, {200: "Flags, what is done about each, and the answer as it may be shown."}),
)
async def detect(body: DetectBody, caller: _Asker) -> Response:
    """Every flag of an answer with its evidence. About a user this needs the role propose: it may queue the answer."""
    is_about_somebody = body.user is not None or body.tenant is not None or body.session is not None
    if is_about_somebody:
        caller.require(Role.PROPOSE)
    scope = caller.scope(body.user, body.tenant) if is_about_somebody else None

    def act() -> Answer:
        gw = caller.service.gw
        asked = read_detect_request(body.fields("user", "tenant"), gw.settings)
        report = gw.detect(
            asked.response,
            dialogue=asked.dialogue,
            knowledge=asked.knowledge,
            user=None if scope is None else scope.owner,
            tenant=caller.credential.tenant,
            branches_left=asked.branches_left,
            session=asked.session,
            turn=asked.turn,
            credential=caller.credential.id,
        )
        caller.service.metrics.note_detection(report)
        return Answer(describe_detection(report))

    return await caller.ask("detect", act)
