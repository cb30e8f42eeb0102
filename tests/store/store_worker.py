"""Writes to a store until it is done or killed; says on stdout what has been acknowledged, one line each."""

from __future__ import annotations

import contextlib
import sys
import threading

from store_samples import ADA, NOW, act, memory, pending

from groundwire.errors import IllegalChange
from groundwire.store.sql import SqlStore, open_store
from groundwire.types.records import PendingMemory

SHARED = "shared"


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def approve(store: SqlStore, queue_id: str) -> str:
    def keep(item: PendingMemory) -> str:
        return store.memories.add(memory(item.content, f"from {queue_id}"), act(1)).id

    return store.reviews.approve(ADA, queue_id, act(1), keep)


def write_until_killed(place: str, name: str, writes: int) -> None:
    """Memories, superseding ones, items and their approvals in turn."""
    with open_store(place, NOW) as store:
        say("ready")
        for number in range(writes // 4):
            id = f"{name}-{number}"
            store.memories.add(memory(f"Fact {id}.", id), act())
            say("memory", id)
            store.memories.supersede(id, memory(f"Newer fact {id}.", f"{id}-b"), act(1), why="changed")
            say("memory", f"{id}-b")
            store.reviews.enqueue(pending(f"Claim {id}.", id), act())
            say("item", id)
            say("approved", approve(store, id))


def contend(place: str, name: str, threads: int, rounds: int) -> None:
    """Everybody adds, everybody confirms the same memory, everybody tries to approve the same items."""
    failures: list[BaseException] = []
    with open_store(place, NOW) as store:

        def work(thread: int) -> None:
            try:
                for number in range(rounds):
                    id = f"{name}-{thread}-{number}"
                    store.memories.add(memory(f"Fact {id}.", id), act())
                    store.memories.confirm(ADA, SHARED, act())
                    with contextlib.suppress(IllegalChange):
                        say("approved", approve(store, f"item {number}"))
                    assert store.memories.get(ADA, id) is not None
                    say("memory", id)
            except BaseException as error:  # a thread tells nobody else
                failures.append(error)

        workers = [threading.Thread(target=work, args=(thread,)) for thread in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    if failures:
        raise failures[0]


if __name__ == "__main__":
    role, place, name, *numbers = sys.argv[1:]
    {"write": write_until_killed, "contend": contend}[role](place, name, *map(int, numbers))
