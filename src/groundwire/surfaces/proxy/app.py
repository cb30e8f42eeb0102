"""The proxy as an ASGI application: it reads a request, asks upstream, and lets out what the guards let out."""

from __future__ import annotations

import asyncio
import logging
import secrets
import traceback
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from groundwire.errors import GroundwireError
from groundwire.surfaces.proxy import asking
from groundwire.surfaces.proxy.account import HANDLED, NOT_GUARDED, Account
from groundwire.surfaces.proxy.answering import Answering
from groundwire.surfaces.proxy.dialects import CHAT, RESPONSES, Dialect
from groundwire.surfaces.proxy.failures import Refused, UpstreamFailed, describe_failure
from groundwire.surfaces.proxy.headers import Headers, find, forward, give_back
from groundwire.surfaces.proxy.intake import ClientGone, Intake, Kind
from groundwire.surfaces.proxy.options import ProxyOptions
from groundwire.surfaces.proxy.owners import FindOwner
from groundwire.surfaces.proxy.relay import Run, read_chunks, relay
from groundwire.surfaces.proxy.sse import DONE, encode_event, write_compact
from groundwire.surfaces.proxy.upstream import Reply, Upstream
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.rest.problems import describe
from groundwire.types import Scope as Owner

if TYPE_CHECKING:
    from groundwire.app import Groundwire

LOGGER = logging.getLogger("groundwire.service.proxy")
_PATIENCE = 1.0
_JSON = ("content-type", "application/json")
_NOT_GUARDED = [(HANDLED, NOT_GUARDED)]


