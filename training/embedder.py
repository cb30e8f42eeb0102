"""The embedder that ships: a table of word pieces whose sums imitate the sentence embeddings of a published encoder.

Each piece begins as what the encoder makes of it alone, in the directions that tell sentences apart, weighted by how
rare it is. Then the table is trained so that the sum over a sentence points where the encoder's embedding points.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional

from groundwire.models.embedding import Table
from groundwire.models.files import TABLE
from training import paraphrases
from training.manifest import write_manifest
from training.network import Verifier
from training.sentences import choose, collect
from training.work import Work

Matrix = NDArray[np.float32]
_CLS, _SEP = 101, 102
_SHARD = 8192
_HELD = 2048
_RARE = 1e-3
"""Pieces that are more frequent than this weigh less and less."""


def make_embedder(work: Work, data: Path, folder: Path) -> dict[str, Any]:
    """The whole recipe; returns what was measured after each step."""
    settings, seed = work.config["embedder"], int(work.config["seed"])
    tokenizer = Tokenizer.from_file(str(work.root / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    sentences = collect(data, work.config["data"]["files"], settings, seed)
    encoded = [e.ids for e in tokenizer.encode_batch_fast(sentences)]
    chosen = choose(encoded, settings, int(settings["seed"]))
    work.say(f"{len(sentences):,} sentences, {len(chosen):,} of them are taught")
    pieces = tokenizer.get_vocab_size()
    teacher = work.fresh("mini").eval()
    alone = teach(work, teacher, [[_CLS, piece, _SEP] for piece in range(pieces)], "pieces")
    wanted = teach(work, teacher, [encoded[i] for i in chosen], "sentences")
    counts = np.bincount(np.concatenate([np.asarray(ids[1:-1]) for ids in encoded]), minlength=pieces)
    directions = find_directions(wanted, int(settings["dimensions"]))
    taught = [np.asarray(encoded[i][1:-1]) for i in chosen]
    table = begin(alone, counts, directions)
    tasks = paraphrases.read_tasks(data)

    def measure(name: str, table: Matrix) -> dict[str, float]:
        found = {"held": round(agree(table, taught[:_HELD], wanted[:_HELD] @ directions), 4)}
        found |= paraphrases.measure(lambda texts: _embed(table, tokenizer, texts), tasks)
        work.say(f"{name}: {json.dumps(found)}")
        return found

    measured = {"begun": measure("begun", table)}
    table = fit(table, taught, wanted @ directions, settings, work.say)
    measured["trained"] = measure("trained", table)
    stored = shrink(table, counts, int(settings["rows"]))
    measured["stored"] = measure("stored", (stored.scales[:, None] * stored.codes)[stored.rows])
    write_embedder(folder, stored, work.root / "tokenizer.json", str(settings["version"]))
    return {"sentences": len(chosen), "measured": measured, "rows": len(stored.codes)}


def teach(work: Work, teacher: Verifier, texts: Sequence[Sequence[int]], name: str) -> Matrix:
    """What the encoder makes of each text, shard by shard; those that are there are not computed again."""
    folder = work.root / "embedder"
    folder.mkdir(exist_ok=True)
    found: list[Matrix] = []
    for number, start in enumerate(range(0, len(texts), _SHARD)):
        part, path = texts[start : start + _SHARD], folder / f"{name}-{number:04}.npz"
        digest = hashlib.sha256(json.dumps(part).encode()).hexdigest()
        if path.exists() and (kept := np.load(path))["digest"] == digest:
            found.append(kept["vectors"].astype(np.float32))
            continue
        vectors = embed_fully(teacher, part, work.device)
        np.savez(path, vectors=vectors.astype(np.float16), digest=digest)
        found.append(vectors)
        work.say(f"{name}: {start + len(part):,} of {len(texts):,}")
    return _normalise(np.concatenate(found))


@torch.inference_mode()
def embed_fully(teacher: Verifier, texts: Sequence[Sequence[int]], device: str, batch: int = 64) -> Matrix:
    """Sentence embeddings as the encoder was published to give them: the mean of its last states, of length one."""
    out = np.zeros((len(texts), teacher.shape.width), np.float32)
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        longest = len(texts[part[-1]])
        ids = torch.tensor([[*texts[i], *[0] * (longest - len(texts[i]))] for i in part], device=device)
        mask = torch.tensor([[1] * len(texts[i]) + [0] * (longest - len(texts[i])) for i in part], device=device)
        weights = mask[:, :, None].float()
        states = (teacher.encode(ids, mask)[-1] * weights).sum(1) / weights.sum(1)
        out[part] = functional.normalize(states, dim=1).cpu().numpy()
    return out


def find_directions(vectors: Matrix, dimensions: int) -> Matrix:
    """The directions in which the embeddings of sentences differ most, as columns."""
    spread = vectors.T @ vectors
    _, found = np.linalg.eigh(spread.astype(np.float64))
    return np.ascontiguousarray(found[:, ::-1][:, :dimensions]).astype(np.float32)


def begin(alone: Matrix, counts: NDArray[np.int64], directions: Matrix) -> Matrix:
    """Each piece by itself, without what all have in common; frequent ones weigh little."""
    share = (counts + 1) / counts.sum()
    weight = (_RARE / (_RARE + share)).astype(np.float32)
    return ((alone - alone.mean(0)) @ directions) * weight[:, None]


def fit(
    table: Matrix,
    texts: Sequence[NDArray[np.int64]],
    wanted: Matrix,
    settings: Mapping[str, Any],
    say: Callable[[str], None],
) -> Matrix:
    """Turn the sums towards the embeddings; only pieces that occur in a batch move."""
    torch.manual_seed(int(settings["seed"]))
    bag = nn.EmbeddingBag(*table.shape, mode="sum", sparse=True)
    bag.weight.data = torch.from_numpy(table.copy())
    optimizer, rng = torch.optim.SparseAdam(list(bag.parameters())), np.random.default_rng(int(settings["seed"]))
    size, rate, epochs = int(settings["batch"]), float(settings["rate"]), int(settings["epochs"])
    goals = functional.normalize(torch.from_numpy(wanted), dim=1)
    rest = np.arange(_HELD if len(texts) > 2 * _HELD else 0, len(texts))
    steps, step = epochs * max(1, len(rest) // size), 0
    for epoch in range(epochs):
        order, total = rng.permutation(rest), 0.0
        for start in range(0, max(1, len(order) - size + 1), size):
            part = order[start : start + size]
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 50) * max(0.02, 1 - step / steps)
            loss = (1 - (functional.normalize(bag(*_gather(texts, part)), dim=1) * goals[part]).sum(1)).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step, total = step + 1, total + loss.item()
        say(f"epoch {epoch + 1}: {total / max(1, len(rest) // size):.4f}")
    return bag.weight.detach().numpy()


def _gather(texts: Sequence[NDArray[np.int64]], part: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
    picked = [texts[i] for i in part]
    starts = np.cumsum([0, *(len(pieces) for pieces in picked[:-1])])
    return torch.from_numpy(np.concatenate(picked).astype(np.int64)), torch.from_numpy(starts)


def agree(table: Matrix, texts: Sequence[NDArray[np.int64]], wanted: Matrix) -> float:
    """The mean cosine between the sums and the embeddings, on sentences that are not trained on."""
    sums = np.stack([table[pieces].sum(0) for pieces in texts])
    return float((_normalise(sums) * _normalise(wanted)).sum(1).mean())


def shrink(table: Matrix, counts: NDArray[np.int64], most: int) -> Table:
    """One byte a number, and only the pieces that occur most often; the rest share the empty row."""
    order = np.lexsort((np.arange(len(counts)), -counts))
    kept = np.sort(order[:most][counts[order[:most]] > 0])
    rows = np.zeros(len(table), np.uint16)
    rows[kept] = np.arange(1, len(kept) + 1)
    values = np.concatenate([np.zeros((1, table.shape[1]), np.float32), table[kept]])
    scales = (np.abs(values).max(1) / 127).astype(np.float16)
    codes = np.rint(values / np.where(scales > 0, scales, 1).astype(np.float32)[:, None]).clip(-127, 127)
    return Table(rows, codes.astype(np.int8), scales.astype(np.float32))


def write_embedder(folder: Path, table: Table, tokenizer: Path, version: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / TABLE, rows=table.rows, codes=table.codes, scales=table.scales.astype(np.float16))
    details = {
        "kind": "embedder",
        "name": "embedder",
        "version": version,
        "max_tokens": 8192,
        "dimensions": table.dimensions,
        "tokenizer": hashlib.sha256(tokenizer.read_bytes()).hexdigest(),
    }
    write_manifest(folder, details)


def _embed(table: Matrix, tokenizer: Tokenizer, texts: Sequence[str]) -> Matrix:
    encoded = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    return _normalise(np.stack([table[e.ids].sum(0) for e in encoded]).astype(np.float32))


def _normalise(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
