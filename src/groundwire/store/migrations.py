"""Changes of the layout, in order; each is applied in a transaction of its own together with its record.

A migration is never edited after a release: a new one is added at the end.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, insert, inspect, select, text

from groundwire.errors import StoreCorrupt, StoreReadOnly, StoreTooNew
from groundwire.store import schema
from groundwire.store.database import Database
from groundwire.store.dialect import Dialect
from groundwire.store.keys import LOG_KEY
from groundwire.store.values import to_micros

FIRST_TABLES = (
    schema.migrations,
    schema.counters,
    schema.scopes,
    schema.memories,
    schema.evidence,
    schema.reviews,
    schema.fingerprints,
    schema.verdicts,
    schema.verdict_evidence,
    schema.rejections,
    schema.outcomes,
    schema.sessions,
    schema.values,
    schema.tombstones,
    schema.audit,
)


@dataclass(frozen=True, slots=True)
class Migration:
    name: str
    apply: Callable[[Connection, Dialect], None]


def _begin(connection: Connection, dialect: Dialect) -> None:
    schema.metadata.create_all(connection, FIRST_TABLES, checkfirst=False)
    counters = {"verdicts": 0, **{name: secrets.randbits(62) for name in LOG_KEY}}
    connection.execute(insert(schema.counters), [{"name": name, "value": value} for name, value in counters.items()])
    dialect.index.create(connection)
    dialect.protect_audit(connection)


def _add_vectors(connection: Connection, dialect: Dialect) -> None:
    schema.vectors.create(connection)
    connection.execute(text("CREATE INDEX memories_by_scope ON memories (scope, key)"))


def _add_credentials(connection: Connection, dialect: Dialect) -> None:
    schema.metadata.create_all(connection, (schema.credentials, schema.replies), checkfirst=False)


MIGRATIONS: tuple[Migration, ...] = (
    Migration("memories, reviews, logs and the audit trail", _begin),
    Migration("vectors of memories", _add_vectors),
    Migration("credentials and replies", _add_credentials),
)


def migrate(database: Database, now: datetime, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the schema up to date, or say why that cannot be done; two processes may try at the same time."""
    dialect = database.dialect
    with database.reading() as connection:
        version = dialect.version(connection)
        check_version(connection, dialect, version, len(migrations))
    if version == len(migrations):
        return
    if dialect.is_read_only:
        raise StoreReadOnly(
            f"{dialect.name} was written by an older release and is read-only",
            "open it once where it can be written, or work on a copy",
        )
    for number in range(version, len(migrations)):
        with database.writing() as writer:
            if dialect.version(writer.connection) != number:
                continue
            migrations[number].apply(writer.connection, dialect)
            record = {"version": number + 1, "name": migrations[number].name, "at": to_micros("now", now)}
            writer.connection.execute(insert(schema.migrations).values(record))
            dialect.set_version(writer.connection, number + 1)


def check_version(connection: Connection, dialect: Dialect, version: int, known: int) -> None:
    if version > known:
        raise StoreTooNew(
            f"{dialect.name} has schema {version}, and this release knows {known}", "upgrade: pip install -U groundwire"
        )
    tables = inspect(connection).get_table_names()
    recorded: list[int] = []
    if schema.migrations.name in tables:
        recorded = list(connection.execute(select(schema.migrations.c.version)).scalars())
    if sorted(recorded) != list(range(1, version + 1)) or (version == 0 and tables):
        raise StoreCorrupt(
            f"{dialect.name} says it has schema {version} but has records of {sorted(recorded)}", "restore a copy"
        )
