"""One hop from the event loop to a thread, for a limited time, with a limited number waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import TypeVar

from groundwire.surfaces.rest.problems import Overloaded, TimedOut

Result = TypeVar("Result")
MOST_WAITING = 512


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
        queued.add_done_callback(lambda _: None if loop.is_closed() else loop.call_soon_threadsafe(_settle, over))
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
