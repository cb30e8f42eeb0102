"""Many threads and several processes at once: no lost update, nothing twice, and nobody is told of a lock."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from store_samples import ADA, BOB, NOW, act, memory, pending
from store_worker import SHARED, approve

from groundwire.errors import IllegalChange, QueueFull
from groundwire.memory.protocols import Store
from groundwire.store.options import StoreOptions
from groundwire.store.sql import SqlStore, open_store

WORKER = Path(__file__).with_name("store_worker.py")


def run_threads(number: int, work: Callable[[int], None]) -> list[BaseException]:
    """What went wrong in any of them; they begin together."""
    problems: list[BaseException] = []
    start = threading.Barrier(number)

    def run(index: int) -> None:
        start.wait()
        try:
            work(index)
        except BaseException as error:  # a thread tells nobody else
            problems.append(error)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def test_sixteen_threads_lose_no_update(store: Store):
    store.memories.add(memory("I like tea.", SHARED), act())

    def work(index: int) -> None:
        for number in range(8):
            store.memories.add(memory(f"Fact {index} {number}.", f"{index}-{number}"), act())
            store.memories.confirm(ADA, SHARED, act())
            assert store.memories.get(ADA, f"{index}-{number}") is not None, "whoever wrote it sees it"
            assert store.memories.search(ADA, f"{index} {number}", limit=1)

    assert run_threads(16, work) == []
    shared = store.memories.get(ADA, SHARED)
    assert shared is not None and shared.mentions == 1 + 16 * 8
    assert store.memories.count(ADA) == 1 + 16 * 8 and store.changes(ADA) == 1 + 2 * 16 * 8
    assert store.check() == ()


@pytest.mark.requirement("REV-008")
def test_sixteen_approvals_of_one_item_store_it_once(store: Store):
    assert isinstance(store, SqlStore)
    store.reviews.enqueue(pending("The API uses OAuth2.", "q"), act())
    stored: list[str] = []
    refused: list[str] = []

    def work(index: int) -> None:
        try:
            stored.append(approve(store, "q"))
        except IllegalChange as error:
            refused.append(str(error))

    assert run_threads(16, work) == []
    assert len(stored) == 1 and len(refused) == 15 and store.memories.count(ADA) == 1
    outcomes = Counter(entry.outcome for entry in store.audit.entries(ADA, target="q") if entry.action == "approve")
    assert outcomes == {"ok": 1, "refused: IllegalChange": 15} and store.audit.verify() == ()


@pytest.mark.requirement("REV-007")
def test_whoever_fills_a_queue_at_once_fills_it_to_its_limit_and_no_further(place: Path | str):
    options = StoreOptions(pending_per_owner=10, pending_total=15)
    with open_store(place, NOW, options=options) as one, open_store(place, NOW, options=options) as other:
        refused: list[QueueFull] = []

        def work(index: int) -> None:
            for number in range(4):
                try:
                    scope = (ADA, BOB)[index % 2]
                    (one, other)[index // 2 % 2].reviews.enqueue(pending("Item.", f"{index}-{number}", scope), act())
                except QueueFull as error:
                    refused.append(error)

        assert run_threads(8, work) == []
        waiting = [one.pages.pending(scope).items for scope in (ADA, BOB)]
        assert max(map(len, waiting)) <= 10 and sum(map(len, waiting)) == 15 and len(refused) == 8 * 4 - 15
        assert one.check() == ()


def test_readers_see_whole_transactions_only(store: Store):
    done = threading.Event()

    def work(index: int) -> None:
        if index == 0:
            for number in range(20):
                with store.transaction():
                    store.memories.add(memory("Left.", f"{number}-left"), act())
                    store.memories.add(memory("Right.", f"{number}-right"), act())
            done.set()
        while not done.is_set():
            assert store.memories.count(ADA) % 2 == 0

    assert run_threads(5, work) == []


def contend(place: Path | str, processes: int, threads: int, rounds: int) -> None:
    with open_store(place, NOW) as store:
        store.memories.add(memory("I like tea.", SHARED), act())
        for number in range(rounds):
            store.reviews.enqueue(pending(f"Claim {number}.", f"item {number}"), act())
    command = [sys.executable, str(WORKER), "contend", str(place)]
    workers = [
        subprocess.Popen([*command, f"p{index}", str(threads), str(rounds)], stdout=subprocess.PIPE, text=True)
        for index in range(processes)
    ]
    said = [line for worker in workers for line in worker.communicate()[0].splitlines()]
    assert [worker.returncode for worker in workers] == [0] * processes
    kinds = Counter(line.split()[0] for line in said)
    writes = processes * threads * rounds
    assert kinds == {"memory": writes, "approved": rounds}, "every write arrived, every item was approved once"
    with open_store(place, NOW) as store:
        shared = store.memories.get(ADA, SHARED)
        assert shared is not None and shared.mentions == 1 + writes
        assert store.memories.count(ADA) == 1 + writes + rounds and store.check() == ()


def test_four_processes_share_one_store(place: Path | str):
    contend(place, processes=4, threads=2, rounds=5)


@pytest.mark.slow
def test_four_processes_of_sixteen_threads_share_one_store(place: Path | str):
    contend(place, processes=4, threads=16, rounds=10)


def test_four_processes_make_one_store_at_the_same_time(place: Path | str):
    command = [sys.executable, str(WORKER), "write", str(place)]
    workers = [subprocess.Popen([*command, f"p{index}", "8"], stdout=subprocess.DEVNULL) for index in range(4)]
    assert [worker.wait() for worker in workers] == [0, 0, 0, 0]
    with open_store(place, NOW) as store:
        assert store.memories.count(ADA) == 4 * 2 * 3 and store.check() == ()
