"""Branches and abstentions kept in memory: the last ones of every scope."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from typing import TypeVar

from groundwire.guard.protocols import AbstentionRecord, BranchRecord
from groundwire.types import Scope

KEPT = 1_000
Record = TypeVar("Record", BranchRecord, AbstentionRecord)


class RecentRecords:
    """A log that forgets the oldest; any number of streams may write into it."""

    def __init__(self, kept: int = KEPT) -> None:
        self._branches: deque[BranchRecord] = deque(maxlen=kept)
        self._abstentions: deque[AbstentionRecord] = deque(maxlen=kept)
        self._lock = threading.Lock()

    def record_branch(self, record: BranchRecord, /) -> None:
        with self._lock:
            self._branches.append(record)

    def record_abstention(self, record: AbstentionRecord, /) -> None:
        with self._lock:
            self._abstentions.append(record)

    def branches(self, scope: Scope, /, *, limit: int = 100) -> tuple[BranchRecord, ...]:
        """The latest first."""
        with self._lock:
            return _latest(reversed(self._branches), scope, limit)

    def abstentions(self, scope: Scope, /, *, limit: int = 100) -> tuple[AbstentionRecord, ...]:
        """The latest first."""
        with self._lock:
            return _latest(reversed(self._abstentions), scope, limit)


def _latest(records: Iterable[Record], scope: Scope, limit: int) -> tuple[Record, ...]:
    found = [record for record in records if record.scope == scope]
    return tuple(found[:limit])
