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
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from training.guide import Guide
from training.losses import Known, disagreement, lesson_loss
from training.network import Verifier, compile_layers
from training.pairs import LABELS, SUPPORTED
from training.recipe import Recipe
from training.rounding import round_weight, set_rounding
from training.tensors import Batches

_COMPILING = 6
"""Batches of different lengths that are read before the clock of a compiled run is set."""
_SUPPORTED = LABELS.index(SUPPORTED)


def find_decay(share: float, steps: int) -> float:
    """How much of the average stays at each step, so that it reaches back over that share of the run.

    A decay that is fixed by hand is wrong as soon as the run is longer or shorter: a long memory in a short run keeps
    weights that were hardly trained.
    """
    return max(0.0, 1.0 - 1.0 / max(1.0, share * steps))


class Master:
    """Full-precision weights beside a model that computes in bfloat16, and their running average.

    The average is smoother than the last step and costs nothing at run time. On a CPU the model is its own master,
    unless it is to be `apart`: then it may compute with rounded weights, and gradients go straight to the full ones.
    """

    def __init__(self, model: nn.Module, decay: float, *, half: bool, apart: bool = False) -> None:
        self.decay, self.apart, self.steps, self.rounds = decay, half or apart, 0, False
        self.names = [name for name, _ in model.named_parameters()]
        self.live = list(model.parameters())
        self.values = [p.detach().clone() for p in self.live]
        self.weights = [nn.Parameter(p.detach().clone()) for p in self.live] if self.apart else self.live
        if half:
            model.bfloat16()

    @torch.no_grad()
    def take_gradients(self, most: float) -> None:
        """Clipped gradients of the model, where the optimiser looks for them."""
        nn.utils.clip_grad_norm_(self.live, most, foreach=True)
        if self.apart:
            for weight, parameter in zip(self.weights, self.live, strict=True):
                weight.grad = None if parameter.grad is None else parameter.grad.float()
                parameter.grad = None

    @torch.no_grad()
    def publish(self) -> None:
        """After a step: the model gets the new weights, the average moves."""
        self.spread()
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        torch._foreach_lerp_(self.values, [p.detach() for p in self.weights], 1 - decay)

    @torch.no_grad()
    def spread(self) -> None:
        """The model gets the weights, rounded where it rounds."""
        if self.rounds:
            for name, live, full in zip(self.names, self.live, self.weights, strict=True):
                live.copy_(round_weight(name, full))
        elif self.apart:
            torch._foreach_copy_(self.live, self.weights)

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
        self.spread()


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


@dataclass
class Lessons:
    """What a run learns from.

    `exact` marks rows whose label is certain: there a teacher that disagrees is not listened to.
    """

    batches: Batches
    rows: NDArray[np.int64]
    teacher: Tensor | None = None
    exact: Tensor | None = None


