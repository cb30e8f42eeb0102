"""The application put together: what surrounds every request, the routes, and whatever others add."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

import groundwire
from groundwire.surfaces.console.app import install as install_console
from groundwire.surfaces.rest import documents, problems
from groundwire.surfaces.rest.doorkeeper import BodyLimit, Doorkeeper
from groundwire.surfaces.rest.journal import Journal
from groundwire.surfaces.rest.metrics import Metrics
from groundwire.surfaces.rest.rates import Rates
from groundwire.surfaces.rest.recognition import Recognised
from groundwire.surfaces.rest.routes import (
    audit,
    contradictions,
    detect,
    extract,
    gate,
    health,
    judge,
    memories,
    rejections,
    reviews,
    search,
    sessions,
    verdicts,
    verify,
)
from groundwire.surfaces.rest.service import Service
from groundwire.surfaces.rest.short_way import ShortWay
from groundwire.surfaces.rest.tracing import Tracing, make_provider
from groundwire.surfaces.rest.workers import Workers

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

    from groundwire.app import Groundwire

Extension = Callable[[FastAPI, Service], None]
ROUTES = (
    verify, memories, search, judge, detect, gate, extract, reviews, contradictions, rejections, verdicts, audit,
    sessions,
)  # fmt: skip
_SILENT: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}


def create_app(
    gw: Groundwire,
    *,
    extensions: Sequence[Extension] = (),
    clock: Callable[[], float] = time.monotonic,
    traces: TracerProvider | None = None,
) -> FastAPI:
    """The service over one library, which is closed with it. An extension adds what it likes to the application.

    Spans go to `traces`, or where the settings want it to where the OTEL_* variables say, or nowhere.
    """
    service = make_service(gw, clock)
    app = FastAPI(
        title="Groundwire",
        version=groundwire.__version__,
        lifespan=_live,
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        telemetry=_SILENT,  # what is traced, and where to, is the deployment's decision: see tracing
    )
    app.state.service = service
    problems.install(app)
    documents.install(app)
    for module in (*ROUTES, health):
        app.router.routes.extend(module.router.routes)  # as they are: routers within routers cost every request
    install_console(app, service)
    for install in extensions:
        install(app, service)
    # The last one added is the first to see a request.
    app.add_middleware(ShortWay, routes=app.router.routes)
    app.add_middleware(Doorkeeper, service=service)
    app.add_middleware(BodyLimit, most=gw.settings.serve_bytes, seconds=gw.settings.serve_seconds)
    app.add_middleware(Journal, service=service, clock=clock)
    provider = traces or (make_provider() if gw.settings.serve_traces else None)
    if provider is not None:
        app.add_middleware(Tracing, provider=provider)
    return app


def make_service(gw: Groundwire, clock: Callable[[], float]) -> Service:
    settings = gw.settings
    return Service(
        gw=gw,
        workers=Workers(settings.serve_workers, settings.serve_seconds),
        rates=Rates(settings.serve_rate, settings.serve_burst, clock),
        metrics=Metrics(),
        recognised=Recognised(clock),
        clock=clock,
    )


@asynccontextmanager
async def _live(app: FastAPI) -> AsyncGenerator[None]:
    """By the time the server ends this, it has answered everything that it took in; what goes on in threads is
    finished before the store is closed."""
    service: Service = app.state.service
    await service.workers.run(service.warm_up, is_limited=False)
    yield
    service.workers.close()
    service.gw.close()
