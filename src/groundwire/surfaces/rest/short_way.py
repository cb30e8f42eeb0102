"""A short way to an endpoint for requests that are as documented; FastAPI sees to all others, and to what is wrong."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.surfaces.rest.bodies import Body

_PLAIN = frozenset({"application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"})


class ShortRoute(APIRoute):
    """An endpoint that takes a body, and besides at most the request and what one function makes of the request.

    FastAPI works out anew for every request what is wanted and from where, which costs more than reading the body. It
    is asked where anything is unusual, so that what it would refuse is refused in its words.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **named: Any) -> None:
        super().__init__(path, endpoint, **named)
        self.is_short = self._is_simple()
        if self.is_short:
            self.app = self._shorten(self.app, endpoint)

    def _shorten(self, whole: ASGIApp, endpoint: Callable[..., Awaitable[Response]]) -> ASGIApp:
        taken, asked = self.dependant.body_params[0], self.dependant.dependencies[0]
        model, request_name = cast(type[Body], taken.field_info.annotation), self.dependant.request_param_name
        find = cast(Callable[[Request], Awaitable[object]], asked.call)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            request = Request(scope, receive, send)
            try:
                content = await request.body()
            except ClientDisconnect:
                raise HTTPException(400, "the request ended before its body did") from None
            body = read_plain(model, request, content)
            if body is None:
                await whole(scope, _repeat(content, receive), send)
                return
            given = {taken.name: body, str(asked.name): await find(request)}
            if request_name is not None:
                given[request_name] = request
            response = await endpoint(**given)
            await response(scope, receive, send)

        return app

    def _is_simple(self) -> bool:
        wanted = self.dependant
        others = (*wanted.path_params, *wanted.query_params, *wanted.header_params, *wanted.cookie_params)
        if others or len(wanted.body_params) != 1 or len(wanted.dependencies) != 1:
            return False
        model, asked = wanted.body_params[0].field_info.annotation, wanted.dependencies[0]
        wants = (asked.path_params, asked.query_params, asked.header_params, asked.cookie_params, asked.body_params)
        return (
            isinstance(model, type)
            and issubclass(model, Body)
            and asked.request_param_name is not None
            and not any((*wants, asked.dependencies))
        )


def read_plain(model: type[Body], request: Request, content: bytes) -> Body | None:
    """The body, or None where anything about it is not plain."""
    if request.headers.get("content-type") not in _PLAIN:
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