@dataclass(frozen=True, slots=True)
class Proxy:
    """One upstream behind one library. Where `has_own_keys`, credentials in a request are the service's own."""

    gw: Groundwire
    upstream: Upstream
    run: Run
    find_owner: FindOwner
    options: ProxyOptions
    prefix: str = "/v1"
    has_own_keys: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Until it is answered, or until nobody waits for it any more; then the upstream is let go as well."""
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1003})
            return
        intake, outlet = Intake(scope, receive, self.prefix), Outlet(send)
        work = asyncio.ensure_future(self._answer(scope, intake, outlet))
        gone = asyncio.ensure_future(intake.wait_until_gone())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if outlet.is_ended:
                await asyncio.wait({work})  # nobody waits for more; what is left to do is tidying up
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.wait({work, gone})
        if not gone.cancelled():
            gone.exception()
        if not work.cancelled() and (error := work.exception()) is not None:
            raise error

    async def _answer(self, scope: Scope, intake: Intake, outlet: Outlet) -> None:
        try:
            match intake.kind:
                case Kind.CHAT:
                    await self._complete(scope, intake, outlet, CHAT)
                case Kind.RESPONSES:
                    await self._complete(scope, intake, outlet, RESPONSES)
                case Kind.KEPT_RESPONSE:
                    await self._fetch(scope, intake, outlet)
                case Kind.OTHER:
                    await self._pass_on(intake, outlet)
        except ClientGone:
            return
        except (Refused, UpstreamFailed) as error:
            await outlet.fail(error.status, describe_failure(error))
        except GroundwireError as error:
            problem = describe(error)
            told = {"message": problem.detail, "type": "groundwire_error", "param": None, "code": problem.kind}
            LOGGER.warning("refused", extra={"fields": {"kind": problem.kind, "status": problem.status}})
            await outlet.fail(problem.status, {"error": told})
        except Exception as error:  # the outermost edge: what was not judged is not let out
            # The words of an unknown error may be anybody's: where it happened is told, and its kind.
            places = "".join(traceback.format_tb(error.__traceback__))
            LOGGER.error("defect: %s", type(error).__name__, extra={"fields": {"traceback": places}})
            told = {"message": "a defect of the proxy; its log has more", "type": "groundwire_error", "code": "defect"}
            await outlet.fail(500, {"error": told})

    # ── what is no answer ───────────────────────────────────────────────────────────────────────

    async def _pass_on(self, intake: Intake, outlet: Outlet) -> None:
        headers = forward(intake.headers, has_own_keys=self.has_own_keys, key=self.options.upstream_key)
        has_body = bool(find(intake.headers, "content-length") or find(intake.headers, "transfer-encoding"))
        pieces = intake.pieces()
        if not has_body:
            async for _ in pieces:  # so that a client that leaves is noticed
                pass
        elif length := find(intake.headers, "content-length"):
            headers.append(("content-length", length))
        async with self.upstream.ask(intake.method, intake.target, headers, pieces if has_body else None) as reply:
            await self._return(reply, outlet)

    async def _return(self, reply: Reply, outlet: Outlet) -> None:
        await outlet.begin(reply.status, [*give_back(reply.headers, is_rewritten=False), *_NOT_GUARDED])
        async with aclosing(reply.pieces(is_raw=True)) as pieces:
            async for piece in pieces:
                await outlet.write(piece)
        await outlet.end()

    # ── answers ─────────────────────────────────────────────────────────────────────────────────

    async def _complete(self, scope: Scope, intake: Intake, outlet: Outlet, dialect: Dialect) -> None:
        target = intake.target
        request = asking.read_request(await intake.read(self.options.most_bytes))
        headers = [*self._forward(intake, "content-type"), _JSON]
        owner = self.find_owner(scope, intake.headers, request)
        if dialect.is_structured(request):
            async with self.upstream.ask("POST", target, headers, asking.write_request(request)) as reply:
                await self._return(reply, outlet)
            return
        answering = self._open_answering(owner, dialect, target, headers, is_streamed=bool(request.get("stream")))
        request = await answering.prepare(request, self.options.context_tokens)
        async with self.upstream.ask("POST", target, headers, asking.write_request(request)) as reply:
            if not 200 <= reply.status < 300:
                await self._return(reply, outlet)
            elif request.get("stream"):
                await self._stream(reply, answering, outlet)
            else:
                await self._answer_whole(reply, answering, outlet)

    async def _fetch(self, scope: Scope, intake: Intake, outlet: Outlet) -> None:
        """A response that the upstream has kept, as it said it: what was not guarded then is guarded now."""
        target, headers = intake.target, self._forward(intake)
        body = await intake.read(self.options.most_bytes)
        owner = self.find_owner(scope, intake.headers, {})
        async with self.upstream.ask(intake.method, target, headers, body or None) as reply:
            answering = self._open_answering(owner, RESPONSES, target, headers, is_streamed=reply.is_stream)
            answering.may_ask = False
            if not 200 <= reply.status < 300:
                await self._return(reply, outlet)
            elif reply.is_stream:
                await self._stream(reply, answering, outlet)
            else:
                await self._answer_whole(reply, answering, outlet)

    def _forward(self, intake: Intake, *dropped: str) -> Headers:
        """Compressed answers cannot be guarded."""
        headers = forward(intake.headers, has_own_keys=self.has_own_keys, key=self.options.upstream_key)
        kept = [(name, value) for name, value in headers if name not in ("accept-encoding", *dropped)]
        return [*kept, ("accept-encoding", "identity")]

    def _open_answering(
        self, owner: Owner, dialect: Dialect, target: bytes, headers: Headers, *, is_streamed: bool
    ) -> Answering:
        guard = self.options.guard if is_streamed else self.options.whole
        account = Account(secrets.token_hex(16), owner.owner, self.options.guard.mode.value)
        return Answering(self.gw, self.upstream, self.run, owner, guard, account, target, dialect, headers)

    async def _answer_whole(self, reply: Reply, answering: Answering, outlet: Outlet) -> None:
        body = asking.read_completion(await reply.read())
        is_structured = answering.dialect is RESPONSES and answering.dialect.is_structured(body)
        written = body if is_structured else await answering.complete(body)
        told = _NOT_GUARDED if is_structured else answering.account.all_headers()
        headers = [*give_back(reply.headers, is_rewritten=True), *told]
        await outlet.send(reply.status, headers, write_compact(written))

    async def _stream(self, reply: Reply, answering: Answering, outlet: Outlet) -> None:
        if not reply.is_stream:
            raise UpstreamFailed("the upstream did not answer with a stream of events", code="no_stream")
        headers = [*give_back(reply.headers, is_rewritten=True), *answering.account.begin_headers()]
        await outlet.begin(reply.status, headers, is_stream=True)
        async with (
            aclosing(reply.pieces()) as pieces,
            aclosing(read_chunks(pieces)) as chunks,
            aclosing(relay(chunks, answering.open_answer(), self.run, answering.resolve_choice)) as answer,
        ):
            async for piece in answer:
                await outlet.write(piece)
            await outlet.end()
            await drain(pieces)


class Outlet:
    """The answer on its way out; it is begun once, and ended whatever happens."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._has_begun = False
        self._is_stream = False
        self.is_ended = False

    async def begin(self, status: int, headers: Sequence[tuple[str, str]], *, is_stream: bool = False) -> None:
        self._has_begun, self._is_stream = True, is_stream
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1", "replace")) for name, value in headers]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})

    async def write(self, piece: bytes) -> None:
        """Waits while the client is slow."""
        if piece:
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})

    async def end(self) -> None:
        self.is_ended = True
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def send(self, status: int, headers: Sequence[tuple[str, str]], body: bytes) -> None:
        await self.begin(status, [*headers, ("content-length", str(len(body)))])
        self.is_ended = True
        await self._send({"type": "http.response.body", "body": body, "more_body": False})

    async def fail(self, status: int, body: JsonObject) -> None:
        """As an answer of its own; within a stream as its last event. Any other answer is broken off, so that its
        half is not taken for the whole."""
        if not self._has_begun:
            await self.send(status, [_JSON, *_NOT_GUARDED], write_compact(body))
        elif self._is_stream:
            await self.write(encode_event(body) + encode_event(DONE))
            await self.end()
        else:
            raise BrokenOff


async def drain(pieces: AsyncGenerator[bytes]) -> None:
    """What comes behind the last word of a stream is its end, and then the connection can be used again."""
    with suppress(TimeoutError, UpstreamFailed):
        async with asyncio.timeout(_PATIENCE):
            async for _ in pieces:
                pass


class BrokenOff(Exception):
    """The upstream broke off in the middle of an answer that is passed on as it is; so does this one."""
