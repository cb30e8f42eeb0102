"""What happens before any route: the size of a request is bounded, and under `/v1` its key is recognised."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.errors import GroundwireError, NotRecognised
from groundwire.surfaces.rest.headers import read_header
from groundwire.surfaces.rest.problems import TooLarge, TooSlow, tell
from groundwire.surfaces.rest.service import Service

GUARDED = ("/v1", "/openai")
_WITHIN = tuple(f"{prefix}/" for prefix in GUARDED)
_MISSING = "no key was given; send it as Authorization: Bearer KEY"


class Doorkeeper:
    """Nothing of a request under a guarded prefix is read before its key is known and within its rate."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_guarded(scope["path"]):
            await self._app(scope, receive, send)
            return
        try:
            credential = await self._service.recognise(read_token(scope))
            state = scope.setdefault("state", {})
            state["credential"] = credential
            self._service.admit(credential)
        except GroundwireError as error:
            await _refuse(error, scope, receive, send)
            return
        await self._app(scope, receive, send)


class BodyLimit:
    """Refuses a body by its announced length, as soon as it has grown too large, or when it takes too long to come."""

    def __init__(self, app: ASGIApp, most: int, seconds: float) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = read_header(scope, b"content-length") or ""
        if announced.isdecimal() and (len(announced) > 15 or int(announced) > self._most):
            await _refuse(TooLarge(self._most), scope, receive, send)
            return
        intake = _Intake(receive, self._most, self._seconds)
        has_begun = False

        async def send_on(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, intake.receive, send_on)
        except _Refused as refused:
            if not has_begun:
                await _refuse(refused.error, scope, receive, send)


class _Intake:
    """The body of one request as it comes; once it is whole, what follows may take as long as it likes."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive = receive
        self._most = most
        self._seconds = seconds
        self._taken = 0
        self._is_whole = False
        self._until: float | None = None

    async def receive(self) -> Message:
        if self._is_whole:
            return await self._receive()
        self._until = self._until or asyncio.get_running_loop().time() + self._seconds
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise _Refused(TooSlow(self._seconds)) from None
        self._taken += len(message.get("body", b""))
        if self._taken > self._most:
            raise _Refused(TooLarge(self._most))
        self._is_whole = not message.get("more_body", False)
        return message


class _Refused(BaseException):
    """Not an Exception: whoever reads the body must not mistake it for a body that cannot be parsed."""

    def __init__(self, error: GroundwireError) -> None:
        super().__init__(str(error))
        self.error = error


def is_guarded(path: str) -> bool:
    return path.startswith(_WITHIN) or path in GUARDED


def read_token(scope: Scope) -> str:
    """The token that came with a request; NotRecognised if there is none."""
    kind, _, token = (read_header(scope, b"authorization") or "").partition(" ")
    if kind.lower() == "bearer" and token.strip():
        return token.strip()
    own = (read_header(scope, b"x-api-key") or "").strip()
    if not own:
        raise NotRecognised(_MISSING)
    return own


async def _refuse(error: GroundwireError, scope: Scope, receive: Receive, send: Send) -> None:
    response = tell(error, scope.get("state", {}).get("request_id", ""))
    await response(scope, receive, send)
