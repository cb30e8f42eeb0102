"""From a trained encoder to the folder that the product reads: graph, weights, tokenizer, calibration, manifest."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from groundwire.models.files import CALIBRATION, GRAPH, TOKENIZER, WEIGHTS
from training.early import FIRST, LOGITS, MASK, STATES, Lower, Upper, join
from training.manifest import write_manifest
from training.network import Layer, Shape, Verifier
from training.packing import pack_model
from training.shapes import fix_shapes

OPSET = 17
ORDER = (0, 2, 1)
"""The product speaks of SUPPORTED, REFUTED, INSUFFICIENT; training of entail, neutral, contradict."""
LABELS = ("SUPPORTED", "REFUTED", "INSUFFICIENT")
UNCALIBRATED = {"version": "0", "method": "temperature", "temperature": 1.0}
_MPNET_FIRST = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
_MPNET_OFFSET = len(_MPNET_FIRST)


class _Face(nn.Module):
    """Named inputs, verdict order, and attention written out so that the graph holds nothing but plain operations."""

    def __init__(self, model: Verifier) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        return self.model(input_ids, attention_mask, token_type_ids)[:, list(ORDER)]


def _plain_attention(self: Layer, query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> Tensor:
    scores = torch.matmul(query, key.transpose(-1, -2)) / (query.shape[-1] ** 0.5)
    return torch.matmul(torch.softmax(scores + bias, dim=-1), value)


def export_graph(model: Verifier, path: Path, *, fold: bool = True) -> None:
    """The encoder as float32 ONNX, batch and length free; without `fold` matrices keep names and order, [out, in]."""
    names = ["input_ids", "attention_mask"] + (["token_type_ids"] if model.shape.segments else [])
    _trace(model, _Face(model), path, dict.fromkeys(names, _TOKENS), ["logits"], fold=fold)


_TOKENS = torch.ones(2, 16, dtype=torch.long)


def _trace(
    model: Verifier, face: nn.Module, path: Path, inputs: Mapping[str, Tensor], outputs: Sequence[str], *,
    fold: bool = True,
) -> None:  # fmt: skip
    """One face of an encoder as a graph; batch and length of every input and of the states stay free."""
    model.float().cpu().eval()
    for layer in model.layers:
        layer.attend = _plain_attention.__get__(layer)  # type: ignore[method-assign]
    free = {
        name: {0: "batch"} if name.endswith("logits") else {0: "batch", 1: "length"} for name in (*inputs, *outputs)
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer warns of its own age and of constants that are meant to be
        torch.onnx.export(
            face.eval(), tuple(inputs.values()), str(path), input_names=list(inputs), output_names=list(outputs),
            opset_version=OPSET, dynamic_axes=free, dynamo=False, do_constant_folding=fold,
        )  # fmt: skip
    for layer in model.layers:
        del layer.attend


def quantise(source: Path, target: Path, *, keep: Sequence[str] = ()) -> None:
    """Weights to int8, one scale a column; activations are rounded while running. `keep` stays in float."""
    logging.disable(logging.WARNING)  # a hint to run shape inference, which changes nothing here
    quantize_dynamic(
        str(source), str(target), per_channel=True, reduce_range=False, weight_type=QuantType.QInt8,
        nodes_to_exclude=list(keep), op_types_to_quantize=["MatMul", "Gather", "Attention"],
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )  # fmt: skip
    logging.disable(logging.NOTSET)


def find_nodes(path: Path, modules: Sequence[str]) -> list[str]:
    """The products and look-ups of modules such as `layers.0.up`, which the graph calls /model/layers.0/up/MatMul."""
    nodes = [n.name for n in onnx.load(str(path)).graph.node if n.op_type in ("MatMul", "Gather")]
    return [n for n in nodes if any(f".{m}." in n.replace("/", ".") for m in modules)]


def export_mini(
    model: Verifier, folder: Path, tokenizer: Path, *, keep: Sequence[str] = (), sure: float = 1.0, version: str = "1"
) -> None:
    """int8 throughout, in one file; where the model has a first opinion that is `sure` enough, it stops there."""
    folder.mkdir(parents=True, exist_ok=True)
    full = folder / "float.onnx"
    if model.shape.early and sure < 1.0:
        _export_in_two(model, folder, keep, sure)
    else:
        export_graph(model, full)
        quantise(full, folder / GRAPH, keep=find_nodes(full, keep))
        _save(onnx.load(str(folder / GRAPH)), model.shape, folder / GRAPH)
        full.unlink()
    document = json.loads(tokenizer.read_text(encoding="utf-8"))
    _finish(folder, "mini", version, document, model, "int8")


def _export_in_two(model: Verifier, folder: Path, keep: Sequence[str], sure: float) -> None:
    states = torch.zeros(2, 16, model.shape.width)
    tokens = dict.fromkeys(("input_ids", MASK, "token_type_ids"), _TOKENS)
    parts = [folder / f"{name}.onnx" for name in ("lower", "upper")]
    _trace(model, Lower(model, ORDER), parts[0], tokens, [STATES, FIRST])
    _trace(model, Upper(model, ORDER), parts[1], {STATES: states, MASK: _TOKENS}, [LOGITS])
    for part in parts:
        quantise(part, part, keep=find_nodes(part, keep))
    _save(join(*parts, sure), model.shape, folder / GRAPH)
    for part in parts:
        part.unlink()


def _save(graph: onnx.ModelProto, shape: Shape, path: Path) -> None:
    fix_shapes(graph, shape)
    onnx.save(graph, str(path))


def export_base(
    model: Verifier, codes: Mapping[str, Mapping[str, Any]], folder: Path, tokenizer: Path, *, plan: str,
    keep: Sequence[str] = (), version: str = "1",
) -> None:  # fmt: skip
    """The graph and, packed beside it, the codes that the model was rounded to."""
    folder.mkdir(parents=True, exist_ok=True)
    full = folder / "float.onnx"
    export_graph(model, full, fold=False)
    skeleton, weights = pack_model(full, codes, keep)
    full.unlink()
    (folder / GRAPH).write_bytes(skeleton)
    (folder / WEIGHTS).write_bytes(weights)
    document = json.loads(tokenizer.read_text(encoding="utf-8"))
    _finish(folder, "base", version, as_mpnet(document), model, f"{plan}, int8 at run time")


def _finish(
    folder: Path, name: str, version: str, tokenizer: dict[str, Any], model: Verifier, precision: str
) -> None:  # fmt: skip
    tokenizer |= {"truncation": None, "padding": None}
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (folder / TOKENIZER).write_text(text, encoding="utf-8")
    (folder / CALIBRATION).write_text(json.dumps(UNCALIBRATED, indent=1) + "\n", encoding="utf-8")
    manifest = {
        "name": name, "version": version, "labels": LABELS, "max_tokens": longest(model.shape),
        "parameters": sum(p.numel() for p in model.parameters()), "precision": precision, "batching": "single",
        "pad_id": model.shape.padding,
    }  # fmt: skip
    write_manifest(folder, manifest)


def longest(shape: Shape) -> int:
    """Tokens that the positions allow."""
    return shape.positions - shape.first_position


def as_mpnet(document: Mapping[str, Any]) -> dict[str, Any]:
    """The tokenizer of MPNet out of BERT's: the same pieces four numbers further on, and other marks around a text.

    `base` was trained on exactly these numbers.
    """
    vocabulary = {piece: number + _MPNET_OFFSET for piece, number in document["model"]["vocab"].items()}
    mask = max(vocabulary.values()) + 1
    marks = {**_MPNET_FIRST, "[UNK]": vocabulary["[UNK]"], "<mask>": mask}
    plain = {"single_word": False, "rstrip": False, "normalized": False, "special": True}
    added = [{"id": number, "content": mark, "lstrip": mark == "<mask>", **plain} for mark, number in marks.items()]
    processor = {
        "type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": True,
        "add_prefix_space": False,
    }  # fmt: skip
    model = {**document["model"], "vocab": {**_MPNET_FIRST, **vocabulary, "<mask>": mask}}
    return {**document, "added_tokens": added, "post_processor": processor, "model": model}
