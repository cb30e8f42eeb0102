"""Who was recognised a moment ago: a busy key is not looked up for every request."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

from groundwire.types.access import Credential

SECONDS = 1.0
"""How long somebody else's revoking of a key may go unnoticed."""
_MOST = 10_000


class Recognised:
    """By the digest of a token, so that no token is kept. Only the event loop asks, so nothing is locked."""

    def __init__(self, clock: Callable[[], float], seconds: float = SECONDS) -> None:
        self._clock = clock
        self._seconds = seconds
        self._known: OrderedDict[bytes, tuple[float, Credential]] = OrderedDict()
        self._asked: dict[bytes, asyncio.Task[Credential]] = {}

    def find(self, token: str) -> Credential | None:
        until, credential = self._known.get(_digest(token), (0.0, None))
        return credential if until > self._clock() else None

    def keep(self, token: str, credential: Credential) -> None:
        digest = _digest(token)
        self._known[digest] = (self._clock() + self._seconds, credential)
        self._known.move_to_end(digest)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)

    async def look_up(self, token: str, look: Callable[[], Coroutine[Any, Any, Credential]]) -> Credential:
        """One look for everybody who comes with the same token at the same time, whatever it finds."""
        digest = _digest(token)
        asked = self._asked.get(digest)
        if asked is None:

            async def ask() -> Credential:
                try:
                    return await look()
                finally:
                    del self._asked[digest]

            asked = self._asked[digest] = asyncio.create_task(ask())
        return await asyncio.shield(asked)  # somebody who goes away does not take the look from the others

    def drop(self) -> None:
        """Look everybody up again."""
        self._known.clear()


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
