"""Transactions: one writer at a time in a process, retried by nobody, explained to everybody."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine, bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError, TimeoutError

from groundwire.errors import InvalidInput
from groundwire.evidence.protocols import Embedder
from groundwire.store import chain, schema
from groundwire.store.dialect import WRITES, Dialect
from groundwire.store.options import StoreOptions
from groundwire.store.values import check_text
from groundwire.types.memories import Scope

_NAME_LENGTH = 512
_SCOPE_BYTES = 2_048
"""Of a tenant and an owner together: what an index of every database can hold."""
_SCOPE = select(schema.scopes.c.key).where(
    schema.scopes.c.tenant == bindparam("tenant"), schema.scopes.c.owner == bindparam("owner")
)
_TOUCH = (
    update(schema.scopes).where(schema.scopes.c.key == bindparam("touched")).values(changes=schema.scopes.c.changes + 1)
)


@dataclass(slots=True)
class Writer:
    """A transaction that writes, and what is to be done when it ends, however it ends."""

    connection: Connection
    touched: set[int] = field(default_factory=set[int])
    afterwards: list[Callable[[Connection], None]] = field(default_factory=list[Callable[[Connection], None]])

    def note(self, *notes: chain.Note) -> None:
        chain.append(self.connection, notes)

    def scope_key(self, scope: Scope) -> int:
        """The number of a scope; a new one gets its number now."""
        found = find_scope(self.connection, scope)
        if found is not None:
            return found
        check_scope(scope)
        row = {"tenant": scope.tenant, "owner": scope.owner, "changes": 0}
        key = self.connection.execute(insert(schema.scopes).values(row)).inserted_primary_key
        assert key is not None
        return int(key[0])

    def touch(self, scope: int) -> None:
        """Say that cached answers about this scope are out of date as soon as this commits."""
        self.touched.add(scope)

    def refuse(self, note: chain.Note) -> None:
        """A refusal is audited even though the transaction that it ends leaves no other trace."""
        self.afterwards.append(lambda connection: chain.append(connection, [note]))


class _Thread(threading.local):
    writer: Writer | None = None


class Database:
    """An engine with its locks; survives a fork by starting afresh in the child."""

    def __init__(self, dialect: Dialect, options: StoreOptions, embedder: Embedder | None = None) -> None:
        self.dialect = dialect
        self.options = options
        self.embedder = embedder
        with self._explaining():
            self._engine = dialect.make_engine()
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._thread = _Thread()

    @property
    def engine(self) -> Engine:
        if self._process != os.getpid():
            # The parent's connections are its own: drop them unclosed.
            self._engine.dispose(close=False)
            self._start()
        return self._engine

    @property
    def is_writing(self) -> bool:
        """Whether this thread is inside a transaction that writes."""
        return self._thread.writer is not None

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """One consistent state; inside a transaction, the state that it has made."""
        engine, writer = self.engine, self._thread.writer
        if writer is not None:
            yield writer.connection
            return
        with (
            nullcontext() if self.dialect.is_shared else self._lock,
            self._explaining(),
            engine.connect() as connection,
        ):
            yield connection

    @contextmanager
    def writing(self) -> Generator[Writer]:
        """All or nothing. Inside another one it is a part of that: it can fail alone, but not last alone."""
        engine, outer = self.engine, self._thread.writer
        if outer is not None:
            with self._explaining(), outer.connection.begin_nested():
                yield outer
            return
        if self.dialect.is_read_only:
            raise self.dialect.refuse_writing()
        with self._lock, self._explaining(), engine.connect() as connection:
            connection = connection.execution_options(**{WRITES: True})
            writer = Writer(connection)
            is_committed = False
            try:
                with connection.begin():
                    self._thread.writer = writer
                    yield writer
                    self._finish(writer)
                is_committed = True
            finally:
                self._thread.writer = None
                if not is_committed and writer.afterwards:
                    with connection.begin():
                        _run(writer)

    def _finish(self, writer: Writer) -> None:
        _run(writer)
        if writer.touched:
            writer.connection.execute(_TOUCH, [{"touched": key} for key in sorted(writer.touched)])

    def purge(self) -> bool:
        """Remove what deleted rows left in the files, as far as others allow it now."""
        if self.is_writing:
            return False
        with self._lock, self._explaining(), self.engine.connect() as connection:
            return self.dialect.purge(connection)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _explaining(self) -> Generator[None]:
        try:
            yield
        except (DBAPIError, TimeoutError) as error:
            raise self.dialect.explain(error) from error


def _run(writer: Writer) -> None:
    for action in writer.afterwards:
        action(writer.connection)
    writer.afterwards.clear()


def find_scope(connection: Connection, scope: Scope) -> int | None:
    return connection.execute(_SCOPE, {"tenant": scope.tenant, "owner": scope.owner}).scalar()


def check_scope(scope: Scope) -> None:
    check_text("owner", scope.owner, _NAME_LENGTH, may_be_empty=False)
    check_text("tenant", scope.tenant, _NAME_LENGTH, may_be_empty=False)
    size = len(scope.owner.encode()) + len(scope.tenant.encode())
    if size > _SCOPE_BYTES:
        raise InvalidInput("owner", f"with its tenant it has {size} bytes; the limit is {_SCOPE_BYTES}")
