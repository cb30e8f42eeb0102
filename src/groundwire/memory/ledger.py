"""Everything that is on record of one owner, page by page, and the little that is kept besides memories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from groundwire.errors import NotFound
from groundwire.memory.figures import Rates, Step, count_tiers, rate_actions
from groundwire.memory.protocols import Store
from groundwire.memory.standing import Windows, is_evidence
from groundwire.memory.timelines import Timeline, tell_timelines
from groundwire.types import ContradictionDetail, Memory, MemoryStatus, Scope
from groundwire.types.access import Page
from groundwire.types.records import Act, AuditEntry, PendingMemory, Rejection, Session, VerdictRecord
from groundwire.verify.contradictions import ContradictionDetector

_MOST_COMPARED = 10_000
_MOST_TOLD = 500
_MOST_COUNTED = 5_000


class Ledger:
    """Of one scope. A page names the number that the next one begins after."""

    def __init__(
        self,
        store: Store,
        scope: Scope,
        contradictions: ContradictionDetector,
        windows: Windows,
        now: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._scope = scope
        self._contradictions = contradictions
        self._windows = windows
        self._now = now

    def together(self) -> AbstractContextManager[object]:
        """What this thread reads and writes inside is one transaction."""
        return self._store.transaction()

    def memory(self, id: str) -> Memory:
        found = self._store.memories.get(self._scope, id)
        if found is None:
            raise NotFound("memory", id)
        return found

    def memories(
        self, *, after: int | None = None, limit: int = 50, status: MemoryStatus | None = None
    ) -> Page[Memory]:
        return self._store.pages.memories(self._scope, after=after, limit=limit, status=status)

    def pending(
        self, *, reviewer: str, credential: str, after: int | None = None, limit: int = 50
    ) -> Page[PendingMemory]:
        """What waits for a person; that somebody looked at it is on record."""
        page = self._store.pages.pending(self._scope, after=after, limit=limit)
        if not self._store.is_read_only:
            details = {"shown": [item.queue_id for item in page.items]}
            act = Act(reviewer, self._now(), credential)
            self._store.audit.record(self._scope, "view", "", act, details=details)
        return page

    def verdicts(self, *, after: int | None = None, limit: int = 50) -> Page[VerdictRecord]:
        return self._store.pages.verdicts(self._scope, after=after, limit=limit)

    def rejections(self, *, after: int | None = None, limit: int = 50) -> Page[Rejection]:
        return self._store.pages.rejections(self._scope, after=after, limit=limit)

    def audit(self, *, after: int | None = None, limit: int = 50, target: str | None = None) -> Page[AuditEntry]:
        return self._store.pages.audit(self._scope, after=after, limit=limit, target=target)

    def contradictions(self, now: datetime | None = None) -> tuple[ContradictionDetail, ...]:
        """Slots on which what is evidence now disagrees."""
        moment = now or self._now()
        held = self._store.memories.recall(self._scope, moment, limit=_MOST_COMPARED)
        return self._contradictions.detect([m for m in held if is_evidence(m, moment, self._windows)])

    def timelines(self) -> tuple[Timeline, ...]:
        """What was true when, by slot, as the memories that came last tell it."""
        return tell_timelines(self._store.memories.list(self._scope)[-_MOST_TOLD:])

    def tiers(self) -> tuple[Step, ...]:
        """How the write gate decided over time, from the audit trail."""
        return count_tiers(self.audit(limit=_MOST_COUNTED).items)

    def rates(self) -> Rates:
        """What the last claims that were checked came to."""
        return rate_actions(self.verdicts(limit=_MOST_COUNTED).items)

    # ── sessions and values ─────────────────────────────────────────────────────────────────────

    def sessions(self, *, after: int | None = None, limit: int = 50) -> Page[Session]:
        return self._store.pages.sessions(self._scope, after=after, limit=limit)

    def session(self, id: str) -> Session:
        found = self._store.sessions.get(self._scope, id)
        if found is None:
            raise NotFound("session", id)
        return found

    def begin_session(self, id: str, metadata: Mapping[str, Any]) -> Session:
        owner, tenant = self._scope
        return self._store.sessions.begin(Session(id, owner, self._now(), metadata=metadata, tenant=tenant))

    def end_session(self, id: str) -> Session:
        return self._store.sessions.end(self._scope, id, self._now())

    def values(self, prefix: str = "", *, after: str = "", limit: int = 50) -> Mapping[str, Any]:
        """In the order of the paths; `after` is the last path of the page before."""
        return self._store.pages.values(self._scope, prefix, after=after, limit=limit)

    def put_values(self, values: Mapping[str, Any]) -> None:
        self._store.sessions.put(self._scope, values, self._now())
