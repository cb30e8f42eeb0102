"""The part of an encoder: it learns from the shards that are there, takes in newer ones at every pass, ends in time."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from training.fit import Lessons, fit, write_metrics
from training.pairs import BY_HAND, LABELS, UNLABELLED, read_pairs, write_pairs
from training.stages import development_sets, mix, repeat
from training.tensors import Batches, Tokens
from training.together.comparing import compare
from training.together.exchange import BASE, DEV, MENTOR
from training.together.parts import Part
from training.work import Work

_FOREVER = 10_000.0
_COMPILED = 2
"""Attempts with compiled layers, which not every machine bears."""


def run(part: Part) -> None:
    """Train by the clock, store the weights, and say what they and their means with the first ones are worth."""
    part.limit_memory()
    work, name = part.work, part.name
    model = work.begin(name, name)
    before = {key: value.detach().clone() for key, value in model.state_dict().items()}
    pool = Pool(part)
    first: list[Lessons] = []

    def has_lessons() -> bool:
        found = pool.renew()
        first.extend([found] if found else [])
        return bool(first)

    if not part.exchange.wait(has_lessons, float(part.own["end"])):
        raise RuntimeError("no shard has got an opinion: there is nothing to learn from")
    lessons = first[0]
    recipe = replace(work.recipe(name), epochs=_FOREVER, seconds=max(1.0, part.left))
    if part.attempt > _COMPILED:
        recipe = replace(recipe, compile=False)
    fit(
        model, lessons.batches, lessons.rows, recipe, teacher=lessons.teacher, exact=lessons.exact,
        renew=pool.renew, report=work.report(name), checkpoint=work.checkpoint(name),
    )  # fmt: skip
    ended = {key: value.detach().clone() for key, value in model.state_dict().items()}
    work.store(f"{name}-ended", ended)
    mix(model, before, float(work.config[name].get("kept", 0.0)))
    work.store(name, model.state_dict())
    work.checkpoint(name).unlink(missing_ok=True)
    sets = {known: work.batches(known, name) for known in (*development_sets(work), *_keep_by_hand(work))}
    found = compare(model, before, ended, sets, part.settings["compared"], float(work.config["export"]["sure"]))
    metrics = {"pairs": pool.size, "share of the first": found}
    write_metrics(work.root / f"together-{name}-metrics.json", metrics)
    work.say(f"{name}: written; {json.dumps(metrics)}")


def _keep_by_hand(work: Work) -> list[str]:
    """The pairs by hand that are held back, as a set to measure on; none where nothing is held back."""
    if not work.files("held"):
        return []
    write_pairs(
        work.root / "held_by_hand.jsonl.gz",
        (p for p in read_pairs(work.files("held")[0]) if p.source.startswith(BY_HAND)),
    )
    return ["held_by_hand"]


class Pool:
    """All shards as one; the mentor's opinion is mixed in where it has spoken. What nobody knows is not taught."""

    def __init__(self, part: Part) -> None:
        self.part, self.parts, self.size = part, dict[str, Tokens](), dict[str, int]()
        self._seen: tuple[frozenset[str], frozenset[str]] = frozenset(), frozenset()

    def renew(self) -> Lessons | None:
        """What is there by now; nothing where that is what was there before, or where none of it can be taught."""
        exchange = self.part.exchange
        names = [n for n in exchange.names(BASE) if not n.startswith(DEV)]
        heard = frozenset(exchange.names(MENTOR))
        if not names or (frozenset(names), heard) == self._seen:
            return None
        self._seen = frozenset(names), heard
        self.parts |= {name: exchange.read_tokens(name) for name in names if name not in self.parts}
        tokens = Tokens.join([self.parts[name] for name in names])
        opinion = np.concatenate([self._opinion(name, heard) for name in names])
        work = self.part.work
        sure = tuple(work.config["data"]["exact"])
        certain = np.array([source.startswith(sure) for source in tokens.sources])[tokens.source]
        taught = (tokens.label != LABELS.index(UNLABELLED)) | ~np.isnan(opinion[:, 0])
        rows = repeat(work, tokens, np.flatnonzero(taught))
        if not len(rows):
            return None
        self.size = {"shards": len(names), "heard by the mentor": len(heard & {*names}), "rows": len(rows)}
        work.say(f"{self.part.name}: {self.size}")
        longest = int(work.config[self.part.name]["longest"])
        return Lessons(
            Batches(tokens, work.shapes[self.part.name], work.device, longest), rows,
            torch.from_numpy(opinion).to(work.device), torch.from_numpy(certain).to(work.device),
        )  # fmt: skip

    def _opinion(self, name: str, heard: frozenset[str]) -> NDArray[np.float32]:
        exchange, share = self.part.exchange, float(self.part.settings["mentor_share"])
        opinion = exchange.read_opinion(BASE, name)
        if name not in heard:
            return opinion
        said = exchange.read_opinion(MENTOR, name)
        mixed = np.log(share * np.exp(said) + (1 - share) * np.exp(opinion) + 1e-8)
        mixed = np.where(np.isnan(opinion), said, mixed)
        return np.where(np.isnan(said), opinion, mixed).astype(np.float32)
