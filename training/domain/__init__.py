"""A grammar that writes NLI pairs of the domain: memories, numbers, updates, dialogue and what public sets lack."""

from __future__ import annotations

from training.domain.generator import KINDS, generate
from training.domain.pair import Label, Pair

__all__ = ["KINDS", "Label", "Pair", "generate"]
