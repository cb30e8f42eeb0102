"""One hop from the event loop to a thread, for a limited time, with a limited number waiting."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from queue import SimpleQueue
from typing import Generic, TypeVar, cast

from groundwire.surfaces.rest.problems import Overloaded, TimedOut

Result = TypeVar("Result")
MOST_WAITING = 512
_SOON = 0.01
"""Seconds that a result may wait for others while more calls are under way."""
_MANY, _LATER = 16, 0.03
"""With so many under way it may wait so long: whoever asks again goes to the end of a line that takes longer."""


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
        self._crews = {line: _Crew(line, count if line is Line.SHORT else 1, self._tell) for line in Line}
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
        call = _Call(action, over)
        self._crews[line].take_on(call)
        self._under_way += 1
        timer = loop.call_later(self._seconds, _settle, over) if is_limited else None
        self._look_later(loop)
        try:
            await over
            if not call.is_over:
                raise TimedOut(self._seconds)
            return call.conclude()
        finally:
            self._under_way -= 1
            call.is_wanted = False  # which leaves alone what has begun
            if timer is not None:
                timer.cancel()

    def _tell(self, over: asyncio.Future[None]) -> None:
        """In the thread: the loop is woken at once if it waits for nothing else, and else looks by itself before long.
        Every waking takes the interpreter from the next call; results that leave together cost one for all."""
        self._over.append(over)
        loop = over.get_loop()
        if len(self._over) >= self._under_way and not loop.is_closed():
            loop.call_soon_threadsafe(self._collect)

    def _look_later(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._look is None and self._under_way > 1:
            self._look = loop.call_later(_SOON if self._under_way < _MANY else _LATER, self._look_now, loop)

    def _look_now(self, loop: asyncio.AbstractEventLoop) -> None:
        self._collect()
        self._look = None
        self._look_later(loop)

    def _collect(self) -> None:
        while self._over:
            _settle(self._over.popleft())

    def start(self, action: Callable[[], object]) -> None:
        """Something that nobody waits for."""
        self._crews[Line.SHORT].take_on(_Call(action))

    def close(self) -> None:
        """Finish what has begun, and what waits for its turn."""
        for crew in self._crews.values():
            crew.dismiss()


class _Call(Generic[Result]):
    """Something to do, and what it came to. The thread writes all of that before it says that it is over."""

    __slots__ = ("_action", "_error", "_result", "is_over", "is_wanted", "over")

    def __init__(self, action: Callable[[], Result], over: asyncio.Future[None] | None = None) -> None:
        self._action = action
        self._result: Result | None = None
        self._error: BaseException | None = None
        self.over = over
        self.is_wanted = True
        self.is_over = False

    def carry_out(self) -> None:
        """In the thread. Whatever it raises is raised where it is waited for."""
        try:
            self._result = self._action()
        except BaseException as error:
            self._error = error
        self.is_over = True

    def conclude(self) -> Result:
        error, self._error = self._error, None
        if error is None:
            return cast(Result, self._result)
        try:
            raise error
        finally:
            del error  # its traceback leads here: it would keep itself


class _Crew:
    """The threads of one line, started by its first call. A pool of the standard library does as much, at the cost of
    two locks and a condition for every call."""

    def __init__(self, name: str, count: int, tell: Callable[[asyncio.Future[None]], None]) -> None:
        self._name = name
        self._count = count
        self._tell = tell
        self._calls: SimpleQueue[_Call[object] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._is_dismissed = False

    def take_on(self, call: _Call[Result]) -> None:
        if self._is_dismissed:
            raise RuntimeError("the service has ended")
        if not self._threads:
            self._threads = [
                threading.Thread(target=self._work, name=f"groundwire-{self._name}_{number}", daemon=True)
                for number in range(self._count)
            ]
            for thread in self._threads:
                thread.start()
        self._calls.put(cast(_Call[object], call))

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            if call.is_wanted:
                call.carry_out()
                if call.over is not None:
                    self._tell(call.over)
            del call  # nothing of it is kept while the next one is waited for

    def dismiss(self) -> None:
        self._is_dismissed = True
        for _ in self._threads:
            self._calls.put(None)
        for thread in self._threads:
            thread.join()


def _settle(over: asyncio.Future[None]) -> None:
    if not over.done():
        over.set_result(None)
