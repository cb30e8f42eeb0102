"""Weights in a few bits: fake quantisation while training goes on, and the codes that come out of it.

Groups of 64 along the last axis. 3, 4, 6 and 8 bits are symmetric, `(code - half) * scale`; 2 bits have no level to
waste on the far side, so they are `minimum + code * scale`. The scale of a group is the one of a few clippings that
loses least; it is looked for again every few steps and kept in float16, exactly as it will be stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from training.network import Verifier

GROUP = 64
_CLIPPINGS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)


def _levels(groups: Tensor, bits: int, scale: Tensor, least: Tensor) -> Tensor:
    codes = torch.round((groups - least) / scale.clamp(min=1e-8))
    return codes.clamp(0, 2**bits - 1)


@torch.no_grad()
def choose_scales(groups: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """(scale, least) of every group, in the precision they are stored in."""
    best = torch.full((len(groups), 1), float("inf"), device=groups.device)
    kept = torch.zeros_like(best), torch.zeros_like(best)
    half = 2 ** (bits - 1)
    low, high = groups.amin(1, keepdim=True), groups.amax(1, keepdim=True)
    reach = groups.abs().amax(1, keepdim=True)
    for clip in _CLIPPINGS:
        if bits == 2:
            scale = ((high - low) * clip / 3).half().float()
            least = ((high + low) / 2 - 1.5 * scale).half().float()
        else:
            scale = (reach * clip / (half - 0.5)).half().float()
            least = -half * scale
        error = (least + _levels(groups, bits, scale, least) * scale - groups).square().sum(1, keepdim=True)
        better = error < best
        best = torch.where(better, error, best)
        kept = torch.where(better, scale, kept[0]), torch.where(better, least, kept[1])
    return kept


class Rounded(nn.Module):
    """A weight as it will be read back; gradients pass through to the full one."""

    def __init__(self, bits: int, every: int) -> None:
        super().__init__()
        self.bits, self.every, self.age = bits, every, 0
        self.scale: Tensor | None = None
        self.least: Tensor | None = None

    def forward(self, weight: Tensor) -> Tensor:
        groups = weight.reshape(-1, GROUP)
        if self.scale is None or (self.training and self.age % self.every == 0):
            self.scale, self.least = choose_scales(groups.detach().float(), self.bits)
        self.age += 1
        assert self.least is not None
        with torch.no_grad():
            found = self.least + _levels(groups, self.bits, self.scale, self.least) * self.scale
            change = (found - groups).reshape(weight.shape).to(weight.dtype)
        return weight + change


def bits_of(name: str, plan: Mapping[str, int]) -> int | None:
    """How many bits the plan gives a parameter; None leaves it in float16."""
    if not name.endswith(".weight") or "norm" in name or ".last" in name or name.startswith(("relative", "head")):
        return None
    for part, bits in plan.items():
        if part in name:
            return bits
    return plan.get("rest")


PLANS: dict[str, dict[str, int]] = {
    "8": {"rest": 8},
    "6": {"rest": 6, "positions": 8},
    "4": {"rest": 4, "positions": 8},
    "mixed": {"words": 2, "positions": 8, ".up": 3, ".down": 3, "rest": 4},
}


def read_plan(name: str, settings: Mapping[str, Any]) -> dict[str, int]:
    """Bits by part of a parameter's name: a plan of the configuration (`squeeze.plans`), or one of those above."""
    plans = PLANS | settings.get("plans", {})
    if name not in plans:
        raise ValueError(f"no plan is called {name!r}: choose one of {', '.join(plans)}")
    return dict(plans[name])


def size_of(model: Verifier, plan: Mapping[str, int]) -> int:
    """Bytes on disk under a plan."""
    total = 0
    for name, value in model.named_parameters():
        bits = bits_of(name, plan)
        if bits is None:
            total += value.numel() * 2
        else:
            total += value.numel() * bits // 8 + value.numel() // GROUP * (4 if bits == 2 else 2)
    return total


def round_weights(model: Verifier, plan: Mapping[str, int], every: int = 25) -> Verifier:
    """Put the rounding into the model; undone by `settle`."""
    for name, value in list(model.named_parameters()):
        bits = bits_of(name, plan)
        if bits is not None:
            owner = model.get_submodule(name.rpartition(".")[0])
            parametrize.register_parametrization(owner, "weight", Rounded(bits, every).to(value.device), unsafe=True)
    return model


@dataclass
class Coded:
    """A weight as the packed file stores it; `least` only for 2 bits."""

    shape: tuple[int, ...]
    bits: int
    codes: Tensor
    scale: Tensor
    least: Tensor | None


@torch.no_grad()
def settle(model: Verifier) -> dict[str, Coded]:
    """Make the rounded values the plain weights of the model, and return the codes that stand for them."""
    found: dict[str, Coded] = {}
    for name, module in list(model.named_modules()):
        if not parametrize.is_parametrized(module):
            continue
        rounding = module.parametrizations["weight"][0]
        weight = module.parametrizations["weight"].original
        groups = weight.detach().reshape(-1, GROUP).float()
        scale, least = choose_scales(groups, rounding.bits)
        codes = _levels(groups, rounding.bits, scale, least)
        value = (least + codes * scale).reshape(weight.shape)
        parametrize.remove_parametrizations(module, "weight", leave_parametrized=False)
        module.weight.copy_(value)
        kept = least.half()[:, 0].cpu() if rounding.bits == 2 else None
        found[f"{name}.weight"] = Coded(
            tuple(weight.shape), rounding.bits, codes.to(torch.uint8).cpu(), scale.half()[:, 0].cpu(), kept
        )
    return found
