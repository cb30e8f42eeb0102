"""A short way to an endpoint for requests that are as documented; FastAPI sees to all others, and to what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, cast

from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from groundwire.surfaces.rest.bodies import Body

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
_PLAIN = frozenset({"application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"})


class ShortRoute(APIRoute):
    """An endpoint that takes a body, and besides at most the request and what one function makes of the request.

    FastAPI works out anew for every request what it wants and from where, which costs more than reading the body. It
    is asked again from the beginning where anything is unusual, so that what it refuses is refused in its words.
    """

    def get_route_handler(self) -> Handler:
        whole = super().get_route_handler()
        if not self._is_simple():
            return whole
        endpoint: Callable[..., Coroutine[Any, Any, Response]] = self.endpoint
        body_field, asks = self.dependant.body_params[0], self.dependant.dependencies[0]
        model = cast(type[Body], body_field.field_info.annotation)
        find, request_name = asks.call, self.dependant.request_param_name
        assert find is not None and asks.name is not None
        body_name, caller_name = body_field.name, asks.name

        async def handle(request: Request) -> Response:
            body = _read(model, request, await request.body())
            if body is None:
                return await whole(request)
            given = {body_name: body, caller_name: await find(request)}
            if request_name is not None:
                given[request_name] = request
            return await endpoint(**given)

        return handle

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


def _read(model: type[Body], request: Request, content: bytes) -> Body | None:
    """The body, or None where anything about it is not plain."""
    if request.headers.get("content-type") not in _PLAIN:
        return None
    try:
        return model.model_validate(json.loads(content))
    except (ValueError, RecursionError, ValidationError):
        return None
