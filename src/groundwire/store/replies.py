"""Answers to requests in SQL, so that a request which arrives twice is carried out once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, select

from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.values import check_text, to_micros
from groundwire.types.access import Reply
from groundwire.types.memories import Scope

_KEY_LENGTH = 255


class SqlReplies:
    """By credential and by the key that a client gave its request."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, credential: str, key: str) -> Reply | None:
        table = schema.replies
        query = select(table.c.fingerprint, table.c.status, table.c.body)
        with self._database.reading() as connection:
            row = connection.execute(query.where(table.c.credential == credential, table.c.key == key)).one_or_none()
        return None if row is None else Reply(row.fingerprint, row.status, row.body)

    def keep(self, scope: Scope, credential: str, key: str, reply: Reply, when: datetime) -> None:
        check_text("key", key, _KEY_LENGTH, may_be_empty=False)
        with self._database.writing() as writer:
            row = {
                "credential": credential,
                "key": key,
                "scope": writer.scope_key(scope),
                "fingerprint": reply.fingerprint,
                "status": reply.status,
                "body": reply.body,
                "recorded_at": to_micros("when", when),
            }
            writer.connection.execute(insert(schema.replies).values(row))

    def drop(self, before: datetime) -> int:
        """Older ones; how many."""
        table = schema.replies
        with self._database.writing() as writer:
            return writer.connection.execute(
                delete(table).where(table.c.recorded_at < to_micros("before", before))
            ).rowcount
