"""A small language model, written out: it writes claims (`writer`), and with a head of three it judges them (`mentor`).

Llama and Qwen2 are the same but for the biases. Two ways through it: whole sequences at once, filled up on the right,
so that nothing ever looks at the filling; and one word at a time with what was read before kept in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor, nn
from torch.nn import functional

_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

_CROWDED = 0.7
"""Where less than this share of the rows is still being written, the rest is put away."""


@dataclass(frozen=True)
class DecoderShape:
    """`biased` is what tells Qwen2 from Llama; the last three are for the training loop, which asks every model."""

    layers: int
    width: int
    heads: int
    shared: int
    inner: int
    vocabulary: int
    base: float
    epsilon: float
    biased: bool
    early: int = 0
    segments: int = 1
    padding: int = 0

    @classmethod
    def of(cls, fields: Mapping[str, Any], layers: int = 0, vocabulary: int = 0) -> DecoderShape:
        """The shape that the metadata of a GGUF file tells; fewer layers or words where asked for."""
        kind = fields["general.architecture"]

        def get(name: str) -> Any:
            return fields[f"{kind}.{name}"]

        return cls(
            layers=layers or get("block_count"),
            width=get("embedding_length"),
            heads=get("attention.head_count"),
            shared=get("attention.head_count_kv"),
            inner=get("feed_forward_length"),
            vocabulary=vocabulary or len(fields["tokenizer.ggml.tokens"]),
            base=float(get("rope.freq_base")),
            epsilon=float(get("attention.layer_norm_rms_epsilon")),
            biased=kind == "qwen2",
        )


class DecoderLayer(nn.Module):
    """Attention to what came before, and a gated feed-forward part; normalised ahead of each."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.heads, self.shared, self.size = shape.heads, shape.shared, shape.width // shape.heads
        narrow = shape.shared * self.size
        self.query = nn.Linear(shape.width, shape.width, bias=shape.biased)
        self.key = nn.Linear(shape.width, narrow, bias=shape.biased)
        self.value = nn.Linear(shape.width, narrow, bias=shape.biased)
        self.out = nn.Linear(shape.width, shape.width, bias=False)
        self.norm = nn.RMSNorm(shape.width, eps=shape.epsilon)
        self.gate = nn.Linear(shape.width, shape.inner, bias=False)
        self.up = nn.Linear(shape.width, shape.inner, bias=False)
        self.down = nn.Linear(shape.inner, shape.width, bias=False)
        self.last = nn.RMSNorm(shape.width, eps=shape.epsilon)

    def forward(self, states: Tensor, turns: tuple[Tensor, Tensor], attend: Callable[..., Tensor]) -> Tensor:
        batch, length, width = states.shape
        seen = self.norm(states)
        query = _turn(self.query(seen).view(batch, length, self.heads, self.size).transpose(1, 2), turns)
        key = _turn(self.key(seen).view(batch, length, self.shared, self.size).transpose(1, 2), turns)
        value = self.value(seen).view(batch, length, self.shared, self.size).transpose(1, 2)
        states = states + self.out(attend(query, key, value).transpose(1, 2).reshape(batch, length, width))
        seen = self.last(states)
        return states + self.down(functional.silu(self.gate(seen)) * self.up(seen))


