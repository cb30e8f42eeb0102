"""Language models of a few thousand random weights that read letters, in the form in which real ones are published."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from training.gguf import F32

LETTERS = sorted({*"ĠĊ:.,", *"abcdefghijklmnopqrstuvwxyz", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *"0123456789"})


def _text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def _field(value: Any) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_text, value))


def write_gguf(fields: Mapping[str, Any], tensors: Mapping[str, tuple[np.ndarray, int, Sequence[int]]]) -> bytes:
    """A file as they are published: header, metadata, places, and the blocks of each tensor."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields))
    head += b"".join(_text(k) + _field(v) for k, v in fields.items())
    at, body = 0, b""
    for name, (raw, kind, shape) in tensors.items():
        head += _text(name) + struct.pack("<I", len(shape)) + b"".join(struct.pack("<Q", n) for n in reversed(shape))
        head += struct.pack("<IQ", kind, at)
        block = raw.tobytes()
        block += b"\0" * (-len(block) % 32)
        body, at = body + block, at + len(block)
    return head + b"\0" * (-len(head) % 32) + body


def make_file(kind: str = "llama", layers: int = 2, seed: int = 1) -> bytes:
    """A language model of a few thousand random weights that reads letters."""
    rng = np.random.default_rng(seed)
    width, heads, shared, inner = 32, 4, 2, 48
    fields = {
        "general.architecture": kind, f"{kind}.block_count": layers, f"{kind}.embedding_length": width,
        f"{kind}.attention.head_count": heads, f"{kind}.attention.head_count_kv": shared,
        f"{kind}.feed_forward_length": inner, f"{kind}.rope.freq_base": 10000.0,
        f"{kind}.attention.layer_norm_rms_epsilon": 1e-6, "tokenizer.ggml.tokens": ["<end>", *LETTERS],
        "tokenizer.ggml.merges": [],
    }  # fmt: skip
    narrow = width // heads * shared
    shapes = {"token_embd.weight": (len(LETTERS) + 1, width), "output_norm.weight": (width,)}
    for i in range(layers):
        parts = {
            "attn_q": (width, width), "attn_k": (narrow, width), "attn_v": (narrow, width),
            "attn_output": (width, width), "ffn_gate": (inner, width), "ffn_up": (inner, width),
            "ffn_down": (width, inner), "attn_norm": (width,), "ffn_norm": (width,),
        }  # fmt: skip
        shapes |= {f"blk.{i}.{part}.weight": shape for part, shape in parts.items()}
        if kind == "qwen2":
            shapes |= {f"blk.{i}.{part}.bias": (parts[part][0],) for part in ("attn_q", "attn_k", "attn_v")}
    tensors = {}
    for name, shape in shapes.items():
        value = rng.normal(0, 0.3, shape) if len(shape) > 1 else np.ones(shape) * (0.0 if "bias" in name else 1.0)
        tensors[name] = (value.astype(np.float32), F32, shape)
    return write_gguf(fields, tensors)
