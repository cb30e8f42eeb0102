"""SQLite as a store: a file that several processes share, or memory that nobody else sees."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, TimeoutError
from sqlalchemy.pool import QueuePool, StaticPool

from groundwire.errors import (
    StoreBusy,
    StoreCorrupt,
    StoreForeign,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from groundwire.store.dialect import WRITES
from groundwire.store.lexical import Fts5Index

APPLICATION_ID = int.from_bytes(b"GWIR", "big")
_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_LITTLE_SPACE = 1 << 20
_PAUSE = 0.01
_PURGE_SECONDS = 2.0
_KEPT_KB = 4_000
"""Of pages, for each connection: what is read often. More only grows with the file, and the system keeps it anyway."""
_PRAGMAS = (
    "foreign_keys=ON",
    "synchronous=FULL",
    "secure_delete=ON",
    "temp_store=MEMORY",
    f"cache_size=-{_KEPT_KB}",
)
Result = TypeVar("Result")


class Sqlite:
    """One SQLite database; `path` is None for one in memory."""

    def __init__(self, path: Path | None, *, read_only: bool | None = None, busy_seconds: float = 60.0) -> None:
        self._path = path
        self._busy_seconds = busy_seconds
        self._is_immutable = False
        self._read_only = False if path is None else _inspect(path, read_only)
        self.index = Fts5Index()

    @property
    def name(self) -> str:
        return "the store in memory" if self._path is None else str(self._path)

    @property
    def is_read_only(self) -> bool:
        return self._read_only

    @property
    def is_shared(self) -> bool:
        return self._path is not None

    def make_engine(self) -> Engine:
        """Connections that begin and end exactly where they are told to."""
        if self._path is None:
            engine = create_engine("sqlite+pysqlite://", creator=self._connect, poolclass=StaticPool)
        else:
            self._settle()
            engine = create_engine(
                "sqlite+pysqlite://",
                creator=self._connect,
                poolclass=QueuePool,
                pool_size=8,
                max_overflow=-1,
                pool_use_lifo=True,
            )
        event.listen(engine, "begin", _begin)
        return engine

    def _connect(self) -> sqlite3.Connection:
        if self._path is None:
            target, pragmas = ":memory:", _PRAGMAS
        else:
            mode = "immutable=1" if self._is_immutable else "mode=ro" if self._read_only else "mode=rwc"
            target, pragmas = f"{self._path.as_uri()}?{mode}", _PRAGMAS[:1] if self._read_only else _PRAGMAS
        connection = sqlite3.connect(
            target,
            uri=self._path is not None,
            timeout=self._busy_seconds,
            isolation_level=None,
            check_same_thread=False,
        )
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def _settle(self) -> None:
        """Mark a new file as ours and make it a WAL file; find out how a read-only one can be read."""
        try:
            _retry(self._settle_once, self._busy_seconds)
        except sqlite3.Error as error:
            raise self._explain(error) from error

    def _settle_once(self) -> None:
        if self._read_only:
            try:
                _probe(self._connect())
            except sqlite3.OperationalError:
                if _has_content(_beside(self._path, "-wal")):
                    raise
                self._is_immutable = True
                _probe(self._connect())
            return
        connection = self._connect()
        try:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode=WAL")
        finally:
            connection.close()

    def version(self, connection: Connection) -> int:
        return int(connection.execute(text("PRAGMA user_version")).scalar_one())

    def set_version(self, connection: Connection, version: int) -> None:
        connection.execute(text(f"PRAGMA user_version={int(version)}"))

    def protect_audit(self, connection: Connection) -> None:
        kept = " OR ".join(
            f"NEW.{name} IS NOT OLD.{name}"
            for name in "sequence recorded_at tenant owner actor action target outcome digest previous hash".split()  # noqa: SIM905
        )
        erasing = "NEW.details IS NULL AND NEW.salt IS NULL"
        for name, when in (("DELETE", ""), ("UPDATE", f"WHEN NOT ({erasing}) OR {kept}")):
            connection.execute(
                text(
                    f"CREATE TRIGGER audit_refuses_{name.lower()} BEFORE {name} ON audit {when} "
                    "BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END"
                )
            )

    def last_number(self, connection: Connection, table: str) -> int | None:
        return connection.execute(
            text("SELECT seq FROM sqlite_sequence WHERE name = :table"), {"table": table}
        ).scalar()

    def refuse_writing(self) -> StoreReadOnly:
        return StoreReadOnly(f"{self.name} is read-only", "make the file and its folder writable, or work on a copy")

    def explain(self, error: DBAPIError | TimeoutError) -> StoreUnavailable:
        """By the first cause: undoing what failed can fail in turn, with an error that explains nothing."""
        causes: list[sqlite3.Error] = []
        current: BaseException | None = error
        while current is not None:
            if isinstance(current, sqlite3.Error):
                causes.append(current)
            current = current.__context__
        if causes:
            return self._explain(causes[-1])
        return StoreUnavailable(f"{self.name} failed ({getattr(error, 'orig', error)})", "run: groundwire doctor")

    def _explain(self, error: sqlite3.Error) -> StoreUnavailable:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        match code:
            case sqlite3.SQLITE_FULL:
                return self._full()
            case sqlite3.SQLITE_IOERR if self._path is not None and _is_disk_full(self._path):
                return self._full()
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
                return self.refuse_writing()
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return StoreCorrupt(
                    f"{self.name} is damaged ({error})", "restore a copy, or export what can still be read"
                )
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
                return StoreBusy(
                    f"{self.name} was in use by others for {self._busy_seconds:g} seconds",
                    "try again, or find out which process keeps a transaction open",
                )
            case sqlite3.SQLITE_CANTOPEN:
                return StoreUnavailable(
                    f"{self.name} cannot be opened ({error})", "check the path and the permissions of its folder"
                )
            case _:
                return StoreUnavailable(f"{self.name} failed ({error})", "run: groundwire doctor")

    def _full(self) -> StoreFull:
        return StoreFull(
            f"there is no room left for {self.name}", "free some space and try again; nothing was half written"
        )

    def purge(self, connection: Connection) -> bool:
        """Rewrite the file and empty the write-ahead log: deleted words linger in both otherwise.

        Zeros are written over what is deleted, but not over the copies that a page leaves when it is split.
        """
        if self._path is None:
            return True
        raw = connection.connection
        try:
            raw.execute(f"PRAGMA busy_timeout={int(min(_PURGE_SECONDS, self._busy_seconds) * 1000)}")
            raw.execute("VACUUM")
            return raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        except sqlite3.OperationalError:
            return False
        finally:
            raw.execute(f"PRAGMA busy_timeout={int(self._busy_seconds * 1000)}")

    def examine(self, connection: Connection, tables: Collection[str]) -> list[str]:
        found = set(connection.execute(text("SELECT name FROM sqlite_master")).scalars())
        problems = [f"the table {name} is missing" for name in sorted(set(tables) - found)]
        for line in connection.execute(text("PRAGMA integrity_check(20)")).scalars():
            if line != "ok":
                problems.append(f"the file is damaged: {line}")
        for row in connection.execute(text("PRAGMA foreign_key_check")):
            problems.append(f"a row of {row[0]} refers to something that is gone")
        return problems


def _begin(connection: Connection) -> None:
    """Whoever is going to write queues up at the beginning: a reader that turns writer can be sent away."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get(WRITES) else "BEGIN")