def _turn(vectors: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    """Positions as rotations; the two halves of a head are the two coordinates."""
    left, right = vectors.chunk(2, dim=-1)
    return vectors * turns[0] + torch.cat([-right, left], dim=-1) * turns[1]


def _look_back(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    each = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(each, 1), value.repeat_interleave(each, 1)
    return functional.scaled_dot_product_attention(query, key, value, is_causal=True)


class Decoder(nn.Module):
    """Words, layers, and a last norm; `head` says how much the last state speaks for each of three classes."""

    def __init__(self, shape: DecoderShape, *, judges: bool) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(DecoderLayer(shape) for _ in range(shape.layers))
        self.norm = nn.RMSNorm(shape.width, eps=shape.epsilon)
        self.head = nn.Linear(shape.width, 3) if judges else None
        if self.head is not None:
            nn.init.normal_(self.head.weight, std=0.01)
            nn.init.zeros_(self.head.bias)

    def turns(self, places: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines of positions, shaped for every head."""
        size = self.shape.width // self.shape.heads
        steps = torch.arange(0, size, 2, device=places.device, dtype=torch.float32)
        angles = places[..., None].float() * self.shape.base ** (-steps / size)
        angles = torch.cat([angles, angles], dim=-1).unsqueeze(-3)
        kind = self.words.weight.dtype
        return angles.cos().to(kind), angles.sin().to(kind)

    def encode(self, ids: Tensor, mask: Tensor, segments: Tensor | None = None) -> list[Tensor]:
        """The last states alone; the training loop asks for a list."""
        del mask, segments
        turns = self.turns(torch.arange(ids.shape[1], device=ids.device)[None])
        states = self.words(ids)
        for layer in self.layers:
            states = layer(states, turns, _look_back)
        return [self.norm(states)]

    def classify(self, states: Tensor, mask: Tensor, *, early: bool = False) -> Tensor:
        assert self.head is not None and not early
        rows = torch.arange(len(states), device=states.device)
        return self.head(states[rows, mask.sum(1) - 1]).float()

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor | None = None) -> Tensor:
        return self.classify(self.encode(ids, mask, segments)[-1], mask)


class _Kept:
    """Keys and values of one layer, each row at its own place."""

    def __init__(self, room: tuple[int, int, int, int], like: Tensor) -> None:
        self.key, self.value = (torch.zeros(room, device=like.device, dtype=like.dtype) for _ in range(2))

    def fill(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        self.key[:, :, : key.shape[2]], self.value[:, :, : key.shape[2]] = key, value
        return _look_back(query, key, value)

    def keep(self, left: Tensor) -> None:
        self.key, self.value = self.key[left], self.value[left]

    def step(self, rows: Tensor, place: Tensor, hidden: Tensor) -> Callable[..., Tensor]:
        """One more word in every row; the heads that share a key are its queries, so that nothing is copied."""

        def attend(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            self.key[rows, :, place], self.value[rows, :, place] = key[:, :, 0], value[:, :, 0]
            batch, heads, _, size = query.shape
            grouped = query.view(batch, key.shape[1], heads // key.shape[1], size) * size**-0.5
            scores = grouped @ self.key.transpose(-1, -2) + hidden
            return (torch.softmax(scores, -1) @ self.value).view(batch, heads, 1, size)

        return attend


@torch.no_grad()
def sample(
    model: Decoder, prompts: Sequence[Sequence[int]], *, stop: int, longest: int, temperature: float, least: float,
) -> list[list[int]]:  # fmt: skip
    """A continuation of every prompt up to `stop`; empty where it did not end in time.

    Words less likely than `least` times the likeliest are not drawn: a small model's tail is noise.
    """
    device, sizes = model.words.weight.device, [len(p) for p in prompts]
    width = max(sizes)
    ids = torch.from_numpy(_fill(prompts, width)).to(device)
    place, rows = torch.tensor(sizes, device=device), torch.arange(len(prompts), device=device)
    turns, states = model.turns(torch.arange(width, device=device)[None]), model.words(ids)
    room = (len(prompts), model.shape.shared, width + longest, model.shape.width // model.shape.heads)
    kept = [_Kept(room, states) for _ in model.layers]
    for layer, memory in zip(model.layers, kept, strict=True):
        states = layer(states, turns, memory.fill)
    states = states[rows, place - 1][:, None]
    table = torch.full((len(prompts), longest), stop, device=device)
    alive, done = rows, torch.zeros(len(prompts), dtype=torch.bool, device=device)
    every = torch.arange(room[2], device=device)[None]
    for number in range(longest):
        picked = _draw(functional.linear(model.norm(states)[:, 0], model.words.weight), temperature, least)
        picked = torch.where(done, stop, picked)
        done |= picked == stop
        table[alive, number] = picked
        if number % 4 == 3:
            left = torch.nonzero(~done)[:, 0]
            if not len(left):
                break
            if len(left) < _CROWDED * len(done):  # those that ended are not carried along
                alive, place, picked, done = alive[left], place[left], picked[left], done[left]
                rows = rows[: len(left)]
                for memory in kept:
                    memory.keep(left)
        hidden = torch.where(every <= place[:, None], 0.0, -1e4).to(states.dtype)[:, None, None]
        turns, states = model.turns(place[:, None]), model.words(picked)[:, None]
        for layer, memory in zip(model.layers, kept, strict=True):
            states = layer(states, turns, memory.step(rows, place, hidden))
        place = place + 1
    written = table.cpu().numpy()
    ends = (written == stop).argmax(1), (written == stop).any(1)
    return [row[: int(end)].tolist() if ended else [] for row, end, ended in zip(written, *ends, strict=True)]


def _fill(prompts: Sequence[Sequence[int]], width: int) -> NDArray[np.int64]:
    table = np.zeros((len(prompts), width), dtype=np.int64)
    for row, prompt in zip(table, prompts, strict=True):
        row[: len(prompt)] = prompt
    return table


def _draw(logits: Tensor, temperature: float, least: float) -> Tensor:
    logits = logits.float()
    best = logits.amax(-1, keepdim=True)
    logits = logits.masked_fill_(logits < best + float(np.log(least)), -torch.inf).div_(temperature)
    noise = torch.empty_like(logits).exponential_().log_()
    return logits.sub_(noise).argmax(-1)


_NAMES = {
    "attn_norm": "norm", "ffn_norm": "last", "attn_q": "query", "attn_k": "key", "attn_v": "value",
    "attn_output": "out", "ffn_gate": "gate", "ffn_up": "up", "ffn_down": "down",
}  # fmt: skip


def read_weights(
    tensor: Callable[[str], NDArray[np.float32]], names: Sequence[str], shape: DecoderShape
) -> dict[str, Tensor]:
    """The tensors of a GGUF file under our names, up to the last layer that the shape has; read by several threads."""
    wanted: dict[str, str] = {}
    for name in names:
        stem, _, kind = name.rpartition(".")
        if stem == "token_embd":
            ours = "words"
        elif stem == "output_norm":
            ours = "norm"
        elif stem.startswith("blk.") and int(stem.split(".")[1]) < shape.layers:
            _, number, part = stem.split(".")
            ours = f"layers.{number}.{_NAMES[part]}"
        else:
            continue
        wanted[name] = f"{ours}.{kind}"

    def read(name: str) -> NDArray[np.float32]:
        value, part = tensor(name), wanted[name].rpartition(".")[0]
        if not shape.biased and part.endswith((".query", ".key")):  # Llama's files mix the halves of a head
            value = _part(value, shape.heads if part.endswith("query") else shape.shared)
        return np.ascontiguousarray(value)

    with ThreadPoolExecutor() as pool:
        return {
            ours: torch.from_numpy(value) for ours, value in zip(wanted.values(), pool.map(read, wanted), strict=True)
        }


def _part(weight: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    rows, width = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, width).swapaxes(1, 2).reshape(rows, width)


def make_tokenizer(fields: Mapping[str, Any]) -> Tokenizer:
    """The tokenizer that a GGUF file describes; Qwen2 cuts words by a pattern of its own, SmolLM as GPT-2 does."""
    pieces = [tuple(m.split(" ", 1)) for m in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(
        models.BPE({t: i for i, t in enumerate(fields["tokenizer.ggml.tokens"])}, pieces)  # type: ignore[arg-type]
    )
    if fields["general.architecture"] == "qwen2":
        first: Any = pre_tokenizers.Split(Regex(_WORDS), "isolated")
        letters = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    else:
        first, letters = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([first, letters])
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer
