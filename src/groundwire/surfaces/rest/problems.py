"""Everything that can go wrong, as problem+json (RFC 9457): one table from the tree of errors to statuses."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from groundwire import errors
from groundwire.errors import GroundwireError, InvalidInput
from groundwire.surfaces.responses import JsonObject, write_json

if TYPE_CHECKING:
    from fastapi import FastAPI

MEDIA_TYPE = "application/problem+json"
_LOGGER = logging.getLogger("groundwire.service")
_LONGEST = 300
_NO_OBJECT = "must be a JSON object, sent with the header Content-Type: application/json"
_MOST_ERRORS = 20


# ── what only a service can refuse ──────────────────────────────────────────────────────────────


class RateLimited(GroundwireError):
    """This key asks too often."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"this key has made too many requests; ask again in {seconds} s")
        self.seconds = seconds


class Overloaded(GroundwireError):
    """Too many requests wait already."""

    def __init__(self) -> None:
        super().__init__("too many requests wait already; ask again in a moment")
        self.seconds = 1


class TooLarge(GroundwireError):
    """The request is larger than the service takes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the request has more than {limit:,} bytes, which is the limit")


class TooSlow(GroundwireError):
    """The body of a request takes too long to arrive."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the request was not here within {seconds:g} s")


class TimedOut(GroundwireError):
    """A call took longer than a request may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"not done within {seconds:g} s; a write may still be carried out: repeat it with the same Idempotency-Key"
        )


class Changed(GroundwireError):
    """What If-Match names is no longer what is there."""


STATUSES: Mapping[type[GroundwireError], int] = {
    GroundwireError: 500,
    InvalidInput: 422,
    errors.InvalidSettings: 500,
    errors.MissingExtra: 501,
    errors.RejectionError: 409,
    errors.ExtractorUnavailable: 502,
    errors.DataFileError: 500,
    errors.Unreachable: 502,
    errors.ModelUnavailable: 503,
    errors.ModelMissing: 503,
    errors.ModelCorrupt: 503,
    errors.StoreUnavailable: 503,
    errors.StoreFull: 507,
    errors.StoreReadOnly: 503,
    errors.StoreForeign: 503,
    errors.StoreTooNew: 503,
    errors.StoreCorrupt: 503,
    errors.StoreBusy: 503,
    errors.NotFound: 404,
    errors.IllegalChange: 409,
    errors.NotPermitted: 403,
    errors.NotRecognised: 401,
    errors.QueueFull: 409,
    RateLimited: 429,
    Overloaded: 503,
    TooLarge: 413,
    TooSlow: 408,
    TimedOut: 504,
    Changed: 412,
}
_TOLD = frozenset({Overloaded, TimedOut, errors.ExtractorUnavailable, errors.MissingExtra})
"""Failures of the service whose words are for the caller; those of others name files and hosts, and are logged."""
_TITLES = {
    400: "Bad request", 401: "Not recognised", 403: "Not permitted", 404: "Not found", 405: "Method not allowed",
    408: "Too slow",    409: "Conflict", 412: "Changed since", 413: "Too large", 415: "Not JSON", 422: "Invalid input",
    429: "Too many requests", 500: "Internal error", 501: "Not installed", 502: "No answer from elsewhere",
    503: "Not available", 504: "Timed out", 507: "No room left",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Problem:
    """What a client is told."""

    status: int
    kind: str
    detail: str
    errors: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def as_json(self, request_id: str) -> JsonObject:
        body: JsonObject = {
            "type": f"urn:groundwire:problem:{self.kind}",
            "title": _TITLES.get(self.status, "Problem"),
            "status": self.status,
            "detail": self.detail,
            "request_id": request_id,
        }
        if self.errors:
            body["errors"] = [{"field": name, "message": message} for name, message in self.errors]
        return body

    def respond(self, request_id: str) -> Response:
        content = write_json(self.as_json(request_id)).encode()
        return Response(content, self.status, dict(self.headers), MEDIA_TYPE)


def status_of(error: GroundwireError) -> int:
    return next(STATUSES[kind] for kind in type(error).__mro__ if kind in STATUSES)


def describe(error: Exception) -> Problem:
    """The problem that an error is to whoever asked; nothing of what an unexpected one says."""
    match error:
        case GroundwireError():
            return _describe_own(error)
        case RequestValidationError():
            return _describe_invalid(error.errors())
        case HTTPException():
            kind = _TITLES.get(error.status_code, "problem").lower().replace(" ", "-")
            return Problem(error.status_code, kind, str(error.detail), headers=error.headers or {})
        case _:
            return Problem(500, "internal-error", "a defect of the service; its log has more under this request id")


def _describe_own(error: GroundwireError) -> Problem:
    status = status_of(error)
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
    if status >= 500 and type(error) not in _TOLD:
        return Problem(status, kind, "the service cannot do this now; its log says why under this request id")
    headers: dict[str, str] = {}
    if isinstance(error, RateLimited | Overloaded):
        headers["Retry-After"] = str(error.seconds)
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    listed = ((error.field, _shorten(str(error).partition(": ")[2])),) if isinstance(error, InvalidInput) else ()
    return Problem(status, kind, _shorten(str(error)), listed, headers)


def _describe_invalid(found: Any) -> Problem:
    """What was sent is not repeated: it may be large, hostile or secret."""
    listed: list[tuple[str, str]] = []
    for error in list(found)[:_MOST_ERRORS]:
        where = [str(part) for part in error["loc"]]
        said = _NO_OBJECT if where == ["body"] else _shorten(str(error["msg"]))
        listed.append((_shorten(".".join(where[1:]) or where[0]), said))
    if listed and listed[0][1] == _NO_OBJECT:
        return Problem(422, "invalid-input", f"body: {_NO_OBJECT}", tuple(listed))
    named = ", ".join(name for name, _ in listed[:3])
    return Problem(422, "invalid-input", f"not as documented: {named}", tuple(listed))


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def tell(error: Exception, request_id: str) -> Response:
    """The answer to whoever asked; why the service itself failed goes to whoever runs it."""
    problem = describe(error)
    if problem.status >= 500:
        _LOGGER.error("%s: %s", type(error).__name__, error, extra={"fields": {"request_id": request_id}})
    return problem.respond(request_id)


def install(app: FastAPI) -> None:
    """Let every error of the tree, of validation and of routing be answered as a problem."""

    async def answer(request: Request, error: Exception) -> Response:
        return tell(error, getattr(request.state, "request_id", ""))

    for kind in (GroundwireError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, answer)
