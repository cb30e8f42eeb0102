"""A streamed answer between two sockets: read ahead a little, judge beside it, write what may go out.

At most one judgement of an answer runs at a time, in a thread. Nothing is read while the client is slow, and nothing
while more than a few sentences wait for the judge, so that an answer takes a bounded amount of memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Protocol, TypeVar, cast

from groundwire.guard.edges import AHEAD
from groundwire.guard.events import StreamEvent
from groundwire.surfaces.proxy.chat import Settled, settle_choices
from groundwire.surfaces.proxy.choices import Choice
from groundwire.surfaces.proxy.failures import BROKEN_OFF, UpstreamFailed
from groundwire.surfaces.proxy.sse import DONE, TERMINAL, EventDecoder, ServerEvent
from groundwire.surfaces.responses import JsonObject

Result = TypeVar("Result")
Conclude = Callable[[Choice, bool], Awaitable[StreamEvent]]
"""What becomes of a halted choice; whether the upstream may be asked again for it."""


class GuardedStream(Protocol):
    """A streamed answer in one of the forms that an API has for it."""

    mark: bytes
    """What is written behind the last event."""

    @property
    def backlog(self) -> int: ...
    @property
    def is_idle(self) -> bool: ...
    @property
    def is_complete(self) -> bool: ...
    @property
    def is_on_record(self) -> bool: ...
    @property
    def halted(self) -> list[Choice]: ...
    def may_ask_again(self, choice: Choice, /) -> bool: ...
    def take(self, chunk: Mapping[str, Any], /) -> list[JsonObject]: ...
    def due(self) -> list[tuple[Choice, bool]]: ...
    def tell(self, settled: Sequence[Settled], /) -> list[JsonObject]: ...
    def conclude(self, choice: Choice, event: StreamEvent, /) -> list[JsonObject]: ...
    def finish(self) -> list[JsonObject]: ...
    def leave(self) -> None: ...
    def end(self) -> list[JsonObject]: ...
    def encode(self, chunk: Mapping[str, Any], /) -> bytes: ...
    def fail(self, error: UpstreamFailed, /) -> bytes: ...


class Run(Protocol):
    """One hop to a thread."""

    async def __call__(self, action: Callable[[], Result], /) -> Result: ...


async def read_chunks(pieces: AsyncGenerator[bytes]) -> AsyncGenerator[list[JsonObject]]:
    """The chunks of each piece, up to the mark of the end; without it, `is_complete` of the stream decides.

    Closed before that, it closes the pieces, so that an upstream whose answer nobody wants writes no more of it.
    """
    decoder, is_done = EventDecoder(), False
    try:
        async with aclosing(_feed(decoder, pieces)) as fed:
            async for events in fed:
                chunks, is_done, failure = _read_events(events)
                if chunks:
                    yield chunks
                if failure is not None:
                    raise failure
                if is_done:
                    return
        yield []  # the connection ended without a word
    finally:
        if not is_done:
            await pieces.aclose()


async def _feed(decoder: EventDecoder, pieces: AsyncIterator[bytes]) -> AsyncGenerator[list[ServerEvent]]:
    async for piece in pieces:
        yield decoder.feed(piece)
    yield decoder.finish()


def _read_events(events: list[ServerEvent]) -> tuple[list[JsonObject], bool, UpstreamFailed | None]:
    """The chunks up to the mark of the end or to what cannot be read: what came before that is good."""
    chunks: list[JsonObject] = []
    for event in events:
        if event.data.strip() == DONE:
            return chunks, True, None
        if event.data.strip():
            try:
                chunks.append(read_chunk(event))
            except UpstreamFailed as error:
                return chunks, False, error
            if chunks[-1].get("type") in TERMINAL:
                return chunks, True, None
    return chunks, False, None


def read_chunk(event: ServerEvent) -> JsonObject:
    try:
        read = json.loads(event.data)
    except (ValueError, RecursionError):
        raise UpstreamFailed("the upstream sent a chunk that is no JSON", code="invalid_chunk") from None
    if not isinstance(read, dict):
        raise UpstreamFailed("the upstream sent a chunk that is no object", code="invalid_chunk")
    chunk = cast("JsonObject", read)
    if chunk.get("error") is not None or event.name == "error":
        raise UpstreamFailed("the upstream reported an error", code="upstream_error", said=chunk)
    return chunk


async def relay(
    source: AsyncGenerator[list[JsonObject]], answer: GuardedStream, run: Run, conclude: Conclude
) -> AsyncGenerator[bytes]:
    """The answer for the client. Whatever goes wrong, it ends with an error that can be read, and with the mark."""
    reader = _Reader(source)
    try:
        async with aclosing(_pass_through(reader, answer, run)) as passing:
            async for out in passing:
                yield encode(answer, out)
        await reader.close()
        for choice in answer.halted:
            event = await conclude(choice, answer.may_ask_again(choice))
            yield encode(answer, answer.conclude(choice, event))
        yield encode(answer, answer.end())
    except UpstreamFailed as error:
        yield answer.fail(error)
    finally:
        await reader.close()
        if not answer.is_on_record:
            await run(answer.leave)
    yield answer.mark


async def _pass_through(reader: _Reader, chat: GuardedStream, run: Run) -> AsyncGenerator[list[JsonObject]]:
    judging: asyncio.Task[list[Settled]] | None = None
    failure: UpstreamFailed | None = None
    try:
        while True:
            if judging is None and (due := chat.due()):
                judging = asyncio.ensure_future(run(lambda due=due: settle_choices(due)))
            if judging is None and (reader.is_over or chat.is_idle):
                break
            out: list[JsonObject] = []
            if judging is not None and await reader.is_second(judging, is_full=chat.backlog > AHEAD):
                settled, judging = judging.result(), None
                out = chat.tell(settled)
            else:
                try:
                    out = _take(chat, await reader.read())
                except UpstreamFailed as error:
                    reader.is_over = True
                    failure = None if error.code == BROKEN_OFF and chat.is_complete else error
            if out:
                yield out
    finally:
        if judging is not None:
            await _let_go(judging)
    if failure is not None:
        raise failure


def _take(chat: GuardedStream, chunks: list[JsonObject] | None) -> list[JsonObject]:
    if chunks is None:
        return chat.finish()
    if not chunks and not chat.is_complete:
        raise UpstreamFailed("the upstream ended before the answer was over", code=BROKEN_OFF)
    return [out for chunk in chunks for out in chat.take(chunk)]


def encode(answer: GuardedStream, chunks: list[JsonObject]) -> bytes:
    return b"".join(answer.encode(chunk) for chunk in chunks)


async def _let_go(task: asyncio.Task[Any]) -> None:
    """Wait for a task whose outcome nobody wants any more."""
    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()


class _Reader:
    """Reads at most one piece ahead, and closes its source once."""

    def __init__(self, source: AsyncGenerator[list[JsonObject]]) -> None:
        self._source = source
        self._ahead: asyncio.Task[list[JsonObject] | None] | None = None
        self.is_over = False

    async def read(self) -> list[JsonObject] | None:
        """The next chunks, or None at the end."""
        ahead, self._ahead = self._ahead, None
        chunks = await self._next() if ahead is None else await ahead
        self.is_over = chunks is None
        return chunks

    async def is_second(self, other: asyncio.Task[list[Settled]], *, is_full: bool) -> bool:
        """Whether the other task is done before something has come; where enough is waiting, nothing is asked for."""
        if self._ahead is None and not self.is_over and not is_full:
            self._ahead = asyncio.ensure_future(self._next())
        tasks: set[asyncio.Task[Any]] = {other} if self._ahead is None else {other, self._ahead}
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return other.done()

    async def _next(self) -> list[JsonObject] | None:
        return await anext(self._source, None)

    async def close(self) -> None:
        self.is_over = True
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            ahead.cancel()
            await _let_go(ahead)
        await self._source.aclose()
