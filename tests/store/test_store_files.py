"""What is particular to a store in a file: opened again, opened by others, refused, damaged, full, read-only."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.pool import QueuePool
from store_samples import ADA, NOW, act, at, memory, pending

from groundwire.errors import (
    GroundwireError,
    InvalidInput,
    StoreBusy,
    StoreCorrupt,
    StoreForeign,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)
from groundwire.store.database import Database
from groundwire.store.dialect import Dialect
from groundwire.store.migrations import MIGRATIONS, Migration, migrate
from groundwire.store.options import StoreOptions
from groundwire.store.sql import SqlStore, open_store
from groundwire.store.sqlite import Sqlite
from groundwire.types import MemoryStatus
from groundwire.types.records import ReviewState


@pytest.fixture
def filled(path: Path) -> Path:
    with open_store(path, NOW) as store:
        for number in range(50):
            store.memories.add(memory(f"Fact {number} about tea and jam.", str(number)), act())
        store.reviews.enqueue(pending("I like tea.", "q"), act())
    return path


def run_python(code: str, *arguments: object) -> str:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.requirement("REV-010")
def test_what_was_acknowledged_is_there_after_a_restart(filled: Path):
    with open_store(filled, NOW) as store:
        assert store.memories.count(ADA) == 50 and store.check() == ()
        (item,) = store.reviews.pending(ADA, act())
        assert (item.queue_id, item.state) == ("q", ReviewState.PENDING)
        assert store.reviews.approve(ADA, "q", act(1), lambda item: store.memories.add(memory(item.content), act(1)).id)
    raw = sqlite3.connect(filled)
    assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    raw.close()


@pytest.mark.requirement("STO-002")
def test_a_write_waits_for_the_disk(path: Path):
    with open_store(path, NOW) as store, store._database.reading() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2, "FULL"


def test_what_connections_keep_of_a_file_does_not_grow_with_it(path: Path):
    with open_store(path, NOW) as store, store._database.reading() as connection:
        kept_kb, pool = -int(connection.execute(text("PRAGMA cache_size")).scalar_one()), connection.engine.pool
        assert isinstance(pool, QueuePool)
        assert 0 < kept_kb * pool.size() <= 32_000, "all of them together, whatever is stored"


def test_a_change_by_another_process_is_seen(place: Path | str):
    code = """
import sys
from datetime import datetime, UTC
from groundwire.store.sql import open_store
from groundwire.types import Memory
from groundwire.types.records import Act
now = datetime(2026, 3, 1, tzinfo=UTC)
with open_store(sys.argv[1], now) as store:
    store.memories.add(Memory("theirs", "I like milk.", owner="ada"), Act("ada", now))
"""
    with open_store(place, NOW) as store:
        store.memories.add(memory("I like tea.", "ours"), act())
        before = store.changes(), store.changes(ADA)
        run_python(code, place)
        assert store.changes() > before[0] and store.changes(ADA) > before[1]
        assert {m.id for m in store.memories.recall(ADA, at(1))} == {"ours", "theirs"}


def test_a_store_survives_a_fork(place: Path | str):
    code = """
