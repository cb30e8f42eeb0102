"""What each layer loses by being rounded alone, so that the sensitive ones can be kept in float.

A matrix is rounded as it will be at run time: weights to int8 with one scale a row (after the few bits of a plan, where
one is given), its input to 8 bits with the range of each pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.fit import predict, score
from training.lowbits import GROUP, bits_of, choose_scales
from training.network import Verifier
from training.work import Work


def round_rows(weight: Tensor) -> Tensor:
    """int8 with one scale a row."""
    scale = (weight.abs().amax(1, keepdim=True) / 127).clamp(min=1e-12)
    return torch.round(weight / scale) * scale


def round_groups(weight: Tensor, bits: int) -> Tensor:
    """The few bits of a plan."""
    groups = weight.reshape(-1, GROUP).float()
    scale, least = choose_scales(groups, bits)
    codes = torch.round((groups - least) / scale.clamp(min=1e-8)).clamp(0, 2**bits - 1)
    return (least + codes * scale).reshape(weight.shape).to(weight.dtype)


def _round_input(_: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    states = given[0]
    around = tuple(range(1, states.ndim))
    low, high = states.amin(around, keepdim=True).clamp(max=0), states.amax(around, keepdim=True).clamp(min=0)
    scale = ((high - low) / 255).clamp(min=1e-12)
    return (torch.round((states - low) / scale) * scale + low, *given[1:])


@contextmanager
def rounded(module: nn.Linear | nn.Embedding, bits: int | None) -> Iterator[None]:
    """The module as it will be at run time; `bits` of None means int8 alone."""
    kept = module.weight.data
    values = kept if bits is None or kept.shape[1] % GROUP else round_groups(kept, bits)
    module.weight.data = round_rows(values)
    handle = module.register_forward_pre_hook(_round_input) if isinstance(module, nn.Linear) else None
    try:
        yield
    finally:
        module.weight.data = kept
        if handle is not None:
            handle.remove()


def list_modules(model: Verifier) -> dict[str, nn.Linear | nn.Embedding]:
    """Everything that export rounds, by name."""
    found = {n: m for n, m in model.named_modules() if isinstance(m, nn.Linear | nn.Embedding)}
    return {n: m for n, m in found.items() if bits_of(f"{n}.weight", {"rest": 8}) is not None}


def measure_layers(
    work: Work, model: Verifier, shape: str, pairs: str, plan: Mapping[str, int] | None, most: int
) -> dict[str, Any]:
    """Accuracy lost, and how far the opinion moves (KL), module by module and all together; the worst come first."""
    batches = work.batches(pairs, shape)
    rows = np.arange(min(most, len(batches.label)))
    label = batches.label[torch.from_numpy(rows).to(batches.device)]
    plain = predict(model, batches, rows)
    before = _grade(plain, label)
    modules = list_modules(model)
    found: list[dict[str, Any]] = []
    for number, name in enumerate([*modules, "all"], 1):
        with ExitStack() as stack:
            for part in modules if name == "all" else [name]:
                stack.enter_context(rounded(modules[part], None if plan is None else bits_of(f"{part}.weight", plan)))
            logits = predict(model, batches, rows)
        now, then = (opinion.double().log_softmax(-1) for opinion in (logits, plain))
        moved = float(functional.kl_div(now, then, log_target=True, reduction="batchmean"))
        lost = round(before - _grade(logits, label), 3)
        found.append({"module": name, "lost": lost, "kl": float(f"{moved:.4g}")})
        work.say(f"layers {number} of {len(modules) + 1}: {name} loses {found[-1]['lost']:+.2f} (KL {moved:.5f})")
    found.sort(key=lambda row: -row["kl"])
    return {"pairs": len(rows), "set": pairs, "before": round(before, 3), "modules": found}


def _grade(logits: Tensor, label: Tensor) -> float:
    found = score(logits, label)
    return found.get("accuracy", found.get("balanced", 0.0))
