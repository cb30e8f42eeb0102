"""A short way to an endpoint for requests that are as documented; FastAPI sees to all others, and to what is wrong."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.errors import GroundwireError
from groundwire.surfaces.rest.bodies import Body
from groundwire.surfaces.rest.headers import read_header
from groundwire.surfaces.rest.problems import tell

_PLAIN = frozenset({"application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"})


class ShortRoute(APIRoute):
    """An endpoint that takes a body, and besides at most the request and what one function makes of the request.

    FastAPI works out anew for every request what is wanted and from where, which costs more than reading the body. It
    is asked where anything is unusual, so that what it would refuse is refused in its words.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **named: Any) -> None:
        super().__init__(path, endpoint, **named)
        self.is_short = self._is_simple()

    def shorten(self) -> Callable[[Request, bytes], Awaitable[Response | None]]:
        """What answers a request by its body, or None where that is not plain."""
        taken, asked = self.dependant.body_params[0], self.dependant.dependencies[0]
        model, request_name = cast(type[Body], taken.field_info.annotation), self.dependant.request_param_name
        find = cast(Callable[[Request], Awaitable[object]], asked.call)
        endpoint = cast(Callable[..., Awaitable[Response]], self.endpoint)

        async def answer(request: Request, content: bytes) -> Response | None:
            body = read_plain(model, request.scope, content)
            if body is None:
                return None
            given = {taken.name: body, str(asked.name): await find(request)}
            if request_name is not None:
                given[request_name] = request
            return await endpoint(**given)

        return answer

    def _is_simple(self) -> bool:
        wanted = self.dependant
        others = (*wanted.path_params, *wanted.query_params, *wanted.header_params, *wanted.cookie_params)
        if others or self.methods != {"POST"} or len(wanted.body_params) != 1 or len(wanted.dependencies) != 1:
            return False
        model, asked = wanted.body_params[0].field_info.annotation, wanted.dependencies[0]
        wants = (asked.path_params, asked.query_params, asked.header_params, asked.cookie_params, asked.body_params)
        return (
            isinstance(model, type)
            and issubclass(model, Body)
            and asked.request_param_name is not None
            and not any((*wants, asked.dependencies))
        )


class ShortWay:
    """Leads a request for a short route straight to it; the application behind sees all others."""

    def __init__(self, app: ASGIApp, routes: Iterable[BaseRoute]) -> None:
        self._app = app
        short = [route for route in routes if isinstance(route, ShortRoute) and route.is_short]
        self._short = {route.path: (route, route.shorten()) for route in reversed(short)}  # the first of a path counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._short.get(scope["path"]) if scope["type"] == "http" and scope["method"] == "POST" else None
        if found is None or scope.get("root_path"):
            await self._app(scope, receive, send)
            return
        route, answer = found
        scope["route"], scope["endpoint"], scope["path_params"] = route, route.endpoint, {}
        try:
            content = await _read(receive)
            again = _repeat(content, receive)
            response = await answer(Request(scope, again, send), content)
        except (GroundwireError, HTTPException) as error:
            response = tell(error, scope["state"]["request_id"])
        else:
            if response is None:
                await self._app(scope, again, send)
                return
        await response(scope, receive, send)


async def _read(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise HTTPException(400, "the request ended before its body did")
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def read_plain(model: type[Body], scope: Scope, content: bytes) -> Body | None:
    """The body, or None where anything about it is not plain."""
    if read_header(scope, b"content-type") not in _PLAIN:
        return None
    try:
        return model.model_validate(json.loads(content))
    except (ValueError, RecursionError):  # of JSON, of Unicode, of the model
        return None


def _repeat(content: bytes, receive: Receive) -> Receive:
    """The body once more, for whoever reads it from the beginning."""
    kept: list[Message] = [{"type": "http.request", "body": content, "more_body": False}]

    async def again() -> Message:
        return kept.pop() if kept else await receive()

    return again
