"""A language model as a teacher: the lower layers of a published one with a head of three, tuned on labelled pairs.

It knows far more of language than the large encoder, and is far too slow to ship. Its opinions on every short pair,
labelled or written by the `writer`, are what the encoders learn from.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from training.decoder import Decoder, DecoderShape, make_tokenizer, read_weights
from training.fit import Recipe, fit, predict, score
from training.gguf import Gguf
from training.pairs import BY_HAND, UNLABELLED, Pair
from training.tensors import Batches, tokenize_pairs

MOST_WORDS = 65_000
_CHUNK = 65_536


@dataclass
class Mentor:
    """The model, its tokenizer, and the small numbers of the words that are kept of its large vocabulary."""

    model: Decoder
    tokenizer: Tokenizer
    narrow: NDArray[np.uint16]

    def batches(self, pairs: Sequence[Pair], device: str, longest: int) -> Batches:
        tokens = tokenize_pairs(pairs, self.tokenizer, narrow=self.narrow)
        return Batches(tokens, self.model.shape, device, longest, marks=self.marks())

    def marks(self) -> tuple[int, int]:
        """A line break ends the evidence and the claim; a blank begins: neither is cut into pieces."""
        begin, end = (self.narrow[self.tokenizer.encode(text).ids[0]] for text in (" ", "\n"))
        return int(begin), int(end)


def choose_words(tokenizer: Tokenizer, texts: Iterable[str], most: int = MOST_WORDS) -> NDArray[np.int64]:
    """The numbers of the words that the texts use, filled up with the first ones, which are the most frequent."""
    used: Counter[int] = Counter()
    batch: list[str] = []
    for text in (*texts, " ", "\n"):
        batch.append(text)
        if len(batch) == _CHUNK:
            used.update(i for e in tokenizer.encode_batch(batch, add_special_tokens=False) for i in e.ids)
            batch = []
    used.update(i for e in tokenizer.encode_batch(batch, add_special_tokens=False) for i in e.ids)
    kept = [i for i, _ in used.most_common(most)]
    rest = (i for i in range(tokenizer.get_vocab_size()) if i not in used)
    kept += [i for i, _ in zip(rest, range(most - len(kept)), strict=False)]
    return np.sort(np.array(kept, dtype=np.int64))


def narrow_to(kept: NDArray[np.int64], vocabulary: int) -> NDArray[np.uint16]:
    """By old number the new one; what is not kept falls on the first."""
    found = np.zeros(vocabulary, dtype=np.uint16)
    found[kept] = np.arange(len(kept), dtype=np.uint16)
    return found


def open_mentor(file: Gguf, kept: NDArray[np.int64], layers: int) -> Mentor:
    """The lower layers and the kept words of a published model, and a new head."""
    shape = DecoderShape.of(file.fields, layers, len(kept))
    state = read_weights(file.tensor, file.names, shape)
    state["words.weight"] = state["words.weight"][torch.from_numpy(kept)]
    return make_mentor(shape, state, make_tokenizer(file.fields), kept)


def make_mentor(
    shape: DecoderShape, state: Mapping[str, Tensor], tokenizer: Tokenizer, kept: NDArray[np.int64], seed: int = 7
) -> Mentor:
    torch.manual_seed(seed)
    model = Decoder(shape, judges=True)
    missing = model.load_state_dict(dict(state), strict=False)
    assert set(missing.missing_keys) <= {"head.weight", "head.bias"} and not missing.unexpected_keys, missing
    return Mentor(model, tokenizer, narrow_to(kept, tokenizer.get_vocab_size()))


def choose_lessons(pairs: Sequence[Pair], settings: Mapping[str, Any], seed: int) -> list[Pair]:
    """What it is tuned on: short labelled pairs by hand, a share of the others, at most so many of a source.

    Some sources are seen more than once.
    """
    rng = np.random.default_rng(seed)
    drawn = rng.random(len(pairs)) < float(settings.get("others", 1.0))
    caps: Mapping[str, int] = settings["caps"]
    taken: Counter[str] = Counter()
    found: list[Pair] = []
    for i in rng.permutation(len(pairs)):
        pair = pairs[i]
        if not drawn[i] and not pair.source.startswith(BY_HAND):
            continue
        group = next((start for start in caps if pair.source.startswith(start)), "")
        if pair.label == UNLABELLED or not is_short(pair) or (group and taken[group] >= caps[group]):
            continue
        taken[group] += 1
        found += [pair] * int(settings.get("repeat", {}).get(pair.source, 1))
    return found


def is_short(pair: Pair, most: int = 480) -> bool:
    return len(pair.premise) + len(pair.hypothesis) <= most


def teach(mentor: Mentor, batches: Batches, recipe: Recipe, report: Any) -> None:
    """Tune it in place."""
    fit(mentor.model.to(batches.device), batches, np.arange(len(batches.label)), recipe, report=report)  # type: ignore[arg-type]


def examine(mentor: Mentor, sets: Mapping[str, Sequence[Pair]], device: str, longest: int) -> dict[str, float]:
    """Scores on the development sets."""
    found: dict[str, float] = {}
    for name, pairs in sets.items():
        batches = mentor.batches(pairs, device, longest)
        row = score(predict(mentor.model, batches, np.arange(len(pairs))), batches.label)  # type: ignore[arg-type]
        found[name] = round(row.get("accuracy", row.get("balanced", 0.0)), 2)
    return found


def give_opinions(
    mentor: Mentor, batches: Batches, deadline: float = float("inf"), chunk: int = 131_072
) -> Tensor:  # fmt: skip
    """Log probabilities of every pair in turn; not a number for those that the deadline left over."""
    count = len(batches.label)
    found = torch.full((count, 3), float("nan"), dtype=torch.float16)
    for start in range(0, count, chunk):
        if time.monotonic() > deadline:
            break
        rows = np.arange(start, min(start + chunk, count))
        logits = predict(mentor.model, batches, rows)  # type: ignore[arg-type]
        found[start : start + len(rows)] = torch.log_softmax(logits, -1).half().cpu()
    return found
