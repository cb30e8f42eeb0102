"""Judge: one claim against its evidence."""

from __future__ import annotations

from fastapi import APIRouter, Response

from groundwire.surfaces.requests import read_judge_request
from groundwire.surfaces.responses import describe_judgement
from groundwire.surfaces.rest.answers import JudgementOut
from groundwire.surfaces.rest.bodies import JudgeBody
from groundwire.surfaces.rest.callers import Answer, Reader
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.short_way import ShortRoute

router = APIRouter(prefix="/v1", tags=["checking"], route_class=ShortRoute)


@router.post("/judge", operation_id="judge", responses=answers(JudgementOut, {200: "The verdict."}))
async def judge(body: JudgeBody, caller: Reader) -> Response:
    """Does the evidence, or else what is remembered of the user, support the claim, refute it, or say nothing?"""
    is_given = body.evidence is not None
    scope = caller.scope(body.user, body.tenant) if body.user or body.tenant or not is_given else None

    def act() -> Answer:
        gw = caller.service.gw
        asked = read_judge_request(body.fields("user", "tenant"), gw.settings, has_store=True)
        output = gw.judge(
            asked.claim,
            asked.evidence if is_given else None,
            context=asked.context,
            mode=asked.mode,
            user=None if scope is None else scope.owner,
            tenant=caller.credential.tenant,
        )
        caller.service.metrics.note_judgement(output)
        return Answer(describe_judgement(output))

    return await caller.ask("judge", act)
