"""What the large encoder looks at, shown to a young student.

An opinion is three numbers a pair. How every word relates to every other in the last layer (query to query, key to key,
value to value, in each head) is far more, needs no projection between the two widths, and is read off one pass of the
large encoder over the same words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from training.network import Layer, Verifier, compile_layers

if TYPE_CHECKING:
    from training.tensors import Batches

_HIDDEN = -1e4


class Guide:
    """The large encoder, reading along. `heads` is how many relations a layer is cut into, whatever its own heads."""

    def __init__(self, model: Verifier, batches: Batches, heads: int) -> None:
        self.model, self.batches, self.heads = model.eval(), batches, heads
        if batches.device != "cpu":
            compile_layers(model.bfloat16())

    def compare(
        self, layer: Layer, states: Tensor, inputs: tuple[Tensor, Tensor, Tensor], batch: NDArray[np.int64]
    ) -> Tensor:
        """How far the student's relations in its last layer are from the large encoder's, over the same words."""
        mask = inputs[1]
        hidden = (1.0 - mask[:, None, None, :].float()) * _HIDDEN
        with torch.no_grad():
            theirs = self._read(batch, inputs)
            shown = [relate(f(theirs), self.heads, hidden) for f in _views(self.model.layers[-1])]
        mine = [relate(f(states), self.heads, hidden) for f in _views(layer)]
        rows = mask[:, None, :].float()
        far = [
            (functional.kl_div(m, s, log_target=True, reduction="none").sum(-1) * rows).sum() / rows.sum() / self.heads
            for m, s in zip(mine, shown, strict=True)
        ]
        return torch.stack(far).mean()

    def _read(self, batch: NDArray[np.int64], inputs: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        """The states below the large encoder's last layer, each at the place where the student has that word."""
        given = self.batches.build(batch)
        states = self.model.encode(*given)[-2]
        place = align(inputs, given)
        return states.gather(1, place[:, :, None].expand(-1, -1, states.shape[-1]))


def _views(layer: Layer) -> tuple[torch.nn.Linear, torch.nn.Linear, torch.nn.Linear]:
    return layer.query, layer.key, layer.value


def relate(vectors: Tensor, heads: int, hidden: Tensor) -> Tensor:
    """Log probabilities of each word's relation to every word, in each head."""
    batch, length, width = vectors.shape
    cut = vectors.view(batch, length, heads, width // heads).transpose(1, 2)
    scores = (cut @ cut.transpose(-1, -2)).float() / (width // heads) ** 0.5
    return functional.log_softmax(scores + hidden, dim=-1)


def align(mine: tuple[Tensor, Tensor, Tensor], theirs: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """For every position of the student, that of the large encoder, which puts one more mark between the two texts."""
    at = torch.arange(mine[0].shape[1], device=mine[0].device)[None]
    begin, other = (_first_of_claim(x)[:, None] for x in (mine, theirs))
    place = torch.where(at >= begin, at - begin + other, torch.minimum(at, other - 1))
    return place.clamp(max=theirs[0].shape[1] - 1)


def _first_of_claim(inputs: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    _, mask, segments = inputs
    return (mask * (1 - segments)).sum(1)
