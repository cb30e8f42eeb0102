"""Training with the arithmetic of the shipped `mini`, so that rounding no longer costs what the weights had learnt.

Matrices are int8 with one scale an output, tables bytes with one scale and a zero point, what is multiplied bytes with
one scale a pair: what onnxruntime does with the exported graph, one pair at a time. Gradients pass straight through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

_TABLES = ("words", "positions", "segments")
_LEAST = 1e-12


def multiply(linears: Sequence[nn.Linear], states: Tensor, keep: Tensor | None, *, rounding: bool) -> list[Tensor]:
    """The products of the same states with some matrices; `keep` marks what is no filling and sets the range."""
    if not rounding:
        return [linear(states) for linear in linears]
    codes, scale = squash(states, keep)
    return [_product(linear, codes, scale) for linear in linears]


def squash(states: Tensor, keep: Tensor | None) -> tuple[Tensor, Tensor]:
    """(codes less the zero point, scale of each pair), as DynamicQuantizeLinear rounds a batch of one."""
    dims = tuple(range(1, states.ndim))
    wide = states.float()
    with torch.no_grad():
        seen = wide if keep is None else torch.where(keep, wide, 0.0)
        low = seen.amin(dims, keepdim=True).clamp(max=0.0)
        high = seen.amax(dims, keepdim=True).clamp(min=0.0)
        scale = ((high - low) / 255).clamp(min=_LEAST)
        zero = (-low / scale).round()
    value = wide / scale
    codes = value + (value.round() - value).detach()
    return torch.minimum(torch.maximum(codes, -zero), 255 - zero).to(states.dtype), scale


def _product(linear: nn.Linear, codes: Tensor, scale: Tensor) -> Tensor:
    """Codes are whole numbers up to 255, which bfloat16 holds exactly; the scale comes after the product."""
    found = functional.linear(codes, linear.weight).float() * scale
    return (found + linear.bias.float()).to(codes.dtype)


@torch.no_grad()
def round_weight(name: str, weight: Tensor) -> Tensor:
    """A parameter as the exported graph holds it; vectors stay as they are."""
    if weight.ndim != 2:
        return weight
    if name.startswith(_TABLES):
        low, high = weight.amin().clamp(max=0.0), weight.amax().clamp(min=0.0)
        scale = ((high - low) / 255).clamp(min=_LEAST)
        zero = (-low / scale).round()
        return ((weight / scale).round() + zero).clamp(0, 255).sub(zero).mul(scale)
    scale = weight.abs().amax(1, keepdim=True) / 127
    scale = torch.where(scale == 0, torch.ones_like(scale), scale)
    return (weight / scale).round().clamp(-127, 127) * scale


def round_state(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """All weights of a model as the exported graph holds them."""
    return {name: round_weight(name, value) for name, value in state.items()}


def set_rounding(model: nn.Module, on: bool) -> None:
    """Let the model, and every layer of it, compute with rounded activations or not."""
    for module in model.modules():
        if hasattr(module, "rounding"):
            module.rounding = on
