"""Sentences for the embedder: every set's own, once, and none that any development set holds."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from groundwire.text.sentences import split_sentences
from training.domain import generate
from training.pairs import open_text, read_pairs

_WORDS = re.compile(r"\w+")
_SHORT, _LONG, _LONGEST = 280, 400, 4000
_PIECES = 12
"""Sentences that are taken from one passage."""


def fold(text: str) -> str:
    """What is left of a text when only its words count."""
    return " ".join(_WORDS.findall(text.lower()))


_SAID = ("premise", "hypothesis", "question", "edited_question", "text", "sentence")


def held_back(data: Path) -> set[str]:
    """Everything that is said in a development set."""
    found: set[str] = set()
    for path in sorted((data / "dev").glob("*.jsonl.gz")):
        with open_text(path, "r") as lines:
            for line in lines:
                row = json.loads(line)
                found.update(fold(row[name]) for name in _SAID if isinstance(row.get(name), str))
    return found


def collect(data: Path, files: Sequence[str], settings: Mapping[str, Any], seed: int) -> list[str]:
    """Distinct sentences in a random order, at most so many of each source, and some of our own grammar."""
    rng, seen, out = random.Random(seed), held_back(data), list[str]()
    seen.add("")
    by_source: dict[str, list[str]] = {}
    for name in files:
        for pair in islice(read_pairs(data / name), settings.get("rows_each")):
            by_source.setdefault(pair.source, []).extend((pair.premise, pair.hypothesis))

    def take(texts: Iterable[str], most: int) -> None:
        taken = 0
        for text in texts:
            if taken >= most:
                return
            for sentence in _split(" ".join(text.split())):
                key = fold(sentence)
                if 3 <= len(sentence) <= _LONG and key not in seen:
                    seen.add(key)
                    out.append(sentence)
                    taken += 1

    for source, texts in sorted(by_source.items()):
        distinct = list(dict.fromkeys(texts))
        rng.shuffle(distinct)
        take(distinct, int(settings["caps"].get(source, settings["cap"])))
    made = generate(int(settings["domain"]), seed=int(settings["domain_seed"]))
    take((text for pair in made for text in (pair.premise, pair.hypothesis) if len(text) <= _SHORT), 1 << 30)
    rng.shuffle(out)
    return out


def _split(text: str) -> Iterator[str]:
    if len(text) <= _SHORT:
        yield text
    elif len(text) < _LONGEST:
        yield from (sentence.text for sentence in islice(split_sentences(text), _PIECES))


def choose(encoded: Sequence[Sequence[int]], settings: Mapping[str, Any], seed: int) -> list[int]:
    """Which sentences are taught, most useful first: those with a piece that was hardly seen, and a tenth of the rest.

    Long ones are left out: what is remembered is short, and the teacher takes its time.
    """
    rng, seen = random.Random(seed), Counter[int]()
    first: list[int] = []
    rest: list[int] = []
    for place, pieces in enumerate(encoded):
        if len(pieces) > int(settings["longest"]):
            continue
        if any(seen[piece] < int(settings["enough"]) for piece in pieces) or rng.random() < 0.1:
            first.append(place)
            seen.update(pieces)
        else:
            rest.append(place)
    rng.shuffle(first)
    return (first + rest)[: int(settings["sentences"])]