def _inspect(path: Path, wanted: bool | None) -> bool:
    """Refuse what is not ours by its first bytes, before anything can change it; whether it is read-only."""
    if path.is_dir():
        raise StoreUnavailable(f"{path} is a folder", "name a file in it, such as memory.db")
    if not path.parent.is_dir():
        raise StoreUnavailable(f"the folder {path.parent} does not exist", "create it first")
    if not path.exists():
        if wanted or not os.access(path.parent, os.W_OK):
            raise StoreUnavailable(f"{path} does not exist and cannot be created", "check the path")
        return False
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read ({error})", "check its permissions") from error
    if header and (len(header) < _HEADER or not header.startswith(_MAGIC)):
        raise StoreForeign(f"{path} is not a SQLite file", "name another file; this one was left as it is")
    if header and int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise StoreForeign(
            f"{path} is the SQLite file of another program", "name another file; this one was left as it is"
        )
    # Whoever may write anything is still asked to respect that nobody is meant to write this one.
    is_locked = not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK)
    return is_locked if wanted is None else wanted


def _probe(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    finally:
        connection.close()


def _beside(path: Path | None, suffix: str) -> Path:
    return Path(f"{path}{suffix}")


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _is_disk_full(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free < _LITTLE_SPACE


def _retry(attempt: Callable[[], Result], seconds: float) -> Result:
    """A change of the journal fails at once where others are opening the file too: ask again."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return attempt()
        except sqlite3.OperationalError as error:
            code: Any = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE)
