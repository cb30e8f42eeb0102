"""Contradictions: slots on which what is remembered disagrees."""

from __future__ import annotations

from fastapi import APIRouter, Response

from groundwire.surfaces.responses import describe_contradiction
from groundwire.surfaces.rest.answers import ContradictionsOut
from groundwire.surfaces.rest.callers import Answer, Owner, Reader
from groundwire.surfaces.rest.documents import answers

router = APIRouter(prefix="/v1", tags=["checking"])


@router.get(
    "/contradictions",
    operation_id="listContradictions",
    responses=answers(ContradictionsOut, {200: "One entry a slot, the values oldest first."}),
)
async def list_contradictions(caller: Reader, user: Owner = None) -> Response:
    """Where current memories of a user cannot all be true."""
    scope = caller.scope(user)

    def act() -> Answer:
        found = caller.ledger(scope).contradictions()
        return Answer({"contradictions": [describe_contradiction(one) for one in found]})

    return await caller.ask("contradictions", act)
