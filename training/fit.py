"""The training loop, for teacher and student alike: labels where there are any, a teacher's opinion where it has one.

A run writes checkpoints: one that is cut off goes on where it stopped, or is used as it stands.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.guide import Guide
from training.network import Verifier, compile_layers
from training.pairs import LABELS, SUPPORTED, UNLABELLED, UNSUPPORTED
from training.tensors import Batches

_PACE = 25
"""Steps after which a run with a limit looks at the clock."""
_COMPILING = 5
"""So many looks at the clock say nothing of the pace."""
_SUPPORTED, _UNSUPPORTED, _UNLABELLED = (LABELS.index(x) for x in (SUPPORTED, UNSUPPORTED, UNLABELLED))


@dataclass(frozen=True)
class Recipe:
    """Everything that tells one training run from another.

    average      the share of the run, at its end, that the averaged weights stand for
    consistency  how much two readings of a pair under different dropout are held together; costs a second reading
    early_share  how much the first opinion, given on the way, counts beside the last one
    guidance     how much the student's attention is held to the large encoder's, and over which share of the run
    checkpoint   steps between two checkpoints; 0 keeps none
    seconds      the run is shortened so that it ends in this time; 0 lets it take what it takes (and be repeatable)
    """

    epochs: float
    rate: float
    budget: int = 16384
    warmup: float = 0.06
    decay: float = 0.01
    smoothing: float = 0.0
    average: float = 0.07
    temperature: float = 2.0
    teacher_share: float = 0.7
    layer_decay: float = 1.0
    seed: int = 7
    every: int = 200
    checkpoint: int = 1000
    consistency: float = 0.0
    early_share: float = 0.3
    guidance: float = 0.0
    guided_share: float = 0.3
    compile: bool = False
    seconds: float = 0.0


def label_loss(logits: Tensor, label: Tensor, smoothing: float) -> Tensor:
    """Per row: cross entropy for the three classes, "entailed or not" for two, nothing for none."""
    logs = functional.log_softmax(logits, dim=-1)
    known = label < _SUPPORTED
    plain = functional.cross_entropy(
        logits, torch.where(known, label, torch.zeros_like(label)), reduction="none", label_smoothing=smoothing
    )
    rest = torch.logsumexp(logs[:, 1:], dim=-1)
    binary = torch.where(label == _SUPPORTED, -logs[:, 0], -rest)
    loss = torch.where(known, plain, binary)
    return torch.where(label == _UNLABELLED, torch.zeros_like(loss), loss)


def distil_loss(logits: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """Per row: how far the student's softened opinion is from the teacher's."""
    target = functional.softmax(teacher / temperature, dim=-1)
    mine = functional.log_softmax(logits / temperature, dim=-1)
    return functional.kl_div(mine, target, reduction="none").sum(-1) * temperature**2


def agrees(teacher: Tensor, label: Tensor) -> Tensor:
    """Where a teacher contradicts an exact label its opinion is not taught."""
    best = teacher.argmax(-1)
    three = best == label
    two = torch.where(label == _SUPPORTED, best == 0, best != 0)
    return torch.where(label < _SUPPORTED, three, torch.where(label < _UNLABELLED, two, torch.ones_like(three)))


def find_decay(share: float, steps: int) -> float:
    """How much of the average stays at each step, so that it reaches back over that share of the run.

    A decay that is fixed by hand is wrong as soon as the run is longer or shorter: a long memory in a short run keeps
    weights that were hardly trained.
    """
    return max(0.0, 1.0 - 1.0 / max(1.0, share * steps))


class Master:
    """Full-precision weights beside a model that computes in bfloat16, and their running average.

    The average is smoother than the last step and costs nothing at run time. On a CPU the model is its own master.
    """

    def __init__(self, model: nn.Module, decay: float, *, half: bool) -> None:
        self.decay, self.half, self.steps = decay, half, 0
        self.names = [name for name, _ in model.named_parameters()]
        self.live = list(model.parameters())
        self.values = [p.detach().clone() for p in self.live]
        self.weights = [nn.Parameter(p.detach().clone()) for p in self.live] if half else self.live
        if half:
            model.bfloat16()

    @torch.no_grad()
    def take_gradients(self, most: float) -> None:
        """Clipped gradients of the model, where the optimiser looks for them."""
        nn.utils.clip_grad_norm_(self.live, most, foreach=True)
        if self.half:
            for weight, parameter in zip(self.weights, self.live, strict=True):
                weight.grad = None if parameter.grad is None else parameter.grad.float()
                parameter.grad = None

    @torch.no_grad()
    def publish(self) -> None:
        """After a step: the model gets the new weights, the average moves."""
        if self.half:
            torch._foreach_copy_(self.live, self.weights)
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(self.values, [p.detach() for p in self.weights], 1 - decay)

    @torch.no_grad()
    def finish(self, model: nn.Module) -> None:
        """Leave the averaged weights in the model, in full precision."""
        model.float()
        for parameter, value in zip(model.parameters(), self.values, strict=True):
            parameter.copy_(value)

    def save(self) -> dict[str, Any]:
        """`average` by name is a usable model; the rest is what it takes to go on."""
        average = dict(zip(self.names, self.values, strict=True))
        return {"average": average, "weights": [w.detach() for w in self.weights], "steps": self.steps}

    @torch.no_grad()
    def restore(self, saved: dict[str, Any]) -> None:
        self.steps = int(saved["steps"])
        for name, mine in zip(self.names, self.values, strict=True):
            mine.copy_(saved["average"][name])
        for mine, kept in zip(self.weights, saved["weights"], strict=True):
            mine.copy_(kept)
        if self.half:
            torch._foreach_copy_(self.live, self.weights)


def _groups(model: Verifier, weights: Sequence[Tensor], recipe: Recipe) -> list[dict[str, Any]]:
    """Parameters by learning rate and decay; lower layers may learn more slowly."""
    depth = model.shape.layers
    groups: dict[tuple[float, float], dict[str, Any]] = {}
    for (name, _), weight in zip(model.named_parameters(), weights, strict=True):
        level = depth + 1 if name.startswith(("pool", "head", "early")) else 0
        if name.startswith("layers."):
            level = int(name.split(".")[1]) + 1
        rate = recipe.rate * recipe.layer_decay ** (depth + 1 - level)
        decay = recipe.decay if weight.ndim > 1 else 0.0
        group = groups.setdefault((rate, decay), {"params": [], "lr": rate, "weight_decay": decay, "base": rate})
        group["params"].append(weight)
    return list(groups.values())


class Run:
    """One training run: where it is, and how it is stopped and taken up again."""

    def __init__(self, model: Verifier, batches: Batches, rows: NDArray[np.int64], recipe: Recipe) -> None:
        self.model, self.batches, self.rows, self.recipe = model, batches, rows, recipe
        fast = batches.device != "cpu"
        torch.manual_seed(recipe.seed)
        self.each = sum(1 for _ in batches.plan(rows, recipe.budget, np.random.default_rng(0)))
        self.planned = self.total = max(1, math.ceil(self.each * recipe.epochs))
        self.step = 0
        self.pace: list[float] = []
        self.master = Master(model, find_decay(recipe.average, self.total), half=fast)
        self.optimiser = torch.optim.AdamW(
            _groups(model, self.master.weights, recipe), betas=(0.9, 0.98), eps=1e-6, fused=fast
        )
        model.train()
        if recipe.compile and fast:
            compile_layers(model)

    def remaining(self) -> Iterator[NDArray[np.int64]]:
        """The batches that are still to come; an epoch's order depends on its number alone."""
        while self.step < self.total:
            epoch = self.step // self.each
            rng = np.random.default_rng([self.recipe.seed, epoch])
            for number, batch in enumerate(self.batches.plan(self.rows, self.recipe.budget, rng)):
                if number >= self.step - epoch * self.each and self.step < self.total:
                    yield batch
                    self.step += 1

    def shorten(self, done: int, spent: float) -> None:
        """As many steps as fit into the time, judged by all but the first ones, which are spent on compiling.

        A run that was slow for a moment gets its steps back: judged by the last ones alone it would end far too early.
        """
        if not self.recipe.seconds or done % _PACE:
            return
        self.pace.append(spent)
        steady = self.pace[_COMPILING:]
        if len(steady) < 2:
            return
        each = (steady[-1] - steady[0]) / ((len(steady) - 1) * _PACE)
        fits = done + int(max(0.0, self.recipe.seconds - spent) / max(each, 1e-6))
        self.total = max(done + 1, min(self.planned, fits))

    def learn(self, loss: Tensor) -> None:
        loss.backward()
        rate = _schedule(self.step, self.total, self.recipe.warmup)
        for group in self.optimiser.param_groups:
            group["lr"] = group["base"] * rate
        self.master.take_gradients(1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.master.publish()

    def save(self, path: Path, done: int) -> None:
        chance = torch.cuda.get_rng_state() if self.batches.device != "cpu" else torch.get_rng_state()
        state = {**self.master.save(), "step": done, "of": self.total, "chance": chance}
        partial = path.with_name("partial-" + path.name)
        torch.save({**state, "optimiser": self.optimiser.state_dict()}, partial)
        partial.replace(path)

    def resume(self, path: Path) -> None:
        saved = torch.load(path, map_location=self.batches.device)
        if saved["of"] != self.total:
            raise ValueError(f"{path} is of a run of {saved['of']} steps, not {self.total}: remove it to begin again")
        self.step = int(saved["step"])
        self.master.restore(saved)
        self.optimiser.load_state_dict(saved["optimiser"])
        chance = saved["chance"].cpu()
        (torch.cuda.set_rng_state if self.batches.device != "cpu" else torch.set_rng_state)(chance)


def fit(
    model: Verifier,
    batches: Batches,
    rows: NDArray[np.int64],
    recipe: Recipe,
    *,
    teacher: Tensor | None = None,
    exact: Tensor | None = None,
    guide: Guide | None = None,
    report: Callable[[dict[str, float]], None] = lambda _: None,
    checkpoint: Path | None = None,
    use_checkpoint: bool = False,
) -> Verifier:
    """Train in place and leave the averaged weights in the model.

    `exact` marks rows whose label is certain: there a teacher that disagrees is not listened to. A `guide` shows a
    young student what the large encoder looks at. A `checkpoint` that is there is gone on with, or, with
    `use_checkpoint`, taken as the result.
    """
    run = Run(model, batches, rows, recipe)
    if checkpoint is not None and checkpoint.exists():
        run.resume(checkpoint)
        report({"resumed": run.step, "of": run.total})
        if use_checkpoint:
            run.total = run.step
    started, running, summed = time.monotonic(), torch.zeros((), device=batches.device), 0
    for batch in run.remaining():
        inputs, picked = batches.build(batch), torch.from_numpy(batch).to(batches.device)
        known = _Rows.pick(picked, batches.label, teacher, exact)
        guiding = guide if run.step < run.total * recipe.guided_share else None
        loss, logits = _read(model, inputs, known, recipe, guiding, batch)
        if recipe.consistency:
            other, again = _read(model, inputs, known, recipe, guiding, batch)
            loss = (loss + other) / 2 + recipe.consistency * _disagreement(logits, again)
        run.learn(loss)
        running += loss.detach()
        summed += 1
        done, spent = run.step + 1, time.monotonic() - started
        run.shorten(done, spent)
        if done % recipe.every == 0 or done == run.total:
            report({"step": done, "of": run.total, "loss": float(running) / summed, "seconds": round(spent, 1)})
            running.zero_()
            summed = 0
        if checkpoint is not None and recipe.checkpoint and done % recipe.checkpoint == 0 and done < run.total:
            run.save(checkpoint, done)
    run.master.finish(model)
    return model.eval()


def _disagreement(one: Tensor, other: Tensor) -> Tensor:
    """How far two opinions are from each other, both ways."""
    left, right = functional.log_softmax(one, dim=-1), functional.log_softmax(other, dim=-1)
    there = functional.kl_div(left, right, log_target=True, reduction="batchmean")
    return (there + functional.kl_div(right, left, log_target=True, reduction="batchmean")) / 2


def _schedule(step: int, total: int, warmup: float) -> float:
    rise = max(1, int(total * warmup))
    return (step + 1) / rise if step < rise else max(0.0, (total - step) / max(1, total - rise))


@dataclass
class _Rows:
    """What is known of the pairs of a batch."""

    label: Tensor
    opinion: Tensor | None
    exact: Tensor | None

    @classmethod
    def pick(cls, rows: Tensor, label: Tensor, teacher: Tensor | None, exact: Tensor | None) -> _Rows:
        opinion = None if teacher is None else teacher[rows].float()
        return cls(label[rows], opinion, None if exact is None else exact[rows])


def _read(
    model: Verifier, inputs: tuple[Tensor, Tensor, Tensor], rows: _Rows, recipe: Recipe, guide: Guide | None,
    batch: NDArray[np.int64],
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """One reading of a batch: (loss, logits)."""
    states = model.encode(*inputs)
    logits = model.classify(states[-1], inputs[1])
    loss = _loss(logits, rows, recipe)
    if model.shape.early:
        first = model.classify(states[model.shape.early], inputs[1], early=True)
        loss = loss + recipe.early_share * _loss(first, rows, recipe)
    if guide is not None:
        loss = loss + recipe.guidance * guide.compare(model.layers[-1], states[-2], inputs, batch)
    return loss, logits


def _loss(logits: Tensor, rows: _Rows, recipe: Recipe) -> Tensor:
    label = rows.label
    hard = label_loss(logits, label, recipe.smoothing)
    if rows.opinion is None:
        return hard.sum() / (label != _UNLABELLED).sum().clamp(min=1)
    has_one = ~rows.opinion[:, 0].isnan()
    opinion = torch.where(has_one[:, None], rows.opinion, torch.zeros_like(rows.opinion))
    soft = distil_loss(logits, opinion, recipe.temperature)
    share = torch.full_like(hard, recipe.teacher_share)
    share = torch.where(label == _UNLABELLED, torch.ones_like(share), share) * has_one
    if rows.exact is not None:
        share = torch.where(rows.exact & ~agrees(opinion, label), torch.zeros_like(share), share)
    return (share * soft + (1 - share) * hard).mean()


@contextmanager
def halved(model: nn.Module) -> Iterator[None]:
    """The model in bfloat16 for a while: quicker than autocast, which casts every weight again in every batch."""
    kept = [(p, p.data) for p in model.parameters()]
    for parameter, value in kept:
        parameter.data = value.bfloat16()
    try:
        yield
    finally:
        for parameter, value in kept:
            parameter.data = value


@torch.no_grad()
def predict(model: Verifier, batches: Batches, rows: NDArray[np.int64], budget: int = 65536) -> Tensor:
    """Logits of the rows, in their order."""
    model.eval()
    device = batches.device
    found = torch.zeros(len(rows), 3, device=device)
    place = torch.zeros(int(rows.max()) + 1 if len(rows) else 1, dtype=torch.long, device=device)
    place[torch.from_numpy(rows).to(device)] = torch.arange(len(rows), device=device)
    with halved(model) if device != "cpu" else nullcontext():
        for batch in batches.plan(rows, budget, None):
            found[place[torch.from_numpy(batch).to(device)]] = model(*batches.build(batch)).float()
    return found


def score(logits: Tensor, label: Tensor) -> dict[str, float]:
    """Accuracy for three classes; balanced accuracy of "supported" at one half for two."""
    three = label < _SUPPORTED
    result: dict[str, float] = {"n": len(label)}
    if bool(three.all()):
        result["accuracy"] = float((logits.argmax(-1) == label).float().mean()) * 100
        return result
    said = functional.softmax(logits, -1)[:, 0] > 0.5
    true = (label == _SUPPORTED) | (label == 0)
    rates = [float((said[true]).float().mean()), float((~said[~true]).float().mean())]
    result["balanced"] = sum(rates) / 2 * 100
    result["recall_supported"], result["recall_unsupported"] = rates[0] * 100, rates[1] * 100
    return result


def write_metrics(path: Path, metrics: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(metrics, indent=1, sort_keys=True) + "\n")
