"""The audit trail of a store: written by whoever writes, read by whoever asks, verified from the first entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select

from groundwire.store import schema
from groundwire.store.chain import Note, find_breaks
from groundwire.store.database import Database, check_scope
from groundwire.store.redaction import clean
from groundwire.store.rows import row_to_audit_entry
from groundwire.types.memories import Scope
from groundwire.types.records import Act, AuditEntry


class SqlAudit:
    def __init__(self, database: Database) -> None:
        self._database = database

    def record(
        self, scope: Scope, action: str, target: str, act: Act, *, outcome: str = "ok", details: Mapping[str, Any]
    ) -> None:
        check_scope(scope)
        with self._database.writing() as writer:
            writer.note(Note(scope, clean(action), target, act, clean(outcome), details))

    def entries(self, scope: Scope, *, target: str | None = None, limit: int = 100) -> tuple[AuditEntry, ...]:
        table = schema.audit
        query = select(table).where(table.c.tenant == scope.tenant, table.c.owner == scope.owner)
        if target is not None:
            query = query.where(table.c.target == target)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(table.c.sequence.desc()).limit(limit)).mappings()
            return tuple(row_to_audit_entry(row) for row in rows)

    def verify(self) -> tuple[str, ...]:
        table = schema.audit
        with self._database.reading() as connection:
            rows = connection.execute(select(table).order_by(table.c.sequence)).mappings()
            last = self._database.dialect.last_number(connection, table.name)
            return tuple(find_breaks(rows, last))
