"""Detect: what kind of wrong an answer is, where, and what to do about it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fastapi import APIRouter, Response

from groundwire.surfaces.rest.bodies import DetectBody
from groundwire.surfaces.rest.callers import Answer, Reader
from groundwire.surfaces.rest.documents import problems

router = APIRouter(prefix="/v1", tags=["checking"])
_COMMAND = "groundwire.surfaces.detecting"


def is_there(gw: object) -> bool:
    """Whether this release of the library can detect."""
    return hasattr(gw, "detect") and find_spec(_COMMAND) is not None


@router.post(
    "/detect",
    operation_id="detect",
    responses={200: {"description": "Flags, actions and the answer as it may be shown."}, **problems(401, 403, 422)},
)
async def detect(body: DetectBody, caller: Reader) -> Response:
    """Every flag of an answer with its evidence, and what is done about each."""
    scope = caller.scope(body.user, body.tenant) if body.user or body.tenant or body.session else None

    def act() -> Answer:
        command: Any = import_module(_COMMAND)
        gw: Any = caller.service.gw
        asked = command.read_detect_request(body.fields("user", "tenant"), gw.settings)
        report = gw.detect(
            asked.response,
            dialogue=asked.dialogue,
            knowledge=asked.knowledge,
            user=None if scope is None else scope.owner,
            tenant=caller.credential.tenant,
            session=asked.session,
            turn=asked.turn,
        )
        caller.service.metrics.note_detection(report)
        return Answer(command.describe_detection(report))

    return await caller.ask("detect", act)
