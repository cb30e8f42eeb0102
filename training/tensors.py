"""Pairs as integers: tokenised once, kept in one flat array, batched by length without any Python collation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from training.decoder import DecoderShape
from training.network import Shape
from training.pairs import LABELS, Pair

_CLS, _SEP = 101, 102
_MPNET_OFFSET, _MPNET_START, _MPNET_STOP = 4, 0, 2


@dataclass
class Tokens:
    """Every text once: `flat[starts[i]:starts[i + 1]]`; a pair is two rows, a label and a source."""

    flat: NDArray[np.uint16]
    starts: NDArray[np.int64]
    premise: NDArray[np.int32]
    hypothesis: NDArray[np.int32]
    label: NDArray[np.int8]
    source: NDArray[np.int16]
    sources: list[str]

    def save(self, path: Path) -> None:
        names = np.array(self.sources)
        np.savez(path, **{k: v for k, v in vars(self).items() if k != "sources"}, sources=names)

    @classmethod
    def load(cls, path: Path) -> Tokens:
        with np.load(path) as data:
            fields = {k: data[k] for k in data.files}
        names = [str(s) for s in fields.pop("sources")]
        return cls(**fields, sources=names)

    def __len__(self) -> int:
        return len(self.label)

    @classmethod
    def join(cls, parts: Sequence[Tokens]) -> Tokens:
        """The pairs of several, one behind the other."""
        texts = np.cumsum([0, *(len(part.starts) - 1 for part in parts)])
        places = np.cumsum([0, *(len(part.flat) for part in parts)])
        sources = sorted({source for part in parts for source in part.sources})
        number = {source: i for i, source in enumerate(sources)}
        shifted = [part.starts[:-1] + place for part, place in zip(parts, places, strict=False)]
        renumbered = [np.array([number[s] for s in part.sources], np.int16)[part.source] for part in parts]
        return cls(
            flat=np.concatenate([part.flat for part in parts]),
            starts=np.concatenate([*shifted, places[-1:]]).astype(np.int64),
            premise=np.concatenate([p.premise + t for p, t in zip(parts, texts, strict=False)]).astype(np.int32),
            hypothesis=np.concatenate([p.hypothesis + t for p, t in zip(parts, texts, strict=False)]).astype(np.int32),
            label=np.concatenate([part.label for part in parts]),
            source=np.concatenate(renumbered),
            sources=sources,
        )


def tokenize_pairs(
    pairs: Sequence[Pair], tokenizer: Tokenizer, chunk: int = 20000, narrow: NDArray[np.uint16] | None = None
) -> Tokens:
    """Word pieces without special tokens; `narrow` gives those of a large vocabulary the numbers of a small one."""
    tokenizer.no_padding()
    tokenizer.no_truncation()
    rows: dict[str, int] = {}
    for pair in pairs:
        rows.setdefault(pair.premise, len(rows))
        rows.setdefault(pair.hypothesis, len(rows))
    texts = list(rows)
    pieces: list[NDArray[np.uint16]] = []
    for i in range(0, len(texts), chunk):
        encoded = tokenizer.encode_batch(texts[i : i + chunk], add_special_tokens=False)
        pieces.extend(
            np.array(e.ids[:900], dtype=np.uint16) if narrow is None else narrow[e.ids[:900]] for e in encoded
        )
    starts = np.zeros(len(pieces) + 1, dtype=np.int64)
    np.cumsum([len(p) for p in pieces], out=starts[1:])
    sources = sorted({p.source for p in pairs})
    index = {s: i for i, s in enumerate(sources)}
    return Tokens(
        flat=np.concatenate(pieces) if pieces else np.zeros(0, np.uint16),
        starts=starts,
        premise=np.array([rows[p.premise] for p in pairs], dtype=np.int32),
        hypothesis=np.array([rows[p.hypothesis] for p in pairs], dtype=np.int32),
        label=np.array([LABELS.index(p.label) for p in pairs], dtype=np.int8),
        source=np.array([index[p.source] for p in pairs], dtype=np.int16),
        sources=sources,
    )


class Batches:
    """Turns rows of `Tokens` into padded model inputs on the device: mark, evidence, mark, claim, mark."""

    def __init__(
        self,
        tokens: Tokens,
        shape: Shape | DecoderShape,
        device: str,
        longest: int,
        marks: tuple[int, int] | None = None,
    ) -> None:
        self.device, self.shape, self.longest = device, shape, longest
        self.flat = torch.from_numpy(tokens.flat.astype(np.int32)).to(device)
        self.starts = torch.from_numpy(tokens.starts).to(device)
        self.premise = torch.from_numpy(tokens.premise.astype(np.int64)).to(device)
        self.hypothesis = torch.from_numpy(tokens.hypothesis.astype(np.int64)).to(device)
        self.label = torch.from_numpy(tokens.label.astype(np.int64)).to(device)
        self.extra = 4 if shape.segments == 0 else 3
        self.marks = marks or ((_MPNET_START, _MPNET_STOP) if self.extra == 4 else (_CLS, _SEP))
        sizes = np.diff(tokens.starts)
        self.lengths = np.minimum(sizes[tokens.premise] + sizes[tokens.hypothesis] + self.extra, longest)

    def plan(
        self, rows: NDArray[np.int64], budget: int, rng: np.random.Generator | None
    ) -> Iterator[NDArray[np.int64]]:
        """Rows in batches of about `budget` tokens, near-equal lengths together; shuffled where `rng` is given."""
        order = rows if rng is None else rng.permutation(rows)
        noise = 0.0 if rng is None else rng.random(len(order))
        order = order[np.argsort(self.lengths[order] + noise, kind="stable")]
        ceiling = (self.lengths[order] + 7) // 8 * 8
        cuts, start = [], 0
        steps = np.unique(ceiling)
        for length in steps:
            end = int(np.searchsorted(ceiling, length, side="right"))
            size = max(1, budget // int(length))
            while start < end:
                cuts.append((start, min(start + size, len(order))))
                start += size
        plans = [order[a:b] for a, b in cuts]
        if rng is not None:
            rng.shuffle(plans)  # type: ignore[arg-type]
        return iter(plans)

    def build(self, rows: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor]:
        """(ids, mask, segments); only the evidence is ever cut, at its end."""
        picked = torch.from_numpy(rows).to(self.device)
        first, second = self.premise[picked], self.hypothesis[picked]
        begin_a, begin_b = self.starts[first], self.starts[second]
        size_b = (self.starts[second + 1] - begin_b).clamp(max=self.longest // 2)
        size_a = torch.minimum(self.starts[first + 1] - begin_a, self.longest - self.extra - size_b)
        total = size_a + size_b + self.extra
        width = int((int(total.max()) + 7) // 8 * 8)
        at = torch.arange(width, device=self.device)[None]
        mpnet = self.extra == 4
        start_b = size_a[:, None] + (3 if mpnet else 2)
        in_a = (at >= 1) & (at < 1 + size_a[:, None])
        in_b = (at >= start_b) & (at < start_b + size_b[:, None])
        where = torch.where(in_a, begin_a[:, None] + at - 1, begin_b[:, None] + at - start_b)
        last = max(len(self.flat) - 1, 0)
        ids = self.flat[where.clamp(0, last)].long()
        start, stop = self.marks
        if mpnet:
            ids = ids + _MPNET_OFFSET
        mask = at < total[:, None]
        ids = torch.where(in_a | in_b, ids, torch.full_like(ids, stop))
        ids = torch.where(mask, ids, torch.full_like(ids, self.shape.padding))
        ids[:, 0] = start
        segments = (mask & (at >= start_b)).long()
        return ids, mask.long(), segments
