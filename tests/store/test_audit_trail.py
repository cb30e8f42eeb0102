"""The contract of the audit trail, and what an attacker with the file in hand cannot do unnoticed."""

from __future__ import annotations

import sqlite3
from itertools import pairwise
from pathlib import Path

import pytest
from store_samples import ADA, BOB, NOW, act, at, memory

from groundwire.memory.protocols import Store
from groundwire.store.chain import GENESIS
from groundwire.store.sql import open_store


def fill(store: Store) -> None:
    for number in range(5):
        store.memories.add(memory(f"Fact {number}.", str(number)), act(number))


@pytest.mark.requirement("STO-006")
def test_entries_are_ordered_timed_in_utc_and_chained(store: Store):
    fill(store)
    store.audit.record(BOB, "login", "console", act(9, actor="bob"), outcome="refused", details={"tries": 3})
    entries = store.audit.entries(ADA)[::-1]
    assert [entry.sequence for entry in entries] == [1, 2, 3, 4, 5]
    assert entries[0].previous == GENESIS
    assert all(later.previous == earlier.hash for earlier, later in pairwise(entries))
    assert [entry.recorded_at for entry in entries] == [at(day) for day in range(5)]
    assert all(str(entry.recorded_at.tzinfo) == "UTC" for entry in entries)
    (foreign,) = store.audit.entries(BOB)
    assert (foreign.action, foreign.outcome, foreign.details, foreign.actor) == (
        "login",
        "refused",
        {"tries": 3},
        "bob",
    )
    assert store.audit.verify() == () and len(store.audit.entries(ADA, limit=2)) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET actor = 'eve' WHERE sequence = 2",
        "UPDATE audit SET details = '{}' WHERE sequence = 2",
        "UPDATE audit SET details = NULL WHERE sequence = 2",
        "UPDATE audit SET details = NULL, salt = NULL, actor = 'eve' WHERE sequence = 2",
        "DELETE FROM audit WHERE sequence = 2",
        "DELETE FROM audit",
    ],
)
def test_the_table_itself_refuses_changes(path: Path, statement: str):
    with open_store(path, NOW) as store:
        fill(store)
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()


@pytest.mark.requirement("STO-006")
@pytest.mark.parametrize(
    ("statement", "finding"),
    [
        ("UPDATE audit SET actor = 'eve' WHERE sequence = 2", "entry 2 has been changed"),
        ("UPDATE audit SET recorded_at = 1 WHERE sequence = 5", "entry 5 has been changed"),
        ("UPDATE audit SET details = '{}' WHERE sequence = 2", "details of audit entry 2 have been changed"),
        ("UPDATE audit SET details = NULL, salt = NULL WHERE sequence = 2", "entry 2 were erased although"),
        ("DELETE FROM audit WHERE sequence = 3", "entry 3 is missing"),
        ("DELETE FROM audit WHERE sequence >= 4", "entries 4 to 5 are missing"),
        ("DELETE FROM audit", "entries 1 to 5 are missing"),
        ("UPDATE audit SET hash = 'x' WHERE sequence = 3", "entry 4 does not follow"),
    ],
)
def test_tampering_is_found_once_the_guards_are_gone(path: Path, statement: str, finding: str):
    with open_store(path, NOW) as store:
        fill(store)
        assert store.audit.verify() == ()
    connection = sqlite3.connect(path, isolation_level=None)
    for trigger in ("audit_refuses_update", "audit_refuses_delete"):
        connection.execute(f"DROP TRIGGER {trigger}")
    assert connection.execute(statement).rowcount >= 1
    connection.close()
    with open_store(path, NOW) as store:
        assert any(finding in problem for problem in store.audit.verify())
        assert any(finding in problem for problem in store.check())
