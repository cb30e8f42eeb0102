"""Gate: what the write gate would decide."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Response

from groundwire.surfaces.gating import describe_receipt, read_gate_request
from groundwire.surfaces.rest.answers import ReceiptOut
from groundwire.surfaces.rest.bodies import GateBody
from groundwire.surfaces.rest.callers import Answer, Proposer
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.short_way import ShortRoute

router = APIRouter(prefix="/v1", tags=["writing"], route_class=ShortRoute)


@router.post("/gate", operation_id="gate", responses=answers(ReceiptOut, {200: "The receipt."}))
async def gate(body: GateBody, caller: Proposer) -> Response:
    """Decide whether a claim may become a memory. Nothing is written."""
    scope = caller.scope(body.user, body.tenant)

    def act() -> Answer:
        gw = caller.service.gw
        defaults = {"memory_type": body.memory_type, "source": body.source, "user_id": scope.owner}
        asked = read_gate_request({**body.fields("user", "tenant"), **defaults}, gw.settings)
        turns = asked.candidate.user_turns
        if turns is None and caller.allowed_sources is not None:
            turns = ()
        candidate = replace(asked.candidate, allowed_sources=caller.allowed_sources, user_turns=turns)
        receipt = gw.gate(candidate, existing=asked.existing, tenant=scope.tenant)
        caller.service.metrics.note_receipt(receipt)
        return Answer(describe_receipt(receipt))

    return await caller.ask("gate", act)
