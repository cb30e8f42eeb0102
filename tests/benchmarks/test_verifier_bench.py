"""What the speed benchmark measures with: inputs that no cache knows, percentiles, straight lines, FLOPs. No times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier
from groundwire.text.claims import extract_claims
from groundwire.types import Verdict
from tiny_model import write_model
from verifier import compare_with_line, growth, mark, spread
from verifier_encoders import Encoder, time_encoders
from verifier_inputs import CLAIMS, Mix, make_answers, make_pairs

ANSWERS = 40


@pytest.mark.parametrize("mix", Mix)
def test_an_answer_has_ten_claims_and_two_passages_for_each(mix: Mix):
    for answer in make_answers(ANSWERS, 5, mix=mix):
        assert len(extract_claims(answer.text)) == CLAIMS
        assert len(answer.memories) == 2 * CLAIMS
        assert [len(question.evidence) for question in answer.questions] == [2] * CLAIMS


@pytest.mark.parametrize("mix", Mix)
def test_no_text_occurs_twice_in_any_of_the_answers(mix: Mix):
    answers = make_answers(ANSWERS, 5, mix=mix)
    texts = [m.text for a in answers for m in a.memories] + [q.claim for a in answers for q in a.questions]
    assert len(texts) == len(set(texts)) == ANSWERS * 3 * CLAIMS


@given(seed=st.integers(0, 1000))
def test_answers_are_the_same_for_the_same_seed_and_others_for_another(seed: int):
    assert make_answers(1, seed) == make_answers(1, seed)
    assert make_answers(1, seed) != make_answers(1, seed + 1)


def test_pairs_are_as_many_as_asked_for_and_all_different():
    pairs = make_pairs(33, 1)
    assert len(pairs) == len(set(pairs)) == 33


@given(st.lists(st.floats(0.0, 1e6), min_size=1, max_size=300))
def test_percentiles_are_measured_times_that_the_share_stays_within(times: list[float]):
    found = spread(times)
    for value, share in ((found.p50, 0.50), (found.p95, 0.95), (found.p99, 0.99)):
        assert value in times
        assert sum(t <= value for t in times) >= share * len(times)
        assert sum(t < value for t in times) < share * len(times)


def test_percentiles_of_a_hundred_times_are_those_in_their_places():
    found = spread([float(n) for n in range(100, 0, -1)])
    assert (found.p50, found.p95, found.p99) == (50.0, 95.0, 99.0)


@given(slope=st.floats(0.1, 100.0))
def test_time_in_proportion_to_pairs_lies_on_the_line(slope: float):
    times = compare_with_line({n: slope * n for n in (1, 5, 10, 100)})
    assert [t.ratio for t in times] == pytest.approx([1.0] * 4)
    assert growth(times) == pytest.approx(1.0)


def test_time_that_grows_with_the_square_is_seen():
    times = compare_with_line({n: float(n * n) for n in (1, 5, 10, 100)})
    assert growth(times) == pytest.approx(2.0)
    assert times[0].ratio == pytest.approx(0.01)


def test_a_target_is_met_up_to_its_own_value():
    assert mark(30.0, 30.0) == "✓ ≤ 30"
    assert mark(30.1, 30.0) == "✗ ≤ 30"


def test_encoders_take_turns_and_one_that_cannot_run_keeps_its_reason():
    order: list[str] = []
    encoders = [
        Encoder("one", "x", lambda _: order.append("one")),
        Encoder("none", "", lambda _: order.append("none"), "not installed"),
        Encoder("two", "x", lambda _: order.append("two")),
    ]
    found = time_encoders(encoders, [("a", "b")], 2)
    assert order == ["one", "two"] * 3
    assert [time.problem for time in found] == [None, "not installed", None]
    assert found[0].ratio == 1.0


def test_without_a_model_there_is_nothing_to_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "mini").mkdir()
    (tmp_path / "mini" / "manifest.json").write_text("{}", encoding="utf-8")
    assert verifier.main(["--quick", "--only", "pairs", "--models", str(tmp_path)]) == 2
    assert "nothing to measure" in capsys.readouterr().err


def test_pairs_and_encoders_are_timed_and_told_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    write_model(tmp_path / "mini", max_tokens=256)
    assert verifier.main(["--quick", "--json", "--only", "pairs,encoders", "--models", str(tmp_path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [entry["pairs"] for entry in found["pairs"]] == list(verifier.PAIRS)
    assert found["encoders"][0]["name"] == "mini, int8, 2 workers"
    assert set(found) == {"machine", "pairs", "encoders"}


def test_the_table_names_every_target(capsys: pytest.CaptureFixture[str]):
    times = verifier.Spread(20.0, 40.0, 60.0)
    answer = verifier.AnswerTime("mini", verifier.VERIFY, Mix.MIXED, CLAIMS, 2, 5, times, times, times)
    machine = {"cores": 2, "int8": [], "load_at_start": 0.0}
    verifier.print_all({"machine": machine, "answers": [answer]})
    printed = capsys.readouterr().out
    assert "p50 ✓ ≤ 30   p99 ✗ ≤ 50" in printed


@pytest.mark.parametrize("given", ["answers,nothing", ""])
def test_an_unknown_section_is_refused(given: str):
    with pytest.raises(SystemExit):
        verifier.main(["--only", given])


def test_the_claims_of_a_mixed_answer_are_not_all_alike():
    from groundwire.app import Groundwire
    from groundwire.settings import Settings

    rules = Groundwire(settings=Settings(judge="rules"))
    found = {output.verdict for answer in make_answers(5, 2) for output in rules.judge_all(answer.questions)}
    assert found == set(Verdict)


@pytest.mark.slow
def test_flops_of_an_encoder_are_those_of_its_products():
    from training.network import Shape

    from verifier_gpu import count_flops

    shape = Shape(layers=1, width=4, heads=2, inner=8, vocabulary=50, positions=16)
    projections = 4 * (2 * 3 * 4 * 4) + 2 * (2 * 3 * 4 * 8)
    attention = 2 * (2 * 3 * 3 * 4)
    head = 2 * 8 * 4 + 2 * 4 * 3
    assert count_flops(shape, 3) == projections + attention + head


@pytest.mark.slow
def test_the_measure_of_a_gpu_works_on_tiny_shapes_anywhere():
    torch = pytest.importorskip("torch")
    from training.network import Shape

    from verifier_gpu import count_flops, measure_encoder, measure_limit

    shape = Shape(layers=1, width=8, heads=2, inner=16, vocabulary=50, positions=16, segments=2)
    limit = measure_limit(torch.device("cpu"), 16, 0.001)
    found = measure_encoder("tiny", shape, torch.device("cpu"), 2, 8, 0.001, limit)
    assert found.claims_a_second * 2 == pytest.approx(found.pairs_a_second)
    assert found.tflops * 1e12 == pytest.approx(found.pairs_a_second * count_flops(shape, 8))
    assert found.share == pytest.approx(found.tflops * 1e12 / limit)
