"""The two encoders, written out so that training, quantisation and export see the same plain modules.

`mini` is a BERT of 6 layers and 384 wide with segment embeddings; `base` is an MPNet of 12 layers and 768 wide with
relative position biases. Both read "evidence, claim" as one sequence and give three logits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from training.rounding import multiply


@dataclass(frozen=True)
class Shape:
    """What tells one encoder from another; `early` is the layer after which a first opinion is given, 0 for none."""

    layers: int
    width: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    segments: int = 0
    buckets: int = 0
    first_position: int = 0
    padding: int = 0
    epsilon: float = 1e-12
    early: int = 0


MINI = Shape(6, 384, 12, 1536, 30522, 512, segments=2, early=3)
BASE = Shape(12, 768, 12, 3072, 30527, 514, buckets=32, first_position=2, padding=1, epsilon=1e-5)
SHAPES = {"mini": MINI, "base": BASE}
_HIDDEN = -1e4
"""What is added to the attention to the filling."""


class Layer(nn.Module):
    """Attention and feed-forward, normalised after each as in BERT."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads, self.rounding = shape.heads, False
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.out = nn.Linear(shape.width, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.last = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.drop = nn.Dropout(dropout)

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        batch, length, width = states.shape
        cut = (batch, length, self.heads, width // self.heads)
        keep = bias[:, 0, 0, :, None] > _HIDDEN / 2 if self.rounding else None
        threefold = multiply((self.query, self.key, self.value), states, keep, rounding=self.rounding)
        query, key, value = (found.view(cut).transpose(1, 2) for found in threefold)
        mixed = self.attend(query, key, value, bias).transpose(1, 2).reshape(batch, length, width)
        (out,) = multiply([self.out], mixed, keep, rounding=self.rounding)
        states = self.norm(states + self.drop(out))
        (inner,) = multiply([self.up], states, keep, rounding=self.rounding)
        (out,) = multiply([self.down], functional.gelu(inner), keep, rounding=self.rounding)
        return self.last(states + self.drop(out))

    def attend(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> Tensor:
        dropout = self.drop.p if self.training else 0.0
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=bias, dropout_p=dropout)


class Verifier(nn.Module):
    """Encoder, mean of the states beside the first one, three logits: entail, neutral, contradict."""

    def __init__(self, shape: Shape, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape, self.rounding = shape, False
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.segments = nn.Embedding(shape.segments, shape.width) if shape.segments else None
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.drop = nn.Dropout(dropout)
        self.relative = nn.Embedding(shape.buckets, shape.heads) if shape.buckets else None
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.pool = nn.Linear(2 * shape.width, shape.width)
        self.head = nn.Linear(shape.width, 3)
        self.early_pool = nn.Linear(2 * shape.width, shape.width) if shape.early else None
        self.early_head = nn.Linear(shape.width, 3) if shape.early else None

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor | None = None) -> Tensor:
        return self.classify(self.encode(ids, mask, segments)[-1], mask)

    def encode(self, ids: Tensor, mask: Tensor, segments: Tensor | None = None) -> list[Tensor]:
        """The states of the embeddings and after every layer."""
        states, bias = self.embed(ids, mask, segments)
        return [states, *self.climb(states, bias, 0, self.shape.layers)]

    def embed(self, ids: Tensor, mask: Tensor, segments: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """(states, what is added to the attention between any two positions)."""
        length = ids.shape[1]
        order = torch.arange(length, device=ids.device)
        states = self.words(ids) + self.positions(order + self.shape.first_position)
        if self.segments is not None:
            states = states + self.segments(segments if segments is not None else torch.zeros_like(ids))
        states = self.drop(self.norm(states))
        return states, self.hide(mask, states)

    def hide(self, mask: Tensor, states: Tensor) -> Tensor:
        """What is added to the attention: it keeps off the filling, and counts distances where they are learnt."""
        length = states.shape[1]
        bias = (1.0 - mask[:, None, None, :].to(states.dtype)) * _HIDDEN
        if self.relative is not None:
            order = torch.arange(length, device=states.device)
            bias = bias + self.relative(relative_buckets(order, self.shape.buckets)).permute(2, 0, 1)[None]
        else:
            bias = bias.expand(-1, -1, length, -1)
        return bias.to(torch.bfloat16 if torch.is_autocast_enabled() else states.dtype)

    def climb(self, states: Tensor, bias: Tensor, first: int, last: int) -> list[Tensor]:
        """The states after each of the layers from `first` up to `last`."""
        found: list[Tensor] = []
        for layer in self.layers[first:last]:
            states = layer(states, bias)
            found.append(states)
        return found

    def classify(self, states: Tensor, mask: Tensor, *, early: bool = False) -> Tensor:
        """Three logits: of the last layer, or the first opinion that is given on the way."""
        pool, head = (self.early_pool, self.early_head) if early else (self.pool, self.head)
        assert pool is not None and head is not None
        weights = mask[:, :, None].to(states.dtype)
        mean = (states * weights).sum(1) / weights.sum(1)
        joined = self.drop(torch.cat([states[:, 0], mean], dim=-1))
        (pooled,) = multiply([pool], joined, None, rounding=self.rounding)
        (logits,) = multiply([head], self.drop(torch.tanh(pooled)), None, rounding=self.rounding)
        return logits.float()


def compile_layers(model: Verifier) -> None:
    """Layer by layer, for any length: quick to compile, and nearly as quick to run as the whole at once.

    Two encoders that run side by side, with and without gradients, are more variants than are allowed by default; those
    over the limit would silently run uncompiled.
    """
    import torch._dynamo

    torch._dynamo.config.recompile_limit = 64
    for layer in model.layers:
        layer.compile(dynamic=True)


def relative_buckets(order: Tensor, buckets: int, furthest: int = 128) -> Tensor:
    """Which of the learned distances each pair of positions uses; near ones exactly, far ones by logarithm."""
    distance = -(order[None, :] - order[:, None])
    half = buckets // 2
    found = (distance < 0).to(torch.long) * half
    distance = distance.abs()
    exact = half // 2
    far = exact + (torch.log(distance.clamp(min=1).float() / exact) / math.log(furthest / exact) * (half - exact)).to(
        torch.long
    )
    return found + torch.where(distance < exact, distance, far.clamp(max=half - 1))


_BERT = {
    "attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value",
    "attention.output.dense": "out", "attention.output.LayerNorm": "norm",
}  # fmt: skip
_MPNET = {
    "attention.attn.q": "query", "attention.attn.k": "key", "attention.attn.v": "value", "attention.attn.o": "out",
    "attention.LayerNorm": "norm",
}  # fmt: skip
_SHARED = {"intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "last"}
_OUTER = {
    "embeddings.word_embeddings": "words", "embeddings.position_embeddings": "positions",
    "embeddings.token_type_embeddings": "segments", "embeddings.LayerNorm": "norm",
    "encoder.relative_attention_bias": "relative",
}  # fmt: skip


def rename(name: str) -> str | None:
    """Our name for a tensor of a published BERT or MPNet; None for those that are not used."""
    stem, _, kind = name.rpartition(".")
    if stem in _OUTER:
        return f"{_OUTER[stem]}.{kind}"
    if stem.startswith("encoder.layer."):
        _, _, number, part = stem.split(".", 3)
        part = (_BERT | _MPNET | _SHARED).get(part)
        return f"layers.{number}.{part}.{kind}" if part else None
    return None
