"""The edges of the stream gate: an iterator in, events out, with verification beside the reading.

One sentence is judged in a worker while the next is read. A halt closes the source before it is told; a consumer that
leaves closes it as well. How much is read ahead of the judge is bounded; nothing is read while the consumer is busy.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from groundwire.errors import Unreachable
from groundwire.guard.branching import Branching
from groundwire.guard.events import Branch, Release, Repair, StreamEvent
from groundwire.guard.policy import PATIENCE
from groundwire.guard.protocols import AsyncRegenerate, Regenerate, Regeneration
from groundwire.guard.stream import StreamGuard

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

AHEAD = 4_096
"""Characters that may wait for the judge before reading stops."""
FAILURES = (Unreachable, OSError, TimeoutError)
"""What a generator that is asked again may fail with: the branch is lost, the request is not."""

OpenBranches = Callable[[StreamGuard, str], Branching]


def guard_stream(
    tokens: Iterable[str],
    guard: StreamGuard,
    open_branches: OpenBranches,
    regenerate: Regenerate | None = None,
    *,
    patience: float = PATIENCE,
) -> Generator[StreamEvent, None, None]:
    """Events of a stream as they happen. Closing the iterator closes the source."""
    from concurrent.futures import ThreadPoolExecutor

    source = iter(tokens)
    shown = _Shown(is_kept=regenerate is not None)
    worker = ThreadPoolExecutor(1, thread_name_prefix="groundwire-guard")
    try:
        for event in _read(source, guard, worker, patience):
            shown.add(event)
            yield event
    finally:
        _close(source)
        worker.shutdown(wait=True, cancel_futures=True)
        guard.leave()
    if guard.halted is not None:
        branching = open_branches(guard, shown.text)
        while regenerate is not None and (request := branching.next_request()) is not None:
            yield _ask(branching, request, regenerate)
        yield branching.conclude()


def _read(source: Iterator[str], guard: StreamGuard, worker: Any, patience: float) -> Iterator[StreamEvent]:
    pending: Future[tuple[StreamEvent, ...]] | None = None
    for chunk in source:
        if pending is not None and pending.done():
            yield from _tell(source, guard, pending)
            pending = None
        if guard.halted is not None:
            return
        yield from guard.take(chunk)
        if pending is None and guard.is_due:
            pending = cast("Future[tuple[StreamEvent, ...]]", worker.submit(guard.settle))
        if pending is not None and _is_done(pending, None if guard.backlog > AHEAD else patience):
            yield from _tell(source, guard, pending)
            pending = None
        if guard.halted is not None:
            return
    if pending is not None:
        yield from _tell(source, guard, pending)
    yield from guard.flush()


def _is_done(pending: Future[tuple[StreamEvent, ...]], patience: float | None) -> bool:
    from concurrent.futures import wait

    return bool(wait([pending], timeout=patience).done)


def _tell(
    source: Iterator[str], guard: StreamGuard, pending: Future[tuple[StreamEvent, ...]]
) -> tuple[StreamEvent, ...]:
    """What the worker found; before a halt is told, its source is closed."""
    events = pending.result()
    if guard.halted is not None:
        _close(source)
    return events


def _close(source: Iterator[str]) -> None:
    close = getattr(source, "close", None)
    if close is not None:
        close()


def _ask(branching: Branching, request: Regeneration, regenerate: Regenerate) -> Branch:
    try:
        text = regenerate(request)
    except FAILURES as error:
        return branching.fail(f"no answer came: {error}")
    return branching.offer(text)


class _Shown:
    """What was shown so far, for a generator that can carry it on."""

    def __init__(self, *, is_kept: bool) -> None:
        self._is_kept = is_kept
        self._pieces: list[str] = []

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def add(self, event: StreamEvent) -> None:
        if self._is_kept and isinstance(event, Release | Repair):
            self._pieces.append(event.text)


# ── asynchronous ────────────────────────────────────────────────────────────────────────────────


async def guard_stream_async(
    tokens: AsyncIterable[str] | Iterable[str],
    guard: StreamGuard,
    open_branches: OpenBranches,
    regenerate: AsyncRegenerate | None = None,
) -> AsyncGenerator[StreamEvent, None]:
    """The same for an event loop, which is never kept waiting; cancelling the consumer cancels the source."""
    import asyncio

    shown = _Shown(is_kept=regenerate is not None)
    reader = _Reader(tokens if isinstance(tokens, AsyncIterable) else _wrap(tokens))
    checking: asyncio.Task[tuple[StreamEvent, ...]] | None = None
    try:
        while checking is not None or guard.is_due or (guard.halted is None and not reader.is_over):
            if checking is None and guard.is_due:
                checking = asyncio.ensure_future(asyncio.to_thread(guard.settle))
            if checking is not None and not await reader.is_first(checking, is_full=guard.backlog > AHEAD):
                events, checking = checking.result(), None
                if guard.halted is not None:
                    await reader.close()
            else:
                events = _take(guard, await reader.read())
            for event in events:
                shown.add(event)
                yield event
        for event in guard.settle():
            yield event
    finally:
        await reader.close()
        if checking is not None:
            await _let_go(checking)
        if not guard.is_on_record:
            await asyncio.to_thread(guard.leave)
    if guard.halted is not None:
        branching = open_branches(guard, shown.text)
        while regenerate is not None and (request := branching.next_request()) is not None:
            yield await _ask_async(branching, request, regenerate)
        yield await asyncio.to_thread(branching.conclude)


async def _ask_async(branching: Branching, request: Regeneration, regenerate: AsyncRegenerate) -> Branch:
    import asyncio

    try:
        text = await regenerate(request)
    except FAILURES as error:
        return branching.fail(f"no answer came: {error}")
    return await asyncio.to_thread(branching.offer, text)


async def _wrap(tokens: Iterable[str]) -> AsyncIterator[str]:
    try:
        for token in tokens:
            yield token
    finally:
        _close(cast("Iterator[str]", tokens))


async def _let_go(task: asyncio.Task[Any]) -> None:
    """Wait for a task whose outcome nobody wants any more."""
    import asyncio

    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()


def _take(guard: StreamGuard, chunk: str | None) -> tuple[StreamEvent, ...]:
    if chunk is None:
        guard.finish()
        return ()
    return guard.take(chunk)


class _Reader:
    """Reads at most one token ahead, and closes its source once."""

    def __init__(self, tokens: AsyncIterable[str]) -> None:
        self._source = aiter(tokens)
        self._ahead: asyncio.Task[str | None] | None = None
        self.is_over = False

    async def read(self) -> str | None:
        """The next token, or None at the end; without a task of its own where none was begun."""
        ahead, self._ahead = self._ahead, None
        chunk = await self._next() if ahead is None else await ahead
        self.is_over = chunk is None
        return chunk

    async def is_first(self, other: asyncio.Task[tuple[StreamEvent, ...]], *, is_full: bool) -> bool:
        """Whether a token is there before the other task is done; where enough is waiting, none is asked for."""
        import asyncio

        if self._ahead is None and not self.is_over and not is_full:
            self._ahead = asyncio.ensure_future(self._next())
        tasks = {other} if self._ahead is None else {other, self._ahead}
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return not other.done()

    async def _next(self) -> str | None:
        try:
            return await anext(self._source)
        except StopAsyncIteration:
            return None

    async def close(self) -> None:
        self.is_over = True
        ahead, self._ahead = self._ahead, None
        if ahead is not None:
            ahead.cancel()
            await _let_go(ahead)
        close = getattr(self._source, "aclose", None)
        if close is not None:
            await close()
