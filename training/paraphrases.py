"""Finding a sentence by another that says the same: tasks made of development sets, and how often they succeed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.pairs import open_text

SETS = (
    ("mrpc", "duplicate", "premise", "hypothesis"),
    ("dialogue_nli_sample", "entail", "hypothesis", "premise"),
    ("fever_nli_binary", "supported", "hypothesis", "premise"),
    ("snli", "entail", "hypothesis", "premise"),
)
"""Set, label of a match, field that asks, field that is searched: what is searched is never the shorter of the two."""
AT = 5


class Task(NamedTuple):
    """Each query with the places of all texts that answer it, among all texts of the set."""

    name: str
    queries: tuple[str, ...]
    answers: tuple[frozenset[int], ...]
    texts: tuple[str, ...]


def read_tasks(data: Path) -> tuple[Task, ...]:
    """The tasks whose sets are there; `data` is the folder of them all, or the file of one."""
    found = [(data / "dev" / f"{name}.jsonl.gz", name, *rest) for name, *rest in SETS]
    if data.is_file():
        found = [(data, *entry) for entry in SETS if data.name.startswith(f"{entry[0]}.")]
    return tuple(_read_task(path, *rest) for path, *rest in found if path.is_file())


def _read_task(path: Path, name: str, label: str, asks: str, searched: str) -> Task:
    with open_text(path, "r") as lines:
        rows = [json.loads(line) for line in lines]
    places = {text: place for place, text in enumerate(dict.fromkeys(row[searched] for row in rows))}
    answers: dict[str, set[int]] = {}
    for row in rows:
        if row["label"] == label and row[asks] not in places:  # a text that asks for itself shows nothing
            answers.setdefault(row[asks], set()).add(places[row[searched]])
    return Task(name, tuple(answers), tuple(map(frozenset, answers.values())), tuple(places))


def recall_at(answers: Sequence[frozenset[int]], found: Sequence[Sequence[int]], at: int = AT) -> float:
    """The share of queries with an answer among the first `at`."""
    return sum(bool(right & set(places[:at])) for right, places in zip(answers, found, strict=True)) / len(answers)


def rank(queries: NDArray[np.float32], texts: NDArray[np.float32], most: int = AT) -> list[list[int]]:
    """The nearest texts of each query, nearest first."""
    scores = queries @ texts.T
    return [np.argsort(-row, kind="stable")[:most].tolist() for row in scores]


def measure(embed: Callable[[Sequence[str]], NDArray[np.float32]], tasks: Sequence[Task]) -> Mapping[str, float]:
    """Recall at 5 of each task."""
    return {
        task.name: round(recall_at(task.answers, rank(embed(task.queries), embed(task.texts))), 4) for task in tasks
    }
