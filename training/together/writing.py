"""The writer's part: tuned once, then a shard of claims after the other until its time is over."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from training.augment.crossing import siblings, turn
from training.decoder import Decoder
from training.pairs import BY_HAND, LABELS, UNLABELLED, Pair, read_pairs
from training.stages import is_model_text
from training.together.exchange import NEW
from training.together.parts import Part, narrow
from training.writer import imagine, kind_of, load_writer, tune, write

_ATTEMPTS = 4
_SMALLEST = 64
_LONGEST = 400
Evidence = tuple[str, str]


def run(part: Part) -> None:
    """Write until the end; a shard that finds no room is tried again in smaller batches."""
    part.limit_memory()
    work, exchange = part.work, part.exchange
    pairs = [p for p in read_pairs(work.files("train")[0]) if is_model_text(p)]
    seed = int(work.config["seed"]) + sum(name.startswith(NEW) for name in exchange.names("pairs"))
    model, tokenizer = _tuned(part, pairs, seed)
    exchange.mark("writer-tuned")
    hand = Hand(model, tokenizer, pairs, work.config["writer"], part.settings, seed)
    total = 0
    while part.left > float(part.own["margin"]):
        number = sum(name.startswith(NEW) for name in exchange.names("pairs"))
        try:
            found = hand.write_shard(seed + number, time.monotonic() + part.left)
        except torch.OutOfMemoryError:
            hand.size = max(_SMALLEST, hand.size * 2 // 3)
            part.free_memory()
            work.say(f"writer: no room, {hand.size} at once from here on")
            continue
        if not found:
            break
        exchange.put_pairs(f"{NEW}{number:03d}", found)
        total += len(found)
        work.say(f"writer: shard {number} of {len(found):,} pairs, {total:,} in all")


def _tuned(part: Part, pairs: Sequence[Pair], seed: int) -> tuple[Decoder, Tokenizer]:
    """The model, tuned in this run or in one that was cut off; where there is no room, in smaller batches."""
    assert part.writer is not None
    work, settings = part.work, part.work.config["writer"]
    size = int(settings["batch"])
    rng = np.random.default_rng(seed)
    for _ in range(_ATTEMPTS):
        model, tokenizer = load_writer(part.writer.read_bytes())
        if work.done("writer"):
            model.load_state_dict(torch.load(work.root / "writer.pt", map_location="cpu"))
            return model.to(work.device), tokenizer
        examples = choose_examples(pairs, int(part.settings["others"]), rng)
        try:
            tune(
                model, tokenizer, examples, device=work.device, epochs=int(settings["epochs"]),
                rate=float(settings["rate"]), size=size, seed=seed, report=work.report("writer"),
            )  # fmt: skip
        except torch.OutOfMemoryError:
            del model
            part.free_memory()
            size //= 2
            work.say(f"writer: no room, tuned again in batches of {size}")
            continue
        for parameter in model.parameters():
            parameter.grad = None
        part.free_memory()
        work.store("writer", narrow(model.state_dict()))
        return model, tokenizer
    raise MemoryError("the writer finds no room: give it a larger share of the memory")


def choose_examples(pairs: Sequence[Pair], others: int, rng: np.random.Generator) -> list[Pair]:
    """All pairs by hand and so many others: a draw of everything would hardly sound like memories."""
    by_hand = [p for p in pairs if p.source.startswith(BY_HAND)]
    rest = [p for p in pairs if not p.source.startswith(BY_HAND)]
    return [*by_hand, *(rest[i] for i in rng.permutation(len(rest))[:others])]


class Hand:
    """Draws evidence that is there and imagines some more, each kind in its share; wants claims of every label."""

    def __init__(
        self, model: Decoder, tokenizer: Tokenizer, pairs: Sequence[Pair], settings: dict[str, Any],
        together: dict[str, Any], seed: int,
    ) -> None:  # fmt: skip
        self.model, self.tokenizer, self.together = model, tokenizer, together
        self.size, self.temperature = int(settings.get("sample_batch", 8192)), float(settings["temperature"])
        self.rng = np.random.default_rng(seed)
        self.shares: dict[str, float] = together["kinds"]
        self.known: dict[str, list[Evidence]] = {kind: [] for kind in self.shares}
        for evidence in dict.fromkeys((kind_of(p.source), p.premise) for p in pairs if len(p.premise) < _LONGEST):
            if evidence[0] in self.known:
                self.known[evidence[0]].append(evidence)
        for listed in self.known.values():
            self.rng.shuffle(listed)  # type: ignore[arg-type]
        self.used = dict.fromkeys(self.shares, 0)

    def write_shard(self, seed: int, deadline: float) -> list[Pair]:
        """Claims without labels, and some of them set against each other or turned round."""
        made = dict.fromkeys(
            imagine(
                self.model, self.tokenizer, self._draw_kinds(int(self.together["imagined"])), size=self.size,
                temperature=self.temperature, seed=seed, longest=int(self.together["imagined_longest"]),
                deadline=deadline,
            )
        )  # fmt: skip
        labels = LABELS[:3]
        evidence = [*made, *self._take(int(self.together["known"]))]
        wanted = [(*e, label) for e in evidence for label in labels]
        wanted += [(*e, labels[int(self.rng.integers(3))]) for e in made]
        wanted = [wanted[i] for i in self.rng.permutation(len(wanted))]
        found = write(
            self.model, self.tokenizer, wanted, size=self.size, temperature=self.temperature, seed=seed,
            deadline=deadline,
        )  # fmt: skip
        unique = list(dict.fromkeys(p._replace(label=UNLABELLED) for p in found))
        beside = list(siblings(unique, seed, int(float(self.together["siblings"]) * len(unique))))
        return [*unique, *beside, *turn(unique, seed, int(float(self.together["turned"]) * len(unique)))]

    def _draw_kinds(self, count: int) -> list[str]:
        kinds = list(self.shares)
        return [str(kind) for kind in self.rng.choice(kinds, count, p=[self.shares[kind] for kind in kinds])]

    def _take(self, count: int) -> list[Evidence]:
        """Of every kind the next ones in turn."""
        found: dict[Evidence, None] = {}
        for kind in self._draw_kinds(count):
            listed = self.known[kind]
            if listed:
                found[listed[self.used[kind] % len(listed)]] = None
                self.used[kind] += 1
        return list(found)
