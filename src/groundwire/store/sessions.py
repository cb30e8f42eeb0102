"""Conversations and values by path in SQL."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from groundwire.errors import InvalidInput, NotFound
from groundwire.store import schema
from groundwire.store.admission import NAME_LENGTH
from groundwire.store.database import Database
from groundwire.store.queries import of_scope
from groundwire.store.rows import row_to_session
from groundwire.store.values import check_text, mapping_to_json, to_json, to_micros, to_micros_or_none
from groundwire.types.memories import Scope
from groundwire.types.records import Session

LAST = chr(0x10FFFF)
"""No path that begins with a prefix comes after that prefix and this."""


class SqlSessions:
    """Sessions and values of every scope, one scope at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, session: Session) -> Session:
        check_text("id", session.id, NAME_LENGTH, may_be_empty=False)
        with self._database.writing() as writer:
            if _find(writer.connection, session.scope, session.id) is not None:
                raise InvalidInput("id", f"session {session.id!r} has begun already")
            row = {
                "scope": writer.scope_key(session.scope),
                "id": session.id,
                "started_at": to_micros("started_at", session.started_at),
                "ended_at": to_micros_or_none("ended_at", session.ended_at),
                "metadata": mapping_to_json("metadata", session.metadata, self._database.options.metadata_bytes),
            }
            writer.connection.execute(insert(schema.sessions).values(row))
        return session

    def end(self, scope: Scope, id: str, when: datetime) -> Session:
        table = schema.sessions
        with self._database.writing() as writer:
            writer.connection.execute(
                update(table)
                .where(of_scope(table, scope), table.c.id == id, table.c.ended_at.is_(None))
                .values(ended_at=to_micros("when", when))
            )
            found = _find(writer.connection, scope, id)
            if found is None:
                raise NotFound("session", id)
            return found

    def get(self, scope: Scope, id: str) -> Session | None:
        with self._database.reading() as connection:
            return _find(connection, scope, id)

    def list(self, scope: Scope, *, limit: int = 100) -> tuple[Session, ...]:
        table = schema.sessions
        query = select(table).where(of_scope(table, scope)).order_by(table.c.started_at.desc(), table.c.key.desc())
        with self._database.reading() as connection:
            rows = connection.execute(query.limit(limit)).mappings()
            return tuple(row_to_session(row, scope) for row in rows)

    def put(self, scope: Scope, values: Mapping[str, Any], when: datetime) -> None:
        table = schema.values
        with self._database.writing() as writer:
            key = writer.scope_key(scope)
            for row in self._make_rows(key, values, when):
                writer.connection.execute(delete(table).where(table.c.scope == key, table.c.path == row["path"]))
                writer.connection.execute(insert(table).values(row))

    def replace(self, scope: Scope, prefix: str, values: Mapping[str, Any], when: datetime) -> None:
        table = schema.values
        check_text("prefix", prefix, NAME_LENGTH, may_be_empty=False)
        for path in values:
            if not path.startswith(prefix):
                raise InvalidInput("path", f"{path!r} is not under {prefix!r}")
        with self._database.writing() as writer:
            key = writer.scope_key(scope)
            writer.connection.execute(
                delete(table).where(table.c.scope == key, table.c.path >= prefix, table.c.path <= prefix + LAST)
            )
            rows = self._make_rows(key, values, when)
            if rows:
                writer.connection.execute(insert(table), rows)

    def _make_rows(self, key: int, values: Mapping[str, Any], when: datetime) -> list[dict[str, Any]]:
        moment, most = to_micros("when", when), self._database.options.metadata_bytes
        return [
            {
                "scope": key,
                "path": check_text("path", path, NAME_LENGTH, may_be_empty=False),
                "value": to_json(path, value, most),
                "recorded_at": moment,
            }
            for path, value in values.items()
        ]

    def values(self, scope: Scope, prefix: str = "") -> Mapping[str, Any]:
        """A range instead of a pattern: nothing in a prefix can mean anything but itself."""
        table = schema.values
        query = (
            select(table.c.path, table.c.value)
            .where(of_scope(table, scope), table.c.path >= prefix, table.c.path <= prefix + LAST)
            .order_by(table.c.path)
        )
        with self._database.reading() as connection:
            return {path: json.loads(value) for path, value in connection.execute(query)}


def _find(connection: Connection, scope: Scope, id: str) -> Session | None:
    table = schema.sessions
    row = connection.execute(select(table).where(of_scope(table, scope), table.c.id == id)).mappings().one_or_none()
    return None if row is None else row_to_session(row, scope)
