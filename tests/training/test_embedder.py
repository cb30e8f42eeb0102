"""The recipe of the embedder at the size of a test, and what it is measured with."""

# torch comes with the extra `train`; the types are checked without it.
# pyright: reportMissingImports=false

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from training.pairs import Pair, write_pairs
from training.paraphrases import rank, read_tasks, recall_at
from training.sentences import choose, collect, fold

TINY = Path(__file__).parents[2] / "training" / "tiny.toml"
SETTINGS = {"caps": {}, "cap": 100, "domain": 0, "domain_seed": 1}


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def test_no_sentence_of_a_development_set_is_taught(tmp_path: Path):
    pairs = [
        Pair("The cat sat down.", "A dog  barked!", "entail", "one"),
        Pair("It rained.", "It rained", "entail", "two"),
    ]
    write_pairs(tmp_path / "train.jsonl.gz", pairs)
    write_rows(tmp_path / "dev/mrpc.jsonl.gz", [{"premise": "a dog barked", "hypothesis": "no", "label": "x"}])
    found = collect(tmp_path, ["train.jsonl.gz"], SETTINGS, seed=1)
    assert sorted(map(fold, found)) == ["it rained", "the cat sat down"]
    assert collect(tmp_path, ["train.jsonl.gz"], SETTINGS | {"caps": {"one": 0}}, seed=1) in (
        ["It rained."],
        ["It rained"],
    )


def test_sentences_with_rare_pieces_are_taught_first_and_long_ones_never():
    encoded = [[1, 2]] * 200 + [[7, 1]] + [[1] * 9]
    chosen = choose(encoded, {"longest": 8, "enough": 3, "sentences": 60}, seed=1)
    assert len(chosen) == 60 and 200 in chosen and 201 not in chosen
    assert chosen == choose(encoded, {"longest": 8, "enough": 3, "sentences": 60}, seed=1)


def test_a_task_asks_with_one_side_for_every_other_side_that_answers(tmp_path: Path):
    rows = [
        {"premise": "p1", "hypothesis": "h1", "label": "duplicate"},
        {"premise": "p1", "hypothesis": "h2", "label": "duplicate"},
        {"premise": "p2", "hypothesis": "h3", "label": "not_duplicate"},
        {"premise": "h3", "hypothesis": "h1", "label": "duplicate"},
    ]
    write_rows(tmp_path / "dev/mrpc.jsonl.gz", rows)
    (task,) = read_tasks(tmp_path)
    assert (task.queries, task.answers, task.texts) == (("p1",), (frozenset({0, 1}),), ("h1", "h2", "h3"))


def test_recall_counts_queries_with_an_answer_among_the_first():
    near = rank(np.eye(3, dtype=np.float32), np.eye(3, dtype=np.float32)[[2, 0, 1]], most=1)
    assert near == [[1], [2], [0]]
    assert recall_at([frozenset({1}), frozenset({0}), frozenset({0, 5})], near) == pytest.approx(2 / 3)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_recipe_leaves_a_table_that_the_product_can_read(tmp_path: Path):
    from test_pipeline import arguments
    from training.__main__ import main

    from groundwire.models.embedding import read_table
    from groundwire.models.files import open_model

    assert main(arguments(tmp_path, "prepare", "backbones", "embedder")) == 0
    files = open_model(tmp_path / "work/models/embedder", "make it again")
    files.verify()
    table = read_table(files)
    assert table.dimensions == files.manifest.details["dimensions"] == 16
    measured = json.loads((tmp_path / "work/embedder-metrics.json").read_text(encoding="utf-8"))["measured"]
    assert measured["trained"]["held"] > measured["begun"]["held"], "training brings the sums nearer to the encoder"
    assert measured["stored"]["held"] == pytest.approx(measured["trained"]["held"], abs=0.05)