class Run:
    """One training run: where it is, and how it is stopped and taken up again."""

    def __init__(
        self, model: Verifier, lessons: Lessons, recipe: Recipe, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.model, self.lessons, self.recipe, self.clock = model, lessons, recipe, clock
        self.device = lessons.batches.device
        fast = self.device != "cpu"
        torch.manual_seed(recipe.seed)
        self.each = sum(1 for _ in self.plan(0))
        self.planned = max(1, math.ceil(self.each * recipe.epochs))
        self.step, self.before, self.ready, self.started = 0, 0.0, 0.0, clock()
        self.master = Master(model, 0.0, half=fast or recipe.half, apart=recipe.rounded > 0)
        self.optimiser = torch.optim.AdamW(
            _groups(model, self.master.weights, recipe), betas=(0.9, 0.98), eps=1e-6, fused=fast
        )
        model.train()
        if recipe.compile and fast:
            compile_layers(model)

    @property
    def spent(self) -> float:
        return self.clock() - self.started

    @property
    def done(self) -> float:
        """The share of the run that is over, by its steps or by the clock, whichever comes first."""
        found = min(1.0, (self.step + 0.5) / self.planned)
        if self.recipe.seconds:
            left = max(1e-6, self.recipe.seconds - self.ready)
            found = max(found, self.before + (1 - self.before) * (self.spent - self.ready) / left)
        return min(1.0, found)

    @property
    def total(self) -> int:
        """How many steps it will have, as far as can be seen."""
        return min(self.planned, max(self.step + 1, round((self.step + 0.5) / self.done)))

    def plan(self, epoch: int) -> Iterator[NDArray[np.int64]]:
        """The order of an epoch depends on its number alone."""
        rng = np.random.default_rng([self.recipe.seed, epoch])
        return self.lessons.batches.plan(self.lessons.rows, self.recipe.budget, rng)

    def remaining(self, renew: Callable[[], Lessons | None] = lambda: None) -> Iterator[NDArray[np.int64]]:
        """The batches that are still to come; `renew` may give other lessons whenever all have been read."""
        epoch, skipped = divmod(self.step, self.each)
        while self.done < 1:
            self.lessons = renew() or self.lessons
            for number, batch in enumerate(self.plan(epoch)):
                if number < skipped:
                    continue
                if self.done >= 1:
                    return
                if self.recipe.rounded and not self.master.rounds and self.done >= 1 - self.recipe.rounded:
                    self.round()
                yield batch
                self.step += 1
            epoch, skipped = epoch + 1, 0

    def round(self) -> None:
        """From here on with the arithmetic of the exported model."""
        self.master.rounds = True
        set_rounding(self.model, True)
        self.master.spread()

    def read(self, batch: NDArray[np.int64], guide: Guide | None) -> Tensor:
        """The loss of a batch, read once or twice."""
        inputs, picked = self.lessons.batches.build(batch), torch.from_numpy(batch).to(self.device)
        known = Known.pick(picked, self.lessons.batches.label, self.lessons.teacher, self.lessons.exact)
        guiding = guide if self.done < self.recipe.guided_share else None
        loss, logits = _read(self.model, inputs, known, self.recipe, guiding, batch)
        if self.recipe.consistency:
            other, again = _read(self.model, inputs, known, self.recipe, guiding, batch)
            loss = (loss + other) / 2 + self.recipe.consistency * disagreement(logits, again)
        return loss

    def warm_up(self) -> None:
        """Every way through the layers is compiled before the clock is set: it would be stopped for half a minute."""
        if not (self.recipe.compile and self.recipe.seconds) or self.device == "cpu":
            return
        for rounding in (False, True) if self.recipe.rounded else (False,):
            set_rounding(self.model, rounding)
            for batch in islice(self.plan(0), _COMPILING):
                self.read(batch, None).backward()
                self.model.zero_grad(set_to_none=True)
        set_rounding(self.model, self.master.rounds)
        self.ready = self.spent

    def learn(self, loss: Tensor) -> None:
        loss.backward()
        rate = _schedule(self.done, self.recipe.warmup)
        for group in self.optimiser.param_groups:
            group["lr"] = group["base"] * rate
        self.master.take_gradients(1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.master.decay = find_decay(self.recipe.average, self.total)
        self.master.publish()

    def save(self, path: Path, done: int) -> None:
        chance = torch.cuda.get_rng_state() if self.device != "cpu" else torch.get_rng_state()
        state = {**self.master.save(), "step": done, "of": self.planned, "done": self.done, "chance": chance}
        partial = path.with_name("partial-" + path.name)
        torch.save({**state, "optimiser": self.optimiser.state_dict()}, partial)
        partial.replace(path)

    def resume(self, path: Path) -> None:
        """Go on; a run by the clock has as much of it before it as was left, in the time that is given now."""
        saved = torch.load(path, map_location=self.device)
        if saved["of"] != self.planned and not self.recipe.seconds:
            raise ValueError(f"{path} is of a run of {saved['of']} steps, not {self.planned}: remove it to begin again")
        self.step, self.before = int(saved["step"]), float(saved["done"])
        self.master.restore(saved)
        self.optimiser.load_state_dict(saved["optimiser"])
        chance = saved["chance"].cpu()
        (torch.cuda.set_rng_state if self.device != "cpu" else torch.set_rng_state)(chance)


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
    renew: Callable[[], Lessons | None] = lambda: None,
    checkpoint: Path | None = None,
    use_checkpoint: bool = False,
) -> Verifier:
    """Train in place and leave the averaged weights in the model.

    A `guide` shows a young student what the large encoder looks at. A `checkpoint` that is there is gone on with, or,
    with `use_checkpoint`, taken as the result.
    """
    run = Run(model, Lessons(batches, rows, teacher, exact), recipe)
    if checkpoint is not None and checkpoint.exists():
        run.resume(checkpoint)
        report({"resumed": run.step, "of": run.planned})
        if use_checkpoint:
            run.planned = run.step
    run.warm_up()
    running, summed = torch.zeros((), device=batches.device), 0
    for batch in run.remaining(renew):
        loss = run.read(batch, guide)
        run.learn(loss)
        running += loss.detach()
        summed += 1
        done, total = run.step + 1, run.total
        if done % recipe.every == 0 or done == total:
            report({"step": done, "of": total, "loss": float(running) / summed, "seconds": round(run.spent, 1)})
            running.zero_()
            summed = 0
        if checkpoint is not None and recipe.checkpoint and done % recipe.checkpoint == 0 and done < run.planned:
            run.save(checkpoint, done)
    run.master.finish(model)
    set_rounding(model, False)
    return model.eval()


def _schedule(done: float, warmup: float) -> float:
    """Up, then down to nothing."""
    return done / warmup if done < warmup else (1 - done) / (1 - warmup)


def _read(
    model: Verifier, inputs: tuple[Tensor, Tensor, Tensor], rows: Known, recipe: Recipe, guide: Guide | None,
    batch: NDArray[np.int64],
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """One reading of a batch: (loss, logits)."""
    states = model.encode(*inputs)
    logits = model.classify(states[-1], inputs[1])
    loss = lesson_loss(logits, rows, recipe)
    if model.shape.early:
        first = model.classify(states[model.shape.early], inputs[1], early=True)
        loss = loss + recipe.early_share * lesson_loss(first, rows, recipe)
    if guide is not None:
        loss = loss + recipe.guidance * guide.compare(model.layers[-1], states[-2], inputs, batch)
    return loss, logits


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
