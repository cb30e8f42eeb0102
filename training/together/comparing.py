"""What weights are worth in float, in int8, and in int8 that stops early: without an export, on the device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from training.fit import score
from training.network import Verifier
from training.rounding import round_state, set_rounding
from training.tensors import Batches

State = Mapping[str, Tensor]
_BUDGET = 16384


def compare(
    model: Verifier, before: State, ended: State, sets: Mapping[str, Batches], shares: Sequence[float], sure: float
) -> dict[str, dict[str, float]]:
    """Of every mean of the weights before and after a run; the model keeps what it has."""
    kept = {key: value.detach().clone() for key, value in model.state_dict().items()}
    found = {
        str(share): measure(model, {k: v.float().lerp(before[k].to(v), share) for k, v in ended.items()}, sets, sure)
        for share in shares
    }
    model.load_state_dict(kept)
    return found


def measure(model: Verifier, state: State, sets: Mapping[str, Batches], sure: float) -> dict[str, float]:
    """Accuracy, or balanced accuracy of two classes, by set and arithmetic."""
    found: dict[str, float] = {}
    for kind in ("float", "int8"):
        model.load_state_dict(state if kind == "float" else round_state(state))
        set_rounding(model, kind == "int8")
        for name, batches in sets.items():
            first, last = read_both(model, batches)
            found[f"{name} {kind}"] = _grade(last, batches.label)
            if kind == "int8" and first is not None:
                stops = first.softmax(-1).amax(-1, keepdim=True) >= sure
                found[f"{name} int8 early"] = _grade(torch.where(stops, first, last), batches.label)
    set_rounding(model, False)
    return found


@torch.no_grad()
def read_both(model: Verifier, batches: Batches) -> tuple[Tensor | None, Tensor]:
    """(the first opinion, where there is one, and the last) on every pair."""
    model.eval()
    count, early = len(batches.label), model.shape.early
    first, last = (torch.zeros(count, 3, device=batches.device) for _ in range(2))
    for batch in batches.plan(np.arange(count), _BUDGET, None):
        rows, inputs = torch.from_numpy(batch).to(batches.device), batches.build(batch)
        states = model.encode(*inputs)
        last[rows] = model.classify(states[-1], inputs[1])
        if early:
            first[rows] = model.classify(states[early], inputs[1], early=True)
    return (first if early else None), last


def _grade(logits: Tensor, label: Tensor) -> float:
    found = score(logits, label)
    return round(found.get("accuracy", found.get("balanced", 0.0)), 2)
