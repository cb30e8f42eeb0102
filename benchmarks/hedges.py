"""Hedge detection on labelled sentences: precision, recall and F1.

    python benchmarks/hedges.py [PATH] [--json] [--misses N]

PATH is a file of JSON lines, gzipped or not, with `text` and `label` ("uncertain" or "certain"): the form of the
CoNLL-2010 uncertainty task. Two detectors are scored: the hedges by which the write gate decides, and the same with
`vague`, which adds what names nobody and counts nothing, as an
encyclopaedia should not ("many critics", "one of the most").
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.text.hedges import find_hedges

DETECTORS: dict[str, Callable[[str], bool]] = {
    "gate": lambda text: bool(find_hedges(text)),
    "gate and vague": lambda text: bool(find_hedges(text, vague=True)),
}


class Row(NamedTuple):
    text: str
    is_hedged: bool


class Score(NamedTuple):
    precision: float
    recall: float
    f1: float


def read_rows(path: Path) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        return [Row(row["text"], row["label"] == "uncertain") for row in map(json.loads, lines)]


def score(rows: Sequence[Row], detect: Callable[[str], bool]) -> Score:
    found = [detect(row.text) for row in rows]
    right = sum(hit and row.is_hedged for hit, row in zip(found, rows, strict=True))
    precision = right / max(1, sum(found))
    recall = right / max(1, sum(row.is_hedged for row in rows))
    return Score(precision, recall, 2 * precision * recall / max(1e-9, precision + recall))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, nargs="?")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", type=int, default=0, help="print so many sentences of either kind that were missed")
    options = parser.parse_args()
    if options.path is None:
        print("no sentences are given: nothing is measured (give PATH)")
        return
    rows = read_rows(options.path)
    scores = {name: score(rows, detect) for name, detect in DETECTORS.items()}
    if options.json:
        print(json.dumps({"sentences": len(rows), **{name: value._asdict() for name, value in scores.items()}}))
        return
    print(f"{len(rows):,} sentences, {sum(row.is_hedged for row in rows):,} hedged")
    for name, value in scores.items():
        print(f"{name:16} precision {value.precision:.3f}  recall {value.recall:.3f}  F1 {value.f1:.3f}")
    for wanted in (True, False):
        wrong = [row.text for row in rows if row.is_hedged is wanted and bool(find_hedges(row.text)) is not wanted]
        for text in wrong[: options.misses]:
            print(f"  {'missed' if wanted else 'false'}: {text}")


if __name__ == "__main__":
    main()
