"""From a trained encoder to files that onnxruntime reads: the graph, its int8 form, and the packed form of `base`."""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers import optimizer
from onnxruntime.transformers.fusion_options import FusionOptions
from torch import Tensor, nn

from training.network import Layer, Verifier

OPSET = 17
ORDER = (0, 2, 1)
"""The product speaks of SUPPORTED, REFUTED, INSUFFICIENT; training of entail, neutral, contradict."""


class _Face(nn.Module):
    """Named inputs, verdict order, and attention written out so that the graph optimiser knows it again."""

    def __init__(self, model: Verifier) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        return self.model(input_ids, attention_mask, token_type_ids)[:, list(ORDER)]


def _plain_attention(self: Layer, query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> Tensor:
    scores = torch.matmul(query, key.transpose(-1, -2)) / (query.shape[-1] ** 0.5)
    return torch.matmul(torch.softmax(scores + bias, dim=-1), value)


def export_graph(model: Verifier, path: Path) -> None:
    """The encoder as float32 ONNX with free batch and length."""
    model = model.float().cpu().eval()
    for layer in model.layers:
        layer.attend = _plain_attention.__get__(layer)  # type: ignore[method-assign]
    names = ["input_ids", "attention_mask"] + (["token_type_ids"] if model.shape.segments else [])
    example = tuple(torch.ones(2, 16, dtype=torch.long) for _ in names)
    torch.onnx.export(
        _Face(model).eval(), example, str(path), input_names=names, output_names=["logits"], opset_version=OPSET,
        dynamic_axes={**{n: {0: "batch", 1: "length"} for n in names}, "logits": {0: "batch"}}, dynamo=False,
    )  # fmt: skip
    for layer in model.layers:
        del layer.attend


def fuse(source: Path, target: Path, model: Verifier) -> None:
    """Known patterns (attention, layer norms, gelu) become single kernels."""
    options = FusionOptions("bert")
    options.enable_embed_layer_norm = False
    fused = optimizer.optimize_model(
        str(source), model_type="bert", num_heads=model.shape.heads, hidden_size=model.shape.width,
        optimization_options=options, opt_level=0,
    )  # fmt: skip
    fused.save_model_to_file(str(target))


def quantise(source: Path, target: Path, *, keep: tuple[str, ...] = ()) -> None:
    """Weights to int8, one scale a column; activations are rounded while running. `keep` stays in float."""
    quantize_dynamic(
        str(source), str(target), per_channel=True, reduce_range=False, weight_type=QuantType.QInt8,
        nodes_to_exclude=list(keep), op_types_to_quantize=["MatMul", "Gather", "Attention"],
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )  # fmt: skip


def matrix_nodes(path: Path) -> list[str]:
    """The nodes that quantisation touches, in order."""
    return [n.name for n in onnx.load(str(path)).graph.node if n.op_type in ("MatMul", "Attention", "Gather")]
