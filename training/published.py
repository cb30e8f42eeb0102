"""Shipped models read back into training weights, so that a run can begin with what users have.

What rounding took is gone: a weight that comes back is the one that the product computes with. `base` comes back in the
few bits that it is stored in, before the loader makes int8 of them.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import GraphProto, TensorProto, numpy_helper
from torch import Tensor

from groundwire.models.files import GRAPH, TOKENIZER, WEIGHTS
from groundwire.models.packed import unpack
from training.early import UPPER
from training.network import Shape, Verifier
from training.packing import PREFIX

_TABLE = re.compile(rf"{re.escape(PREFIX)}(\w+)\.weight_quantized")
_ROOT = Path(__file__).resolve().parent.parent
Arrays = dict[str, NDArray[Any]]


def find_published(name: str, settings: Mapping[str, str]) -> Path:
    """The folder of a shipped model; a relative one is meant from the repository."""
    return _ROOT / settings[name]


def lend_tokenizer(target: Path, settings: Mapping[str, str]) -> None:
    """The word pieces of the shipped `mini`, for a run that reads no published encoder."""
    if not target.exists():
        shutil.copyfile(find_published("mini", settings) / TOKENIZER, target)


def read_published(folder: Path, shape: Shape) -> dict[str, Tensor]:
    """The state of an encoder of that shape; one that does not fit is an error, not a half-filled model."""
    found = read_packed(folder) if (folder / WEIGHTS).exists() else read_int8(folder / GRAPH)
    wanted = {name: tuple(value.shape) for name, value in Verifier(shape).state_dict().items()}
    wrong = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != _size(found.get(name)))
    if wrong:
        raise ValueError(f"{folder} is of another shape than the configuration's: {', '.join(wrong[:5])}")
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in found.items()}


def _size(value: NDArray[Any] | None) -> tuple[int, ...] | None:
    return None if value is None else tuple(value.shape)


def read_int8(path: Path) -> Arrays:
    """`mini`: one graph, in two parts where it may stop half-way."""
    found: Arrays = {}
    for graph in _list_graphs(onnx.load(str(path)).graph):
        given = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        found |= _read_plain(given)
        found |= _read_tables(given)
        found |= _read_products(graph, given)
    return found


def _list_graphs(graph: GraphProto) -> Iterator[GraphProto]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _list_graphs(attribute.g)


def _read_plain(given: Arrays) -> Arrays:
    """What was never rounded keeps its name: biases, norms."""
    named = {name.removeprefix(UPPER): value for name, value in given.items()}
    return {
        name.removeprefix(PREFIX): value
        for name, value in named.items()
        if name.startswith(PREFIX) and name.endswith((".bias", ".weight"))
    }


def _read_tables(given: Arrays) -> Arrays:
    found: Arrays = {}
    for name, codes in given.items():
        match = _TABLE.fullmatch(name.removeprefix(UPPER))
        if match:
            stem = name.removesuffix("_quantized")
            value = codes.astype(np.float32) - given[stem + "_zero_point"].astype(np.float32)
            found[f"{match[1]}.weight"] = value * given[stem + "_scale"]
    return found


def _read_products(graph: GraphProto, given: Arrays) -> Arrays:
    """A matrix is known by the place of its product, /model/layers.0/up/MatMul_quant; it is kept [in, out]."""
    found: Arrays = {}
    for node in graph.node:
        if node.op_type not in ("MatMul", "MatMulInteger") or node.input[1] not in given:
            continue
        value, stem = given[node.input[1]].astype(np.float32), node.input[1].removesuffix("_quantized")
        if node.op_type == "MatMulInteger":
            value = value * given[stem + "_scale"]
        module = ".".join(node.name.removeprefix(UPPER).strip("/").split("/")[:-1])
        found[module.removeprefix(PREFIX) + ".weight"] = value.T
    return found


def read_packed(folder: Path) -> Arrays:
    """`base`: codes of a few bits beside a graph that holds what was too small to be packed."""
    found = unpack((folder / WEIGHTS).read_bytes(), as_float=True)
    for tensor in onnx.load(str(folder / GRAPH), load_external_data=False).graph.initializer:
        if tensor.data_location != TensorProto.EXTERNAL:
            found[tensor.name] = numpy_helper.to_array(tensor)
    return {name.removeprefix(PREFIX): value for name, value in found.items() if name.startswith(PREFIX)}
