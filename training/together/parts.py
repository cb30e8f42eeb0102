"""What every part of the run is given, and how much of the GPU it may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.together.exchange import Exchange
from training.work import Work

FOLDER = "together"
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True)
class Part:
    """One process: its work folder, the folder that it shares, and the published language models."""

    name: str
    work: Work
    exchange: Exchange
    writer: Path | None = None
    mentor: Path | None = None
    attempt: int = 1

    @property
    def settings(self) -> dict[str, Any]:
        """What is set for the run as a whole."""
        return self.work.config[FOLDER]

    @property
    def own(self) -> dict[str, Any]:
        """What is set for this part: `memory`, and `begin` and `end` as shares of the run."""
        return self.settings["parts"][self.name]

    @property
    def left(self) -> float:
        """Seconds until it has to end."""
        return self.exchange.left(float(self.own["end"]))

    def limit_memory(self) -> None:
        """No part may drive another one out; what is over the limit fails in this process alone."""
        if self.work.device != "cpu":
            torch.cuda.set_per_process_memory_fraction(float(self.own["memory"]))

    def free_memory(self) -> None:
        if self.work.device != "cpu":
            torch.cuda.empty_cache()


def narrow(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights of a language model as they are kept for another attempt, in half the room."""
    return {name: value.bfloat16() for name, value in state.items()}


def configure(config: dict[str, Any]) -> dict[str, Any]:
    """The configuration of a run side by side: `together.mini` goes before `mini`, `together.base` before `base`."""
    return config | {name: config[name] | config[FOLDER].get(name, {}) for name in ("mini", "base")}
