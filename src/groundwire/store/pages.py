"""What is kept, page by page. Rows are numbered as they arrive, so a page never shifts under its reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, func, select

from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.queries import of_scope, select_memories
from groundwire.store.rows import (
    Row,
    row_to_audit_entry,
    row_to_memory,
    row_to_rejection,
    row_to_review,
    row_to_session,
    row_to_verdict,
)
from groundwire.store.sessions import LAST
from groundwire.types.access import OwnerSummary, Page
from groundwire.types.memories import Memory, MemoryStatus, Scope
from groundwire.types.records import AuditEntry, PendingMemory, Rejection, ReviewState, Session, VerdictRecord

Value = TypeVar("Value")
Read = Callable[[Row], Value]


class SqlPages:
    """Of one scope at a time; `after` is the number that the page before ended with."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def memories(
        self, scope: Scope, *, after: int | None = None, limit: int = 50, status: MemoryStatus | None = None
    ) -> Page[Memory]:
        """Of whatever status unless one is named, in the order in which they were stored."""
        table = schema.memories
        query = select_memories().where(of_scope(table, scope))
        if status is not None:
            query = query.where(table.c.status == status.value)
        return self._ascend(query, table.c.key, after, limit, lambda row: row_to_memory(row, scope))

    def pending(self, scope: Scope, *, after: int | None = None, limit: int = 50) -> Page[PendingMemory]:
        """What waits for a person, oldest first."""
        table = schema.reviews
        query = select(table).where(of_scope(table, scope), table.c.state == ReviewState.PENDING.value)
        return self._ascend(query, table.c.key, after, limit, lambda row: row_to_review(row, scope))

    def verdicts(self, scope: Scope, *, after: int | None = None, limit: int = 50) -> Page[VerdictRecord]:
        return self._descend(schema.verdicts, scope, after, limit, lambda row: row_to_verdict(row, scope))

    def rejections(self, scope: Scope, *, after: int | None = None, limit: int = 50) -> Page[Rejection]:
        return self._descend(schema.rejections, scope, after, limit, lambda row: row_to_rejection(row, scope))

    def sessions(self, scope: Scope, *, after: int | None = None, limit: int = 50) -> Page[Session]:
        return self._descend(schema.sessions, scope, after, limit, lambda row: row_to_session(row, scope))

    def audit(
        self, scope: Scope, *, after: int | None = None, limit: int = 50, target: str | None = None
    ) -> Page[AuditEntry]:
        """Newest first; about one thing where it is named."""
        table = schema.audit
        query = select(table).where(table.c.tenant == scope.tenant, table.c.owner == scope.owner)
        if target is not None:
            query = query.where(table.c.target == target)
        if after is not None:
            query = query.where(table.c.sequence < after)
        return self._read(query.order_by(table.c.sequence.desc()), "sequence", limit, row_to_audit_entry)

    def values(self, scope: Scope, prefix: str = "", *, after: str = "", limit: int = 50) -> Mapping[str, Any]:
        """Those whose path begins with `prefix` and comes after `after`, in the order of the paths."""
        table = schema.values
        first = table.c.path >= prefix if after < prefix else table.c.path > after
        query = select(table.c.path, table.c.value).where(of_scope(table, scope), first, table.c.path <= prefix + LAST)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(table.c.path).limit(limit))
            return {path: json.loads(value) for path, value in rows}

    def owners(
        self, tenant: str, *, after: str = "", limit: int = 1_000, only: str | None = None
    ) -> tuple[OwnerSummary, ...]:
        """Those of a tenant of whom anything is kept and whose names come after `after`, by name."""
        scopes, memories, reviews = schema.scopes, schema.memories, schema.reviews
        kept = select(func.count()).where(memories.c.scope == scopes.c.key).scalar_subquery()
        is_waiting = reviews.c.state == ReviewState.PENDING.value
        waiting = select(func.count()).where(reviews.c.scope == scopes.c.key, is_waiting).scalar_subquery()
        query = select(scopes.c.owner, kept, waiting).where(scopes.c.tenant == tenant, scopes.c.owner > after)
        if only is not None:
            query = query.where(scopes.c.owner == only)
        query = query.order_by(scopes.c.owner).limit(limit)
        with self._database.reading() as connection:
            return tuple(OwnerSummary(*row) for row in connection.execute(query))

    def count_pending(self) -> int:
        """Of all tenants together."""
        query = select(func.count()).where(schema.reviews.c.state == ReviewState.PENDING.value)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()

    def _ascend(
        self, query: Select[Any], key: ColumnElement[int], after: int | None, limit: int, read: Read[Value]
    ) -> Page[Value]:
        if after is not None:
            query = query.where(key > after)
        return self._read(query.order_by(key), "key", limit, read)

    def _descend(self, table: Any, scope: Scope, after: int | None, limit: int, read: Read[Value]) -> Page[Value]:
        query = select(table).where(of_scope(table, scope))
        if after is not None:
            query = query.where(table.c.key < after)
        return self._read(query.order_by(table.c.key.desc()), "key", limit, read)

    def _read(self, query: Select[Any], key: str, limit: int, read: Read[Value]) -> Page[Value]:
        """One more than asked for tells whether anything follows."""
        with self._database.reading() as connection:
            rows = list(connection.execute(query.limit(limit + 1)).mappings())
        shown = rows[:limit]
        following: int | None = shown[-1][key] if len(rows) > limit and shown else None
        return Page(tuple(read(row) for row in shown), following)
