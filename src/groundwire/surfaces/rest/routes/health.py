"""Health: whether the process lives, whether it can work, and how it has been doing. Nothing here is of any tenant."""

from __future__ import annotations

from contextlib import suppress
from typing import cast

from fastapi import APIRouter, Request, Response

from groundwire.errors import GroundwireError, ModelUnavailable
from groundwire.surfaces.rest.callers import Answer, respond
from groundwire.surfaces.rest.entries import HealthOut, ReadinessOut
from groundwire.surfaces.rest.metrics import CONTENT_TYPE
from groundwire.surfaces.rest.service import Service

router = APIRouter(tags=["health"])


@router.get("/healthz", operation_id="healthz", responses={200: {"model": HealthOut}})
async def healthz() -> Response:
    """The process answers."""
    return respond(Answer({"status": "ok"}))


@router.get(
    "/readyz",
    operation_id="readyz",
    responses={200: {"model": ReadinessOut}, 503: {"model": ReadinessOut, "description": "It cannot work now."}},
)
async def readyz(request: Request) -> Response:
    """The store can be read, and something judges."""
    service = cast(Service, request.app.state.service)
    try:
        return respond(await service.run(lambda: _examine(service)))
    except GroundwireError as error:
        return respond(Answer({"status": "unavailable", "store": type(error).__name__, "model": "unknown"}, 503))


def _examine(service: Service) -> Answer:
    """Rules alone still judge, unless the settings want the model alone."""
    service.gw.count_pending()
    try:
        problem = service.gw.model_problem
    except ModelUnavailable as error:
        return Answer({"status": "unavailable", "store": "ok", "model": type(error).__name__}, 503)
    return Answer({"status": "ok", "store": "ok", "model": "ok" if problem is None else "rules alone"})


@router.get(
    "/metrics",
    operation_id="metrics",
    response_class=Response,
    responses={200: {"content": {CONTENT_TYPE: {"schema": {"type": "string"}}}, "description": "Prometheus text."}},
)
async def metrics(request: Request) -> Response:
    """Counters and timings of this process since it started."""
    service = cast(Service, request.app.state.service)
    gauges: dict[str, float] = {"groundwire_requests_in_progress": service.workers.under_way}
    with suppress(GroundwireError):  # a store that cannot be read has no depth; the other figures matter all the more
        gauges["groundwire_review_queue_depth"] = await service.run(service.gw.count_pending)
    return Response(service.metrics.write(gauges), media_type=CONTENT_TYPE)
