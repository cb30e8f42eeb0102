"""PostgreSQL as a store: a schema of one database, shared by as many processes and machines as the server allows.

Whoever writes holds one lock of the whole store until the transaction ends. Every write adds a link to one chain, so
two could not go on side by side anyway; and under the lock, limits, decisions and numbers need no second look.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import ExitStack
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, TimeoutError

from groundwire.errors import GroundwireError, MissingExtra, StoreForeign, StoreReadOnly, StoreUnavailable
from groundwire.store import complaints
from groundwire.store.addresses import Address
from groundwire.store.dialect import WRITES
from groundwire.store.words import TableIndex

_LOCK_CLASS = int.from_bytes(b"GWIR", "big")
_OLDEST = 140_000
_POOL, _OVERFLOW = 8, 24
_CONNECT = {
    "connect_timeout": 10,
    "application_name": "groundwire",
    "client_encoding": "utf8",
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
_IDLE_SECONDS = 600
"""A client that stops in the middle of a transaction would keep everybody from writing."""
_PAUSE = 0.01
_PURGE_SECONDS = 2.0
_REWRITTEN_BYTES = 64 << 20
"""Nobody can use a table while it is rewritten: larger ones are only cleared of their dead rows."""
_STATE = text(
    "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS is_read_only, "
    "current_setting('server_encoding') AS encoding, "
    "CAST(current_setting('server_version_num') AS integer) AS version, "
    "EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = :schema) AS has_schema, "
    "EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = :schema AND tablename = 'migrations') AS has_migrations, "
    "EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = :schema) AS has_tables, "
    "coalesce(has_table_privilege(to_regclass('memories'), 'INSERT'), TRUE) AS may_write"
)
_OTHERS = text(
    "SELECT count(*) FILTER (WHERE backend_type = 'client backend' AND backend_xmin IS NOT NULL "
    "AND xact_start < :began) AS open, count(*) FILTER (WHERE backend_type IS NULL) AS hidden "
    "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
_FILES = text(
    "SELECT relname, pg_relation_filenode(oid), pg_total_relation_size(oid) FROM pg_class "
    "WHERE relkind = 'r' AND relnamespace = to_regnamespace(:schema)"
)
_KEPT = "sequence recorded_at tenant owner actor action target outcome digest previous hash".split()  # noqa: SIM905
_PROTECT = (
    "CREATE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$",
    "CREATE FUNCTION audit_counts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "IF NEW.sequence = (SELECT max(sequence) FROM audit) THEN "
    "UPDATE counters SET value = NEW.sequence WHERE name = 'audit'; END IF; RETURN NULL; END $$",
    "CREATE TRIGGER audit_refuses_delete BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuses()",
    "CREATE TRIGGER audit_refuses_truncate BEFORE TRUNCATE ON audit EXECUTE FUNCTION audit_refuses()",
    "CREATE TRIGGER audit_refuses_update BEFORE UPDATE ON audit FOR EACH ROW WHEN (NOT "
    "(NEW.details IS NULL AND NEW.salt IS NULL) "
    + " ".join(f"OR NEW.{name} IS DISTINCT FROM OLD.{name}" for name in _KEPT)
    + ") EXECUTE FUNCTION audit_refuses()",
    "CREATE CONSTRAINT TRIGGER audit_counts_insert AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED "
    "FOR EACH ROW EXECUTE FUNCTION audit_counts()",
    "INSERT INTO counters (name, value) VALUES ('audit', 0)",
)
_TABLES = text("SELECT tablename FROM pg_tables WHERE schemaname = :schema")
_INVALID = text(
    "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
    "WHERE NOT indisvalid AND relnamespace = to_regnamespace(:schema) ORDER BY relname"
)
_ENABLED = text("SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass('audit') AND tgenabled <> 'D'")
_TRIGGERS = ("audit_refuses_delete", "audit_refuses_truncate", "audit_refuses_update", "audit_counts_insert")


class Postgres:
    """One schema of one PostgreSQL database."""

    def __init__(self, address: Address, *, read_only: bool | None = None, busy_seconds: float = 60.0) -> None:
        self._address = address
        self._busy_seconds = busy_seconds
        self._wanted_read_only = read_only
        self._read_only = bool(read_only)
        self._lock = f"SELECT pg_advisory_xact_lock({_LOCK_CLASS}, hashtext('{address.schema}'))"
        self._named = {"schema": address.schema}
        self.index = TableIndex()

    @property
    def name(self) -> str:
        return self._address.shown

    @property
    def is_read_only(self) -> bool:
        return self._read_only

    @property
    def is_shared(self) -> bool:
        return True

    def make_engine(self) -> Engine:
        try:
            import psycopg
        except ImportError as error:
            raise MissingExtra("a store in PostgreSQL", "postgres") from error

        reading, writing = psycopg.IsolationLevel.REPEATABLE_READ, psycopg.IsolationLevel.READ_COMMITTED
        engine = create_engine(
            self._address.url,
            connect_args={name: value for name, value in _CONNECT.items() if not self._address.has(name)},
            pool_size=_POOL,
            max_overflow=_OVERFLOW,
            pool_timeout=self._busy_seconds,
            pool_pre_ping=True,
            pool_use_lifo=True,
            hide_parameters=True,
        )

        def begin(connection: Connection) -> None:
            """A reader sees one state throughout; a writer sees, once it has the lock, all that others committed."""
            is_writing = bool(connection.get_execution_options().get(WRITES))
            raw: Any = connection.connection.dbapi_connection
            raw.isolation_level, raw.read_only = (writing, False) if is_writing else (reading, True)
            if is_writing:
                connection.exec_driver_sql(self._lock)

        event.listen(engine, "connect", self._prepare)
        event.listen(engine, "begin", begin)
        with ExitStack() as undo:
            undo.callback(engine.dispose)
            self._settle(engine)
            undo.pop_all()
        return engine

    def _prepare(self, raw: Any, record: object) -> None:
        """A commit is acknowledged when it is on the disk, whatever the server does for others; rows come in order."""
        raw.autocommit = True
        raw.execute(
            f'SET search_path TO "{self._address.schema}", pg_temp; '
            f"SET lock_timeout TO {_milliseconds(self._busy_seconds)}; "
            "SET max_parallel_workers_per_gather TO 0; "
            f"SET idle_in_transaction_session_timeout TO '{_IDLE_SECONDS}s'; "
            "SELECT set_config('synchronous_commit', 'on', FALSE) "
            "WHERE current_setting('synchronous_commit') IN ('off', 'local')"
        )
        raw.autocommit = False

    def _settle(self, engine: Engine) -> None:
        """Find out what the server lets us do, and make the schema where there is none."""
        with engine.connect() as connection:
            state = connection.execute(_STATE, self._named).one()
        if state.version < _OLDEST:
            raise StoreUnavailable(f"{self.name} is PostgreSQL {state.version // 10_000}", "use 14 or newer")
        if state.encoding != "UTF8":
            raise StoreUnavailable(f"{self.name} is in {state.encoding}", "create the database with ENCODING 'UTF8'")
        if state.has_tables and not state.has_migrations:
            raise StoreForeign(
                f"the schema {self._address.schema} of {self.name} holds the tables of another program",
                "name another with ?schema=NAME in the address; this one was left as it is",
            )
        if self._wanted_read_only is None:
            self._read_only = state.is_read_only or not state.may_write
        if state.has_schema:
            return
        if self._read_only:
            raise StoreUnavailable(f"{self.name} has no schema {self._address.schema}", "open it once for writing")
        with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
            connection.execute(text(f'CREATE SCHEMA IF NOT EXISTS "{self._address.schema}"'))

    def version(self, connection: Connection) -> int:
        """That of the last migration on record. The catalogue itself is asked: what names stand for is cached, and
        may be older than the lock."""
        if "migrations" not in connection.execute(_TABLES, self._named).scalars().all():
            return 0
        return int(connection.execute(text("SELECT coalesce(max(version), 0) FROM migrations")).scalar_one())

    def set_version(self, connection: Connection, version: int) -> None:
        """The record says it."""

    def protect_audit(self, connection: Connection) -> None:
        for statement in _PROTECT:
            connection.execute(text(statement))

    def last_number(self, connection: Connection, table: str) -> int | None:
        return connection.execute(text("SELECT value FROM counters WHERE name = :table"), {"table": table}).scalar()

    def refuse_writing(self) -> StoreReadOnly:
        return complaints.refuse_writing(self.name)

    def explain(self, error: DBAPIError | TimeoutError) -> GroundwireError:
        return complaints.explain(error, self.name, self._busy_seconds)

    def purge(self, connection: Connection) -> bool:
        """Rewrite the tables: a deleted row stays in its file until then, and is copied while anybody may see it."""
        connection = connection.execution_options(isolation_level="AUTOCOMMIT")
        seconds = min(_PURGE_SECONDS, self._busy_seconds)
        try:
            connection.execute(text(f"SET lock_timeout TO {_milliseconds(seconds)}"))
            return self._wait_for_others(connection, seconds) and self._rewrite(connection)
        except DBAPIError as error:
            if error.connection_invalidated:
                raise
            return False
        finally:
            if not connection.invalidated:
                connection.execute(text(f"SET lock_timeout TO {_milliseconds(self._busy_seconds)}"))

    def _wait_for_others(self, connection: Connection, seconds: float) -> bool:
        """Until no transaction is open that began before; whether that is so. What another role does cannot be seen."""
        began, deadline = connection.execute(text("SELECT clock_timestamp()")).scalar_one(), time.monotonic() + seconds
        while True:
            others = connection.execute(_OTHERS, {"began": began}).one()
            if others.hidden or not others.open or time.monotonic() > deadline:
                return not others.hidden and not others.open
            time.sleep(_PAUSE)

    def _rewrite(self, connection: Connection) -> bool:
        """Whether every table is in a new file now; one that somebody else owns is left as it is by the server."""
        before = connection.execute(_FILES, self._named).all()
        for table, _, size in before:
            how = "VACUUM (FULL)" if size <= _REWRITTEN_BYTES else "VACUUM"
            connection.execute(text(f'{how} "{table}"'))
        after = dict[str, int](row[:2] for row in connection.execute(_FILES, self._named))
        return all(after.get(table) != file for table, file, _ in before)

    def examine(self, connection: Connection, tables: Collection[str]) -> list[str]:
        found = set(connection.execute(_TABLES, self._named).scalars())
        problems = [f"the table {name} is missing" for name in sorted({*tables, *self.index.tables} - found)]
        problems += [f"the index {name} is invalid" for name in connection.execute(_INVALID, self._named).scalars()]
        enabled = set(connection.execute(_ENABLED).scalars())
        problems += [f"the guard {name} of the audit trail is missing" for name in _TRIGGERS if name not in enabled]
        return problems


def _milliseconds(seconds: float) -> int:
    """At least one: none would mean to wait for ever."""
    return max(1, int(seconds * 1000))
