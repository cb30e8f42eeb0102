"""The store over SQL: where it is opened, and what it consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import bindparam, func, select

from groundwire.evidence.protocols import Embedder
from groundwire.store import schema, transfer
from groundwire.store.addresses import read_address
from groundwire.store.audit import SqlAudit
from groundwire.store.credentials import SqlCredentials
from groundwire.store.database import Database
from groundwire.store.dialect import Dialect
from groundwire.store.logs import SqlLogs
from groundwire.store.memories import SqlMemories
from groundwire.store.migrations import migrate
from groundwire.store.options import StoreOptions
from groundwire.store.pages import SqlPages
from groundwire.store.postgres import Postgres
from groundwire.store.replies import SqlReplies
from groundwire.store.reviews import SqlReviews
from groundwire.store.sessions import SqlSessions
from groundwire.store.sqlite import Sqlite
from groundwire.store.vectors import SqlVectors
from groundwire.types.memories import Scope
from groundwire.types.places import is_address
from groundwire.types.records import Act

_ALL_CHANGES = select(func.sum(schema.scopes.c.changes))
_CHANGES = select(schema.scopes.c.changes).where(
    schema.scopes.c.tenant == bindparam("tenant"), schema.scopes.c.owner == bindparam("owner")
)


def open_store(
    path: str | Path | None,
    now: datetime,
    *,
    options: StoreOptions | None = None,
    read_only: bool | None = None,
    embedder: Embedder | None = None,
) -> SqlStore:
    """The store in a file or at a postgresql:// address, made if there is none; None keeps everything in memory.

    A store that is read-only is opened as such, unless `read_only` says otherwise. Without an embedder, memories are
    found by their words alone; vectors that are missing or another embedder's are made when their owner first asks.
    """
    options = options or StoreOptions()
    database = Database(_choose_dialect(path, read_only, options.busy_seconds), options, embedder)
    store = SqlStore(database)
    with ExitStack() as undo:
        undo.callback(store.close)
        migrate(database, now)
        undo.pop_all()
    return store


def _choose_dialect(place: str | Path | None, read_only: bool | None, busy_seconds: float) -> Dialect:
    if isinstance(place, str) and is_address(place):
        return Postgres(read_address(place), read_only=read_only, busy_seconds=busy_seconds)
    path = None if place is None else Path(place).expanduser().resolve()
    return Sqlite(path, read_only=read_only, busy_seconds=busy_seconds)


class SqlStore:
    """Everything that is kept, behind one connection pool."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.memories = SqlMemories(database)
        self.vectors = SqlVectors(database)
        self.reviews = SqlReviews(database)
        self.logs = SqlLogs(database)
        self.sessions = SqlSessions(database)
        self.audit = SqlAudit(database)
        self.credentials = SqlCredentials(database)
        self.replies = SqlReplies(database)
        self.pages = SqlPages(database)

    @property
    def is_read_only(self) -> bool:
        return self._database.dialect.is_read_only

    def transaction(self) -> AbstractContextManager[object]:
        return self._database.writing()

    def changes(self, scope: Scope | None = None) -> int:
        with self._database.reading() as connection:
            found = connection.execute(_ALL_CHANGES) if scope is None else connection.execute(_CHANGES, scope._asdict())
            return int(found.scalar() or 0)

    def check(self) -> tuple[str, ...]:
        dialect = self._database.dialect
        with self._database.reading() as connection:
            problems = dialect.examine(connection, schema.metadata.tables)
        if not problems:
            problems += [*self._check_index(), *self.audit.verify()]
        return tuple(problems)

    def _check_index(self) -> list[str]:
        """Comparing an index with itself counts as writing; where that cannot be done, the sizes are compared."""
        dialect = self._database.dialect
        if self.is_read_only:
            with self._database.reading() as connection:
                return dialect.index.examine(connection, is_writable=False)
        with self._database.writing() as writer:
            return dialect.index.examine(writer.connection, is_writable=True)

    def export(self, scope: Scope | None = None) -> Iterator[dict[str, Any]]:
        return transfer.export(self._database, scope)

    def restore(
        self,
        lines: Iterable[Mapping[str, Any]],
        act: Act,
        *,
        fingerprint: Callable[[str], Sequence[str]] | None = None,
    ) -> Mapping[str, int]:
        return transfer.restore(self._database, lines, act, fingerprint or (lambda _: ()))

    def purge(self) -> bool:
        return self._database.purge()

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
