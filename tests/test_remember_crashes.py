"""Killed at any moment: every acknowledged memory is there, none twice, and the audit chain is whole."""

from __future__ import annotations

import random
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
        assert set(others.values()) <= {1}
        assert sum(m.superseded_by is None for m in memories.values() if m.text.startswith("I moved")) <= 1
        decided = {entry.target for entry in store.audit.entries(ADA, limit=10_000) if entry.action == "approve"}
        pending = {item.queue_id for item in gw.reviews("ada").pending()}
        assert {id for what, id in acknowledged if what == "queued"} <= decided | pending
        assert store.check() == ()
        assert all(finding.ok for finding in gw.doctor())


def test_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path):
    path = tmp_path / "memory.db"
    check(path, run_until_killed(path, 1, 9))


# ── twenty times within a thousand operations ───────────────────────────────────────────────────

KILLS = 20
OPERATIONS = 1_000

# Kills itself in the middle of whatever it is doing: at a call that the test has drawn, of Python or of the database.
MORTAL = """
import os, signal, sys
from groundwire import Groundwire, Settings
path, first, last, left = sys.argv[1], *map(int, sys.argv[2:])

def count(frame, event, argument):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

with Groundwire(path, settings=Settings(judge="rules")) as gw:
    gw.recall("a host", user="ada")  # everything is loaded, and the store is made
    print("ready", first, flush=True)
    if left:
        sys.setprofile(count)
    for n in range(first, last):
        claim = f"The host web{n} listens on port {n}."
        if n % 3 == 0:
            print("stored", gw.remember(f"The host db{n} listens on port {n}.", user="ada").memory.id, n, flush=True)
        elif n % 3 == 1:
            item = gw.remember(claim, user="ada", source="ai_synthesis", credential="agent")
            print("queued", item.review_id, n, flush=True)
        else:
            for item in gw.reviews("ada").pending():
                print("stored", gw.reviews("ada").approve(item.queue_id).memory.id, n, flush=True)
"""
_CALLS_A_RUN = 600_000


def live(path: Path, first: int, calls: int) -> tuple[list[tuple[str, str]], int, bool]:
    """One life: what it acknowledged, where the next goes on, and whether it was killed."""
    command = [sys.executable, "-c", MORTAL, str(path), str(first), str(OPERATIONS), str(calls)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    lines = [line.split() for line in done.stdout.splitlines(keepends=True) if line.endswith("\n")]
    assert lines and lines[0][0] == "ready", "it died before it began"
    acknowledged = [(what, id) for what, id, _ in lines[1:]]
    return acknowledged, 1 + max([first - 1, *(int(n) for *_, n in lines[1:])]), done.returncode != 0


@pytest.mark.slow
def test_twenty_kills_within_a_thousand_operations_lose_nothing_and_double_nothing(tmp_path: Path):
    path, acknowledged, first = tmp_path / "memory.db", list[tuple[str, str]](), 0
    draw, killed = random.Random(4), 0
    while killed < KILLS:
        calls = draw.randrange(1, _CALLS_A_RUN)
        more, first, was_killed = live(path, first, calls)
        assert was_killed, "all operations were done before it died: draw fewer calls"
        killed += 1
        acknowledged += more
        check(path, acknowledged)
    more, first, was_killed = live(path, first, 0)
    acknowledged += more
    assert (first, was_killed) == (OPERATIONS, False)
    check(path, acknowledged)
    kept = [id for what, id in acknowledged if what == "stored"]
    assert len(kept) == len(set(kept)) > OPERATIONS // 2
