"""The whole pipeline at the size of a test: every stage, taken up again, and read by the product."""

# torch comes with the extra `train`; the types are checked without it.
# pyright: reportMissingImports=false

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training.__main__ import main
from training.domain import generate
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, Pair, write_pairs
from training.pipeline import STAGES

from groundwire.judge.calibration import VectorCalibration, read_calibration
from groundwire.models.files import open_model
from groundwire.models.onnx import OnnxPairScorer

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
TINY = Path(__file__).parents[2] / "training" / "tiny.toml"
PAIRS = [
    ("Ada works at Bosch in Ulm since May.", "Ada works at Bosch."),
    ("The meeting moved to Friday at 3 pm. " * 6, "The meeting is on Monday."),
    ("I used to live in Oslo.", "The user has never been to Norway, it seems."),
]


def write_data(folder: Path) -> Path:
    """Training and development files in the form of the public ones, out of the grammar."""
    made = [Pair(p.premise, p.hypothesis, p.label.value, "superni_snli") for p in generate(240, seed=501)]
    binary = {ENTAIL: "supported", NEUTRAL: "unsupported", CONTRADICT: "unsupported"}
    write_pairs(folder / "train/nli_human_3way.jsonl.gz", made[:80])
    write_pairs(folder / "train/nli_synthetic_3way.jsonl.gz", (p._replace(source="fewgen_mnli") for p in made[80:160]))
    write_pairs(
        folder / "train/nli_binary.jsonl.gz", (p._replace(label=binary[p.label], source="rte") for p in made[160:])
    )
    write_pairs(folder / "dev/mnli.jsonl.gz", (p._replace(source="mnli") for p in made[::8]))
    return folder


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The work folder of one complete run."""
    root = tmp_path_factory.mktemp("training")
    assert main(arguments(root, "all")) == 0
    return root / "work"


def arguments(root: Path, *stages: str) -> list[str]:
    data = root / "data"
    if not data.exists():
        write_data(data)
    return [*stages, "--work", str(root / "work"), "--data", str(data), "--config", str(TINY)]


def read_json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def soften(_: object) -> VectorCalibration:
    """Scores that give the logits back."""
    return VectorCalibration("soft", (1 / 8,) * 3)


def read_logits(folder: Path) -> np.ndarray:
    scorer = OnnxPairScorer(open_model(folder, "export it again"), soften)
    logits = np.log(np.array(scorer.score(PAIRS))) * 8
    return logits - logits.mean(1, keepdims=True)


@pytest.mark.requirement("JDG-004", "JDG-014")
def test_every_stage_leaves_its_result_and_its_metrics(run: Path):
    for name in ("gather", "prepare", "backbones", "teacher", "base", "mini", "base-8", "base-mixed", "export"):
        assert read_json(run / f"{name}-metrics.json")
    calibrated = read_json(run / "calibrate-metrics.json")
    for name in ("mini", "base"):
        files = open_model(run / "models" / name, "")
        files.verify()
        assert files.manifest.max_tokens == 512 and [*files.manifest.labels] == ["SUPPORTED", "REFUTED", "INSUFFICIENT"]
        stored = files.read_json("calibration.json")
        assert stored["method"] == calibrated[name]["method"] and stored["n"] == calibrated[name]["pairs"] > 30
        assert len(stored["table"]) == 10 and 0.0 <= stored["ece"] <= 1.0
        for scores in OnnxPairScorer(files, read_calibration).score(PAIRS):
            assert sum(scores) == pytest.approx(1.0, abs=1e-5)
    card = (run / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "## `mini` 1" in card and "## `base` 1" in card and "| mnli | 30 |" in card and "CC BY-SA 4.0" in card


def test_a_second_run_does_nothing(run: Path, capsys: pytest.CaptureFixture[str]):
    before = {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in run.rglob("*")}
    capsys.readouterr()
    assert main(arguments(run.parent, "all")) == 0
    said = capsys.readouterr().out
    assert said.count("done already") == len(STAGES)
    assert {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in run.rglob("*")} == before


def test_another_export_is_calibrated_and_measured_anew(run: Path, capsys: pytest.CaptureFixture[str]):
    (run / "models/mini/manifest.json").unlink()
    capsys.readouterr()
    assert main(arguments(run.parent, "export", "calibrate", "evaluate", "card")) == 0
    said = capsys.readouterr().out
    assert "calibrate: finished" in said
    assert open_model(run / "models/mini", "").read_json("calibration.json")["version"] != "0"


def test_one_model_alone_is_exported_measured_and_described(run: Path, tmp_path: Path):
    work = tmp_path / "work"
    work.mkdir()
    for name in ("mini.pt", "tokenizer.json", "held.jsonl.gz", "dev_mnli.jsonl.gz"):
        shutil.copyfile(run / name, work / name)
    stages = arguments(tmp_path, "export", "calibrate", "evaluate", "card")
    assert main([*stages, "--models", "mini"]) == 0
    card = (work / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "## `mini` 1" in card and "## `base`" not in card and not (work / "models/base").exists()
    assert main(stages) == 2  # both are asked for, and one is not there


def test_the_layers_are_ranked_by_what_their_rounding_costs(run: Path):
    assert main(arguments(run.parent, "layers")) == 0
    found = read_json(run / "layers-mini-metrics.json")
    names = [row["module"] for row in found["modules"]]
    assert "all" in names and "layers.1.down" in names and "words" in names and "head" not in names
    costs = [row["kl"] for row in found["modules"]]
    assert costs == sorted(costs, reverse=True) and costs[0] > 0
    assert main(arguments(run.parent, "layers", "--model", "base", "--plan", "mixed", "--most", "40")) == 0
    coarse = {row["module"]: row["kl"] for row in read_json(run / "layers-base-mixed-metrics.json")["modules"]}
    assert coarse["all"] > 0


def test_the_exported_mini_says_what_the_trained_one_says(run: Path):
    from tokenizers import Tokenizer
    from training.work import Work

    model = Work(run, tomllib.loads(TINY.read_text(encoding="utf-8")), print).load("mini", "mini").cpu()
    tokenizer = Tokenizer.from_file(str(run / "models/mini/tokenizer.json"))
    assert np.abs(read_logits(run / "models/mini") - predict(model, tokenizer)).max() < 0.05


def predict(model: Any, tokenizer: Any) -> np.ndarray:
    """Logits of the torch model in the product's order, around their mean."""
    import torch

    rows = []
    for premise, claim in PAIRS:
        encoded = tokenizer.encode(premise, claim)
        ids, types = torch.tensor([encoded.ids]), torch.tensor([encoded.type_ids])
        with torch.no_grad():
            rows.append(model(ids, torch.ones_like(ids), types)[0, [0, 2, 1]].numpy())
    logits = np.array(rows)
    return logits - logits.mean(1, keepdims=True)


