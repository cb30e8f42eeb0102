"""The large encoder's part: pairs are cut into word pieces, and what was prepared gets its opinion.

Where `base` learns beside it, the encoder is replaced by what has been learnt as soon as that is there: then it judges
what the writer wrote too. Without that, what is written is left to the mentor, which is right far more often on pairs
like these; and the published encoder, which never saw a pair by hand, is silent about them.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from training.fit import predict, score
from training.network import Verifier
from training.pairs import BY_HAND, read_pairs
from training.stages import development_sets
from training.tensors import Batches, Tokens, tokenize_pairs
from training.together.exchange import BASE, DEV, NEW, OLD, Exchange
from training.together.parts import TOKENIZER, Part
from training.work import Work


def run(part: Part) -> None:
    """Prepared shards while nothing newer is there; ends when the writer has and nothing is left."""
    part.limit_memory()
    work, exchange = part.work, part.exchange
    tokenizer = Tokenizer.from_file(str(work.root / TOKENIZER))
    deal(work, exchange, int(part.settings["shard"]))
    for name in exchange.names("pairs"):
        cut(exchange, name, tokenizer)
    model = work.load(part.settings["teacher"], "base")
    exchange.wait(lambda: exchange.is_marked("writer-tuned"), float(part.own["patience"]))
    learns, learnt = "base" in part.settings["parts"], False
    while part.left > 0:
        if learns and not learnt and (state := find_learnt(part)) is not None:
            model.load_state_dict(state)
            learnt = True
            work.say("judge: from here on with what base has learnt")
        waits = learns and not learnt and exchange.left(float(part.own["alone"])) > 0
        names = [n for n in exchange.names("pairs") if not exchange.has(BASE, n)]
        name = choose([n for n in names if not (waits and n.startswith(NEW))])
        if name is None:
            if not names and exchange.is_marked("writer-done"):
                return
            exchange.pause(0.5)
            continue
        cut(exchange, name, tokenizer)
        opine(part, model, name, learnt=learnt)


def find_learnt(part: Part) -> dict[str, Tensor] | None:
    """The weights of `base`, as far as it has got by the time that they are wanted; none before."""
    if part.exchange.left(float(part.own["learnt"])) > 0:
        return None
    work = part.work
    if work.done("base"):
        return torch.load(work.root / "base.pt", map_location="cpu")
    path = work.checkpoint("base")
    return torch.load(path, map_location="cpu")["average"] if path.exists() else None


def deal(work: Work, exchange: Exchange, size: int) -> None:
    """Development sets and prepared pairs as shards; the pairs of a shard are drawn from all."""
    for name in development_sets(work):
        if not exchange.has("pairs", name):
            exchange.put_pairs(name, list(read_pairs(work.files(name)[0])))
    pairs = [p for name in ("train", "extra") for file in work.files(name) for p in read_pairs(file)]
    order = np.random.default_rng(int(work.config["seed"])).permutation(len(pairs))
    for number, start in enumerate(range(0, len(order), size)):
        if not exchange.has("pairs", f"{OLD}{number:03d}"):
            exchange.put_pairs(f"{OLD}{number:03d}", [pairs[i] for i in order[start : start + size]])


def cut(exchange: Exchange, name: str, tokenizer: Tokenizer) -> None:
    """The word pieces of a shard."""
    if not exchange.has("tokens", name):
        exchange.put_tokens(name, tokenize_pairs(exchange.read_pairs(name), tokenizer))


def choose(names: list[str], turn: tuple[str, ...] = (DEV, NEW, OLD)) -> str | None:
    """The next one: what is measured, then what is new, then the rest."""
    return next((name for kind in turn for name in names if name.startswith(kind)), None)


def find_unknown(tokens: Tokens) -> NDArray[np.bool_]:
    """Rows by hand, of which an encoder that never saw one says little worth learning."""
    return np.array([source.startswith(BY_HAND) for source in tokens.sources])[tokens.source]


def opine(part: Part, model: Verifier, name: str, *, learnt: bool = False) -> None:
    """Log probabilities of a shard, in smaller batches where there is no room; none of what is left to the mentor."""
    tokens = part.exchange.read_tokens(name)
    if name.startswith(NEW) and part.mentor is not None and not learnt:
        part.exchange.put_opinion(BASE, name, np.full((len(tokens), 3), np.nan))
        part.work.say(f"judge: {name}, {len(tokens):,} pairs, left to the mentor")
        return
    longest, budget = int(part.work.config["base"]["longest"]), int(part.own["budget"])
    batches = Batches(tokens, model.shape, part.work.device, longest)
    while True:
        try:
            logits = predict(model, batches, np.arange(len(tokens)), budget)
            break
        except torch.OutOfMemoryError:
            part.free_memory()
            budget //= 2
            if budget < longest:
                raise
    opinion = torch.log_softmax(logits, -1).cpu().numpy()
    if not learnt and part.mentor is not None:
        opinion[find_unknown(tokens)] = np.nan
    part.exchange.put_opinion(BASE, name, opinion)
    if name.startswith(DEV):
        part.work.say(f"judge: {name} {score(logits, batches.label)}")
    else:
        part.work.say(f"judge: {name}, {len(tokens):,} pairs")
