"""How well memories are found, by words, by meaning and by both, and how long it takes.

    python benchmarks/retrieval.py [--data DATA] [--encoder WORK] [--memories 10000] [--server ADDRESS] [--json]

DATA holds `dev/` with public pairs, which are read and never copied, or is one such file (mrpc.jsonl.gz). Of every pair
that says the same thing one side asks, and all other sides of the set are the memories. Recall is the share of queries
whose first answer is right, and of those with a right one among the first five. `--encoder` is a work folder
of `python -m training` with `backbone-mini.npz` and `tokenizer.json`: the full encoder that the embedder imitates is
measured as well, which needs torch and takes minutes.

Times are in milliseconds of one core, for one owner with that many memories in a file, as of now; `vector` is the part
that scores and picks. The first call of an owner reads that owner's vectors. With --server recall is measured on a
PostgreSQL database, where each set is a new schema.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire.evidence.retrieval import Retriever
from groundwire.models.embedding import StaticEmbedder
from groundwire.store.sql import SqlStore, open_store
from groundwire.types import Scope
from store import ACT, NOW, as_memory, fill, invent_texts, name_schema

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from training.paraphrases import AT, Task, rank, read_tasks, recall_at

OWNER = Scope("o0")
REPEATS = 300


def measure_task(task: Task, embedder: StaticEmbedder, server: str | None = None) -> dict[str, Any]:
    """Recall of one task through the store, as a caller gets it."""
    with open_store(name_schema(server, task.name) if server else None, NOW, embedder=embedder) as store:
        store.memories.add_many([as_memory(str(n), text, OWNER.owner) for n, text in enumerate(task.texts)], ACT)
        fused = Retriever(store.memories, store.vectors)
        ways: dict[str, Callable[[str], Sequence[Any]]] = {
            "words": lambda query: Retriever(store.memories).retrieve(OWNER, query, limit=AT),
            "meaning": lambda query: store.vectors.search(OWNER, query, limit=AT),
            "both": lambda query: fused.retrieve(OWNER, query, limit=AT),
        }
        found: dict[str, float] = {}
        for name, way in ways.items():
            places = [[int(hit.memory.id) for hit in way(query)] for query in task.queries]
            found |= {f"{name}@{at}": round(recall_at(task.answers, places, at), 4) for at in (1, AT)}
    return {"task": task.name, "queries": len(task.queries), "memories": len(task.texts), **found}


def measure_encoder(tasks: Sequence[Task], folder: Path) -> dict[str, float]:
    """The same tasks by the full encoder, without a store."""
    import torch
    from tokenizers import Tokenizer
    from training.embedder import embed_fully
    from training.work import Work

    torch.set_num_threads(1)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    encoder = Work(folder, {"seed": 7}, print).fresh("mini").eval()

    def embed(texts: Sequence[str]) -> Any:
        return embed_fully(encoder, [encoding.ids for encoding in tokenizer.encode_batch(list(texts))], "cpu")

    return {
        task.name: round(recall_at(task.answers, rank(embed(task.queries), embed(task.texts))), 4) for task in tasks
    }


def time_calls(calls: Sequence[Callable[[], object]]) -> dict[str, float]:
    taken: list[float] = []
    for call in calls:
        begun = time.thread_time()  # what else the machine does is not ours
        call()
        taken.append((time.thread_time() - begun) * 1e3)
    return {
        "median": round(statistics.median(taken), 3),
        "p99": round(sorted(taken)[min(len(taken) - 1, int(len(taken) * 0.99))], 3),
    }


def measure_time(memories: int, embedder: StaticEmbedder) -> dict[str, Any]:
    texts, chance = invent_texts(memories, memories), random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with open_store(path, NOW, embedder=embedder) as store:
            begun = time.perf_counter()
            fill(store, texts, 1)
            filled = memories / (time.perf_counter() - begun)
        opening = time_calls([lambda: open_store(path, NOW, embedder=embedder).close() for _ in range(5)])
        with open_store(path, NOW, embedder=embedder) as store:
            return {
                "memories": memories,
                "file_mb": round(path.stat().st_size / 1e6, 1),
                "filled_per_s": round(filled),
                "open": opening,
                **_time_searches(store, embedder, texts, chance),
            }


def _time_searches(
    store: SqlStore, embedder: StaticEmbedder, texts: list[str], chance: random.Random
) -> dict[str, Any]:
    queries = [" ".join(chance.sample(chance.choice(texts).rstrip(".").split()[3:], 5)) for _ in range(REPEATS)]
    now, both = datetime.now(UTC), Retriever(store.memories, store.vectors)
    first = time_calls([lambda: store.vectors.search(OWNER, queries[0], when=now)])
    vectors = embedder.embed(queries)
    return {
        "first": first,
        "embed": time_calls([lambda q=q: embedder.embed([q]) for q in queries]),
        "vector": time_calls([lambda v=v: store.vectors.nearest(OWNER, v, 20) for v in vectors]),
        "meaning": time_calls([lambda q=q: store.vectors.rank(OWNER, q, when=now, limit=20) for q in queries]),
        "words": time_calls([lambda q=q: store.memories.rank(OWNER, q, when=now, limit=20) for q in queries]),
        "both": time_calls([lambda q=q: both.retrieve(OWNER, q, when=now, limit=5) for q in queries]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--memories", default="10000", help="sizes, with commas between them; empty for none")
    parser.add_argument("--server", metavar="ADDRESS")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    embedder = StaticEmbedder()
    tasks = read_tasks(options.data)
    recalls = [measure_task(task, embedder, options.server) for task in tasks]
    if options.encoder is not None:
        reference = measure_encoder(tasks, options.encoder)
        recalls = [row | {"encoder@5": reference[row["task"]]} for row in recalls]
    times = [measure_time(int(size), embedder) for size in filter(None, options.memories.split(","))]
    if options.json:
        print(json.dumps({"embedder": embedder.name, "recall": recalls, "times": times}, indent=1))
        return
    print(f"{embedder.name}, {embedder.dimensions} dimensions")
    if not recalls:
        print(f"no sets under {options.data / 'dev'}: recall is not measured (give --data)")
    for row in recalls:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    for row in times:
        print("  ".join(f"{name} {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
