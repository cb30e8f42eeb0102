"""The mentor's part: tuned until its time is over, then asked where the large encoder is silent or not sure."""

from __future__ import annotations

from dataclasses import replace
from mmap import ACCESS_READ, mmap

import numpy as np
import torch
from numpy.typing import NDArray

from training import mentor as teaching
from training.gguf import Gguf
from training.losses import agrees
from training.pairs import LABELS, UNLABELLED, Pair, read_pairs
from training.together.exchange import BASE, DEV, MENTOR, NEW, OLD
from training.together.judging import choose
from training.together.parts import Part, narrow

_TURNS = ((DEV, OLD, NEW), (DEV, NEW, OLD), (DEV, NEW, OLD))
"""Two new shards, then a prepared one: both are to be heard of before `mini` learns."""


def run(part: Part) -> None:
    """Ends when every shard that the encoder judged was looked at."""
    part.limit_memory()
    work, exchange = part.work, part.exchange
    mentor = _tuned(part)
    asked = turn = 0
    while part.left > 0:
        ready = [n for n in exchange.names(BASE) if not exchange.has(MENTOR, n)]
        name = choose(ready, _TURNS[turn % len(_TURNS)])
        if name is None:
            if exchange.is_marked("judge-done"):
                return
            exchange.pause(0.5)
            continue
        turn += 1
        pairs, opinion = exchange.read_pairs(name), exchange.read_opinion(BASE, name)
        rows = np.arange(len(pairs)) if name.startswith(DEV) else choose_asked(part, pairs, opinion)
        found = np.full((len(pairs), 3), np.nan, np.float32)
        if len(rows):
            batches = mentor.batches([pairs[i] for i in rows], work.device, int(work.config[MENTOR]["longest"]))
            found[rows] = teaching.give_opinions(mentor, batches).numpy()
        exchange.put_opinion(MENTOR, name, found)
        asked += len(rows)
        work.say(f"mentor: {name}, {len(rows):,} of {len(pairs):,}, {asked:,} in all")


def choose_asked(part: Part, pairs: list[Pair], opinion: NDArray[np.float32]) -> NDArray[np.int64]:
    """The rows that are worth asking about: short, and the encoder silent, or neither sure nor borne out by a label.

    Some sources are always asked about.
    """
    unsure: dict[str, float] = part.settings["unsure"]
    label = torch.tensor([LABELS.index(p.label) for p in pairs])
    borne_out = agrees(torch.from_numpy(opinion), label) & (label != LABELS.index(UNLABELLED))
    enough = np.where(borne_out.numpy(), float(unsure["borne_out"]), float(unsure["otherwise"]))
    settings = part.work.config[MENTOR]
    left_out, always = tuple(settings["unasked"]), tuple(settings.get("always", ()))
    short = np.array([teaching.is_short(p) and not p.source.startswith(left_out) for p in pairs], dtype=bool)
    wanted = np.array([p.source.endswith(always) for p in pairs], dtype=bool)
    sure = np.exp(opinion).max(1) >= enough  # which silence is not
    return np.flatnonzero(short & (wanted | ~sure))


def _tuned(part: Part) -> teaching.Mentor:
    """The language model, tuned in this run or in one that was cut off."""
    assert part.mentor is not None
    work, settings, seed = part.work, part.work.config[MENTOR], int(part.work.config["seed"])
    groups = {name: [p for f in work.files(name) for p in read_pairs(f)] for name in ("train", "extra")}
    part.exchange.wait(part.mentor.exists, float(part.own["tuned"]))  # it may still be on its way
    with part.mentor.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        gguf = Gguf(bytes(data))
    kept = _choose_words(part, gguf, [p for group in groups.values() for p in group])
    mentor = teaching.open_mentor(gguf, kept, int(settings["layers"]))
    if work.done(MENTOR):
        mentor.model.load_state_dict(torch.load(work.root / f"{MENTOR}.pt", map_location="cpu"))
        mentor.model.to(work.device)
        return mentor
    lessons = teaching.choose_lessons(groups["train"], settings, seed)
    left = max(1.0, part.exchange.left(float(part.own["tuned"])))
    work.say(f"mentor: {len(lessons):,} lessons, {left:.0f} s")
    batches = mentor.batches(lessons, work.device, int(settings["longest"]))
    teaching.teach(mentor, batches, replace(work.recipe(MENTOR), seconds=left), report=work.report(MENTOR))
    work.store(MENTOR, narrow(mentor.model.state_dict()))
    part.free_memory()
    return mentor


def _choose_words(part: Part, gguf: Gguf, pairs: list[Pair]) -> NDArray[np.int64]:
    """The words that the prepared texts use; kept, because the tuned weights are of these."""
    path = part.exchange.root / "words.npy"
    if not path.exists():
        texts = dict.fromkeys(text for p in pairs if teaching.is_short(p) for text in (p.premise, p.hypothesis))
        most = int(part.work.config[MENTOR]["words"])
        kept = teaching.choose_words(teaching.make_tokenizer(gguf.fields), texts, most)
        np.save(path, kept)
    return np.load(path)
