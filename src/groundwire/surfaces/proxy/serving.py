"""The proxy put together: as an application of its own, and as a part of the service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from groundwire.surfaces.proxy.app import Proxy
from groundwire.surfaces.proxy.options import SECONDS, ProxyOptions
from groundwire.surfaces.proxy.owners import name_owner, recognise_owner
from groundwire.surfaces.proxy.upstream import Upstream
from groundwire.types import Scope

if TYPE_CHECKING:
    from fastapi import FastAPI

    from groundwire.app import Groundwire
    from groundwire.surfaces.rest.app import Extension
    from groundwire.surfaces.rest.service import Service

Result = TypeVar("Result")
PREFIX = "/v1"
MOUNTED = "/openai/v1"


def create_proxy(
    gw: Groundwire,
    upstream: str,
    *,
    owner: Scope,
    options: ProxyOptions | None = None,
    seconds: float = SECONDS,
) -> Starlette:
    """An application for one store and one upstream; the library is closed with it. `owner` is who is meant where a
    request names nobody."""
    chosen, behind = options or ProxyOptions(), Upstream(upstream, seconds=seconds)
    pool = ThreadPoolExecutor(gw.settings.serve_workers, thread_name_prefix="groundwire-proxy")

    async def run(action: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(pool, action)

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncGenerator[None]:
        await run(lambda: warm_up(gw, owner))
        yield
        await behind.close()
        pool.shutdown(wait=True)
        gw.close()

    async def tell_health(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    proxy = Proxy(gw, behind, run, name_owner(owner), chosen, prefix=PREFIX)
    return Starlette(routes=[Route("/healthz", tell_health), Mount(PREFIX, app=proxy)], lifespan=live)


def warm_up(gw: Groundwire, owner: Scope) -> None:
    """Open the store and the model before anybody waits for them; a store that is broken is one error, now."""
    gw.reviews(owner.owner, owner.tenant)
    guard = gw.open_stream(user=owner.owner, tenant=owner.tenant).guard
    guard.feed("This is a first sentence, and nobody reads it. ")


def mount_proxy(upstream: str, *, options: ProxyOptions | None = None, seconds: float = SECONDS) -> Extension:
    """An extension of the service: the proxy at /openai/v1, where its own keys decide whose memories count."""

    def install(app: FastAPI, service: Service) -> None:
        behind = Upstream(upstream, seconds=seconds)

        async def run(action: Callable[[], Result]) -> Result:
            return await service.workers.run(action, is_limited=False)

        find_owner = recognise_owner(service)
        proxy = Proxy(
            service.gw, behind, run, find_owner, options or ProxyOptions(), prefix=MOUNTED, has_own_keys=True
        )  # fmt: skip
        app.mount(MOUNTED, proxy)
        inner = app.router.lifespan_context

        @asynccontextmanager
        async def live(app: FastAPI) -> AsyncGenerator[Mapping[str, Any]]:
            async with inner(app) as state:
                yield state or {}
                await behind.close()

        app.router.lifespan_context = live

    return install
