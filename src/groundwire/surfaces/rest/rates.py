"""How often a key may ask: a bucket of tokens for each, filled at a steady rate."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from groundwire.surfaces.rest.problems import RateLimited

_MOST_BUCKETS = 10_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float


class Rates:
    """Of this process alone. A rate of 0 admits everything. Only the event loop asks, so nothing is locked."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def admit(self, key: str) -> None:
        """Take a token, or say when there will be one."""
        if not self._rate:
            return
        now = self._clock()
        bucket = self._buckets.setdefault(key, _Bucket(self._burst, now))
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        bucket.tokens = min(self._burst, bucket.tokens + (now - bucket.filled_at) * self._rate)
        bucket.filled_at = now
        if bucket.tokens < 1:
            raise RateLimited(max(1, math.ceil((1 - bucket.tokens) / self._rate)))
        bucket.tokens -= 1
