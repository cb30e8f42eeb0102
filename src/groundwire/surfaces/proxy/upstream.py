"""The upstream: one address that is asked, and whatever goes wrong with it in one kind of error.

Requests go straight to the transport: a client of the library above it would log addresses, in whose query a
credential may stand.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import cast

import httpx

from groundwire.errors import InvalidInput
from groundwire.surfaces.proxy.failures import BROKEN_OFF, UpstreamFailed
from groundwire.surfaces.proxy.headers import Headers, find

CONNECT_SECONDS = 10.0
MOST_WHOLE = 64 * 1024 * 1024
"""Bytes of an answer that is read before it is passed on."""
_KEPT_ALIVE = 64


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, as far as its headers; the body is still to be read."""

    status: int
    headers: Headers
    response: httpx.Response

    @property
    def is_stream(self) -> bool:
        return find(self.headers, "content-type").partition(";")[0].strip().lower() == "text/event-stream"

    async def pieces(self, *, is_raw: bool = False) -> AsyncGenerator[bytes]:
        """The body as it comes; `is_raw` leaves it compressed. Whoever closes it before its end ends the request."""
        read = self.response.aiter_raw() if is_raw else self.response.aiter_bytes()
        source = cast("AsyncGenerator[bytes]", read)  # which is what both of them are
        try:
            with _failing():
                async with aclosing(source):
                    async for piece in source:
                        yield piece
        finally:
            await self.response.aclose()

    async def read(self) -> bytes:
        read = bytearray()
        async for piece in self.pieces():
            read += piece
            if len(read) > MOST_WHOLE:
                raise UpstreamFailed(f"the upstream answered with more than {MOST_WHOLE:,} bytes", code="too_large")
        return bytes(read)


class Upstream:
    """One server with an API like OpenAI's, at the address that a client would be given as its base."""

    def __init__(self, url: str, *, seconds: float = 600.0) -> None:
        """`seconds` is how long it may say nothing."""
        self._base = read_address(url)
        self._timeout = {"connect": min(CONNECT_SECONDS, seconds), "read": seconds, "write": seconds, "pool": None}
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=_KEPT_ALIVE)
        self._transport = httpx.AsyncHTTPTransport(limits=limits)

    @asynccontextmanager
    async def ask(
        self,
        method: str,
        path: bytes,
        headers: Sequence[tuple[str, str]],
        body: bytes | AsyncIterator[bytes] | None,
    ) -> AsyncGenerator[Reply]:
        """One request; leaving the context ends it, whatever is still to come. `path` is raw and may have a query."""
        address = self._base.copy_with(raw_path=self._base.raw_path.rstrip(b"/") + path)
        request = httpx.Request(
            method, address, headers=list(headers), content=body, extensions={"timeout": self._timeout}
        )  # fmt: skip
        with _failing():
            response = await self._transport.handle_async_request(request)
        try:
            read = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw]
            yield Reply(response.status_code, read, response)
        finally:
            await response.aclose()

    async def close(self) -> None:
        await self._transport.aclose()


def read_address(url: str) -> httpx.URL:
    """A base address; where it names no path, that of the API."""
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL:
        raise InvalidInput("upstream", f"{url!r} is no address") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise InvalidInput("upstream", "must be an http:// or https:// address")
    if address.userinfo or address.query or address.fragment:
        raise InvalidInput("upstream", "must have neither credentials nor a query in it")
    return address.copy_with(path="/v1") if address.path in ("", "/") else address


class _failing:  # noqa: N801, a context manager without the cost of a generator's
    """What the network raises, as an error that says what to do; no address and no header is named in it."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        match error:
            case httpx.ConnectError() | httpx.ConnectTimeout():
                raise UpstreamFailed(
                    "the upstream cannot be reached; is it running, and is its address right?", code="unreachable"
                ) from None
            case httpx.TimeoutException():
                raise UpstreamFailed("the upstream has said nothing for too long", code="timeout", status=504) from None
            case httpx.TransportError() | httpx.DecodingError():
                raise UpstreamFailed("the upstream broke off in the middle of its answer", code=BROKEN_OFF) from None
            case httpx.InvalidURL() | httpx.StreamError():
                raise UpstreamFailed("the upstream cannot be asked this", code="unreachable") from None
            case _:
                return
