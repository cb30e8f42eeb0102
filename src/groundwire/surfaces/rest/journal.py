"""One JSON object a line about every request: when, which, who, how long; never what was said or with which secret."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import IO

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.surfaces.rest.headers import read_header
from groundwire.surfaces.rest.problems import describe
from groundwire.surfaces.rest.service import Service

LOGGER = logging.getLogger("groundwire.service")
REQUEST_ID = b"x-request-id"
_GIVEN = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_TOKEN = re.compile(r"gwk_[0-9a-f]{16}_[0-9a-f]+")
_NOWHERE = "(none)"
_PROMPT = logging.WARNING
"""What is as bad as this is written at once."""
_MOST_WAITING = 256
_IDS = 256
"""Names of requests that are drawn at a time: asking the system for each costs more than the rest of a line."""
_encode = json.JSONEncoder(ensure_ascii=True, default=str).encode  # made once: json.dumps would make one for every line


class JsonLines(logging.Formatter):
    """Control characters are escaped by JSON itself, so an entry is one line whatever it holds."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _redact(record.getMessage()),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            entry["traceback"] = _redact(self.formatException(record.exc_info))
        return _encode(entry)


def _redact(text: str) -> str:
    return _TOKEN.sub("gwk_…", text)


class Lines(logging.StreamHandler[IO[str]]):
    """Writes the lines of requests that are answered together in one go, before the event loop does anything else.

    What is worse than information is written at once, and so is everything where no event loop runs.
    """

    def __init__(self, stream: IO[str]) -> None:
        super().__init__(stream)
        self._waiting: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._waiting.append(self.format(record) + self.terminator)
        if record.levelno >= _PROMPT or len(self._waiting) >= _MOST_WAITING:
            self.flush()
        elif len(self._waiting) == 1:
            try:
                asyncio.get_running_loop().call_soon(self.flush)
            except RuntimeError:
                self.flush()

    def flush(self) -> None:
        """Also what the end of the program calls. Where the stream is broken there is nobody who could be told."""
        self.acquire()
        try:
            lines, self._waiting = self._waiting, []
            with suppress(OSError, ValueError):
                self.stream.write("".join(lines))
                self.stream.flush()
        finally:
            self.release()


def log_to(stream: IO[str] | None = None, level: int = logging.INFO) -> None:
    """Send the service's lines and those of the server to standard error."""
    handler = Lines(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False  # no line of ours tells them
    for name in ("groundwire.service", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler] if name != "uvicorn.error" else []
        logger.setLevel(level)
        logger.propagate = name == "uvicorn.error"


def _draw_ids() -> Iterator[str]:
    while True:
        drawn = os.urandom(8 * _IDS).hex()
        yield from (drawn[start : start + 16] for start in range(0, len(drawn), 16))


class Journal:
    """The outermost of all: gives a request its id, counts and logs it, and answers for defects."""

    def __init__(self, app: ASGIApp, service: Service, clock: Callable[[], float]) -> None:
        self._app = app
        self._service = service
        self._clock = clock
        self._ids = _draw_ids()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = read_header(scope, REQUEST_ID) or ""
        request_id = given if _GIVEN.fullmatch(given) else next(self._ids)
        scope.setdefault("state", {})["request_id"] = request_id
        begun, statuses = self._clock(), list[int]()

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
                message["headers"] = _mark(message["headers"], request_id)
            await send(message)

        try:
            await self._app(scope, receive, send_marked)
        except Exception as error:  # the outermost edge: a defect is logged, answered and survived
            LOGGER.error("defect", exc_info=error, extra={"fields": {"request_id": request_id}})
            if not statuses:
                await describe(error).respond(request_id)(scope, receive, send_marked)
        finally:
            self._note(scope, request_id, statuses[0] if statuses else 499, self._clock() - begun)

    def _note(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", None) or _NOWHERE
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        metrics = self._service.metrics
        metrics.count("groundwire_requests_total", method=method, route=route, status=str(status))
        metrics.observe("groundwire_request_seconds", seconds, route=route)
        credential = scope["state"].get("credential")
        fields = {
            "request_id": request_id,
            "method": method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1_000, 3),
            "key": credential.id if credential is not None else None,
        }
        if LOGGER.isEnabledFor(logging.INFO):  # made by hand: nobody asks where in the code it was noted
            told = {"fields": fields}
            LOGGER.handle(LOGGER.makeRecord(LOGGER.name, logging.INFO, "", 0, "request", (), None, extra=told))


def _mark(headers: Iterable[tuple[bytes, bytes]], request_id: str) -> list[tuple[bytes, bytes]]:
    """What every answer says of itself, unless it says otherwise."""
    given = dict(headers)
    missing = [(name, value) for name, value in _EVERYWHERE if name not in given]
    return [*headers, (REQUEST_ID, request_id.encode()), *missing]


_EVERYWHERE = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
