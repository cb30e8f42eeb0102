"""Extract: what may be remembered of a conversation."""

from __future__ import annotations

from fastapi import APIRouter, Response

from groundwire.surfaces.extracting import describe_extraction, read_extract_request
from groundwire.surfaces.rest.answers import ExtractionOut
from groundwire.surfaces.rest.bodies import ExtractBody
from groundwire.surfaces.rest.callers import Answer, Proposer
from groundwire.surfaces.rest.documents import answers
from groundwire.surfaces.rest.short_way import ShortRoute

router = APIRouter(prefix="/v1", tags=["writing"], route_class=ShortRoute)


@router.post("/extract", operation_id="extract", responses=answers(ExtractionOut, {200: "What was found."}, 502))
async def extract(body: ExtractBody, caller: Proposer) -> Response:
    """Find what may be remembered of a summary or of turns, and why the rest may not. Nothing is written."""

    def act() -> Answer:
        gw = caller.service.gw
        asked = read_extract_request(body.fields(), gw.settings)
        found = gw.extract(asked.source, candidates=asked.candidates, known_facts=asked.known_facts)
        caller.service.metrics.note_extraction(found)
        return Answer(describe_extraction(found))

    return await caller.ask("extract", act)
