"""Tiny models that are real ones: a table of three numbers a word, averaged over the claim and the evidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", "yes", "no", "maybe", "works", "at", "bosch", "siemens", "ada", "lives"),
    *("in", "ulm", "oslo"),
]
MEANING = {"yes": (6.0, 0.0, 0.0), "no": (0.0, 6.0, 0.0), "maybe": (0.0, 0.0, 6.0)}


def make_tokenizer() -> str:
    vocabulary = {word: i for i, word in enumerate(WORDS)}
    tokenizer: Any = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=special
    )
    return tokenizer.to_str()


def make_table() -> np.ndarray:
    """Three small numbers a word; a few words mean something."""
    table = np.random.default_rng(7).normal(0, 0.1, (len(WORDS), 3)).astype(np.float32)
    for word, meaning in MEANING.items():
        table[WORDS.index(word)] = meaning
    return table


def leave_out(tensor: TensorProto) -> TensorProto:
    """The same tensor without its numbers, which the loader has to give."""
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="weights.gwq")
    return tensor


def make_graph(*, types: bool = False, external: bool = False, small: bool = False, broken: bool = False) -> bytes:
    """Mean of the words' rows under the mask, times a matrix.

    `external` leaves the table out, `small` has it as int8 with a scale for each row, left out as well.
    """
    shape = ["batch", "length"]
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if types else [])]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])
    table = numpy_helper.from_array(make_table(), "table")
    if external:
        leave_out(table)
    if small:
        table = leave_out(numpy_helper.from_array(np.zeros((len(WORDS), 3), np.int8), "table"))
    head = np.eye(3, dtype=np.float32) * (np.float32(np.nan) if broken else np.float32(4))
    constants = [table, numpy_helper.from_array(head, "head"), numpy_helper.from_array(np.array([2]), "last")]
    constants.append(numpy_helper.from_array(np.array([1]), "along"))
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"])]
    if small:
        constants.append(leave_out(numpy_helper.from_array(np.zeros(len(WORDS), np.float32), "table_scale")))
        nodes = [
            helper.make_node("Gather", ["table", "input_ids"], ["codes"]),
            helper.make_node("Gather", ["table_scale", "input_ids"], ["scales"]),
            helper.make_node("Cast", ["codes"], ["numbers"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["scales", "last"], ["steps"]),
            helper.make_node("Mul", ["numbers", "steps"], ["rows"]),
        ]
    nodes += [
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
        helper.make_node("Mul", ["rows", "wide"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "along"], ["sum"], keepdims=0),
        helper.make_node("ReduceSum", ["mask", "along"], ["count"], keepdims=1),
        helper.make_node("Div", ["sum", "count"], ["mean"]),
        helper.make_node("MatMul", ["mean", "head"], ["plain"]),
    ]
    if types:
        nodes += [
            helper.make_node("Cast", ["token_type_ids"], ["typed"], to=TensorProto.FLOAT),
            helper.make_node("ReduceSum", ["typed", "along"], ["claimed"], keepdims=1),
            helper.make_node("Mul", ["plain", "claimed"], ["logits"]),
        ]
    else:
        nodes.append(helper.make_node("Identity", ["plain"], ["logits"]))
    graph = helper.make_graph(nodes, "tiny", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return model.SerializeToString()


def write_model(folder: Path, *, files: Mapping[str, bytes] | None = None, **manifest: Any) -> Path:
    """A model's folder with a right manifest; `files` replace or join the usual ones."""
    calibration = {"version": "t1", "method": "temperature", "temperature": 1.0}
    contents = {
        "model.onnx": make_graph(),
        "tokenizer.json": make_tokenizer().encode(),
        "calibration.json": json.dumps(calibration).encode(),
        **(files or {}),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    listed = {n: {"sha256": hashlib.sha256(c).hexdigest(), "bytes": len(c)} for n, c in contents.items()}
    document = {
        "name": folder.name,
        "version": "1",
        "labels": ["SUPPORTED", "REFUTED", "INSUFFICIENT"],
        "max_tokens": 64,
        "files": listed,
        **manifest,
    }
    (folder / "manifest.json").write_text(json.dumps(document), encoding="utf-8")
    return folder
