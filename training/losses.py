"""What a run learns from a batch: labels where there are any, a teacher's opinion where it has one."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from training.pairs import LABELS, SUPPORTED, UNLABELLED
from training.recipe import Recipe

_SUPPORTED, _UNLABELLED = (LABELS.index(x) for x in (SUPPORTED, UNLABELLED))


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


def disagreement(one: Tensor, other: Tensor) -> Tensor:
    """How far two opinions are from each other, both ways."""
    left, right = functional.log_softmax(one, dim=-1), functional.log_softmax(other, dim=-1)
    there = functional.kl_div(left, right, log_target=True, reduction="batchmean")
    return (there + functional.kl_div(right, left, log_target=True, reduction="batchmean")) / 2


@dataclass
class Known:
    """What is known of the pairs of a batch."""

    label: Tensor
    opinion: Tensor | None
    exact: Tensor | None

    @classmethod
    def pick(cls, rows: Tensor, label: Tensor, teacher: Tensor | None, exact: Tensor | None) -> Known:
        opinion = None if teacher is None else teacher[rows].float()
        return cls(label[rows], opinion, None if exact is None else exact[rows])


def lesson_loss(logits: Tensor, rows: Known, recipe: Recipe) -> Tensor:
    """The mean over a batch."""
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
