"""Verify: an answer, claim by claim."""

from __future__ import annotations

from fastapi import APIRouter, Response

from groundwire.surfaces.checking import describe_flagged
from groundwire.surfaces.requests import read_verify_request
from groundwire.surfaces.rest.answers import ReportOut
from groundwire.surfaces.rest.bodies import VerifyBody
from groundwire.surfaces.rest.callers import Answer, Reader
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.short_way import ShortRoute

router = APIRouter(prefix="/v1", tags=["checking"], route_class=ShortRoute)


@router.post("/verify", operation_id="verify", responses=answers(ReportOut, {200: "The report."}))
async def verify(body: VerifyBody, caller: Reader) -> Response:
    """Check every claim of an answer against what is handed in, or else against what is remembered of the user."""
    is_given = body.memories is not None or body.passages is not None
    scope = caller.scope(body.user, body.tenant) if body.user or body.tenant or not is_given else None

    def act() -> Answer:
        gw = caller.service.gw
        asked = read_verify_request(body.fields("user", "tenant"), gw.settings)
        report = gw.verify(
            asked.text,
            memories=asked.memories,
            passages=asked.passages,
            query=asked.query,
            mode=asked.mode,
            user=None if scope is None else scope.owner,
            tenant=caller.credential.tenant,
            flags=asked.flags,
        )
        caller.service.metrics.note_report(report)
        return Answer(describe_flagged(report, asked.flags))

    return await caller.ask("verify", act)
