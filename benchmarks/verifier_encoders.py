"""Encoders side by side on the same pairs: ours, ours in float32, and the architectures of known verifiers.

The known ones are built from their published sizes with random weights: the time does not depend on the weights, nor on
the number of words known, so all of them read the words of `mini`. What cannot be exported is timed in torch, and the
table says so.
"""

from __future__ import annotations

import contextlib
import io
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

INSTALL = 'pip install "groundwire[train]"'
WORDS = 30522
OPSET = 17

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Encoder:
    """Something that can read pairs; `problem` is why it cannot."""

    name: str
    runtime: str
    read: Callable[[Pairs], object]
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class EncoderTime:
    """`ratio` compares the best times with those of the first encoder."""

    name: str
    runtime: str
    median_ms: float
    best_ms: float
    ratio: float
    problem: str | None = None


def time_encoders(encoders: Sequence[Encoder], pairs: Pairs, repeats: int) -> list[EncoderTime]:
    """Encoders take turns, so that a busy machine is busy for all of them."""
    spent: list[list[float]] = [[] for _ in encoders]
    for turn in range(repeats + 1):
        print(f"encoders: round {turn} of {repeats}", file=sys.stderr)
        for i, encoder in enumerate(encoders):
            if encoder.problem is None:
                started = time.perf_counter()
                encoder.read(pairs)
                if turn > 0:  # the first time is for warming up
                    spent[i].append((time.perf_counter() - started) * 1000)
    first = min(spent[0]) if spent and spent[0] else float("nan")
    return [
        EncoderTime(e.name, e.runtime, statistics.median(ms), min(ms), min(ms) / first)
        if e.problem is None
        else EncoderTime(e.name, e.runtime, 0.0, 0.0, 0.0, e.problem)
        for e, ms in zip(encoders, spent, strict=True)
    ]


def open_encoders(tokenizer: Path, fp32: Path | None, *, rivals: bool) -> list[Encoder]:
    encode = open_tokenizer(tokenizer)
    found: list[Encoder] = []
    if fp32 is not None:
        found.append(open_graph("mini, fp32, 2 workers", fp32 / "model.onnx", encode))
    return found + list(build_rivals(encode)) if rivals else found


def open_tokenizer(path: Path) -> Callable[[Pairs], list[list[int]]]:
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return lambda pairs: [encoding.ids for encoding in tokenizer.encode_batch_fast(list(pairs))]


def open_graph(name: str, path: Path, encode: Callable[[Pairs], list[list[int]]]) -> Encoder:
    """Run as the product runs its own: one pair a run, two runs side by side, one thread each."""
    import numpy as np
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.enable_mem_pattern = False
    settings.log_severity_level = 4
    session = onnxruntime.InferenceSession(path.read_bytes(), settings, providers=["CPUExecutionProvider"])
    inputs = {entry.name for entry in session.get_inputs()}
    pool = ThreadPoolExecutor(2)

    def run(ids: list[int]) -> object:
        row = np.array([ids], np.int64)
        feed = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        return session.run(None, {key: value for key, value in feed.items() if key in inputs})

    return Encoder(name, "onnxruntime", lambda pairs: list(pool.map(run, encode(pairs))))


# ── known verifiers ─────────────────────────────────────────────────────────────────────────────


def build_rivals(encode: Callable[[Pairs], list[list[int]]]) -> Iterator[Encoder]:
    """Each as float32 and as int8, which is how ours runs."""
    try:
        import onnx  # noqa: F401
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        yield Encoder("known verifiers", "", lambda _: None, f"{error.name} is not installed: {INSTALL}")
        return
    for name, build in (
        ("DeBERTa-v3-base", _build_deberta),
        ("T5-base encoder", _build_t5),
        ("ModernBERT-base", _build_modern),
    ):
        print(f"encoders: building {name}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            yield from _open_rival(name, build(), Path(folder), encode)


def _open_rival(name: str, model: Any, folder: Path, encode: Callable[[Pairs], list[list[int]]]) -> Iterator[Encoder]:
    full, small = folder / "full.onnx", folder / "int8.onnx"
    try:
        export(model, full)
        yield open_graph(f"{name}, fp32", full, encode)
    except Exception as error:  # exporters fail in many ways, and torch can always be timed
        reason = (str(error).strip().splitlines() or [""])[0][:80]
        yield _open_torch(f"{name}, fp32", model, encode)
        yield Encoder(f"{name}, int8", "", lambda _: None, f"cannot be exported ({type(error).__name__}: {reason})")
        return
    try:
        quantise(full, small)
        yield open_graph(f"{name}, int8", small, encode)
    except Exception as error:
        reason = (str(error).strip().splitlines() or [""])[0][:80]
        yield Encoder(f"{name}, int8", "", lambda _: None, f"cannot be quantised ({type(error).__name__}: {reason})")


def export(model: Any, path: Path) -> None:
    """States of the last layer, with free batch and length."""
    import torch

    class Face(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state[:, 0]

    names = ["input_ids", "attention_mask"]
    example = (torch.randint(5, 900, (1, 24)), torch.ones(1, 24, dtype=torch.long))
    silence = contextlib.redirect_stdout(io.StringIO())
    with torch.no_grad(), warnings.catch_warnings(), silence:
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Face().eval(), example, str(path), input_names=names, output_names=["states"], opset_version=OPSET,
            dynamic_axes={key: {0: "batch", 1: "length"} for key in names}, dynamo=False,
        )  # fmt: skip


def quantise(source: Path, target: Path) -> None:
    """As `mini` is quantised: weights in int8, one scale a column; activations while running."""
    import logging

    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    logging.disable(logging.WARNING)
    try:
        quantize_dynamic(
            str(source), str(target), per_channel=True, weight_type=QuantType.QInt8,
            op_types_to_quantize=["MatMul", "Gather"], extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )  # fmt: skip
    finally:
        logging.disable(logging.NOTSET)


def _open_torch(name: str, model: Any, encode: Callable[[Pairs], list[list[int]]]) -> Encoder:
    import torch

    def read(pairs: Pairs) -> object:
        with torch.inference_mode():
            return [model(input_ids=torch.tensor([ids])).last_hidden_state[:, 0] for ids in encode(pairs)]

    return Encoder(name, "torch", read)


def _build_deberta() -> Any:
    from transformers import DebertaV2Config, DebertaV2Model

    config = DebertaV2Config(
        vocab_size=WORDS, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072,
        relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm", share_att_key=True,
        pos_att_type=["p2c", "c2p"], type_vocab_size=0, position_biased_input=False, max_relative_positions=-1,
    )  # fmt: skip
    return DebertaV2Model(config).eval()


def _build_t5() -> Any:
    from transformers import T5Config, T5EncoderModel

    config = T5Config(vocab_size=WORDS, d_model=768, d_kv=64, d_ff=3072, num_layers=12, num_heads=12, use_cache=False)
    return T5EncoderModel(config).eval()


def _build_modern() -> Any:
    from transformers import ModernBertConfig, ModernBertModel

    config = ModernBertConfig(
        vocab_size=WORDS, hidden_size=768, num_hidden_layers=22, num_attention_heads=12, intermediate_size=1152,
        pad_token_id=0, bos_token_id=101, eos_token_id=102, cls_token_id=101, sep_token_id=102,
        attn_implementation="eager",
    )  # fmt: skip
    return ModernBertModel(config).eval()