import os, sys
from datetime import datetime, UTC
from groundwire.store.sql import open_store
from groundwire.types import Memory, Scope
from groundwire.types.records import Act
now = datetime(2026, 3, 1, tzinfo=UTC)
store = open_store(sys.argv[1], now)
store.memories.add(Memory("before", "I like tea.", owner="ada"), Act("ada", now))
child = os.fork()
store.memories.add(Memory(f"after {child == 0}", "I like milk.", owner="ada"), Act("ada", now))
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(store.memories.count(Scope("ada")), store.check())
"""
    assert run_python(code, place) == "3 ()\n"


def test_an_unwritable_file_is_opened_for_reading(filled: Path):
    filled.chmod(0o444)
    with open_store(filled, NOW) as store:
        assert store.is_read_only and store.memories.count(ADA) == 50
        assert store.memories.search(ADA, "fact 7")[0].memory.id == "7" and store.check() == ()
        assert len(store.reviews.pending(ADA, act())) == 1
        for write in (
            lambda: store.memories.add(memory("More."), act()),
            lambda: store.memories.confirm(ADA, "1", act()),
            lambda: store.memories.change_status(ADA, "1", MemoryStatus.ARCHIVED, act(), why="?"),
            lambda: store.memories.forget(ADA, ["1"], act()),
            lambda: store.reviews.reject(ADA, "q", act(), reason="no"),
            lambda: store.audit.record(ADA, "x", "y", act(), details={}),
        ):
            with pytest.raises(StoreReadOnly, match="read-only"):
                write()
    filled.chmod(0o644)
    with open_store(filled, NOW) as store, open_store(filled, NOW, read_only=True) as reader:
        store.memories.add(memory("More.", "more"), act())
        assert reader.is_read_only and reader.memories.get(ADA, "more") is not None


def test_an_unwritable_folder_makes_its_file_read_only(filled: Path):
    if os.geteuid() == 0:
        shutil.copy(filled, copy := filled.with_name("copy.db"))
        dialect = Sqlite(copy, read_only=True)
        dialect._is_immutable = True  # what a folder that refuses the files beside it leads to; root is refused nothing
        engine = dialect.make_engine()
        with engine.connect() as connection:
            assert connection.execute(text("SELECT count(*) FROM memories")).scalar() == 50
        engine.dispose()
        assert not list(filled.parent.glob("copy.db-*"))
        return
    filled.parent.chmod(0o555)
    try:
        with open_store(filled, NOW) as store:
            assert store.is_read_only and store.memories.count(ADA) == 50
    finally:
        filled.parent.chmod(0o755)


def foreign_files(folder: Path) -> Iterator[tuple[Path, str]]:
    notes = folder / "notes.txt"
    notes.write_text("Dear diary, " * 100)
    yield notes, "not a SQLite file"
    short = folder / "short.db"
    short.write_bytes(b"SQLite")
    yield short, "not a SQLite file"
    other = folder / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE memories (id, text)")
    connection.execute("INSERT INTO memories VALUES (1, 'mine')")
    connection.commit()
    connection.close()
    yield other, "another program"


def test_a_file_that_is_not_ours_is_refused_and_left_as_it_is(tmp_path: Path):
    for file, reason in foreign_files(tmp_path):
        before = file.read_bytes()
        with pytest.raises(StoreForeign, match=reason):
            open_store(file, NOW)
        assert file.read_bytes() == before and not list(tmp_path.glob(f"{file.name}-*"))


def test_an_empty_file_becomes_a_store(path: Path):
    path.touch()
    with open_store(path, NOW) as store:
        store.memories.add(memory("I like tea."), act())
        assert store.check() == ()


def test_a_newer_schema_is_told_apart(filled: Path):
    raw = sqlite3.connect(filled)
    raw.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
    raw.close()
    with pytest.raises(StoreTooNew, match="upgrade"):
        open_store(filled, NOW)


@pytest.mark.parametrize("damage", ["cut", "middle", "records", "tables"])
def test_a_damaged_file_is_told_apart(filled: Path, damage: str):
    with sqlite3.connect(filled) as raw:
        if damage == "records":
            raw.execute("DELETE FROM migrations")
        if damage == "tables":
            raw.execute("DROP TABLE tombstones")
    raw.close()
    content = bytearray(filled.read_bytes())
    if damage == "cut":
        filled.write_bytes(content[: len(content) // 3])
    if damage == "middle":
        content[4096 : len(content) - 4096] = os.urandom(len(content) - 8192)
        filled.write_bytes(content)
    if damage == "tables":
        with open_store(filled, NOW) as store:
            assert store.check() == ("the table tombstones is missing",)
        return
    with pytest.raises(StoreCorrupt, match=r"damaged|records"), open_store(filled, NOW) as store:
        store.memories.recall(ADA, at(1))


def test_damage_that_opening_does_not_see_is_found_by_the_check(filled: Path):
    with sqlite3.connect(filled) as raw:
        raw.execute("DELETE FROM memory_words_docsize WHERE id = 3")
    raw.close()
    with open_store(filled, NOW) as store:
        assert any("index of words" in problem for problem in store.check())


def test_a_full_disk_is_told_apart_and_nothing_is_half_written(path: Path, monkeypatch: pytest.MonkeyPatch):
    connect = Sqlite._connect

    def connect_small(self: Sqlite) -> sqlite3.Connection:
        connection = connect(self)
        connection.execute("PRAGMA max_page_count=150")
        return connection

    monkeypatch.setattr(Sqlite, "_connect", connect_small)
    with open_store(path, NOW) as store:
        stored: list[str] = []
        with pytest.raises(StoreFull, match="no room left"):
            for number in range(2000):
                stored.append(store.memories.add(memory(f"Fact {number} " * 20), act()).id)
        assert stored and store.memories.count(ADA) == len(stored)
        before = store.changes()
        with pytest.raises(StoreFull), store.transaction():
            for number in range(200):
                store.memories.add(memory(f"More {number} " * 100), act())
        assert store.changes() == before and store.memories.count(ADA) == len(stored) and store.check() == ()
    monkeypatch.setattr(Sqlite, "_connect", connect)
    with open_store(path, NOW) as store:
        assert all(store.memories.get(ADA, id) for id in stored)
        store.memories.add(memory("There is room again."), act())


def test_an_input_error_on_a_full_disk_says_no_room(path: Path, monkeypatch: pytest.MonkeyPatch):
    dialect = Sqlite(path)
    failed = sqlite3.OperationalError("disk I/O error")
    failed.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    assert not isinstance(dialect._explain(failed), StoreFull)
    monkeypatch.setattr("groundwire.store.sqlite.shutil.disk_usage", lambda path: shutil._ntuple_diskusage(9, 9, 0))
    assert isinstance(dialect._explain(failed), StoreFull)


def test_a_lock_that_is_never_released_is_explained(path: Path):
    with open_store(path, NOW, options=StoreOptions(busy_seconds=0.05)) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=r"in use by others for 0\.05 seconds"):
            store.memories.add(memory("I like tea."), act())
        assert store.memories.count(ADA) == 0, "reading goes on"
        other.close()
        store.memories.add(memory("I like tea."), act())


def test_a_place_where_no_file_can_be_is_explained(tmp_path: Path):
    with pytest.raises(StoreUnavailable, match="is a folder"):
        open_store(tmp_path, NOW)
    with pytest.raises(StoreUnavailable, match="does not exist"):
        open_store(tmp_path / "no" / "memory.db", NOW)
    with pytest.raises(StoreUnavailable, match="does not exist"):
        open_store(tmp_path / "memory.db", NOW, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_path_may_have_any_name(tmp_path: Path):
    for name in ("mémoire 100%.db", "a?b#c.db", "?mode=memory"):
        with open_store(tmp_path / name, NOW) as store:
            store.memories.add(memory("I like tea.", "m"), act())
        assert (tmp_path / name).stat().st_size > 4096


# ── migrations ──────────────────────────────────────────────────────────────────────────────────


def add_table(connection: Connection, dialect: Dialect) -> None:
    connection.execute(text("CREATE TABLE colours (memory INTEGER PRIMARY KEY, colour TEXT)"))


def fail_midway(connection: Connection, dialect: Dialect) -> None:
    connection.execute(text("CREATE TABLE half (x)"))
    raise InvalidInput("migration", "something is wrong")


def migrate_file(path: Path, *later: Migration) -> list[tuple[int, str]]:
    database = Database(Sqlite(path), StoreOptions())
    try:
        migrate(database, NOW, [*MIGRATIONS, *later])
    finally:
        database.close()
    raw = sqlite3.connect(path)
    found = raw.execute("SELECT version, name FROM migrations ORDER BY version").fetchall()
    raw.close()
    return found


def test_every_migration_is_applied_once_in_order_with_its_record(filled: Path):
    released = [(number, migration.name) for number, migration in enumerate(MIGRATIONS, 1)]
    later = (len(MIGRATIONS) + 1, "colours")
    assert migrate_file(filled) == released
    assert migrate_file(filled, Migration("colours", add_table)) == [*released, later]
    assert migrate_file(filled, Migration("colours", add_table)) == [*released, later]
    with pytest.raises(StoreTooNew):
        open_store(filled, NOW)


def test_a_migration_that_fails_leaves_the_file_as_it_was(filled: Path):
    for _ in range(2):
        with pytest.raises(GroundwireError, match="something is wrong"):
            migrate_file(filled, Migration("colours", add_table), Migration("half", fail_midway))
    raw = sqlite3.connect(filled)
    assert raw.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
    assert raw.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    raw.close()


def test_an_older_file_that_is_read_only_is_explained(filled: Path):
    database = Database(Sqlite(filled, read_only=True), StoreOptions())
    with pytest.raises(StoreReadOnly, match="older release"):
        migrate(database, NOW, [*MIGRATIONS, Migration("colours", add_table)])
    database.close()


def test_a_store_in_memory_belongs_to_whoever_opened_it():
    with open_store(None, NOW) as one, open_store(None, NOW) as other:
        one.memories.add(memory("I like tea."), act())
        assert (one.memories.count(ADA), other.memories.count(ADA)) == (1, 0)
        assert isinstance(one, SqlStore) and not one.is_read_only
