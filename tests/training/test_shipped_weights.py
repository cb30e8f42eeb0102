"""Training with the arithmetic of the shipped models, and beginning with their weights."""

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
PIECES = 120
LENGTHS = (8, 13, 31)


def make_model(early: int = 1, *, base: bool = False) -> Any:
    """Random weights, with heads large enough that two models do not agree by chance."""
    import torch
    from training.network import Shape, Verifier

    torch.manual_seed(4)
    shape = Shape(3, 64, 4, 128, PIECES, 64, segments=2, early=early)
    if base:
        shape = Shape(2, 64, 4, 128, PIECES, 66, buckets=32, first_position=2, padding=1, epsilon=1e-5)
    model = Verifier(shape, dropout=0.0).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.mul_(8.0 if "head" in name else 1.0)
            if parameter.ndim == 1:  # equal ones would be exported once
                parameter.add_(torch.randn_like(parameter) * 0.05)
    return model


def make_pair(length: int) -> tuple[Any, Any, Any]:
    import torch

    ids = torch.from_numpy(np.random.default_rng(length).integers(5, PIECES, (1, length)))
    return ids, torch.ones_like(ids), (torch.arange(length)[None] >= length // 2).long()


def write_tokenizer(folder: Path) -> Path:
    path = folder / "given.json"
    path.write_text(json.dumps({"model": {"vocab": {"[UNK]": 100}}}), encoding="utf-8")
    return path


def read_exported(folder: Path) -> np.ndarray:
    """What onnxruntime makes of the exported graph, a pair at a time, in the order of training."""
    import onnxruntime
    from training.export import ORDER

    session = onnxruntime.InferenceSession(str(folder / GRAPH), providers=["CPUExecutionProvider"])
    rows: list[Any] = []
    for length in LENGTHS:
        names = ("input_ids", "attention_mask", "token_type_ids")
        feed = {name: value.numpy() for name, value in zip(names, make_pair(length), strict=True)}
        rows.append(np.asarray(session.run(["logits"], feed)[0])[0, np.argsort(ORDER)])
    return np.array(rows)


def read_model(model: Any, *, early: bool = False) -> np.ndarray:
    """The same of the torch model, all pairs in one batch that is filled up."""
    import torch

    pairs = [make_pair(length) for length in LENGTHS]
    ids, mask, segments = (
        torch.cat([torch.nn.functional.pad(p[i], (0, max(LENGTHS) - p[i].shape[1])) for p in pairs]) for i in range(3)
    )
    with torch.no_grad():
        states = model.encode(ids, mask, segments)[model.shape.early if early else -1]
        return model.classify(states, mask, early=early).numpy()


@pytest.mark.parametrize(("sure", "early"), [(0.0, True), (0.999999, False), (1.0, False)])
def test_a_model_that_rounds_says_what_the_exported_one_says(tmp_path: Path, sure: float, early: bool):
    from training.export import export_mini
    from training.rounding import round_state, set_rounding

    model = make_model()
    export_mini(model, tmp_path, write_tokenizer(tmp_path), sure=sure)
    exported, plain = read_exported(tmp_path), read_model(model, early=early)
    model.load_state_dict(round_state(model.state_dict()))
    set_rounding(model, True)
    rounded = read_model(model, early=early)
    cost = np.abs(exported - plain).max()
    assert cost > 0.005  # else there is nothing to agree in
    assert np.abs(exported - rounded).max() < 0.2 * cost
    set_rounding(model, False)
    assert np.abs(exported - read_model(model, early=early)).max() > np.abs(exported - rounded).max()


@pytest.mark.parametrize(("sure", "keep"), [(0.9, ()), (0.9, ("layers.0.up", "words")), (1.0, ())])
def test_a_shipped_mini_comes_back_as_the_weights_it_computes_with(tmp_path: Path, sure: float, keep: tuple[str, ...]):
    import torch
    from training.export import export_mini
    from training.published import read_published
    from training.rounding import round_state

    model = make_model(early=0 if sure == 1.0 else 1)
    export_mini(model, tmp_path, write_tokenizer(tmp_path), sure=sure, keep=keep)
    found = read_published(tmp_path, model.shape)
    full, rounded = model.state_dict(), round_state(model.state_dict())
    for name, value in found.items():
        expected = full if name.removesuffix(".weight") in keep else rounded
        assert torch.allclose(value, expected[name], atol=1e-6), name
    before = read_model(model)
    model.load_state_dict(found)
    assert np.abs(read_model(model) - before).max() < 0.1 < np.abs(before).max()


@pytest.mark.parametrize("plan", ["8", "6", "mixed"])
def test_a_shipped_base_comes_back_as_the_codes_it_is_stored_in(tmp_path: Path, plan: str):
    import torch
    from training.export import export_base
    from training.lowbits import PLANS, round_weights, settle
    from training.published import read_published

    model = make_model(base=True)
    round_weights(model, PLANS[plan])
    codes = {name: vars(coded) for name, coded in settle(model).items()}
    export_base(model, codes, tmp_path, write_tokenizer(tmp_path), plan=plan)
    found = read_published(tmp_path, model.shape)
    for name, value in model.state_dict().items():
        assert torch.allclose(found[name], value, rtol=0 if name in codes else 1e-3, atol=1e-6), name
    before = read_model(model)
    model.load_state_dict(found)
    assert np.abs(read_model(model) - before).max() < 0.02 < np.abs(before).max()


def test_a_model_of_another_shape_is_refused(tmp_path: Path):
    from training.export import export_mini
    from training.published import read_published

    export_mini(make_model(), tmp_path, write_tokenizer(tmp_path), sure=0.9)
    with pytest.raises(ValueError, match="another shape"):
        read_published(tmp_path, make_model(early=0).shape)


def test_a_run_can_begin_with_what_is_shipped(tmp_path: Path):
    import torch
    from training.export import export_mini
    from training.rounding import round_state
    from training.work import Work

    model = make_model()
    export_mini(model, tmp_path, write_tokenizer(tmp_path), sure=0.9)
    config = {"seed": 1, "mini": {"init": "published"}, "published": {"mini": str(tmp_path), "base": "nowhere"}}
    work = Work(tmp_path, config, print, {"mini": model.shape, "base": model.shape})
    wanted, found = round_state(model.state_dict()), work.begin("mini", "mini").state_dict()
    assert all(torch.allclose(value.cpu(), wanted[name], atol=1e-6) for name, value in found.items())
    config["base"] = {"init": "published"}
    with pytest.raises(FileNotFoundError, match="published"):
        work.begin("base", "base")


def make_lessons(count: int) -> Any:
    from training.tensors import Tokens

    rng = np.random.default_rng(1)
    rows = [rng.integers(5, 50, 6) for _ in range(2 * count)]
    label = np.array([row[0] % 3 for row in rows[:count]], np.int8)
    flat, starts = np.concatenate(rows).astype(np.uint16), np.cumsum([0, *map(len, rows)])
    order = np.arange(2 * count, dtype=np.int32)
    return Tokens(flat, starts, order[:count], order[count:], label, np.zeros(count, np.int16), ["x"])


def test_the_last_share_of_a_run_is_rounded_and_the_result_is_not():
    import torch
    from training.fit import Recipe, fit
    from training.rounding import round_weight
    from training.tensors import Batches

    model = make_model()
    seen: list[tuple[bool, bool]] = []

    def look(_: object) -> None:
        weight = model.layers[1].up.weight
        seen.append((model.layers[1].rounding, bool(torch.allclose(weight, round_weight("", weight), atol=1e-7))))

    batches = Batches(make_lessons(40), model.shape, "cpu", 64)
    recipe = Recipe(epochs=10, rate=1e-3, budget=1024, average=0.2, every=1, checkpoint=0, rounded=0.4)
    fit(model, batches, np.arange(40), recipe, report=look)
    assert seen == [(False, False)] * (len(seen) * 6 // 10) + [(True, True)] * (len(seen) * 4 // 10)
    assert len(seen) >= 10 and not model.rounding and not model.layers[1].rounding
    weight = model.layers[1].up.weight
    assert not torch.allclose(weight, round_weight("", weight), atol=1e-7)


def test_what_rounds_still_learns():
    from training.fit import Recipe, fit
    from training.tensors import Batches

    model = make_model()
    tokens = make_lessons(20)
    batches = Batches(tokens, model.shape, "cpu", 64)
    recipe = Recipe(epochs=60, rate=3e-3, budget=512, average=0.01, checkpoint=0, rounded=1.0)
    fit(model, batches, np.arange(20), recipe)
    assert int((model(*batches.build(np.arange(20))).argmax(-1).numpy() == tokens.label).sum()) >= 18
