"""The contract of export and restore: everything arrives, nothing twice, nothing that was forgotten."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from store_samples import ADA, BOB, NOW, act, at, evidence, memory, pending

from groundwire.errors import InvalidInput
from groundwire.memory.protocols import Store
from groundwire.store.migrations import MIGRATIONS
from groundwire.store.sql import open_store


def fill(store: Store) -> None:
    proof = evidence("I live in Köln.", source_id="ADR-1", validity_horizon=at(99), metadata={"checks": [1, "a"]})
    store.memories.add(memory("I live in Köln.", "old", evidence=proof), act())
    store.memories.supersede("old", memory("I live in Rome.", "new", evidence=None), act(1), why="moved")
    store.memories.add(memory("I like tea.", "m", scope=BOB), act())
    store.memories.add(memory("I like jam.", "gone"), act())
    store.memories.forget(ADA, ["gone"], act(2))
    store.reviews.enqueue(pending("I like milk.", "q", validation_result={"tier": "tier_2"}), act())
    store.reviews.enqueue(pending("I like ink.", "r"), act())
    store.reviews.reject(ADA, "r", act(), reason="no")


def test_what_is_exported_can_be_restored_elsewhere(store: Store):
    fill(store)
    lines = [json.loads(json.dumps(line)) for line in store.export()]
    assert [(line["record"], line.get("id") or line["queue_id"]) for line in lines] == [
        ("memory", "old"),
        ("memory", "new"),
        ("memory", "m"),
        ("review", "q"),
        ("tombstone", "gone"),
    ]
    with open_store(None, NOW) as other:
        counts = other.restore(lines, act(5))
        assert counts == {"memories added": 3, "reviews added": 1, "tombstones added": 1}
        for scope in (ADA, BOB):
            assert other.memories.recall(scope, at(3)) == store.memories.recall(scope, at(3))
        assert other.memories.history(ADA, "new") == store.memories.history(ADA, "new")
        assert other.reviews.pending(ADA, act()) == store.reviews.pending(ADA, act())
        assert other.memories.tombstones(ADA) == store.memories.tombstones(ADA)
        assert other.memories.search(ADA, "koln")[0].memory.id == "old"
        assert list(other.export()) == list(store.export()) and other.check() == ()
        assert set(other.restore(lines, act(6))) == {"memories skipped", "reviews skipped", "tombstones skipped"}


def test_one_owner_is_exported_alone(store: Store):
    fill(store)
    assert [line["id"] for line in store.export(BOB)] == ["m"]


def test_what_was_forgotten_does_not_come_back(store: Store):
    store.memories.add(memory("I like jam.", "gone"), act())
    backup = list(store.export())
    store.memories.forget(ADA, ["gone"], act(1))
    assert store.restore(backup, act(2)) == {"memories skipped": 1}
    assert store.memories.get(ADA, "gone") is None


@pytest.mark.parametrize(
    "broken", [{"record": "poem"}, {"record": "memory"}, {}, {"record": "memory", "id": 1, "evidence": 3}]
)
def test_a_line_that_cannot_be_read_leaves_the_store_as_it_was(store: Store, broken: dict[str, object]):
    with open_store(None, NOW) as other:
        other.memories.add(memory("I like tea."), act())
        lines = list(other.export())
    with pytest.raises(InvalidInput, match="line 2"):
        store.restore([*lines, broken], act())
    assert store.memories.count(ADA) == 0 and store.changes() == 0


@pytest.mark.requirement("STO-024")
def test_a_store_has_a_version_moves_as_json_lines_and_deletes_a_subject_completely(path: Path, tmp_path: Path):
    lines = tmp_path / "memories.jsonl"
    with open_store(path, NOW) as store:
        fill(store)
        with lines.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in store.export())
    raw = sqlite3.connect(path)
    applied = raw.execute("SELECT version, name FROM migrations ORDER BY version").fetchall()
    assert applied == [(number, migration.name) for number, migration in enumerate(MIGRATIONS, 1)]
    assert raw.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    raw.close()
    with open_store(tmp_path / "other.db", NOW) as other, lines.open(encoding="utf-8") as file:
        other.restore(map(json.loads, file), act())
        other.memories.forget_owner(ADA, act(9, actor="officer"))
        assert [line["record"] for line in other.export(ADA)] == ["tombstone"] * 3
        last, *earlier = other.audit.entries(ADA)
        assert last.action == "forget_owner" and all(entry.details is None for entry in earlier)
        assert other.memories.count(BOB) == 1 and other.check() == ()
        kept = b"".join(file.read_bytes() for file in tmp_path.glob("other.db*"))
    assert b"like tea" in kept and not any(word in kept for word in (b"Rome", "Köln".encode(), b"like milk"))
