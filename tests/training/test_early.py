"""A first opinion on the way, and a large encoder that reads along."""

# torch comes with the extra `train`; the types are checked without it.
# pyright: reportMissingImports=false

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groundwire.models.files import GRAPH

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
PIECES = 60


def make_model(early: int = 1, width: int = 64) -> Any:
    import torch
    from training.network import Shape, Verifier

    torch.manual_seed(3)
    model = Verifier(Shape(3, width, 4, 2 * width, PIECES, 64, segments=2, early=early), dropout=0.0).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.mul_(8.0 if "head" in name else 1.0)
    return model


def make_pair(length: int = 12, seed: int = 0) -> tuple[Any, Any, Any]:
    import torch

    ids = torch.from_numpy(np.random.default_rng(seed).integers(5, PIECES, (1, length)))
    return ids, torch.ones_like(ids), (torch.arange(length)[None] >= length // 2).long()


def run_export(model: Any, folder: Path, sure: float) -> list[np.ndarray]:
    """What the exported graph says of a few pairs of different lengths."""
    import onnxruntime
    from training.export import export_mini

    tokenizer = folder / "given.json"
    tokenizer.write_text(json.dumps({"model": {}}), encoding="utf-8")
    export_mini(model, folder, tokenizer, sure=sure)
    session = onnxruntime.InferenceSession(str(folder / GRAPH), providers=["CPUExecutionProvider"])
    names = ("input_ids", "attention_mask", "token_type_ids")
    pairs = [make_pair(length, seed=length) for length in (8, 12, 31)]
    feeds = [{name: given.numpy() for name, given in zip(names, pair, strict=True)} for pair in pairs]
    return [np.asarray(session.run(["logits"], feed)[0])[0] for feed in feeds]


def read_opinion(model: Any, length: int, *, early: bool) -> np.ndarray:
    import torch
    from training.export import ORDER

    inputs = make_pair(length, seed=length)
    with torch.no_grad():
        states = model.encode(*inputs)[model.shape.early if early else -1]
        return model.classify(states, inputs[1], early=early)[0, list(ORDER)].numpy()


@pytest.mark.parametrize(("sure", "early"), [(0.0, True), (0.999999, False), (1.0, False)])
def test_a_first_opinion_is_the_answer_only_where_it_is_sure_enough(tmp_path: Path, sure: float, early: bool):
    model = make_model()
    found = run_export(model, tmp_path, sure)
    for length, logits in zip((8, 12, 31), found, strict=True):
        expected, other = (read_opinion(model, length, early=e) for e in (early, not early))
        assert np.abs(logits - expected).max() < 0.1
        assert np.abs(logits - other).max() > 0.2  # else any of the two would pass


def test_an_encoder_without_a_first_opinion_is_exported_whole(tmp_path: Path):
    model = make_model(early=0)
    found = run_export(model, tmp_path, 0.0)
    assert np.abs(found[1] - read_opinion(model, 12, early=False)).max() < 0.1


def test_every_word_of_the_student_is_found_where_the_large_encoder_has_it():
    from training.guide import align
    from training.network import Shape
    from training.tensors import Batches, Tokens

    rows = [np.arange(10, 15), np.arange(20, 23), np.arange(30, 50), np.arange(50, 52)]
    flat, starts = np.concatenate(rows).astype(np.uint16), np.cumsum([0, *map(len, rows)])
    pairs = np.array([[0, 1], [2, 3]], np.int32)
    tokens = Tokens(flat, starts, pairs[:, 0], pairs[:, 1], np.zeros(2, np.int8), np.zeros(2, np.int16), ["x"])
    shapes = Shape(1, 8, 2, 8, 60, 64, segments=2), Shape(1, 8, 2, 8, 64, 64, buckets=8, padding=1)
    for longest in (64, 16):  # whole, and with the evidence cut
        mine, theirs = (Batches(tokens, shape, "cpu", longest).build(np.arange(2)) for shape in shapes)
        place = align(mine, theirs)
        words = (mine[0] >= 10) & (mine[0] < 100) & mine[1].bool()
        theirs_there = theirs[0].gather(1, place) - 4  # the same piece four numbers further on
        same = (theirs_there == mine[0]) | ~words
        assert int((~same).sum()) <= (2 if longest == 16 else 0)  # a cut text may be one word shorter there


def test_an_encoder_that_looks_at_the_same_as_its_guide_is_not_corrected():
    import torch
    from training.guide import Guide, relate
    from training.network import Shape, Verifier
    from training.tensors import Batches, Tokens

    rows = [np.arange(10, 15), np.arange(20, 23)]
    flat, starts = np.concatenate(rows).astype(np.uint16), np.cumsum([0, *map(len, rows)])
    one, zero = np.array([1], np.int32), np.array([0], np.int32)
    tokens = Tokens(flat, starts, zero, one, zero.astype(np.int8), zero.astype(np.int16), ["x"])
    shape = Shape(2, 16, 2, 16, 120, 64, segments=2)
    torch.manual_seed(0)
    model, other = (Verifier(shape, dropout=0.0).eval() for _ in range(2))
    batches = Batches(tokens, shape, "cpu", 64)
    inputs = batches.build(np.arange(1))
    guide = Guide(model, batches, heads=4)
    compared: Any = torch.no_grad()(guide.compare)
    same = compared(model.layers[-1], model.encode(*inputs)[-2], inputs, np.arange(1))
    far = compared(other.layers[-1], other.encode(*inputs)[-2], inputs, np.arange(1))
    assert float(same) == pytest.approx(0.0, abs=1e-6) and float(far) > 0.001
    shares = relate(torch.randn(1, 5, 16), 4, torch.zeros(1, 1, 1, 5)).exp()
    assert torch.allclose(shares.sum(-1), torch.ones(1, 4, 5))


def test_both_opinions_are_taught():
    import torch
    from training.fit import Recipe, fit
    from training.network import Shape, Verifier
    from training.tensors import Batches, Tokens

    rng = np.random.default_rng(1)
    rows = [rng.integers(5, 50, 6) for _ in range(40)]
    label = np.array([row[0] % 3 for row in rows[:20]], np.int8)
    flat, starts = np.concatenate(rows).astype(np.uint16), np.cumsum([0, *map(len, rows)])
    order = np.arange(40, dtype=np.int32)
    tokens = Tokens(flat, starts, order[:20], order[20:], label, np.zeros(20, np.int16), ["x"])
    torch.manual_seed(0)
    model = Verifier(Shape(2, 32, 4, 64, 120, 64, segments=2, early=1), dropout=0.0)
    batches = Batches(tokens, model.shape, "cpu", 64)
    recipe = Recipe(epochs=60, rate=3e-3, budget=512, average=0.01, early_share=1.0, checkpoint=0)
    fit(model, batches, np.arange(20), recipe)
    inputs = batches.build(np.arange(20))
    states = model.encode(*inputs)
    for early in (True, False):
        said = model.classify(states[1 if early else -1], inputs[1], early=early).argmax(-1)
        assert int((said.numpy() == label).sum()) >= 18


@pytest.mark.parametrize("sure", [0.9, 1.0])
def test_no_shape_is_worked_out_that_is_known_beforehand(tmp_path: Path, sure: float):
    import onnx
    from training.export import export_mini
    from training.shapes import fix_shapes

    tokenizer = tmp_path / "given.json"
    tokenizer.write_text(json.dumps({"model": {}}), encoding="utf-8")
    model = make_model()
    export_mini(model, tmp_path, tokenizer, sure=sure)
    graph = onnx.load(str(tmp_path / GRAPH))
    names = {name for name in _list_initialisers(graph.graph) if name.startswith("known_shape_")}
    assert len(names) == 4 * model.shape.layers  # three cuts into heads a layer, and one joining
    assert fix_shapes(graph, model.shape) == 0


def _list_initialisers(graph: Any) -> list[str]:
    inner = [a.g for node in graph.node for a in node.attribute if a.HasField("g")]
    return [i.name for i in graph.initializer] + [name for g in inner for name in _list_initialisers(g)]
