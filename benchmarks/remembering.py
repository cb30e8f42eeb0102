"""The gate and the memory over a store in a file: candidates a second, writes a second, answers a second.

    python benchmarks/remembering.py [--json] [--sizes 1000,10000,100000]

One owner, one core, no network. Candidates are new, near duplicates and contradictions in equal parts, as in
`write_gate.py`; filling the store is timed apart.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from groundwire import Groundwire, Memory, Settings
from groundwire.memory.checks import Candidate
from groundwire.memory.stored import marks_of
from groundwire.store.sql import open_store
from groundwire.types.records import Act
from read_gate import forget_texts
from write_gate import write_memory

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)
KINDS = ("ai_synthesis", "user", "documentation")
_AT_ONCE = 1_000


def fill(path: Path, texts: list[str]) -> None:
    """In bulk, as an import does it; the texts are read by all cores."""
    with ProcessPoolExecutor() as readers, open_store(path, NOW) as store:
        marks = readers.map(marks_of, texts, chunksize=_AT_ONCE // 4)
        for start in range(0, len(texts), _AT_ONCE):
            part = texts[start : start + _AT_ONCE]
            memories = [Memory(f"m{start + number}", text, owner="u1") for number, text in enumerate(part)]
            found = list(islice(marks, len(part)))
            store.memories.add_many(memories, Act("u1", NOW), fingerprints=found)
            print(f"\r{start + len(part):,} memories", end="", file=sys.stderr)
    print(file=sys.stderr)


def measure(size: int, candidates: int = 300) -> dict[str, float]:
    """Milliseconds of one core for each call, over `size` memories of one owner."""
    draw, fresh = random.Random(size), random.Random(-size)
    texts = [write_memory(draw) for _ in range(size)]
    contents = [
        draw.choice(texts).replace(" in ", " near ", 1) if number % 3 == 1 else write_memory(fresh)
        for number in range(candidates)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        started = time.perf_counter()
        fill(path, texts)
        filled = time.perf_counter() - started
        forget_texts()
        with Groundwire(path, settings=Settings(judge="rules")) as gw:
            calls: dict[str, Callable[[int, str], Any]] = {
                "gate": lambda number, text: gw.gate(Candidate(text, "fact", KINDS[number % 3], "u1"), now=NOW),
                "remember": lambda _, text: gw.remember(text, user="u1", now=NOW),
                "recall": lambda _, text: gw.recall(text, user="u1", now=NOW),
                "verify": lambda _, text: gw.verify(text, user="u1", now=NOW),
            }
            spent = {name: _time(call, contents) for name, call in calls.items()}
    rates = {f"{name}_a_second": round(1000 / spent[name], 1) for name in ("gate", "remember")}
    row = {"memories": size, "filling_s": round(filled, 1), **rates}
    return row | {f"{name}_ms": round(cost, 3) for name, cost in spent.items()}


def _time(call: Callable[[int, str], Any], contents: list[str]) -> float:
    call(0, "A first claim that fills the tables.")
    started = time.process_time()  # of one core: what else the machine does is not counted
    for number, content in enumerate(contents):
        call(number, content)
    return (time.process_time() - started) / len(contents) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--sizes", default="1000,10000,100000", help="how many memories, separated by commas")
    options = parser.parse_args()
    rows = [measure(int(size)) for size in options.sizes.split(",")]
    if options.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
