"""The OpenAPI document: what every route may answer, and examples that the tests carry out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from groundwire.surfaces.rest.answers import ProblemOut
from groundwire.surfaces.rest.doorkeeper import is_guarded
from groundwire.surfaces.rest.problems import MEDIA_TYPE
from groundwire.text.tables import read_table

Responses = dict[int | str, dict[str, Any]]
_ALWAYS = (401, 403, 408, 413, 422, 429, 503, 504)
_MEANINGS = {
    400: "The request cannot be read at all.",
    401: "No key, or none that holds.",
    403: "The key lacks the role, or does not cover that user.",
    404: "There is no such thing for this user.",
    408: "The body took too long to arrive.",
    409: "Its state does not allow this, or the idempotency key was used for another request.",
    412: "It has changed since.",
    413: "Larger than the service takes.",
    422: "Not as documented.",
    429: "This key asks too often; Retry-After says when to ask again.",
    502: "Something that the service depends on gave no answer.",
    503: "The service cannot do this now.",
    504: "Not done within the time that a request may take.",
}
_PROBLEM = {"schema": {"$ref": "#/components/schemas/ProblemOut"}}
_KEY_HEADER = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    "description": "Carried out at most once with this key; kept for a day.",
}
_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A key made with `groundwire keys create`."},
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same key by itself."},
}
IDEMPOTENT: dict[str, Any] = {"parameters": [_KEY_HEADER]}
DESCRIPTION = (
    "The grounding layer between a language model and its long-term memory. Whose memories a request is about comes "
    "from its key; what the request names only ever narrows that."
)


def problems(*statuses: int) -> Responses:
    return {status: {"description": _MEANINGS[status], "content": {MEDIA_TYPE: _PROBLEM}} for status in statuses}


def answers(model: type[BaseModel], good: Mapping[int, str], *bad: int) -> Responses:
    """One model for every good status, and the problems that any request or this one in particular may meet."""
    found: Responses = {status: {"model": model, "description": text} for status, text in good.items()}
    return found | problems(*sorted({400, *_ALWAYS, *bad}))


def read_examples() -> Mapping[str, Mapping[str, Any]]:
    """By operation: what to send, as whom, and the status that it is answered with."""
    return cast(Mapping[str, Mapping[str, Any]], read_table("examples", "surfaces.rest"))


def install(app: FastAPI) -> None:
    """Complete FastAPI's own document once, when somebody first asks for it."""

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _complete(
                get_openapi(title=app.title, version=app.version, description=DESCRIPTION, routes=app.routes)
            )
        return app.openapi_schema

    app.openapi = describe  # pyright: ignore[reportAttributeAccessIssue] -- FastAPI's documented way


def _complete(document: dict[str, Any]) -> dict[str, Any]:
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas["ProblemOut"] = ProblemOut.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= schemas["ProblemOut"].pop("$defs", {})
    document["components"]["securitySchemes"] = _SCHEMES
    examples = read_examples()
    for path, methods in document["paths"].items():
        for operation in methods.values():
            if is_guarded(path):
                operation["security"] = [{name: []} for name in _SCHEMES]
            example = examples.get(operation.get("operationId", ""))
            if example is not None and "body" in example:
                content = operation["requestBody"]["content"]["application/json"]
                content["examples"] = {"example": {"summary": example["summary"], "value": example["body"]}}
    return document
