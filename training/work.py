"""The folder of one run: pairs, tensors, checkpoints, metrics, and the device that the run has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.fit import Recipe
from training.network import SHAPES, Shape, Verifier
from training.pairs import read_pairs
from training.published import find_published, read_published
from training.tensors import Batches, Tokens, tokenize_pairs

Say = Callable[[str], None]
PUBLISHED = "published"
"""As `init` or among the teachers: the weights that are shipped, read back."""


def read_shapes(config: Mapping[str, Any]) -> dict[str, Shape]:
    """The encoders of a configuration; one that names none gets those of the published models."""
    given = config.get("shapes", {})
    return {name: Shape(**given[name]) if name in given else shape for name, shape in SHAPES.items()}


class Work:
    """What the stages share. `use_checkpoints` takes a checkpoint for the result of the run that was cut off."""

    def __init__(
        self,
        root: Path,
        config: dict[str, Any],
        say: Say,
        shapes: dict[str, Shape] | None = None,
        *,
        use_checkpoints: bool = False,
    ) -> None:
        self.root, self.config, self.say, self.use_checkpoints = root, config, say, use_checkpoints
        self.shapes = shapes or read_shapes(config)
        if "threads" in config:
            torch.set_num_threads(int(config["threads"]))
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self._batches: dict[tuple[str, str], Batches] = {}

    def recipe(self, name: str) -> Recipe:
        known = {f.name for f in fields(Recipe)}
        return Recipe(**{k: v for k, v in self.config[name].items() if k in known})

    def tokens(self, name: str) -> Tokens:
        """`train` (labelled), `all` (with unlabelled and written pairs), `held` or a development set; made once."""
        path = self.root / f"{name}.npz"
        if not path.exists():
            files = ["train", "extra", "written"] if name == "all" else [name]
            pairs = [p for file in files for found in self.files(file) for p in read_pairs(found)]
            tokenize_pairs(pairs, Tokenizer.from_file(str(self.root / "tokenizer.json"))).save(path)
        return Tokens.load(path)

    def files(self, name: str) -> list[Path]:
        return sorted(self.root.glob(f"{name}.jsonl*"))

    def batches(self, name: str, model: str) -> Batches:
        key = (name, model)
        if key not in self._batches:
            longest = int(self.config[model if model in self.config else "teacher"]["longest"])
            self._batches[key] = Batches(self.tokens(name), self.shapes[model], self.device, longest)
        return self._batches[key]

    def fresh(self, shape: str) -> Verifier:
        """The published backbone with a new head."""
        torch.manual_seed(int(self.config["seed"]))
        model = Verifier(self.shapes[shape])
        path = self.root / f"backbone-{shape}.npz"
        if path.exists():
            model.load_state_dict(load_arrays(path), strict=False)
        return model.to(self.device)

    def load(self, name: str, shape: str) -> Verifier:
        model = Verifier(self.shapes[shape])
        if name == PUBLISHED:
            state = read_published(self.published(shape), self.shapes[shape])
        else:
            state = torch.load(self.root / f"{name}.pt", map_location="cpu")
        model.load_state_dict({key: value.float() for key, value in state.items()})
        return model.to(self.device).eval()

    def begin(self, name: str, shape: str) -> Verifier:
        """What a run starts from: the published backbone, the weights of the run that `init` names, or shipped ones."""
        init = self.config[name].get("init", "")
        if not init:
            return self.fresh(shape)
        if not (self.published(shape).exists() if init == PUBLISHED else self.done(init)):
            raise FileNotFoundError(f"{name} begins with the weights of {init!r}, which are not there")
        return self.load(init, shape)

    def published(self, shape: str) -> Path:
        """The folder of the shipped model of a shape."""
        return find_published(shape, self.config[PUBLISHED])

    def checkpoint(self, name: str) -> Path:
        return self.root / f"{name}-checkpoint.pt"

    def done(self, name: str) -> bool:
        return (self.root / f"{name}.pt").exists()

    def store(self, name: str, value: object) -> None:
        partial = self.root / f"partial-{name}.pt"
        torch.save(value, partial)
        partial.rename(self.root / f"{name}.pt")

    def report(self, name: str) -> Callable[[dict[str, float]], None]:
        return lambda row: self.say(f"{name} {json.dumps(row)}")


def load_arrays(path: Path) -> dict[str, Tensor]:
    """A backbone kept as float, or as bytes with one scale a row."""
    with np.load(path) as data:
        found = {k: data[k] for k in data.files}
    state = {k: v for k, v in found.items() if not k.endswith("|scale")}
    for name, value in state.items():
        scale = found.get(name + "|scale")
        state[name] = value.astype(np.float32) * (1.0 if scale is None else scale[:, None])
    return {k: torch.from_numpy(v.copy()) for k, v in state.items()}
