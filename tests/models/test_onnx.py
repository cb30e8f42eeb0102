"""The scorer over a real graph: the same scores in any company, and nothing made up when something is wrong."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InvalidInput, ModelCorrupt, ModelMissing, ModelUnavailable
from groundwire.judge.calibration import read_calibration
from groundwire.judge.protocols import PairScorer
from groundwire.models import onnx as runner
from groundwire.models.files import open_model
from groundwire.models.onnx import Batching, OnnxPairScorer, RunOptions, form_batches
from groundwire.models.packed import Stored, pack
from groundwire.types import Verdict
from tiny_model import make_graph, make_table, write_model

PAIRS = [
    ("yes", "ada works at bosch"),
    ("no", "ada works at bosch"),
    ("maybe", "ada works at bosch"),
    ("ada lives in ulm . yes", "ada lives in ulm"),
    ("ada " * 20, "ada lives in ulm"),
    ("", "ada"),
]


def open_scorer(folder: Path, **options: Any) -> OnnxPairScorer:
    return OnnxPairScorer(open_model(folder, "reinstall"), read_calibration, RunOptions(**{"workers": 1, **options}))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "mini")


@pytest.fixture(scope="module")
def scorer(folder: Path) -> OnnxPairScorer:
    return open_scorer(folder)


@pytest.mark.requirement("JDG-004")
def test_a_pair_gets_one_calibrated_probability_a_verdict(scorer: PairScorer):
    found = scorer.score(PAIRS[:3])
    assert [scores.verdict for scores in found] == [Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT]
    assert all(sum(scores) == pytest.approx(1.0) for scores in found)


def test_a_scorer_names_its_model_files_and_calibration(scorer: PairScorer):
    assert (scorer.name, scorer.calibration, scorer.max_tokens) == ("mini.v1", "t1", 64)
    assert len(scorer.fingerprint) == 16


@pytest.mark.requirement("JDG-022")
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("batching", list(Batching))
def test_a_pair_scores_the_same_alone_and_in_company(folder: Path, batching: Batching, workers: int):
    scorer = open_scorer(folder, batching=batching, workers=workers)
    alone = [scorer.score([pair])[0] for pair in PAIRS]
    for order in itertools.islice(itertools.permutations(range(len(PAIRS))), 0, None, 97):
        together = scorer.score([PAIRS[i] for i in order])
        for i, scores in zip(order, together, strict=True):
            assert np.abs(np.array(scores) - np.array(alone[i])).max() <= 2e-6
    assert scorer.score(PAIRS) == scorer.score(PAIRS)


@pytest.mark.requirement("JDG-022")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("batching", list(Batching))
def test_a_pair_that_was_begun_scores_as_one_that_was_not(
    folder: Path, monkeypatch: pytest.MonkeyPatch, batching: Batching, workers: int
):
    expected = open_scorer(folder, batching=batching, workers=workers).score(PAIRS)
    runs: list[int] = []
    fill = runner._fill
    monkeypatch.setattr(runner, "_fill", lambda batch, pad: runs.append(len(batch)) or fill(batch, pad))
    scorer = open_scorer(folder, batching=batching, workers=workers)
    scorer.begin(PAIRS[:2])
    scorer.begin([PAIRS[1], PAIRS[3]])
    assert scorer.score(PAIRS) == expected
    assert sum(runs) == len(PAIRS), "what was begun is not run again"
    assert scorer.score(PAIRS[:2]) == expected[:2]


def test_what_was_begun_and_never_asked_for_does_not_pile_up(folder: Path):
    scorer = open_scorer(folder, batching=Batching.SINGLE, workers=2)
    for number in range(3 * runner._MOST_BEGUN):
        scorer.begin([(f"ada lives in {number}", "ada lives in ulm")])
    assert len(scorer._begun) <= runner._MOST_BEGUN


def test_a_run_that_failed_in_the_background_is_told_by_score(folder: Path, monkeypatch: pytest.MonkeyPatch):
    scorer = open_scorer(folder, batching=Batching.SINGLE, workers=2)

    def fail(loaded: object, batch: object) -> list[list[float]]:
        raise ModelCorrupt("no usable numbers", "reinstall")

    monkeypatch.setattr(scorer, "_run", fail)
    scorer.begin(PAIRS[:1])
    with pytest.raises(ModelCorrupt, match="no usable numbers"):
        scorer.score(PAIRS[:1])


def test_equal_pairs_are_run_once(scorer: OnnxPairScorer, monkeypatch: pytest.MonkeyPatch):
    rows: list[int] = []
    fill = runner._fill
    monkeypatch.setattr(runner, "_fill", lambda batch, pad: rows.append(len(batch)) or fill(batch, pad))
    found = scorer.score([PAIRS[0], PAIRS[1], PAIRS[0]])
    assert sum(rows) == 2
    assert found[0] == found[2] != found[1]
    assert scorer.score([]) == []


@given(st.lists(st.integers(1, 600), max_size=60), st.sampled_from(list(Batching)), st.integers(1, 3000))
def test_every_pair_is_in_one_batch_and_no_batch_is_too_large(lengths: list[int], batching: Batching, most: int):
    batches = list(form_batches(lengths, batching, most))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    for batch in batches:
        inside = [lengths[i] for i in batch]
        assert len(batch) == 1 or max(inside) * len(batch) <= most
        assert max(inside) - min(inside) <= max(4, max(inside) // 8)
        if batching is Batching.EQUAL:
            assert len(set(inside)) == 1
        if batching is Batching.SINGLE:
            assert len(batch) == 1


def test_the_manifest_says_which_pairs_may_share_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rows: list[int] = []
    fill = runner._fill
    monkeypatch.setattr(runner, "_fill", lambda batch, pad: rows.append(len(batch)) or fill(batch, pad))
    open_scorer(write_model(tmp_path / "one", batching="single")).score(PAIRS[:3])
    open_scorer(write_model(tmp_path / "two")).score(PAIRS[:3])
    open_scorer(write_model(tmp_path / "three", batching="padded")).score(PAIRS[:3])
    assert rows == [1, 1, 1, 1, 1, 1, 3], "a manifest that does not say gets the careful way"
    with pytest.raises(ModelCorrupt, match="batching"):
        open_scorer(write_model(tmp_path / "four", batching="guess")).score(PAIRS)


@pytest.mark.requirement("JDG-008")
def test_evidence_beyond_the_window_is_cut_and_the_claim_never(scorer: PairScorer):
    claim = "yes " * 30
    assert scorer.score([("no " * 500, claim)]) == scorer.score([("no " * 31, claim)])
    assert scorer.score([("no " * 31, claim)]) != scorer.score([("no " * 30, claim)])
    with pytest.raises(InvalidInput, match=r"claim.*split it"):
        scorer.score([("no", "yes " * 62)])


def test_tokens_are_counted_without_the_marks(scorer: PairScorer):
    assert list(scorer.count_tokens(["", "ada", "Ada works at Bosch."])) == [0, 1, 5]
    assert list(scorer.count_tokens([])) == []


def test_the_order_of_labels_is_the_manifests(tmp_path: Path, scorer: PairScorer):
    labels = ["INSUFFICIENT", "SUPPORTED", "REFUTED"]
    turned = open_scorer(write_model(tmp_path / "mini", labels=labels)).score(PAIRS[:3])
    for (a, b, c), found in zip(scorer.score(PAIRS[:3]), turned, strict=True):
        assert found == pytest.approx((b, c, a), abs=2e-6)


def test_the_second_segment_is_marked_where_the_graph_asks_for_it(tmp_path: Path):
    scorer = open_scorer(write_model(tmp_path / "mini", files={"model.onnx": make_graph(types=True)}))
    near, far = scorer.score([("yes maybe no no", "yes"), ("yes", "yes maybe no no")])
    assert far.refuted > near.refuted > near.insufficient


@pytest.mark.parametrize(
    ("graph", "weights"),
    [
        (make_graph(external=True), pack({"table": (make_table(), 16)})),
        (make_graph(external=True), pack({"table": (make_table(), 8)})),
        (make_graph(small=True), pack({"table": Stored(make_table(), 8, int8_axis=0)})),
    ],
    ids=["float16", "8 bits", "int8 in memory"],
)
def test_weights_that_are_packed_take_their_place_in_the_graph(
    tmp_path: Path, scorer: PairScorer, graph: bytes, weights: bytes
):
    packed = open_scorer(write_model(tmp_path / "base", files={"model.onnx": graph, "weights.gwq": weights}))
    for one, other in zip(packed.score(PAIRS), scorer.score(PAIRS), strict=True):
        assert np.abs(np.array(one) - np.array(other)).max() < 0.02


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"model.onnx": b"nothing"}, "cannot be loaded"),
        ({"model.onnx": make_graph(external=True)}, "cannot be loaded"),
        ({"model.onnx": make_graph(broken=True)}, "no usable numbers"),
        ({"model.onnx": make_graph(external=True), "weights.gwq": b"GWQ1"}, "header of the packed weights"),
        (
            {"model.onnx": make_graph(external=True), "weights.gwq": pack({"table": (make_table()[:, :2], 16)})},
            "cannot be loaded",
        ),
        ({"tokenizer.json": b"[]"}, "does not hold an object"),
        ({"tokenizer.json": b"{}"}, "describes no tokenizer"),
        ({"calibration.json": b"{"}, "not JSON"),
        ({"calibration.json": b'{"version": "1", "method": "guess"}'}, "unknown method"),
    ],
)
def test_a_model_that_cannot_be_used_says_so_instead_of_judging(tmp_path: Path, files: dict[str, bytes], problem: str):
    scorer = open_scorer(write_model(tmp_path / "mini", files=files))
    with pytest.raises(ModelCorrupt, match=problem):
        scorer.score(PAIRS)
    with pytest.raises(ModelUnavailable):
        scorer.score(PAIRS)


def test_a_tokenizer_that_counts_beyond_the_table_is_an_error_and_no_verdict(tmp_path: Path):
    folder = write_model(tmp_path / "mini")
    document = json.loads((folder / "tokenizer.json").read_text())
    document["model"]["vocab"]["ada"] = 9999
    scorer = open_scorer(write_model(folder, files={"tokenizer.json": json.dumps(document).encode()}))
    with pytest.raises(ModelCorrupt, match=r"mini\.v1 failed"):
        scorer.score(PAIRS)


@pytest.mark.parametrize("absent", ["onnxruntime", "tokenizers"])
def test_a_missing_library_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch, absent: str):
    monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(ModelMissing, match=f"{absent} is not installed; pip install"):
        open_scorer(folder).score(PAIRS)


def test_a_model_is_loaded_once_however_many_threads_ask(folder: Path, monkeypatch: pytest.MonkeyPatch):
    opened: list[object] = []
    open_session = runner._open_session
    monkeypatch.setattr(runner, "_open_session", lambda *given: opened.append(given) or open_session(*given))
    scorer = open_scorer(folder)
    assert opened == [], "nothing is loaded until it is needed"
    assert (scorer.name, scorer.calibration) == ("mini.v1", "t1")
    assert opened == []
    barrier, found = threading.Barrier(6), []

    def ask() -> None:
        barrier.wait()
        found.append(scorer.score(PAIRS))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 1
    assert all(scores == found[0] for scores in found)
    assert len(found) == 6


def test_the_room_is_entered_without_loading_any_library():
    names = "numpy onnxruntime tokenizers urllib.request onnx"
    source = f"import groundwire.models.onnx, sys; print([n for n in {names.split()} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_text_that_is_not_quite_unicode_is_judged_like_any_other(scorer: PairScorer):
    assert scorer.score([("yes \ud800", "ada \udfff")]) == scorer.score([("yes ?", "ada ?")])
    assert list(scorer.count_tokens(["\ud800 ada"])) == [2]