@pytest.mark.requirement("JDG-002")
@pytest.mark.parametrize(
    ("plan", "keep"), [("8", ()), ("6", ()), ("mixed", ()), ("mixed", ("words", "pool", "layers.0.up"))]
)
def test_a_packed_base_says_what_the_rounded_model_says(run: Path, tmp_path: Path, plan: str, keep: tuple[str, ...]):
    import torch
    from tokenizers import Tokenizer
    from training.export import export_base
    from training.lowbits import PLANS, round_weights, settle
    from training.network import Shape, Verifier

    torch.manual_seed(5)
    model = Verifier(Shape(2, 64, 4, 128, 2005, 514, buckets=32, first_position=2, padding=1, epsilon=1e-5)).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.mul_(8.0 if name == "head.weight" else 1.0)
    round_weights(model, PLANS[plan])
    codes = {name: vars(coded) for name, coded in settle(model).items()}
    export_base(model, codes, tmp_path, run / "tokenizer.json", plan=plan, keep=keep)
    expected = predict(lambda ids, mask, _: model(ids, mask), Tokenizer.from_file(str(tmp_path / "tokenizer.json")))
    found = read_logits(tmp_path)
    assert np.abs(expected).max() > 0.5  # else any two models would agree
    assert np.abs(found - expected).max() < 0.1 * np.abs(expected).max()
    numbers = sum(p.numel() for p in model.parameters())
    assert (tmp_path / "weights.gwq").stat().st_size < numbers * {"8": 1.25, "6": 1.0}.get(plan, 0.75)


