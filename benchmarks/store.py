"""What the store costs as it grows: opening, writing, searching, forgetting, on one file or on a server.

    python benchmarks/store.py [--json] [--sizes 1000,10000,100000] [--owners 1] [--server postgresql://…]

Each size is filled into a file of its own with memories of ordinary length, evenly among the owners; then the file is
opened afresh and asked as one of them. Writes are acknowledged by the disk one at a time. Times are medians in
milliseconds; p99 is given where a caller waits for an answer. Opening is done in a process that has the modules loaded.
With --server each size is a new schema of that database in place of a file, and is left there.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from groundwire.store.sql import SqlStore, open_store
from groundwire.types import Confidence, EvidenceObject, Memory, Scope
from groundwire.types.records import Act, PendingMemory

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ACT = Act("ada", NOW, "console")
BATCH = 5_000
REPEATS = 200
VERBS = ("likes", "visited", "works on", "owns", "met", "plans", "studied", "sold")


@dataclass(frozen=True, slots=True)
class Row:
    """One size of file; times in milliseconds."""

    memories: int
    owners: int
    file_mb: float
    fill_per_s: float
    open_ms: float
    first_search_ms: float
    get_ms: float
    search_ms: float
    search_p99_ms: float
    fingerprints_ms: float
    recall_100_ms: float
    changes_ms: float
    add_ms: float
    approve_ms: float
    forget_ms: float


def invent_texts(number: int, seed: int) -> list[str]:
    """Sentences whose words are as unevenly common as words are."""
    chance = random.Random(seed)
    words = [
        f"{chance.choice('bcdfglmnprst')}{chance.choice('aeiou')}{chance.getrandbits(24):x}" for _ in range(20_000)
    ]
    weights = [1 / (rank + 10) for rank in range(len(words))]
    drawn = iter(chance.choices(words, weights, k=number * 8))
    return [f"The user {chance.choice(VERBS)} {' '.join(next(drawn) for _ in range(8))}." for _ in range(number)]


def as_memory(id: str, text: str, owner: str) -> Memory:
    evidence = EvidenceObject(text, NOW, Confidence.HIGH, "ADR-003", None, {"tier_reason": "trusted_source"})
    return Memory(id, text, 0.9, source="user", owner=owner, evidence=evidence)


def fill(store: SqlStore, texts: list[str], owners: int) -> None:
    for start in range(0, len(texts), BATCH):
        part = [(f"m{n}", texts[n], f"o{n % owners}") for n in range(start, min(start + BATCH, len(texts)))]
        part.sort(key=lambda entry: entry[2])
        memories = [as_memory(*entry) for entry in part]
        store.memories.add_many(memories, ACT, fingerprints=[[f"hash:{memory.text}"] for memory in memories])


def time_calls(calls: list[Callable[[], object]]) -> tuple[float, float]:
    """Median and p99 in milliseconds."""
    taken: list[float] = []
    for call in calls:
        begun = time.perf_counter()
        call()
        taken.append((time.perf_counter() - begun) * 1e3)
    return statistics.median(taken), sorted(taken)[int(len(taken) * 0.99)]


def name_schema(address: str, name: str) -> str:
    """A store of its own in a database on a server; a second run needs another."""
    return f"{address}{'&' if '?' in address else '?'}schema=bench_{name}_{time.time_ns():x}"


def measure(size: int, owners: int, path: Path | str) -> Row:
    texts, chance = invent_texts(size, size), random.Random(1)
    scope = Scope("o0")
    with open_store(path, NOW) as store:
        begun = time.perf_counter()
        fill(store, texts, owners)
        filling = size / (time.perf_counter() - begun)
    begun = time.perf_counter()
    store = open_store(path, NOW)
    opening = (time.perf_counter() - begun) * 1e3
    mine = range(0, size, owners)
    some = [chance.choice(mine) for _ in range(REPEATS)]
    queries = [" ".join(chance.sample(texts[n].rstrip(".").split()[3:], 5)) for n in some]
    fresh = invent_texts(REPEATS, -size)
    with store:
        first, _ = time_calls([lambda: store.memories.search(scope, queries[0])])
        get, _ = time_calls([lambda n=n: store.memories.get(scope, f"m{n}") for n in some])
        search, search_p99 = time_calls([lambda q=q: store.memories.search(scope, q, when=NOW) for q in queries])
        prints, _ = time_calls([lambda t=t: store.memories.find_fingerprints(scope, [f"hash:{t}"]) for t in fresh])
        recall, _ = time_calls([lambda: store.memories.recall(scope, NOW, limit=100) for _ in range(20)])
        changes, _ = time_calls([lambda: store.changes(scope) for _ in range(REPEATS)])
        add, _ = time_calls(
            [
                lambda n=n, t=t: store.memories.add(as_memory(f"x{n}", t, "o0"), ACT, fingerprints=[t])
                for n, t in enumerate(fresh)
            ]
        )
        approve, _ = time_calls([lambda n=n: enqueue_and_approve(store, n) for n in range(50)])
        forget, _ = time_calls([lambda n=n: store.memories.forget(scope, [f"x{n}"], ACT) for n in range(5)])
    sizes = path.stat().st_size / 1e6 if isinstance(path, Path) else 0.0
    return Row(
        size,
        owners,
        sizes,
        filling,
        opening,
        first,
        get,
        search,
        search_p99,
        prints,
        recall,
        changes,
        add,
        approve,
        forget,
    )


def enqueue_and_approve(store: SqlStore, number: int) -> None:
    evidence = EvidenceObject("a claim", NOW, Confidence.MEDIUM)
    item = PendingMemory(
        f"q{number}", "o0", f"Claim {number}.", "fact", "ai_synthesis", evidence, NOW, proposer="agent"
    )
    store.reviews.enqueue(item, ACT)
    reviewer = Act("o0", NOW, "console")
    keep = store.memories.add
    store.reviews.approve(item.scope, item.queue_id, reviewer, lambda i: keep(as_memory("", i.content, "o0"), ACT).id)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--owners", type=int, default=1)
    parser.add_argument("--server", metavar="ADDRESS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows: list[Row] = []
        for size in options.sizes.split(","):
            place = name_schema(options.server, size) if options.server else Path(folder) / f"{size}.db"
            rows.append(measure(int(size), options.owners, place))
    if options.json:
        print(json.dumps({"rows": [asdict(row) for row in rows]}))
        return
    for name in Row.__dataclass_fields__:
        print(f"{name:18}" + "".join(f"{getattr(row, name):12,.2f}" for row in rows))


if __name__ == "__main__":
    main()
