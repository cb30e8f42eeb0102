"""Killed at any moment: every acknowledged memory is there, none twice, and the audit chain is whole."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from remembered import ADA, open_memory, store_of

WORKER = """
import sys
from groundwire import Groundwire, Settings
path, first = sys.argv[1], int(sys.argv[2])
with Groundwire(path, settings=Settings(judge="rules")) as gw:
    for n in range(first, first + 10_000):
        port = gw.remember(f"The host db{n} listens on port {n}.", user="ada", source="manual")
        print("stored", port.memory.id, flush=True)
        claim = f"The host web{n} listens on port {n}."
        item = gw.remember(claim, user="ada", source="ai_synthesis", credential="agent")
        print("queued", item.review_id, flush=True)
        print("stored", gw.reviews("ada").approve(item.review_id).memory.id, flush=True)
        moved = gw.remember(f"I moved to {('Porto', 'Berlin')[n % 2]}.", user="ada")
        print("stored", moved.memory.id, flush=True)
"""


def run_until_killed(path: Path, first: int, lines: int) -> list[tuple[str, str]]:
    """What was acknowledged before the kill, which comes while more is being written."""
    with subprocess.Popen(
        [sys.executable, "-c", WORKER, str(path), str(first)], stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None
        seen = [worker.stdout.readline() for _ in range(lines)]
        worker.kill()
        seen += worker.stdout.readlines()
    return [(what, id) for what, id in (line.split() for line in seen if line.endswith("\n"))]


def check(path: Path, acknowledged: list[tuple[str, str]]) -> None:
    with open_memory(path) as gw:
        store = store_of(gw)
        memories = {memory.id: memory for memory in store.memories.list(ADA)}
        assert {id for what, id in acknowledged if what == "stored"} <= memories.keys()
        # Whoever moves back and forth says the same again, rightly; nothing else is there twice.
        others = Counter(memory.text for memory in memories.values() if not memory.text.startswith("I moved"))
        assert set(others.values()) == {1}
        assert sum(m.superseded_by is None for m in memories.values() if m.text.startswith("I moved")) <= 1
        decided = {entry.target for entry in store.audit.entries(ADA, limit=10_000) if entry.action == "approve"}
        pending = {item.queue_id for item in gw.reviews("ada").pending()}
        assert {id for what, id in acknowledged if what == "queued"} <= decided | pending
        assert store.check() == ()
        assert all(finding.ok for finding in gw.doctor())


def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path):
    path = tmp_path / "memory.db"
    check(path, run_until_killed(path, 1, 9))


@pytest.mark.slow
def test_many_kills_lose_nothing_that_was_acknowledged(tmp_path: Path):
    path, acknowledged = tmp_path / "memory.db", list[tuple[str, str]]()
    for number in range(8):
        acknowledged += run_until_killed(path, 1 + 1_000 * number, 3 + 7 * number)
        check(path, acknowledged)
