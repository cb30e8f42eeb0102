"""The shipped student goes on learning where there is no GPU: pairs by hand, and others, so that it forgets nothing.

Its own opinion from before the run is its teacher, except on certain labels that it contradicts: there the label alone
is taught, and seen more often. What it knew is held, what it did not know is learnt.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from training.fit import fit, halved, predict
from training.losses import agrees
from training.network import Verifier
from training.pairs import BY_HAND, LABELS, UNLABELLED
from training.stages import measure, mix
from training.tensors import Batches, Tokens
from training.work import Work

_BUDGET = 8192
_BEFORE = "before-opinion"


def tune(work: Work) -> None:
    """`mini.pt`: the weights that `tune.init` names, after `tune.seconds` more."""
    started, settings = time.monotonic(), work.config["tune"]
    model = work.begin("tune", "mini")
    before = {key: value.detach().clone() for key, value in model.state_dict().items()}
    tokens = work.tokens("train")
    batches = Batches(tokens, work.shapes["mini"], work.device, int(settings["longest"]))
    rows = choose(tokens, batches, float(settings["others"]), int(work.config["seed"]))
    work.say(f"tune: {len(rows):,} pairs")
    if not work.done(_BEFORE):
        work.store(_BEFORE, ask_before(model, batches, rows))
    teacher: Tensor = torch.load(work.root / f"{_BEFORE}.pt")
    exact = _starts(tokens, tuple(work.config["data"]["exact"]))
    wrong = rows[find_doubtful(teacher[rows], batches.label[rows], float(settings["doubtful_below"]))]
    wrong = wrong[exact[wrong]]
    work.say(f"tune: {len(wrong):,} certain labels that it doubts")
    seen = np.concatenate([rows, *[wrong] * (int(settings["doubtful"]) - 1)])
    prepare_model(model, float(settings["dropout"]), tuple(settings["frozen"]))
    with quick_attention():
        fit(
            model, batches, seen, work.recipe("tune"), teacher=teacher, exact=torch.from_numpy(exact),
            report=work.report("tune"), checkpoint=work.checkpoint("tune"), use_checkpoint=work.use_checkpoints,
        )  # fmt: skip
    work.store("mini-ended", model.state_dict())
    mix(model, before, float(settings.get("kept", 0.0)))
    work.store("mini", model.state_dict())
    with quick_attention(), halved(model):
        measure(work, "mini", "mini", model, started)
    work.checkpoint("tune").unlink(missing_ok=True)


def choose(tokens: Tokens, batches: Batches, others: float, seed: int) -> NDArray[np.int64]:
    """All pairs by hand, and a share of the others in which a long pair is as much rarer as it takes longer."""
    rng = np.random.default_rng(seed)
    labelled = tokens.label != LABELS.index(UNLABELLED)
    by_hand = _starts(tokens, (BY_HAND,))
    short = np.minimum(1.0, np.median(batches.lengths) / batches.lengths)
    return np.flatnonzero(labelled & (by_hand | (rng.random(len(tokens)) < others * short)))


def ask_before(model: Verifier, batches: Batches, rows: NDArray[np.int64]) -> Tensor:
    """Log probabilities of the rows, not a number for all others."""
    found = torch.full((len(batches.label), 3), float("nan"), dtype=torch.float16)
    with quick_attention(), halved(model):
        logits = predict(model, batches, rows, _BUDGET)
    found[torch.from_numpy(rows)] = torch.log_softmax(logits, -1).half().cpu()
    return found


def find_doubtful(opinion: Tensor, label: Tensor, below: float) -> NDArray[np.bool_]:
    """Which pairs it gets wrong, or right without being that sure."""
    sure = opinion.float().exp().amax(-1) >= below
    return ~(agrees(opinion.float(), label) & sure).numpy()


def prepare_model(model: Verifier, dropout: float, frozen: tuple[str, ...]) -> None:
    """Less to compute: what is frozen gets no gradient."""
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = dropout
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(not name.startswith(frozen))


def quick_attention() -> AbstractContextManager[None]:
    """Written-out products are nearly twice as quick on a CPU as the fused ones, for sentences of this length."""
    return sdpa_kernel(SDPBackend.MATH)


def _starts(tokens: Tokens, beginnings: tuple[str, ...]) -> NDArray[np.bool_]:
    return np.array([source.startswith(beginnings) for source in tokens.sources])[tokens.source]
