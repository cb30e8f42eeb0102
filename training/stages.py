"""The stages that need a GPU to be quick: each reads what the one before wrote, writes once, and is skipped when done."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.fit import Recipe, fit, predict, score, write_metrics
from training.network import SHAPES, Shape, Verifier
from training.pairs import LABELS, UNLABELLED, Pair, read_pairs, write_pairs
from training.tensors import Batches, Tokens, tokenize_pairs

Say = Callable[[str], None]
_EXACT = ("domain_", "augment_number", "augment_negated_claim", "curriculum_", "wikiresnli", "scone", "monli")


class Work:
    """One run's folder: pairs, tensors, checkpoints, metrics; and the device."""

    def __init__(self, root: Path, config: dict[str, Any], say: Say, shapes: dict[str, Shape] | None = None) -> None:
        self.root, self.config, self.say = root, config, say
        self.shapes = shapes or SHAPES
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self._batches: dict[tuple[str, str], Batches] = {}

    def recipe(self, name: str) -> Recipe:
        known = {f.name for f in fields(Recipe)}
        return Recipe(**{k: v for k, v in self.config[name].items() if k in known})

    def tokens(self, name: str) -> Tokens:
        """`train` (labelled), `all` (with unlabelled and written pairs), `held`, or a development set; tokenised once."""
        path = self.root / f"{name}.npz"
        if not path.exists():
            files = ["train", "extra", "written"] if name == "all" else [name]
            pairs = [p for file in files for found in self.files(file) for p in read_pairs(found)]
            tokenize_pairs(pairs, Tokenizer.from_file(str(self.root / "tokenizer.json"))).save(path)
        return Tokens.load(path)

    def files(self, name: str) -> list[Path]:
        return sorted(self.root.glob(f"{name}.jsonl*"))

    def batches(self, name: str, model: str) -> Batches:
        key = (name, model)
        if key not in self._batches:
            longest = int(self.config[model if model in self.config else "teacher"]["longest"])
            self._batches[key] = Batches(self.tokens(name), self.shapes[model], self.device, longest)
        return self._batches[key]

    def fresh(self, shape: str) -> Verifier:
        """The published backbone with a new head."""
        torch.manual_seed(int(self.config["seed"]))
        model = Verifier(self.shapes[shape])
        path = self.root / f"backbone-{shape}.npz"
        if path.exists():
            model.load_state_dict(load_arrays(path), strict=False)
        return model.to(self.device)

    def load(self, name: str, shape: str) -> Verifier:
        model = Verifier(self.shapes[shape])
        model.load_state_dict(torch.load(self.root / f"{name}.pt", map_location="cpu"))
        return model.to(self.device).eval()

    def done(self, name: str) -> bool:
        return (self.root / f"{name}.pt").exists()

    def store(self, name: str, value: object) -> None:
        partial = self.root / f"partial-{name}.pt"
        torch.save(value, partial)
        partial.rename(self.root / f"{name}.pt")

    def report(self, name: str) -> Callable[[dict[str, float]], None]:
        return lambda row: self.say(f"{name} {json.dumps(row)}")


def load_arrays(path: Path) -> dict[str, Tensor]:
    """A backbone kept as float, or as bytes with one scale a row."""
    with np.load(path) as data:
        found = {k: data[k] for k in data.files}
    state = {k: v for k, v in found.items() if not k.endswith("|scale")}
    for name, value in state.items():
        scale = found.get(name + "|scale")
        state[name] = value.astype(np.float32) * (1.0 if scale is None else scale[:, None])
    return {k: torch.from_numpy(v.copy()) for k, v in state.items()}


def evaluate(work: Work, model: Verifier, shape: str, sets: Sequence[str]) -> dict[str, dict[str, float]]:
    """Scores on the calibration pairs and on the development sets that are there."""
    found: dict[str, dict[str, float]] = {}
    for name in sets:
        batches = work.batches(name, shape)
        rows = np.arange(len(batches.label))
        logits = predict(model, batches, rows)
        found[name] = {k: round(v, 2) for k, v in score(logits, batches.label).items()}
    return found


def development_sets(work: Work) -> list[str]:
    return sorted(p.name.partition(".")[0] for p in work.root.glob("dev_*.jsonl*"))


def measure(work: Work, name: str, shape: str, model: Verifier, started: float) -> None:
    metrics = evaluate(work, model, shape, development_sets(work))
    held = work.tokens("held")
    batches = work.batches("held", shape)
    logits = predict(model, batches, np.arange(len(held)))
    work.store(f"{name}-held", logits.cpu())
    for index, source in enumerate(held.sources):
        rows = np.flatnonzero(held.source == index)
        if len(rows) >= 60 and source.startswith(("domain", "augment")):
            picked = torch.from_numpy(rows).to(logits.device)
            metrics[f"held_{source}"] = {
                k: round(v, 2) for k, v in score(logits[picked], batches.label[picked]).items()
            }
    write_metrics(
        work.root / f"{name}-metrics.json", {"seconds": round(time.monotonic() - started, 1), "sets": metrics}
    )
    shown = {k: v.get("accuracy", v.get("balanced")) for k, v in metrics.items()}
    work.say(f"{name} {json.dumps(shown)}")


