"""A request that may arrive twice is carried out once: its answer is kept together with what it did."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import datetime, timedelta

from groundwire.errors import IllegalChange
from groundwire.memory.protocols import Store
from groundwire.types import Scope
from groundwire.types.access import Reply

KEPT = timedelta(hours=24)


class Once:
    """Answers by credential and key, for a day."""

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    def answer(
        self, scope: Scope, credential: str, key: str, fingerprint: str, act: Callable[[], tuple[int, str]]
    ) -> tuple[Reply, bool]:
        """The answer, and whether it is an old one. What `act` does and what is kept of it are one transaction, so
        that neither is there without the other; an error of `act` leaves nothing."""
        now = self._now()
        with self._store.transaction():
            self._store.replies.drop(now - KEPT)
            known = self._store.replies.find(credential, key)
            if known is not None:
                return _check(known, fingerprint), True
            status, body = act()
            reply = Reply(fingerprint, status, body)
            self._store.replies.keep(scope, credential, key, reply, now)
        return reply, False

    def finish(self) -> bool:
        """What forgetting could not clean inside the transaction."""
        return self._store.purge()


def _check(known: Reply, fingerprint: str) -> Reply:
    if not hmac.compare_digest(known.fingerprint, fingerprint):
        raise IllegalChange("this idempotency key was used for another request; give each request its own")
    if known.body is None:
        raise IllegalChange("this request was carried out, and its answer was erased when a memory was forgotten")
    return known
