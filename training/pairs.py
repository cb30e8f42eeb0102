"""A training pair and the files that pairs are kept in."""

from __future__ import annotations

import gzip
import io
import json
import lzma
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

ENTAIL, NEUTRAL, CONTRADICT, SUPPORTED, UNSUPPORTED, UNLABELLED = (
    "entail",
    "neutral",
    "contradict",
    "supported",
    "unsupported",
    "unlabelled",
)
LABELS = (ENTAIL, NEUTRAL, CONTRADICT, SUPPORTED, UNSUPPORTED, UNLABELLED)
"""The first three are classes of the model; the next two say "entailed or not"; the last is for distillation."""


BY_HAND = "hand_"
"""How the sources of pairs by hand begin."""


class Pair(NamedTuple):
    """Evidence, a claim, and what the one says of the other."""

    premise: str
    hypothesis: str
    label: str
    source: str


def open_text(path: Path, mode: str) -> IO[str]:
    """A text file, compressed as its name says; what is written does not depend on when it was."""
    if path.suffix == ".gz" and mode == "w":
        return io.TextIOWrapper(gzip.GzipFile(path, "wb", mtime=0), encoding="utf-8")
    if path.suffix == ".gz":
        return cast("IO[str]", gzip.open(path, mode + "t", encoding="utf-8"))
    if path.suffix == ".xz":
        return cast("IO[str]", lzma.open(path, mode + "t", encoding="utf-8"))
    return path.open(mode, encoding="utf-8")


def read_pairs(path: Path) -> Iterator[Pair]:
    """The pairs of a file; a label that is not known is an error, not a guess."""
    with open_text(path, "r") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            if row["label"] not in LABELS:
                raise ValueError(f"{path}:{number}: unknown label {row['label']!r}")
            yield Pair(row["premise"], row["hypothesis"], row["label"], row.get("source", path.name))


def write_pairs(path: Path, pairs: Iterable[Pair]) -> int:
    """Write the file whole or not at all; returns how many pairs it holds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name("partial-" + path.name)
    count = 0
    with open_text(partial, "w") as out:
        for pair in pairs:
            out.write(json.dumps(pair._asdict(), ensure_ascii=False) + "\n")
            count += 1
    partial.replace(path)
    return count
