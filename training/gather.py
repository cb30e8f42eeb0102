"""Public pairs: read, cleaned, capped by source, and split by premise so that calibration sees nothing trained on."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from training.pairs import UNLABELLED, Pair, read_pairs

_SPACED_MARK = re.compile(r" ([,.;:!?)\]%]|n't\b|'(?:s|re|ve|ll|d|m)\b|'(?= )|\.\.\.)")
_SPACED_OPEN = re.compile(r"([(\[$]) ")
_QUOTES = re.compile(r"``\s?|\s?''")
_LONGEST = 2200
"""Characters of evidence: what 384 word pieces can hold, with a little to spare."""


def clean(text: str) -> str:
    """Text as people write it: token spaces and corpus quotes of old treebanks taken out."""
    text = _QUOTES.sub('"', " ".join(text.split()))
    for _ in range(2):
        text = _SPACED_MARK.sub(r"\1", text)
    return _SPACED_OPEN.sub(r"\1", text)


def share(text: str, salt: str) -> float:
    """A number in [0, 1) that depends on the text alone: the same premise always falls on the same side."""
    digest = hashlib.blake2b(f"{salt}\0{text}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


def gather(
    files: Sequence[Path],
    caps: Mapping[str, int],
    unlabelled: Sequence[str],
    default_cap: int,
    rows_each: int | None = None,
) -> Iterator[Pair]:
    """Every usable pair once; sources named in `unlabelled` keep their words and lose their labels.

    `rows_each` reads only the beginning of every file.
    """
    seen: dict[tuple[str, str], str] = {}
    rows = [_cleaned(pair) for path in files for pair in islice(read_pairs(path), rows_each)]
    for pair in rows:
        key = (pair.premise, pair.hypothesis)
        seen[key] = pair.label if seen.get(key, pair.label) == pair.label else ""
    order = sorted(range(len(rows)), key=lambda i: share(f"{i}", "order"))
    taken: Counter[str] = Counter()
    for i in order:
        pair = rows[i]
        key = (pair.premise, pair.hypothesis)
        if not seen.pop(key, "") or not _is_usable(pair) or taken[pair.source] >= caps.get(pair.source, default_cap):
            continue
        taken[pair.source] += 1
        yield pair._replace(label=UNLABELLED) if pair.source in unlabelled else pair


def _cleaned(pair: Pair) -> Pair:
    return pair._replace(premise=clean(pair.premise), hypothesis=clean(pair.hypothesis))


def _is_usable(pair: Pair) -> bool:
    return 3 <= len(pair.premise) <= _LONGEST and 3 <= len(pair.hypothesis) <= 600


def split(pairs: Iterable[Pair], held_out: float) -> tuple[list[Pair], list[Pair]]:
    """(training, calibration) by premise."""
    train: list[Pair] = []
    held: list[Pair] = []
    for pair in pairs:
        (held if share(pair.premise, "calibration") < held_out else train).append(pair)
    return train, held
