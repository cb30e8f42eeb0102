"""The shipped student goes on learning on a CPU: what it is shown, and what it keeps."""

# torch comes with the extra `train`; the types are checked without it.
# pyright: reportMissingImports=false

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, SUPPORTED, UNLABELLED, Pair, write_pairs

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
TINY = Path(__file__).parents[2] / "training" / "tiny.toml"


def make_pairs() -> list[Pair]:
    """By hand, of our grammar, long, and without a label; which claim fits is in its letters."""
    claims = ((ENTAIL, "yes indeed"), (NEUTRAL, "who knows"), (CONTRADICT, "not at all"))
    return [
        Pair(f"this is piece {number} of the evidence" + " and more of it" * times, claim, label, source)
        for number in range(40)
        for source, times in (("hand_memo", 1), ("domain_memory", 1), ("plain", 1), ("long", 30))
        for label, claim in claims
    ]


def begin_work(folder: Path) -> Any:
    """A work folder with pairs, word pieces of their own, and weights that a run wrote before."""
    from training.work import Work

    from training import backbones

    write_pairs(folder / "train.jsonl.gz", [*make_pairs(), Pair("nobody said", "anything", UNLABELLED, "hand_memo")])
    write_pairs(folder / "held.jsonl.gz", make_pairs()[:12])
    backbones.learn_tokenizer([folder / "train.jsonl.gz"], 2000, folder / "tokenizer.json")
    work = Work(folder, tomllib.loads(TINY.read_text(encoding="utf-8")), lambda _: None)
    work.store("earlier", work.fresh("mini").state_dict())
    return work


def choose_rows(work: Any, others: float) -> list[str]:
    from training.tensors import Batches
    from training.tuning import choose

    tokens = work.tokens("train")
    rows = choose(tokens, Batches(tokens, work.shapes["mini"], "cpu", 96), others, seed=7)
    return [tokens.sources[i] for i in tokens.source[rows]]


def test_all_labelled_pairs_by_hand_are_chosen_and_of_others_fewer_long_ones(tmp_path: Path):
    work = begin_work(tmp_path)
    alone, some = choose_rows(work, 0.0), choose_rows(work, 0.9)
    assert set(alone) == {"hand_memo"}
    assert len(alone) == 120, "the one without a label teaches nothing here"
    assert some.count("hand_memo") == 120
    assert some.count("long") < some.count("plain") < 120


@pytest.mark.parametrize(
    ("chances", "label", "doubted"),
    [
        ((0.9, 0.05, 0.05), ENTAIL, False),
        ((0.6, 0.3, 0.1), ENTAIL, True),
        ((0.1, 0.0, 0.9), ENTAIL, True),
        ((0.9, 0.1, 0.0), SUPPORTED, False),
        ((0.1, 0.9, 0.0), SUPPORTED, True),
    ],
)
def test_a_label_is_doubted_where_it_is_contradicted_or_hardly_believed(
    chances: tuple[float, float, float], label: str, doubted: bool
):
    import torch
    from training.pairs import LABELS
    from training.tuning import find_doubtful

    opinion = torch.tensor([chances]).clamp(min=1e-4).log().half()
    assert find_doubtful(opinion, torch.tensor([LABELS.index(label)]), 0.8).tolist() == [doubted]


def test_it_learns_what_it_is_shown_and_leaves_alone_what_is_frozen(tmp_path: Path):
    import torch
    from training.tuning import tune

    work = begin_work(tmp_path)
    work.config["tune"] |= {"epochs": 12, "rate": 3e-3, "others": 1.0}
    tune(work)
    before, after = (torch.load(tmp_path / f"{name}.pt") for name in ("earlier", "mini"))
    assert torch.equal(before["words.weight"].float(), after["words.weight"])
    assert not torch.equal(before["layers.0.up.weight"].float(), after["layers.0.up.weight"])
    assert all(value.dtype == torch.float32 for value in after.values())
    assert count_right(work, "mini") > 0.9 > count_right(work, "earlier")
    assert not work.checkpoint("tune").exists()


def count_right(work: Any, name: str) -> float:
    from training.fit import predict

    batches = work.batches("held", "mini")
    logits = predict(work.load(name, "mini"), batches, np.arange(len(batches.label)))
    return float((logits.argmax(-1) == batches.label).float().mean())
