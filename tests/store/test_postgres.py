"""What is particular to a store on a server: refused, damaged, locked, lost and found again, and never a password."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, text
from store_samples import ADA, BOB, NOW, SECRET, act, at, memory, pending

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
from groundwire.store.addresses import read_address
from groundwire.store.database import Database
from groundwire.store.dialect import Dialect
from groundwire.store.migrations import MIGRATIONS, Migration, migrate
from groundwire.store.options import StoreOptions
from groundwire.store.postgres import Postgres
from groundwire.store.sql import SqlStore, open_store
from groundwire.types import Scope

pytestmark = pytest.mark.slow

RELEASED = [(number, migration.name) for number, migration in enumerate(MIGRATIONS, 1)]


@pytest.fixture
def execute(postgres: Any, address: str) -> Callable[[str], list[tuple[Any, ...]]]:
    """Whatever the superuser wants, inside the schema of the test."""
    schema = address.rpartition("=")[2]
    return lambda statement: postgres.execute(f"SET search_path TO {schema}; {statement}")


@pytest.fixture
def filled(address: str) -> str:
    with open_store(address, NOW) as store:
        for number in range(20):
            store.memories.add(memory(f"Fact {number} about tea and jam.", str(number)), act())
        store.reviews.enqueue(pending("I like tea.", "q"), act())
    return address


# ── connecting ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (f"postgresql://ann:{SECRET}@127.0.0.1:1/memories", "cannot be reached .*refused.*check that the server runs"),
        (f"postgresql://ann:{SECRET}@/memories?host=/nowhere", "cannot be reached"),
        (f"postgresql://ann:{SECRET}@host.invalid/memories", "cannot be reached"),
    ],
)
def test_a_server_that_is_not_there_is_explained(address: str, message: str):
    with pytest.raises(StoreUnavailable, match=message) as refused:
        open_store(address, NOW)
    assert SECRET not in str(refused.value)


def test_every_refusal_is_told_apart_and_names_no_password(postgres: Any, ann: str):
    for address, message in (
        (postgres.address(ann, "ann", f"{SECRET}x"), "refused the name or the password"),
        (postgres.address(ann, "ann"), "wants a password"),
        (postgres.address("nowhere", "ann", SECRET), "database .* does not exist; create it"),
        (postgres.address("nowhere"), "database .* does not exist; create it"),
        (postgres.address(ann, "nobody", SECRET), "refused the name or the password"),
    ):
        with pytest.raises(StoreUnavailable, match=message) as refused:
            open_store(address, NOW)
        shown = f"{refused.value} {refused.value.__cause__}"
        assert SECRET not in shown and "Traceback" not in shown


def test_a_role_with_a_password_owns_its_store(postgres: Any, ann: str):
    with open_store(postgres.address(ann, "ann", SECRET), NOW) as store:
        store.memories.add(memory("I like tea.", "m"), act())
        assert store.memories.forget(ADA, ["m"], act()).is_purged and store.check() == ()
        assert SECRET not in repr(store._database.engine) and SECRET not in store._database.dialect.name
    assert postgres.execute("SELECT count(*) FROM groundwire.tombstones", database=ann) == [(1,)]


def test_a_database_without_room_for_a_schema_is_explained(postgres: Any, ann: str):
    postgres.execute("ALTER DATABASE {} OWNER TO postgres", ann)
    with pytest.raises(StoreReadOnly, match=r"may not do this .*permission denied"):
        open_store(postgres.address(ann, "ann", SECRET), NOW)


def test_a_role_that_may_only_read_opens_for_reading(postgres: Any, ann: str):
    with open_store(postgres.address(ann), NOW) as store:
        store.memories.add(memory("I like tea.", "m"), act())
    postgres.execute("GRANT USAGE ON SCHEMA groundwire TO ann", database=ann)
    postgres.execute("GRANT SELECT ON ALL TABLES IN SCHEMA groundwire TO ann", database=ann)
    with open_store(postgres.address(ann, "ann", SECRET), NOW) as store:
        assert store.is_read_only and store.memories.search(ADA, "tea") and store.check() == ()
        with pytest.raises(StoreReadOnly, match="read-only"):
            store.memories.add(memory("More."), act())
    postgres.execute("REVOKE ALL ON ALL TABLES IN SCHEMA groundwire FROM ann", database=ann)
    with pytest.raises(StoreReadOnly, match="permission denied"):
        open_store(postgres.address(ann, "ann", SECRET), NOW)


def test_a_server_that_only_reads_is_opened_for_reading(postgres: Any):
    with postgres.database() as name:
        address = postgres.address(name)
        with pytest.raises(StoreUnavailable, match="has no schema"):
            open_store(address, NOW, read_only=True)
        with open_store(address, NOW) as store:
            store.memories.add(memory("I like tea.", "m"), act())
        with open_store(address, NOW, read_only=True) as store:
            assert store.is_read_only and store.memories.get(ADA, "m") is not None
        postgres.execute("ALTER DATABASE {} SET default_transaction_read_only = on", name)
        with open_store(address, NOW) as store:
            assert store.is_read_only and store.memories.get(ADA, "m") is not None
            assert len(store.reviews.pending(ADA, act())) == 0, "who looked cannot be told"


def test_a_standby_is_opened_for_reading(postgres: Any, filled: str):
    with postgres.standby() as standby:
        address = filled.replace(str(postgres.folder), str(standby.folder))
        with open_store(address, NOW) as store:
            assert store.is_read_only and store.memories.count(ADA) == 20 and store.check() == ()
            assert store.memories.search(ADA, "fact 7")[0].memory.id == "7"
            with pytest.raises(StoreReadOnly, match="name the primary server"):
                store.memories.add(memory("More."), act())


def test_a_database_in_another_encoding_is_refused(postgres: Any):
    postgres.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(StoreUnavailable, match=r"LATIN1.*UTF8"):
        open_store(postgres.address("latin"), NOW)
    postgres.execute("DROP DATABASE latin")


def test_words_are_in_the_same_order_whatever_the_language_of_the_database(address: str, execute: Any):
    paths = {f"/{name}": 1 for name in ("B", "a", "b", "Z", "ä", "_", "-", "aa", "Äb", "\U0001f600", "a\U0010ffff")}
    with open_store(address, NOW) as store, open_store(None, NOW) as other:
        for each in (store, other):
            each.sessions.put(ADA, paths, NOW)
            each.memories.add_many([memory("Tea.", scope=Scope(path)) for path in paths], act())
        for prefix in ("", "/", "/a", "/B", "/ä"):
            assert list(store.sessions.values(ADA, prefix)) == list(other.sessions.values(ADA, prefix))
        assert store.pages.owners("default") == other.pages.owners("default")
    assert (
        execute(
            "SELECT attrelid, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE relkind = 'r' "
            "AND relnamespace = to_regnamespace(current_schema()) "
            "AND attcollation NOT IN (0, CAST('\"C\"' AS regcollation))"
        )
        == []
    )


# ── what is there already ───────────────────────────────────────────────────────────────────────


def test_the_tables_of_another_program_are_left_alone(postgres: Any):
    with postgres.database() as name:
        postgres.execute("CREATE TABLE public.memories (id text)", database=name)
        with pytest.raises(StoreForeign, match="another program"):
            open_store(f"{postgres.address(name)}&schema=public", NOW)
        with open_store(postgres.address(name), NOW) as store:
            store.memories.add(memory("I like tea."), act())
            assert store.check() == ()
        assert postgres.execute("SELECT count(*) FROM public.memories", database=name) == [(0,)]


def test_two_stores_in_one_database_know_nothing_of_each_other(postgres: Any):
    with (
        postgres.schema() as one,
        postgres.schema() as other,
        open_store(one, NOW) as first,
        open_store(other, NOW) as second,
    ):
        first.memories.add(memory("I like tea.", "m"), act())
        with first.transaction():
            second.memories.add(memory("I like milk.", "n"), act())
        assert first.memories.get(ADA, "n") is None and second.memories.get(ADA, "m") is None


def test_a_dump_of_the_server_is_a_backup(postgres: Any):
    with postgres.database() as one, postgres.database() as other:
        with open_store(postgres.address(one), NOW) as store:
            store.memories.add_many([memory(f"Fact {number} about tea.", str(number)) for number in range(9)], act())
            store.memories.forget(ADA, ["3"], act(1))
            postgres.back_up(one, other)
            lines = list(store.export())
        with open_store(postgres.address(other), NOW) as copy:
            assert list(copy.export()) == lines and copy.check() == ()
            copy.memories.add(memory("One more.", "new"), act(2))
            assert copy.memories.search(ADA, "more")[0].memory.id == "new" and copy.check() == ()


def test_a_newer_schema_is_told_apart(filled: str, execute: Any):
    execute(f"INSERT INTO migrations VALUES ({len(MIGRATIONS) + 1}, 'later', 0)")
    with pytest.raises(StoreTooNew, match="upgrade") as refused:
        open_store(filled, NOW)
    assert "schema=" in str(refused.value)


def test_a_schema_without_its_records_is_damaged(filled: str, execute: Any):
    execute("DELETE FROM migrations")
    with pytest.raises(StoreCorrupt, match="records"):
        open_store(filled, NOW)


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("DROP TABLE tombstones", "the table tombstones is missing"),
        ("DROP TABLE memory_words", "the table memory_words is missing"),
        ("DELETE FROM memory_words WHERE word = 'jam'", "the index of words does not agree"),
        ("UPDATE memory_words SET memory = 9999 WHERE word = 'jam' AND memory = 3", "of memories that are gone"),
        ("ALTER TABLE audit DISABLE TRIGGER ALL; DELETE FROM audit WHERE sequence = 3", "guard audit_refuses_delete"),
        (
            "ALTER TABLE audit DISABLE TRIGGER ALL; DELETE FROM audit WHERE sequence = 3; "
            "ALTER TABLE audit ENABLE TRIGGER ALL",
            "audit entry 3 is missing",
        ),
        (
            "ALTER TABLE audit DISABLE TRIGGER ALL; DELETE FROM audit WHERE sequence > 18; "
            "ALTER TABLE audit ENABLE TRIGGER ALL",
            "audit entries 19 to 21 are missing",
        ),
    ],
)
@pytest.mark.requirement("STO-006")
def test_damage_is_found_by_the_check(filled: str, execute: Any, damage: str, found: str):
    with open_store(filled, NOW) as store:
        assert store.check() == ()
        execute(damage)
        assert any(found in problem for problem in store.check())


@pytest.mark.requirement("STO-006")
@pytest.mark.parametrize(
    "change",
    ["DELETE FROM audit", "TRUNCATE audit", "UPDATE audit SET actor = 'mallory'", "UPDATE audit SET details = '{}'"],
)
def test_the_audit_trail_refuses_changes(filled: str, execute: Any, change: str):
    from psycopg.errors import RaiseException

    with pytest.raises(RaiseException, match="append-only"):
        execute(change)


# ── migrations ──────────────────────────────────────────────────────────────────────────────────


def add_table(connection: Connection, dialect: Dialect) -> None:
    connection.execute(text("CREATE TABLE colours (memory bigint PRIMARY KEY, colour text)"))


def fail_midway(connection: Connection, dialect: Dialect) -> None:
    connection.execute(text("CREATE TABLE half (x text)"))
    raise InvalidInput("migration", "something is wrong")


def migrate_place(address: str, *later: Migration) -> None:
    database = Database(Postgres(read_address(address)), StoreOptions())
    try:
        migrate(database, NOW, [*MIGRATIONS, *later])
    finally:
        database.close()


@pytest.mark.requirement("STO-024")
def test_every_migration_is_applied_once_in_order_with_its_record(filled: str, execute: Any):
    recorded = "SELECT version, name FROM migrations ORDER BY version"
    assert execute(recorded) == RELEASED
    for _ in range(2):
        migrate_place(filled, Migration("colours", add_table))
        assert execute(recorded) == [*RELEASED, (len(RELEASED) + 1, "colours")]


def test_a_migration_that_fails_leaves_nothing_behind(filled: str, execute: Any):
    for _ in range(2):
        with pytest.raises(GroundwireError, match="something is wrong"):
            migrate_place(filled, Migration("half", fail_midway))
    assert execute("SELECT to_regclass('half') IS NULL") == [(True,)]
    assert len(execute("SELECT version FROM migrations")) == len(MIGRATIONS)


def test_threads_that_open_a_new_store_together_migrate_it_once(address: str, execute: Any):
    opened: list[SqlStore] = []
    problems: list[BaseException] = []
    start = threading.Barrier(6)

    def open_one() -> None:
        start.wait()
        try:
            opened.append(open_store(address, NOW))
        except BaseException as error:  # a thread tells nobody else
            problems.append(error)

    threads = [threading.Thread(target=open_one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in opened:
        store.close()
    assert problems == [] and execute("SELECT version, name FROM migrations ORDER BY version") == RELEASED


# ── transactions ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("STO-002")
@pytest.mark.parametrize("setting", ["off", "local", "on", "remote_apply"])
def test_a_write_waits_for_the_disk_whatever_the_server_was_told(postgres: Any, setting: str):
    with postgres.database() as name:
        postgres.execute(f"ALTER DATABASE {{}} SET synchronous_commit = {setting}", name)
        with open_store(postgres.address(name), NOW) as store, store._database.writing() as writer:
            expected = "on" if setting in ("off", "local") else setting
            assert writer.connection.execute(text("SHOW synchronous_commit")).scalar() == expected
            assert writer.connection.execute(text("SHOW transaction_isolation")).scalar() == "read committed"
            assert writer.connection.execute(text("SHOW lock_timeout")).scalar() == "1min"
            assert writer.connection.execute(text("SHOW idle_in_transaction_session_timeout")).scalar() == "10min"


@pytest.mark.requirement("STO-002")
def test_a_write_whose_commit_is_lost_is_not_reported_as_done(filled: str, postgres: Any):
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'groundwire'"
    with open_store(filled, NOW) as store:
        with pytest.raises(StoreUnavailable, match=r"connection .* was lost; try again"), store.transaction():
            store.memories.add(memory("Too late.", "late"), act())
            postgres.execute(end)
        assert store.memories.get(ADA, "late") is None, "and the next call finds the server again"
        store.memories.add(memory("In time.", "late"), act())
        postgres.execute(end)
        store.memories.add(memory("In time.", "later"), act())
        assert store.check() == ()


def test_a_server_that_was_restarted_is_found_again(filled: str, postgres: Any):
    with open_store(filled, NOW) as store:
        postgres.stop()
        with pytest.raises(StoreUnavailable, match=r"cannot be reached|was lost"):
            store.memories.add(memory("Nobody hears this.", "n"), act())
        postgres.start()
        store.memories.add(memory("I like tea.", "m"), act())
        assert store.memories.get(ADA, "n") is None and store.check() == (), "after a crash, all of it is there"


def test_readers_keep_the_state_that_they_began_with(filled: str):
    with open_store(filled, NOW) as store, open_store(filled, NOW) as other, store._database.reading() as connection:
        count = text("SELECT count(*) FROM memories")
        assert connection.execute(count).scalar() == 20
        other.memories.add(memory("One more."), act())
        assert connection.execute(count).scalar() == 20 and other.memories.count(ADA) == 21
        assert connection.execute(text("SHOW transaction_read_only")).scalar() == "on"


def test_a_lock_that_is_never_released_is_explained(filled: str):
    options = StoreOptions(busy_seconds=0.1)
    with open_store(filled, NOW, options=options) as store, open_store(filled, NOW) as other:
        with other.transaction(), pytest.raises(StoreBusy, match=r"in use by others for 0\.1 seconds"):
            store.memories.add(memory("I like tea."), act())
        assert store.memories.count(ADA) == 20, "reading goes on"
        store.memories.add(memory("I like tea."), act())


def test_connections_that_are_all_in_use_are_explained(filled: str):
    with open_store(filled, NOW, options=StoreOptions(busy_seconds=0.1)) as store:
        engine = store._database.engine
        taken = [engine.connect() for _ in range(32)]
        with pytest.raises(StoreBusy, match="all connections"):
            store.memories.count(ADA)
        for connection in taken:
            connection.close()
        assert store.memories.count(ADA) == 20


def test_a_server_without_room_or_connections_is_told_apart(postgres: Any, ann: str, execute: Any, filled: str):
    postgres.execute("ALTER ROLE ann CONNECTION LIMIT 0")
    with pytest.raises(StoreBusy, match="takes no more connections"):
        open_store(postgres.address(ann, "ann", SECRET), NOW)
    execute(
        "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$; "
        "CREATE TRIGGER full_disk BEFORE INSERT ON evidence EXECUTE FUNCTION fill()"
    )
    with open_store(filled, NOW) as store:
        with pytest.raises(StoreFull, match="no room left"):
            store.memories.add(memory("I like tea.", "m"), act())
        assert store.memories.get(ADA, "m") is None and store.check() == ()


@pytest.mark.parametrize("code", ["serialization_failure", "deadlock_detected", "query_canceled"])
def test_whatever_others_break_off_can_be_tried_again(filled: str, execute: Any, code: str):
    execute(
        "CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = '{code}'; END $$; "
        "CREATE TRIGGER conflict BEFORE INSERT ON evidence EXECUTE FUNCTION conflict()"
    )
    with open_store(filled, NOW) as store:
        with pytest.raises(StoreBusy, match=r"not now.*try again; nothing was half written"):
            store.memories.add(memory("I like tea.", "m"), act())
        execute("DROP TRIGGER conflict ON evidence")
        assert store.memories.add(memory("I like tea.", "m"), act()).id == "m" and store.check() == ()


# ── values ──────────────────────────────────────────────────────────────────────────────────────


def test_a_nul_in_a_question_is_refused_as_input(filled: str):
    with open_store(filled, NOW) as store:
        with pytest.raises(InvalidInput, match="NUL"):
            store.memories.get(ADA, "a\x00b")
        assert store.memories.search(ADA, "te\x00a jam\x00", limit=3) and store.check() == ()


def test_the_longest_names_and_words_fit(address: str):
    scope = Scope(
        "".join(chr(0x4E00 + 7 * n % 20_000) for n in range(340)), "".join(chr(0x4E00 + n) for n in range(340))
    )
    long = "".join(chr(0x4E00 + 11 * n % 20_000) for n in range(8_000))
    with open_store(address, NOW) as store:
        store.memories.add(memory(long, "".join(chr(0x1F000 + n) for n in range(512)), scope=scope), act())
        assert store.memories.count(scope) == 1 and store.memories.search(scope, long)
        with pytest.raises(InvalidInput, match="bytes"):
            store.memories.add(memory("x", scope=Scope("\U0001f600" * 300, "\U0001f600" * 300)), act())
        assert store.memories.get(BOB, long) is None and store.check() == ()


def test_a_store_moves_from_a_file_to_a_server_and_back(address: str, tmp_path: Any):
    from test_transfer import fill

    with open_store(tmp_path / "memory.db", NOW) as file, open_store(address, NOW) as server:
        fill(file)
        lines = [json.dumps(line) for line in file.export()]
        assert server.restore(map(json.loads, lines), act(5)) == {
            "memories added": 3,
            "reviews added": 1,
            "tombstones added": 1,
        }
        assert [json.dumps(line) for line in server.export()] == lines
        assert server.memories.history(ADA, "new") == file.memories.history(ADA, "new")
        assert server.memories.search(ADA, "koln")[0].memory.id == "old"
        with open_store(None, NOW) as back:
            back.restore(server.export(), act(6))
            assert [json.dumps(line) for line in back.export()] == lines and back.check() == ()


# ── forgetting ──────────────────────────────────────────────────────────────────────────────────


def read_files(postgres: Any) -> bytes:
    postgres.execute("CHECKPOINT")
    return b"".join(file.read_bytes() for file in (postgres.folder / "data" / "base").rglob("*") if file.is_file())


def test_what_is_forgotten_is_in_no_table_no_index_and_no_statistics(postgres: Any, address: str, execute: Any):
    words = {f"m{number}": f"zebra{number * 7919:06d}" for number in range(40)}
    with open_store(address, NOW) as store:
        for id, word in words.items():
            store.memories.add(memory(f"My secret is {word}.", id), act(), fingerprints=[f"f:{word}"])
            store.sessions.put(ADA, {f"/{id}": f"My secret is {word}."}, NOW)
        execute("ANALYZE")
        doomed = [f"m{number}" for number in range(0, 40, 2)]
        assert store.memories.forget(ADA, doomed, act()).is_purged
        files = read_files(postgres)
    assert [words[id] for id in doomed if words[id].encode() in files] == []
    assert all(word.encode() in files for id, word in words.items() if id not in doomed)


def test_a_reader_delays_the_purge_and_not_the_forgetting(postgres: Any, filled: str):
    with open_store(filled, NOW, options=StoreOptions(busy_seconds=0.5)) as store, open_store(filled, NOW) as other:
        with other._database.reading() as connection:
            connection.execute(text("SELECT count(*) FROM reviews"))
            gone = store.memories.forget(ADA, ["7"], act())
            assert gone.tombstones and not gone.is_purged and store.memories.get(ADA, "7") is None
            assert connection.execute(text("SELECT count(*) FROM memories WHERE id = '7'")).scalar() == 1
        assert store.purge() and store.memories.recall(ADA, at(1))


def test_what_another_role_may_still_see_is_not_called_purged(postgres: Any, ann: str):
    with (
        open_store(postgres.address(ann, "ann", SECRET), NOW) as store,
        open_store(postgres.address(ann), NOW) as other,
    ):
        for id in ("a", "b"):
            store.memories.add(memory("I like tea.", id), act())
        other.memories.count(ADA)
        assert not store.memories.forget(ADA, ["a"], act()).is_purged, "a session of the superuser is hidden from ann"
        assert other.memories.forget(ADA, ["b"], act()).is_purged, "and not the other way round"