def test_a_tokenizer_that_is_learnt_is_the_same_every_time(run: Path, tmp_path: Path):
    from training.backbones import learn_tokenizer

    learn_tokenizer([run / "train.jsonl.gz"], 2000, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (run / "tokenizer.json").read_bytes()


def test_the_tokenizer_of_base_is_that_of_mini_four_numbers_on(run: Path):
    from tokenizers import Tokenizer

    mini, base = (Tokenizer.from_file(str(run / f"models/{name}/tokenizer.json")) for name in ("mini", "base"))
    for premise, claim in PAIRS:
        first, second = (mini.encode(text, add_special_tokens=False).ids for text in (premise, claim))
        assert mini.encode(premise, claim).ids == [101, *first, 102, *second, 102]
        moved = [[number + 4 for number in part] for part in (first, second)]
        assert base.encode(premise, claim).ids == [0, *moved[0], 2, 2, *moved[1], 2]


def make_run(run: Path) -> tuple[Any, Any, Any]:
    from training.fit import Recipe
    from training.work import Work

    work = Work(run, tomllib.loads(TINY.read_text(encoding="utf-8")), print)
    recipe = Recipe(epochs=1, rate=1e-3, budget=2048, every=5, checkpoint=4)
    return work, work.batches("train", "mini"), recipe


class Interrupted(Exception):
    """Somebody pulled the plug."""


def test_a_run_that_was_cut_off_ends_as_if_it_had_not_been(run: Path, tmp_path: Path):
    import torch
    from training.fit import fit

    work, batches, recipe = make_run(run)
    rows = np.arange(len(batches.label))
    whole = fit(work.fresh("mini"), batches, rows, recipe)
    path = tmp_path / "checkpoint.pt"

    def stop(row: dict[str, float]) -> None:
        if row.get("step") == 5:
            raise Interrupted

    with pytest.raises(Interrupted):
        fit(work.fresh("mini"), batches, rows, recipe, report=stop, checkpoint=path)
    heard: list[dict[str, float]] = []
    again = fit(work.fresh("mini"), batches, rows, recipe, report=heard.append, checkpoint=path)
    assert heard[0]["resumed"] == 4
    for one, two in zip(whole.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, two)
    used = fit(work.fresh("mini"), batches, rows, recipe, checkpoint=path, use_checkpoint=True)
    average = torch.load(path)["average"]
    assert all(torch.equal(value, average[name]) for name, value in used.named_parameters())


@pytest.mark.parametrize("steps", [300, 3000, 30000])
def test_the_average_reaches_back_over_its_share_of_the_run(steps: int):
    from training.fit import find_decay

    decay = find_decay(0.07, steps)
    assert 1 / (1 - decay) == pytest.approx(0.07 * steps)
    assert decay**steps < 1e-5  # nothing is left of the weights at the beginning


def test_a_model_in_half_precision_comes_back_as_it_was(run: Path):
    import torch
    from training.fit import halved

    work, _, _ = make_run(run)
    model = work.fresh("mini")
    before = {name: value.clone() for name, value in model.state_dict().items()}
    with halved(model):
        assert all(p.dtype == torch.bfloat16 for p in model.parameters())
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_a_student_can_begin_with_the_weights_of_another_run(run: Path):
    import torch

    work, _, _ = make_run(run)
    begun, teacher = work.begin("base", "base"), work.load("teacher", "base")
    assert all(torch.equal(a, b) for a, b in zip(begun.parameters(), teacher.parameters(), strict=True))
    work.config["mini"]["init"] = "nobody"
    with pytest.raises(FileNotFoundError, match="nobody"):
        work.begin("mini", "mini")


@pytest.mark.parametrize("kept", [0.0, 0.5, 1.0])
def test_a_run_may_keep_a_share_of_what_it_began_with(kept: float):
    import torch
    from training.network import Shape, Verifier
    from training.stages import mix

    torch.manual_seed(3)
    begun, ended = (Verifier(Shape(1, 8, 2, 16, 20, 12, segments=2)) for _ in range(2))
    wanted = {key: kept * begun.state_dict()[key] + (1 - kept) * value for key, value in ended.state_dict().items()}
    mix(ended, begun.state_dict(), kept)
    for key, value in ended.state_dict().items():
        assert torch.allclose(value, wanted[key], atol=1e-6)


def test_a_published_encoder_is_read_under_our_names(run: Path, tmp_path: Path):
    from safetensors.numpy import save_file
    from training.backbones import read_backbone
    from training.network import _BERT, _OUTER, _SHARED
    from training.work import load_arrays

    work, _, _ = make_run(run)
    model = work.fresh("mini")
    theirs = {ours: name for name, ours in _OUTER.items()}
    inner = {ours: name for name, ours in (_BERT | _SHARED).items()}
    published: dict[str, np.ndarray] = {"pooler.dense.weight": np.zeros((2, 2), np.float32)}
    for name, value in model.state_dict().items():
        stem, _, kind = name.rpartition(".")
        if stem in theirs:
            published[f"{theirs[stem]}.{kind}"] = value.numpy()
        elif stem.startswith("layers."):
            _, number, part = stem.split(".")
            published[f"encoder.layer.{number}.{inner[part]}.{kind}"] = value.numpy()
    folder = tmp_path / "all-MiniLM-L6-v2"
    folder.mkdir()
    save_file(published, folder / "model.safetensors")
    read_backbone(tmp_path, "mini", model.shape, tmp_path / "backbone-mini.npz")
    found = load_arrays(tmp_path / "backbone-mini.npz")
    for name, value in found.items():
        assert np.array_equal(value.numpy(), model.state_dict()[name].numpy()), name
    new = {"pool", "head", "early_pool", "early_head"}
    assert {name.partition(".")[0] for name in set(model.state_dict()) - set(found)} == new
    save_file({k: v for k, v in published.items() if "query" not in k}, folder / "model.safetensors")
    with pytest.raises(ValueError, match="query"):
        read_backbone(tmp_path, "mini", model.shape, tmp_path / "backbone-mini.npz")


@pytest.mark.parametrize(
    ("slow", "steps"), [(range(0), 1000), (range(400, 500), 950), (range(1000), 500)], ids=["on time", "a stop", "late"]
)
def test_a_run_by_the_clock_ends_in_time_and_its_rate_falls_with_it(slow: range, steps: int):
    from training.fit import Recipe, Run, _schedule

    now = 7.0
    run: Any = Run.__new__(Run)
    run.recipe, run.planned, run.clock = Recipe(epochs=1, rate=1e-4, seconds=105.0), 1000, lambda: now
    run.step, run.before, run.started, run.ready = 0, 0.0, 2.0, 5.0  # five seconds went into compiling
    rates: list[float] = []
    while run.done < 1:
        rates.append(_schedule(run.done, run.recipe.warmup))
        now += 0.2 if run.step in slow else 0.095
        run.step += 1
    assert now - 2.0 <= 105.2
    assert run.step == pytest.approx(steps, rel=0.02)
    assert rates.index(max(rates)) == pytest.approx(0.06 * steps, abs=0.03 * steps)
    assert max(rates) > 0.95 and rates[0] < 0.05 and rates[-1] < 0.01
    assert 0.45 < rates[run.step // 2] < 0.6


def test_a_run_by_the_clock_that_was_cut_off_has_before_it_what_was_left():
    from training.fit import Recipe, Run

    now = 0.0
    run: Any = Run.__new__(Run)
    run.recipe, run.planned, run.clock = Recipe(epochs=1, rate=1e-4, seconds=50.0), 10**6, lambda: now
    run.step, run.before, run.started, run.ready = 300, 0.6, 0.0, 0.0
    assert run.done == pytest.approx(0.6)
    now = 25.0
    assert run.done == pytest.approx(0.8)
    now = 51.0
    assert run.done == 1.0
