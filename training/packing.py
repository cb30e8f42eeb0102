"""`base` as it is shipped: a graph without weights, and the weights in a few bits beside it.

Codes are grouped along the inputs, [out, in]. The loader makes bytes of them with one scale for each output and hands
them over as [in, out]; the graph multiplies in int8 and rounds activations while running. No matrix is ever held in
float32, except those that `keep` names because their rounding costs too much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import GraphProto, NodeProto, TensorProto, helper, numpy_helper

from groundwire.models.files import WEIGHTS
from groundwire.models.packed import SCALE_SUFFIX, Grouped, Stored, pack

PREFIX = "model."
_SMALLEST = 64
"""Values of a constant that is worth leaving out of the graph; a shape or an axis is not."""
_TYPES = {np.dtype(np.int8): TensorProto.INT8, np.dtype(np.float32): TensorProto.FLOAT}


def pack_model(
    graph: Path, codes: Mapping[str, Mapping[str, Any]], keep: Sequence[str] = ()
) -> tuple[bytes, bytes]:  # fmt: skip
    """(skeleton, weights) of an exported float32 graph whose matrices were rounded to `codes`."""
    model = onnx.load(str(graph))
    given = {t.name: t for t in model.graph.initializer}
    kept = [numpy_helper.from_array(np.array([-1]), "last_axis")]
    stored: dict[str, Stored] = {}
    narrow: set[str] = set()
    turned = _find_turned(model.graph)
    for name, tensor in given.items():
        values = numpy_helper.to_array(tensor)
        coded = codes.get(name.removeprefix(PREFIX))
        if coded is not None:
            is_float = name.removeprefix(PREFIX).removesuffix(".weight") in keep or "positions" in name
            turn = name in turned and not is_float
            stored[name] = Stored(_group(coded), int(coded["bits"]), int8_axis=None if is_float else 0, turned=turn)
            if not is_float:
                narrow.add(name)
            kept += _leave_out(name, values.shape, narrow=not is_float, turned=turn)
        elif values.dtype == np.float32 and values.size >= _SMALLEST:
            stored[name] = Stored(values, 16)
            kept += _leave_out(name, values.shape, narrow=False)
        else:
            kept.append(tensor)
    _rewrite(model.graph, narrow)
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    del model.graph.value_info[:]
    return model.SerializeToString(), pack(stored)


def _group(coded: Mapping[str, Any]) -> Grouped:
    least = coded["least"]
    minima = None if least is None else least.numpy()
    shape = tuple(int(size) for size in coded["shape"])
    return Grouped(shape, int(coded["bits"]), coded["codes"].numpy(), coded["scale"].numpy(), minima)


def _find_turned(graph: GraphProto) -> set[str]:
    """Matrices that are used transposed and in no other way: the loader turns them, one at a time.

    Left in the graph, the turning would be done for all of them while the originals are still there.
    """
    turned = {n.input[0] for n in graph.node if n.op_type == "Transpose"}
    turned |= {n.input[1] for n in graph.node if n.op_type == "Gemm" and _is_transposed(n)}
    return turned - {n.input[0] for n in graph.node if n.op_type == "Gather"}


def _is_transposed(node: NodeProto) -> bool:
    return any(a.name == "transB" and a.i == 1 for a in node.attribute)


def _leave_out(name: str, shape: Sequence[int], *, narrow: bool, turned: bool = False) -> list[TensorProto]:
    """The names and shapes that the loader fills in."""
    if not narrow:
        return [_absent(name, shape, np.dtype(np.float32))]
    return [
        _absent(name, shape[::-1] if turned else shape, np.dtype(np.int8)),
        _absent(name + SCALE_SUFFIX, shape[:1], np.dtype(np.float32)),
    ]


def _absent(name: str, shape: Sequence[int], kind: np.dtype[Any]) -> TensorProto:
    tensor = TensorProto(name=name, data_type=_TYPES[kind], dims=list(shape))
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=WEIGHTS)
    return tensor


def _rewrite(graph: GraphProto, narrow: set[str]) -> None:
    """Look-ups and products of the narrow matrices, in place of those that expect float32."""
    turned = {n.output[0]: n.input[0] for n in graph.node if n.op_type == "Transpose" and n.input[0] in narrow}
    nodes: list[NodeProto] = []
    rounded: set[str] = set()
    for node in graph.node:
        if node.op_type == "Gather" and node.input[0] in narrow:
            nodes += _look_up(node)
        elif node.op_type == "MatMul" and node.input[1] in turned:
            if node.input[0] not in rounded:
                rounded.add(node.input[0])
                nodes.append(_round(node.input[0]))
            nodes += _multiply(node.input[0], turned[node.input[1]], node.output[0])
        elif node.op_type == "Gemm" and node.input[1] in narrow:
            nodes += _add(node)
        elif node.op_type == "Transpose" and node.input[0] in narrow:
            continue  # the loader has turned it
        elif any(name in narrow for name in node.input):
            raise ValueError(f"{node.op_type} {node.name} uses {list(node.input)}, which cannot be had in int8")
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)


def _look_up(node: NodeProto) -> list[NodeProto]:
    table, rows = node.input
    made = [f"{node.output[0]}_{part}" for part in ("codes", "scale", "numbers", "steps")]
    return [
        helper.make_node("Gather", [table, rows], [made[0]]),
        helper.make_node("Gather", [table + SCALE_SUFFIX, rows], [made[1]]),
        helper.make_node("Cast", [made[0]], [made[2]], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", [made[1], "last_axis"], [made[3]]),
        helper.make_node("Mul", [made[2], made[3]], [node.output[0]]),
    ]


def _round(name: str) -> NodeProto:
    return helper.make_node("DynamicQuantizeLinear", [name], [f"{name}_u8", f"{name}_u8_scale", f"{name}_u8_zero"])


def _multiply(given: str, weight: str, out: str) -> list[NodeProto]:
    """In the pattern that onnxruntime knows how to make one kernel of."""
    return [
        helper.make_node("MatMulInteger", [f"{given}_u8", weight, f"{given}_u8_zero"], [out + "_i32"]),
        helper.make_node("Cast", [out + "_i32"], [out + "_f32"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{given}_u8_scale", weight + SCALE_SUFFIX], [out + "_scale"]),
        helper.make_node("Mul", [out + "_f32", out + "_scale"], [out]),
    ]


def _add(node: NodeProto) -> list[NodeProto]:
    """A product of [out, in] with its bias: the layer behind the encoder."""
    given, weight, bias = node.input
    product = node.output[0] + "_product"
    return [
        _round(given),
        *_multiply(given, weight, product),
        helper.make_node("Add", [product, bias], [node.output[0]]),
    ]
