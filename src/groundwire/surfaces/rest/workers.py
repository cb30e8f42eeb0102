"""One hop from the event loop to a thread, for a limited time, with a limited number waiting."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import TypeVar

from groundwire.surfaces.rest.problems import Overloaded, TimedOut

Result = TypeVar("Result")
MOST_WAITING = 512
_SOON = 0.01
"""Seconds that a result may wait for others while more calls are under way."""


class Line(StrEnum):
    """Where a call waits for its thread: nobody waits behind somebody of another line."""

    SHORT = "short"
    LONG = "long"
    DOOR = "door"
    """Who is asking: it is wanted before anything else of a request can be done."""


class Workers:
    """Threads for the synchronous core. What has begun is finished even if nobody waits for it any more: a write is
    kept whole, and a client that gave its request an idempotency key gets the answer when it asks again.

    Calls of the core compete for one interpreter, so that more of them at a time are slower and not faster. Short ones
    wait in one line; long ones have a line and a thread of their own, so that nobody short waits behind them.
    """

    def __init__(self, count: int, seconds: float, most_waiting: int = MOST_WAITING) -> None:
        self._pools = {
            line: ThreadPoolExecutor(count if line is Line.SHORT else 1, thread_name_prefix=f"groundwire-{line}")
            for line in Line
        }
        self._seconds = seconds
        self._most = most_waiting
        self._under_way = 0
        self._over: deque[asyncio.Future[None]] = deque()
        self._look: asyncio.TimerHandle | None = None

    @property
    def under_way(self) -> int:
        """Calls that are worked on or wait for it."""
        return self._under_way

    async def run(self, action: Callable[[], Result], line: Line = Line.SHORT, *, is_limited: bool = True) -> Result:
        """What a thread makes of it; only what happens before the first request may take as long as it likes."""
        if self._under_way >= self._most:
            raise Overloaded
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()
        self._under_way += 1
        queued = self._pools[line].submit(action)
        timer = loop.call_later(self._seconds, _settle, over) if is_limited else None
        queued.add_done_callback(lambda _: self._tell(loop, over))
        self._look_later(loop)
        try:
            await over
            if not queued.done():
                raise TimedOut(self._seconds)
            return queued.result()
        finally:
            self._under_way -= 1
            queued.cancel()  # which leaves alone what has begun
            if timer is not None:
                timer.cancel()

    def _tell(self, loop: asyncio.AbstractEventLoop, over: asyncio.Future[None]) -> None:
        """In the thread: the loop is woken at once if it waits for nothing else, and else looks by itself before long.
        Every waking takes the interpreter from the next call; results that leave together cost one for all."""
        self._over.append(over)
        if len(self._over) >= self._under_way and not loop.is_closed():
            loop.call_soon_threadsafe(self._collect)

    def _look_later(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._look is None and self._under_way > 1:
            self._look = loop.call_later(_SOON, self._look_now, loop)

    def _look_now(self, loop: asyncio.AbstractEventLoop) -> None:
        self._collect()
        self._look = None
        self._look_later(loop)

    def _collect(self) -> None:
        while self._over:
            _settle(self._over.popleft())

    def start(self, action: Callable[[], object]) -> None:
        """Something that nobody waits for."""
        self._pools[Line.SHORT].submit(action)

    def close(self) -> None:
        """Finish what has begun."""
        for pool in self._pools.values():
            pool.shutdown(wait=True)


def _settle(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)