def train_teacher(work: Work) -> None:
    """`teacher`: the large encoder on everything that has a label."""
    if work.done("teacher"):
        return
    started = time.monotonic()
    batches = work.batches("train", "base")
    rows = np.flatnonzero(work.tokens("train").label != LABELS.index(UNLABELLED))
    model = fit(work.fresh("base"), batches, rows, work.recipe("teacher"), report=work.report("teacher"))
    work.store("teacher", model.state_dict())
    measure(work, "teacher", "base", model, started)


def opinions(work: Work, names: Sequence[str]) -> Tensor:
    """Mean log probabilities of the named large encoders on every training pair."""
    batches = work.batches("all", "base")
    total: Tensor | None = None
    for name in names:
        path = work.root / f"{name}-opinion.pt"
        if not path.exists():
            logits = predict(work.load(name, "base"), batches, np.arange(len(batches.label)))
            work.store(f"{name}-opinion", torch.log_softmax(logits, -1).half().cpu())
        found = torch.load(path).to(work.device).float().exp()
        total = found if total is None else total + found
    assert total is not None
    return torch.log(total / len(names)).half()


def train_student(work: Work, name: str, shape: str, teachers: Sequence[str]) -> None:
    """A student of the named teachers, on labelled and unlabelled pairs alike."""
    if work.done(name):
        return
    started = time.monotonic()
    teacher = opinions(work, teachers)
    tokens = work.tokens("all")
    certain = np.array([s.startswith(_EXACT) for s in tokens.sources])[tokens.source]
    exact = torch.from_numpy(certain).to(work.device)
    batches = work.batches("all", shape)
    rows = np.arange(len(tokens))
    model = work.fresh(shape)
    fit(model, batches, rows, work.recipe(name), teacher=teacher, exact=exact, report=work.report(name))
    work.store(name, model.state_dict())
    measure(work, name, shape, model, started)


def write_claims(work: Work, gguf: bytes) -> None:
    """`written`: claims by a small language model for premises of the training pairs."""
    from training.writer import load_writer, tune, write

    path = work.root / "written.jsonl.gz"
    if path.exists():
        return
    settings = work.config["writer"]
    rng = np.random.default_rng(int(work.config["seed"]))
    pairs = [p for p in read_pairs(work.files("train")[0]) if _is_model_text(p)]
    model, tokenizer = load_writer(gguf)
    picked = rng.permutation(len(pairs))[: int(settings.get("tune_pairs", len(pairs)))]
    tune(
        model, tokenizer, [pairs[i] for i in picked], device=work.device, epochs=int(settings["epochs"]),
        rate=float(settings["rate"]), size=int(settings["batch"]), seed=int(work.config["seed"]), report=work.report("writer"),
    )  # fmt: skip
    premises = list(dict.fromkeys(p.premise for p in pairs if len(p.premise) < 400))
    labels = LABELS[:3]
    wanted = [(premises[i], labels[k % 3]) for k, i in enumerate(_draw(len(premises), int(settings["pairs"]), rng))]
    deadline = time.monotonic() + float(settings.get("seconds", 1e9))
    found = write(
        model, tokenizer, wanted, device=work.device, size=int(settings.get("sample_batch", 4096)),
        temperature=float(settings["temperature"]), seed=int(work.config["seed"]), deadline=deadline,
    )  # fmt: skip
    unique = dict.fromkeys(p._replace(label=UNLABELLED, source=f"written_{p.label}") for p in found)
    work.say(f"written {write_pairs(path, unique):,}")


def _is_model_text(pair: Pair) -> bool:
    """Human pairs in full sentences: what the writer is to imitate."""
    made = pair.source.startswith(("domain", "augment", "curriculum", "crossed", "turned"))
    return not made and pair.label in LABELS[:3] and len(pair.premise) < 600


def _draw(count: int, wanted: int, rng: np.random.Generator) -> list[int]:
    rounds = -(-wanted // count)
    return np.concatenate([rng.permutation(count) for _ in range(rounds)])[:wanted].tolist()


def squeeze(work: Work, name: str, plan: str) -> None:
    """`NAME-PLAN`: the large encoder in a few bits; rounded once and measured, then trained on with the rounding in place."""
    from training.lowbits import PLANS, round_weights, settle, size_of

    target = f"{name}-{plan}"
    if work.done(target):
        return
    started = time.monotonic()
    model = work.load(name, "base")
    size = size_of(model, PLANS[plan])
    round_weights(model, PLANS[plan])
    work.say(f"{target}: {size / 1e6:.1f} MB")
    measure(work, f"{target}-rounded", "base", model.eval(), started)
    settings = work.config["squeeze"]
    if float(settings["epochs"]) > 0 and plan not in settings.get("only_rounded", []):
        tokens = work.tokens("all")
        rng = np.random.default_rng(int(work.config["seed"]))
        rows = np.sort(rng.permutation(len(tokens))[: int(settings["pairs"])])
        teacher = opinions(work, [name])
        fit(
            model,
            work.batches("all", "base"),
            rows,
            work.recipe("squeeze"),
            teacher=teacher,
            report=work.report(target),
        )
    codes = settle(model)
    measure(work, target, "base", model.eval(), started)
    work.store(f"{target}-codes", {name: vars(coded) for name, coded in codes.items()})
    work.store(target, model.state_dict())
