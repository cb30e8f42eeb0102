"""How often something may be asked: so many times a minute for each key."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable

_WINDOW_S = 60.0
_MOST_KEYS = 10_000


class RateLimit:
    """A sliding minute for each key; keys that were idle longest are forgotten first."""

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._most = per_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def take(self, key: str) -> bool:
        """Whether one more is allowed now; what is refused does not count."""
        now = self._clock()
        with self._lock:
            times = self._times.setdefault(key, deque())
            self._times.move_to_end(key)
            while times and now - times[0] >= _WINDOW_S:
                times.popleft()
            while len(self._times) > _MOST_KEYS:
                self._times.popitem(last=False)
            if len(times) >= self._most:
                return False
            times.append(now)
            return True
