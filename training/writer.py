"""A small language model that writes claims: more pairs for distillation than people ever labelled.

SmolLM2-135M, published as GGUF, is tuned on labelled pairs to continue "evidence, label" with a claim. What it writes
goes to the student without a label; the teacher judges it like any other pair.
"""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor
from torch.nn import functional
from transformers import LlamaConfig, LlamaForCausalLM

from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, Pair

WORDS = {ENTAIL: "Therefore", NEUTRAL: "Perhaps", CONTRADICT: "Wrongly"}
_END = 0
_SIZES = {0: (1, 4), 1: (1, 2), 3: (32, 20), 8: (32, 34)}
_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<B", 10: "<Q", 11: "<q", 12: "<d"}


class Gguf:
    """The metadata and tensors of a GGUF file, read with nothing but numpy."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 4
        _, tensors, fields = self._take("<I"), self._take("<Q"), self._take("<Q")
        self.fields: dict[str, Any] = {}
        for _ in range(fields):
            name = self._string()
            self.fields[name] = self._value(self._take("<I"))
        self._places: dict[str, tuple[tuple[int, ...], int, int]] = {}
        for _ in range(tensors):
            name = self._string()
            shape = tuple(self._take("<Q") for _ in range(self._take("<I")))
            self._places[name] = (shape[::-1], self._take("<I"), self._take("<Q"))
        align = int(self.fields.get("general.alignment", 32))
        self._start = (self._at + align - 1) // align * align

    def _take(self, form: str) -> Any:
        (value,) = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return value

    def _string(self) -> str:
        size = self._take("<Q")
        self._at += size
        return self._data[self._at - size : self._at].decode("utf-8", "replace")

    def _value(self, kind: int) -> Any:
        if kind == 8:
            return self._string()
        if kind == 9:
            inner, count = self._take("<I"), self._take("<Q")
            return [self._value(inner) for _ in range(count)]
        return self._take(_SCALARS[kind])

    def tensor(self, name: str) -> NDArray[np.float32]:
        """Dequantised; types f32, f16, Q4_1 and Q8_0."""
        shape, kind, offset = self._places[name]
        block, size = _SIZES[kind]
        count = math.prod(shape)
        raw = np.frombuffer(self._data, np.uint8, count // block * size, self._start + offset)
        if kind in (0, 1):
            return raw.view(np.float32 if kind == 0 else np.float16).astype(np.float32).reshape(shape)
        rows = raw.reshape(-1, size)
        scale = rows[:, :2].copy().view(np.float16).astype(np.float32)
        if kind == 8:
            return (rows[:, 2:].view(np.int8) * scale).reshape(shape)
        least = rows[:, 2:4].copy().view(np.float16).astype(np.float32)
        codes = np.concatenate([rows[:, 4:] & 15, rows[:, 4:] >> 4], axis=1)
        return (codes * scale + least).reshape(shape)


_NAMES = {
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}  # fmt: skip


def load_writer(data: bytes) -> tuple[LlamaForCausalLM, Tokenizer]:
    """The model and its tokenizer out of one GGUF file."""
    file = Gguf(data)
    get = file.fields.__getitem__
    heads, shared = get("llama.attention.head_count"), get("llama.attention.head_count_kv")
    config = LlamaConfig(
        vocab_size=get("llama.vocab_size"),
        hidden_size=get("llama.embedding_length"),
        intermediate_size=get("llama.feed_forward_length"),
        num_hidden_layers=get("llama.block_count"),
        num_attention_heads=heads,
        num_key_value_heads=shared,
        rope_parameters={"rope_type": "default", "rope_theta": get("llama.rope.freq_base")},
        rms_norm_eps=get("llama.attention.layer_norm_rms_epsilon"),
        tie_word_embeddings=True,
        max_position_embeddings=2048,
        attn_implementation="sdpa",
    )
    model = LlamaForCausalLM(config)
    state = {
        "model.embed_tokens.weight": file.tensor("token_embd.weight"),
        "model.norm.weight": file.tensor("output_norm.weight"),
    }
    for layer in range(config.num_hidden_layers):
        for theirs, ours in _NAMES.items():
            weight = file.tensor(f"blk.{layer}.{theirs}.weight")
            if theirs in ("attn_q", "attn_k"):
                weight = _unpermute(weight, heads if theirs == "attn_q" else shared)
            state[f"model.layers.{layer}.{ours}.weight"] = weight
    missing = model.load_state_dict({k: torch.from_numpy(v.copy()) for k, v in state.items()}, strict=False)
    assert set(missing.missing_keys) <= {"lm_head.weight"} and not missing.unexpected_keys, missing
    return model, _tokenizer(get("tokenizer.ggml.tokens"), get("tokenizer.ggml.merges"))


def _unpermute(weight: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    rows, width = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, width).swapaxes(1, 2).reshape(rows, width)


def _tokenizer(tokens: Sequence[str], merges: Sequence[str]) -> Tokenizer:
    pieces = [tuple(m.split(" ", 1)) for m in merges]
    tokenizer = Tokenizer(models.BPE({t: i for i, t in enumerate(tokens)}, pieces))  # type: ignore[arg-type]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _prompt(premise: str, label: str) -> str:
    return f"{premise}\n{WORDS[label]}:"


def tune(
    model: LlamaForCausalLM, tokenizer: Tokenizer, pairs: Sequence[Pair], *, device: str, epochs: int, rate: float,
    size: int, seed: int, report: Callable[[dict[str, float]], None],
) -> None:  # fmt: skip
    """Learn to continue evidence and label with the claim; a little of the loss is on the evidence itself."""
    prompts = tokenizer.encode_batch([_prompt(p.premise, p.label) for p in pairs])
    claims = tokenizer.encode_batch([" " + p.hypothesis for p in pairs])
    rows = [(a.ids[-160:], [*b.ids[:60], _END]) for a, b in zip(prompts, claims, strict=True)]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]) + len(rows[i][1]))
    batches = [order[i : i + size] for i in range(0, len(order), size)]
    rng = np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device != "cpu"
    )
    model.to(device).train()
    step, total, started = 0, epochs * len(batches), time.monotonic()
    for _ in range(epochs):
        for k in rng.permutation(len(batches)):
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 50) * max(0.02, 1 - step / total)
            ids, mask, weight = (t.to(device) for t in _stack([rows[i] for i in batches[k]]))
            with torch.autocast("cuda", torch.bfloat16) if device != "cpu" else nullcontext():
                logits = model(input_ids=ids, attention_mask=mask).logits
            loss = functional.cross_entropy(
                logits[:, :-1].flatten(0, 1).float(), ids[:, 1:].flatten(), reduction="none"
            )
            loss = (loss * weight[:, 1:].flatten()).sum() / weight[:, 1:].sum()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step += 1
            if step % 200 == 0 or step == total:
                report(
                    {
                        "step": step,
                        "of": total,
                        "loss": float(loss.detach()),
                        "seconds": round(time.monotonic() - started, 1),
                    }
                )


def _stack(rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor, Tensor]:
    width = (max(len(a) + len(b) for a, b in rows) + 7) // 8 * 8
    ids = torch.full((len(rows), width), _END)
    mask, weight = torch.zeros(len(rows), width, dtype=torch.long), torch.zeros(len(rows), width)
    for i, (a, b) in enumerate(rows):
        ids[i, : len(a) + len(b)] = torch.tensor(a + b)
        mask[i, : len(a) + len(b)] = 1
        weight[i, : len(a)] = 0.1
        weight[i, len(a) : len(a) + len(b)] = 1.0
    return ids, mask, weight


@torch.no_grad()
def write(
    model: LlamaForCausalLM, tokenizer: Tokenizer, premises: Sequence[tuple[str, str]], *, device: str, size: int,
    longest: int = 36, temperature: float = 0.9, seed: int = 0, deadline: float = float("inf"),
) -> Iterator[Pair]:  # fmt: skip
    """One claim for each (evidence, wanted label), sampled; stops early at the deadline of the monotonic clock."""
    torch.manual_seed(seed)
    model.to(device).to(torch.bfloat16 if device != "cpu" else torch.float32).eval()
    encoded = [e.ids[-120:] for e in tokenizer.encode_batch([_prompt(p, w) for p, w in premises])]
    order = sorted(range(len(premises)), key=lambda i: len(encoded[i]))
    starts = list(range(0, len(order), size))
    np.random.default_rng(seed).shuffle(starts)
    for start in starts:
        if time.monotonic() > deadline:
            return
        chosen = order[start : start + size]
        texts = _sample(model, [encoded[i] for i in chosen], device, longest, temperature)
        for i, text in zip(chosen, tokenizer.decode_batch(texts), strict=True):
            claim = text.strip()
            if 8 <= len(claim) <= 300 and "\n" not in claim:
                yield Pair(premises[i][0], claim, premises[i][1], "written")


def _sample(
    model: LlamaForCausalLM, prompts: list[list[int]], device: str, longest: int, temperature: float
) -> list[list[int]]:
    width = max(map(len, prompts))
    ids = torch.tensor([[_END] * (width - len(p)) + p for p in prompts], device=device)
    mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts], device=device)
    place = (mask.cumsum(-1) - 1).clamp(min=0)
    out = model(input_ids=ids, attention_mask=mask, position_ids=place, use_cache=True, logits_to_keep=1)
    done = torch.zeros(len(prompts), dtype=torch.bool, device=device)
    found: list[Tensor] = []
    last = place[:, -1:]
    for _ in range(longest):
        logits = out.logits[:, -1].float() / temperature
        noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
        picked = (logits + noise).argmax(-1)
        picked = torch.where(done, torch.full_like(picked, _END), picked)
        done |= picked == _END
        found.append(picked)
        if bool(done.all()):
            break
        mask = torch.cat([mask, torch.ones_like(mask[:, :1])], dim=1)
        last = last + 1
        out = model(
            input_ids=picked[:, None], attention_mask=mask, position_ids=last, past_key_values=out.past_key_values,
            use_cache=True,
        )  # fmt: skip
    rows = torch.stack(found, dim=1).tolist()
    ended = done.tolist()
    return [[t for t in row if t != _END] if end else [] for row, end in zip(rows, ended, strict=True)]
