"""A request as it comes in, and whether anybody still waits for its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from enum import StrEnum
from urllib.parse import unquote

from starlette.types import Receive, Scope

from groundwire.surfaces.proxy.failures import Refused
from groundwire.surfaces.proxy.headers import Headers


class Kind(StrEnum):
    """What a request is for; a response may be kept by the upstream and be asked for by its id."""

    CHAT = "chat"
    RESPONSES = "responses"
    KEPT_RESPONSE = "kept response"
    OTHER = "other"


_PATHS: dict[tuple[str, ...], bytes] = {
    ("chat", "completions"): b"/chat/completions",
    ("responses",): b"/responses",
}


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


class Intake:
    """One request. The body is read once, whole or in pieces; after that, `wait_until_gone` may be waited for."""

    def __init__(self, scope: Scope, receive: Receive, prefix: str) -> None:
        self._receive = receive
        self._is_whole = asyncio.Event()
        self.method: str = scope["method"]
        self.headers: Headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        self.path = raw.partition(b"?")[0].removeprefix(prefix.encode())
        """Raw, behind the prefix."""
        self.query: bytes = scope["query_string"]
        self.words = tuple(part for part in unquote(self.path.decode("latin-1")).lower().split("/") if part)

    @property
    def kind(self) -> Kind:
        """However it is spelled: what an upstream might take for a request for an answer is guarded."""
        words = self.words
        if self.method == "POST" and words[-2:] == ("chat", "completions"):
            return Kind.CHAT
        if self.method == "POST" and words[-1:] == ("responses",):
            return Kind.RESPONSES
        is_kept = words[-2:-1] == ("responses",) and self.method == "GET"
        is_ended = words[-3:-2] == ("responses",) and words[-1] == "cancel"
        return Kind.KEPT_RESPONSE if is_kept or is_ended else Kind.OTHER

    @property
    def target(self) -> bytes:
        """Where it goes; dots could lead out of the API."""
        if any(word in (".", "..") for word in self.words):
            raise Refused("the path has dots for folders in it", code="invalid_path")
        path = _PATHS.get(self.words, self.path)
        return path + (b"?" + self.query if self.query else b"")

    async def pieces(self) -> AsyncGenerator[bytes]:
        while True:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            piece: bytes = message.get("body", b"")
            if not message.get("more_body", False):
                self._is_whole.set()
                yield piece
                return
            yield piece

    async def read(self, most: int) -> bytes:
        read = bytearray()
        async for piece in self.pieces():
            read += piece
            if len(read) > most:
                raise Refused(f"the request has more than {most:,} bytes", code="too_large", status=413)
        return bytes(read)

    async def wait_until_gone(self) -> None:
        await self._is_whole.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass
