"""The folder through which the parts of a run reach each other, and the clock that they share.

    pairs/NAME.jsonl   a shard of pairs; NAME begins with `dev_`, `old` (prepared) or `new` (written in this run)
    tokens/NAME.npz    its word pieces
    base/NAME.npy      the large encoder's opinion on every pair: log probabilities; not a number where it is silent
    mentor/NAME.npy    the mentor's, not a number where it was not asked
    marks/NAME         something has happened: `writer-tuned`, `writer-done`, …
    log/PART.log       what a part says

Whatever lies there is whole: it is written under another name first.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from training.pairs import Pair, read_pairs, write_pairs
from training.tensors import Tokens

DEV, OLD, NEW = "dev", "old", "new"
BASE, MENTOR = "base", "mentor"
_ENDS = {"pairs": ".jsonl", "tokens": ".npz", BASE: ".npy", MENTOR: ".npy"}
_PAUSE = 0.3


@dataclass
class Exchange:
    """`began` and `seconds` say when the whole run began and how long it may take."""

    root: Path
    began: float
    seconds: float
    clock: Callable[[], float] = time.time
    pause: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        for name in (*_ENDS, "marks", "log"):
            (self.root / name).mkdir(parents=True, exist_ok=True)

    def left(self, share: float) -> float:
        """Seconds until that share of the run is over."""
        return self.began + share * self.seconds - self.clock()

    def wait(self, is_there: Callable[[], bool], share: float) -> bool:
        """Until something is there; false where that share of the run was over before."""
        while not is_there():
            if self.left(share) < 0:
                return False
            self.pause(_PAUSE)
        return True

    def mark(self, name: str) -> None:
        (self.root / "marks" / name).touch()

    def is_marked(self, name: str) -> bool:
        return (self.root / "marks" / name).exists()

    def path(self, kind: str, name: str) -> Path:
        return self.root / kind / (name + _ENDS[kind])

    def has(self, kind: str, name: str) -> bool:
        return self.path(kind, name).exists()

    def names(self, kind: str) -> list[str]:
        """The shards of which that is there."""
        end = _ENDS[kind]
        found = (path.name.removesuffix(end) for path in (self.root / kind).glob("*" + end))
        return sorted(name for name in found if not name.startswith("partial-"))

    def put_pairs(self, name: str, pairs: list[Pair]) -> None:
        write_pairs(self.path("pairs", name), pairs)

    def read_pairs(self, name: str) -> list[Pair]:
        return list(read_pairs(self.path("pairs", name)))

    def put_tokens(self, name: str, tokens: Tokens) -> None:
        partial = self.path("tokens", "partial-" + name)
        tokens.save(partial)
        partial.replace(self.path("tokens", name))

    def read_tokens(self, name: str) -> Tokens:
        return Tokens.load(self.path("tokens", name))

    def put_opinion(self, kind: str, name: str, opinion: NDArray[Any]) -> None:
        partial = self.path(kind, "partial-" + name)
        np.save(partial, opinion.astype(np.float16))
        partial.replace(self.path(kind, name))

    def read_opinion(self, kind: str, name: str) -> NDArray[np.float32]:
        return np.load(self.path(kind, name)).astype(np.float32)

    def open_log(self, part: str) -> IO[bytes]:
        return (self.root / "log" / f"{part}.log").open("ab")
