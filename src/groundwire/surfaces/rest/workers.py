"""One hop from the event loop to a thread, for a limited time, with a limited number waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from groundwire.surfaces.rest.problems import Overloaded, TimedOut

Result = TypeVar("Result")
MOST_WAITING = 512


class Workers:
    """Threads for the synchronous core. What has begun is finished even if nobody waits for it any more: a write is
    kept whole, and a client that gave its request an idempotency key gets the answer when it asks again.

    Calls of the core compete for one interpreter, so that more of them at a time are slower and not faster. Short ones
    wait in one line; long ones have a line and a thread of their own, so that nobody short waits behind them.
    """

    def __init__(self, count: int, seconds: float, most_waiting: int = MOST_WAITING) -> None:
        self._short = ThreadPoolExecutor(count, thread_name_prefix="groundwire")
        self._long = ThreadPoolExecutor(1, thread_name_prefix="groundwire-long")
        self._seconds = seconds
        self._most = most_waiting
        self._under_way = 0

    @property
    def under_way(self) -> int:
        """Calls that are worked on or wait for it."""
        return self._under_way

    async def run(self, action: Callable[[], Result], *, is_long: bool = False, is_limited: bool = True) -> Result:
        """What a thread makes of it; only what happens before the first request may take as long as it likes."""
        if self._under_way >= self._most:
            raise Overloaded
        self._under_way += 1
        try:
            pool = self._long if is_long else self._short
            async with asyncio.timeout(self._seconds if is_limited else None):
                return await asyncio.get_running_loop().run_in_executor(pool, action)
        except TimeoutError:
            raise TimedOut(self._seconds) from None
        finally:
            self._under_way -= 1

    def start(self, action: Callable[[], object]) -> None:
        """Something that nobody waits for."""
        self._short.submit(action)

    def close(self) -> None:
        """Finish what has begun."""
        self._short.shutdown(wait=True)
        self._long.shutdown(wait=True)
