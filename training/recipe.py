"""Everything that tells one training run from another."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    """Everything that tells one training run from another.

    average      the share of the run, at its end, that the averaged weights stand for
    consistency  how much two readings of a pair under different dropout are held together; costs a second reading
    early_share  how much the first opinion, given on the way, counts beside the last one
    guidance     how much the student's attention is held to the large encoder's, and over which share of the run
    checkpoint   steps between two checkpoints; 0 keeps none
    seconds      the time that is left for the run: the rate rises and falls by the clock, unless the epochs end first;
                 0 lets it take what it takes (and be repeatable)
    rounded      the share of the run, at its end, that computes with the int8 arithmetic of the exported model
    half         in bfloat16 on a CPU too, where that is quicker on the machine; a GPU always does
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
    rounded: float = 0.0
    half: bool = False
