"""A request as it comes in, and whether anybody still waits for its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from urllib.parse import unquote

from starlette.types import Receive, Scope

from groundwire.surfaces.proxy.failures import Refused
from groundwire.surfaces.proxy.headers import Headers


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
    def is_chat(self) -> bool:
        """However it is spelled: what an upstream might take for a chat completion is guarded."""
        return self.method == "POST" and self.words[-2:] == ("chat", "completions")

    @property
    def target(self) -> bytes:
        """Where it goes; dots could lead out of the API."""
        if any(word in (".", "..") for word in self.words):
            raise Refused("the path has dots for folders in it", code="invalid_path")
        path = b"/chat/completions" if self.words == ("chat", "completions") else self.path
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
