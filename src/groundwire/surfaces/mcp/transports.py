"""How agents reach the server: standard input and output of this process, or streamable HTTP with a key."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import mcp_types as wire
from mcp.server import Server
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import AccessToken
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from groundwire.surfaces.mcp.callers import Authenticate, Caller
from groundwire.surfaces.mcp.server import Context, build_server
from groundwire.surfaces.rest.problems import RateLimited, describe
from groundwire.surfaces.rest.rates import Rates

if TYPE_CHECKING:
    import socket

    from groundwire.app import Groundwire

PATH = "/mcp"
GRACE = 10
"""Seconds in which calls that were accepted are finished when the server is told to stop."""


def serve_stdio(keeper: Groundwire, caller: Caller, version: str) -> None:
    """One agent, until it closes the connection; the operator's command line has said who it is."""
    server = build_server(keeper, lambda ctx: caller, version)

    async def serve() -> None:
        async with stdio_server() as (received, sent):
            await server.run(received, sent, server.create_initialization_options())

    anyio.run(serve)


def serve_http(keeper: Groundwire, authenticate: Authenticate, listener: socket.socket, version: str) -> None:
    """Many agents, each with its key, on a socket that is bound already, until the process is told to stop."""
    import uvicorn

    host = listener.getsockname()[0]
    app = build_app(keeper, authenticate, version, host=host)
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=GRACE, lifespan="on")
    with suppress(KeyboardInterrupt):  # raised once more when everything has been finished
        uvicorn.Server(config).run(sockets=[listener])


def build_app(keeper: Groundwire, authenticate: Authenticate, version: str, *, host: str = "127.0.0.1") -> Starlette:
    """The same as an ASGI application. A request without a good key is answered 401 and reaches nothing."""
    server: Server[Any] = build_server(keeper, _identify, version)
    server.streamable_http_app(host=host, max_request_body_size=keeper.settings.serve_bytes)  # sets up the sessions
    sessions = server.session_manager
    settings = keeper.settings
    rates = Rates(settings.serve_rate, settings.serve_burst, time.monotonic)
    guarded = RequireAuthMiddleware(_Turnstile(StreamableHTTPASGIApp(sessions), rates), [])
    backend = BearerAuthBackend(_Keys(authenticate))
    return Starlette(
        routes=[Route(PATH, endpoint=guarded)],
        middleware=[Middleware(AuthenticationMiddleware, backend=backend), Middleware(AuthContextMiddleware)],
        lifespan=lambda app: sessions.run(),
    )


class _Turnstile:
    """Counts requests against the rate of their key, as the service does; behind the check of the key."""

    def __init__(self, app: ASGIApp, rates: Rates) -> None:
        self._app = app
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._rates.admit(scope["user"].access_token.client_id)
        except RateLimited as error:
            await describe(error).respond("")(scope, receive, send)
            return
        await self._app(scope, receive, send)


class _Key(AccessToken):
    """A key with the caller that it stands for; a session belongs to the key that opened it."""

    caller: Caller


class _Keys:
    """What the SDK asks about a bearer token."""

    def __init__(self, authenticate: Authenticate) -> None:
        self._authenticate = authenticate

    async def verify_token(self, token: str) -> AccessToken | None:
        caller = await anyio.to_thread.run_sync(self._authenticate, token)
        if caller is None:
            return None
        owner, tenant = caller.scope
        return _Key(
            token="", client_id=caller.credential, scopes=[], subject=owner, claims={"iss": tenant}, caller=caller
        )


def _identify(ctx: Context) -> Caller:
    user = getattr(ctx.request, "scope", {}).get("user")
    if isinstance(user, AuthenticatedUser) and isinstance(user.access_token, _Key):
        return user.access_token.caller
    raise MCPError(wire.INVALID_REQUEST, "the request carries no key")
