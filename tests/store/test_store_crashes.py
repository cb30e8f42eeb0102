"""A writer that is killed without warning: what it was told is kept, nothing is kept twice, the chain is whole."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from store_samples import ADA, BOB, NOW, act, at, memory

from groundwire.store.sql import open_store
from groundwire.types.records import ReviewState

WORKER = Path(__file__).with_name("store_worker.py")


def write_and_kill(place: Path | str, name: str, writes: int, chance: random.Random) -> list[list[str]]:
    """Kill the writer somewhere among its writes; the acknowledgements that arrived before."""
    command = [sys.executable, str(WORKER), "write", str(place), name, str(writes)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        last = chance.randrange(writes)
        heard = [writer.stdout.readline() for _ in range(last + 1)]
        for _ in range(chance.randrange(20_000)):
            pass  # let it get some way into the next write
        writer.send_signal(signal.SIGKILL)
        heard += writer.stdout.readlines()
    assert heard[0] == "ready\n", "the writer has to have been at work"
    return [line.split(maxsplit=1) for line in map(str.strip, heard[1:]) if line]


def crash_and_examine(place: Path | str, rounds: int, writes: int, seed: int) -> None:
    chance, acknowledged = random.Random(seed), 0
    expected = {"memory": set[str](), "item": set[str](), "approved": set[str]()}
    for number in range(rounds):
        for what, id in write_and_kill(place, f"r{number}", writes, chance):
            expected[what].add(id)
            acknowledged += 1
        with open_store(place, NOW) as store:
            assert store.check() == ()
            lines = [line for line in store.export() if line["record"] == "memory"]
            ids = [line["id"] for line in lines]
            texts = [line["text"] for line in lines]
            assert len(set(ids)) == len(ids) and len(set(texts)) == len(texts), "nothing is there twice"
            assert expected["memory"] | expected["approved"] <= set(ids), "everything acknowledged is there"
            assert len(ids) <= len(expected["memory"]) + len(expected["approved"]) + number + 1, "one may be in flight"
            for id in expected["item"]:
                item = store.reviews.get(ADA, id, act())
                assert item is not None
                kept = f"from {id}" in ids
                assert kept == (item.state is ReviewState.APPROVED), "removal and storing happen together"
            for line in lines:
                assert (line["superseded_by"] or line["id"]) in ids, "a change is whole"
    assert acknowledged > 0


@pytest.mark.requirement("STO-002")
def test_a_killed_writer_loses_nothing_that_was_acknowledged(place: Path | str):
    crash_and_examine(place, rounds=3, writes=60, seed=1)


@pytest.mark.slow
def test_twenty_killed_writers_of_a_thousand_writes_lose_nothing(path: Path):
    crash_and_examine(path, rounds=20, writes=1_000, seed=2)


@pytest.mark.slow
@pytest.mark.requirement("STO-002")
def test_ten_killed_writers_to_a_server_lose_nothing(address: str):
    crash_and_examine(address, rounds=10, writes=200, seed=3)


def test_a_store_killed_while_it_is_made_can_be_opened(place: Path | str):
    for _ in range(3):
        command = [sys.executable, str(WORKER), "write", str(place), "x", "4"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            writer.send_signal(signal.SIGKILL)
        with open_store(place, NOW) as store:
            store.memories.add(memory("I like tea.", scope=BOB), act())
            assert store.check() == () and store.memories.recall(BOB, at(1))
