"""What the benchmark of the stages measures with: every stage on a line of its own, percentiles with intervals, and
the call beside the time of generating. No times."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stages
from stages import Line, Percentile, Times, find_overhead, find_percentile, main, print_stages, sum_up
from verifier import mark

MS = st.lists(st.floats(0.001, 1e5), min_size=1, max_size=300)


@given(MS, st.sampled_from([0.5, 0.95, 0.99]))
def test_a_percentile_was_measured_and_lies_in_its_interval(times: list[float], share: float):
    found = find_percentile(times, share)
    assert {found.ms, found.low, found.high} <= set(times)
    assert found.low <= found.ms <= found.high
    assert sum(ms <= found.ms for ms in times) >= share * len(times)


def test_the_interval_holds_the_true_percentile_as_often_as_it_says():
    chance = random.Random(5)
    held = 0
    for _ in range(400):
        found = find_percentile([chance.random() for _ in range(200)], 0.95)
        held += found.low <= 0.95 <= found.high
    assert 0.92 <= held / 400 <= 1.0


def test_more_measurements_give_a_narrower_interval():
    few, many = (find_percentile([i / n for i in range(n)], 0.5) for n in (50, 5000))
    assert many.high - many.low < (few.high - few.low) / 5


def test_overhead_is_the_call_beside_the_time_of_its_tokens():
    assert find_overhead(26.8, 50) == pytest.approx(26.8 / 6250)
    assert find_overhead(26.8, 100) == pytest.approx(26.8 / 12500)


def collect(ms: float) -> Times:
    times = Times(whole=[ms] * 3, short=[ms] * 30, claim=[ms] * 30, tokens=[50] * 30)
    for name in times.stages:
        times.stages[name] = [ms] * 3
    return times


@pytest.mark.parametrize(("ms", "holds"), [(0.005, True), (80.0, False)])
def test_every_mark_is_printed_as_held_or_missed(capsys: pytest.CaptureFixture[str], ms: float, holds: bool):
    print_stages(collect(ms).conclude(10_000))
    shown = capsys.readouterr().out
    assert shown.count("✓") == (9 if holds else 0)
    assert shown.count("✗") == (0 if holds else 9)
    assert ("beside 6.25 s of generating 50 tokens" in shown) and "[" in shown


def test_embedding_has_a_line_of_its_own_and_no_mark(capsys: pytest.CaptureFixture[str]):
    print_stages(collect(80.0).conclude(10_000))
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("embedding")]
    assert "80.000 [80.000, 80.000]" in line and mark(80.0, 0.0)[0] not in line


def test_a_line_sums_up_all_that_was_timed():
    line = sum_up("x", [3.0, 1.0, 2.0], 2.0)
    assert line == Line("x", 3, Percentile(2.0, 1.0, 3.0), Percentile(3.0, 2.0, 3.0), Percentile(3.0, 2.0, 3.0), 2.0)


def test_the_benchmark_times_stages_outputs_and_claims(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stages, "_EVERY", 2)
    monkeypatch.setattr(stages, "_AT_ONCE", 2)
    assert main(["--outputs", "3", "--memories", "300", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [line["name"] for line in found["stages"]] == ["extraction", "embedding", "retrieval", "inference", "action"]
    assert (found["whole"]["calls"], found["short"]["calls"], found["claim"]["calls"]) == (2, 3, 3)
    assert {line["calls"] for line in found["stages"]} == {2}, "a share of one call is no measurement of its own"
    assert 40 <= found["tokens"] <= 65, "an output of about 50 tokens"
    assert found["overhead"] == pytest.approx(found["short"]["p50"]["ms"] / 1000 / (found["tokens"] / 8))
    assert all(line["p50"]["ms"] > 0 for line in (*found["stages"], found["whole"], found["short"], found["claim"]))
