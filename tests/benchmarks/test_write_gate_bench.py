"""The cases of the write gate: a floor under them, and the script that scores them."""

from __future__ import annotations

from write_gate import TIERS, build_world, measure, read_cases, score


def test_the_working_half_stays_in_its_tiers_and_nothing_ungrounded_gets_in() -> None:
    with build_world() as world:
        result = score("dev", world)
    assert result["wrongly_approved"] == 0
    assert result["share"] >= 0.97, result["misses"]


def test_both_halves_are_complete_and_share_no_case() -> None:
    halves = {half: read_cases(half) for half in ("dev", "heldout")}
    assert sum(map(len, halves.values())) >= 200
    for cases in halves.values():
        assert {case["expected"] for case in cases} == set(TIERS)
    contents = [case["content"] for cases in halves.values() for case in cases]
    repeated = {content for content in contents if contents.count(content) > 1}
    assert all(
        sum(case["content"] == content for case in halves["dev"]) in (0, contents.count(content))
        for content in repeated
    )


def test_throughput_is_measured() -> None:
    row = measure(50, candidates=20)
    assert row["candidates_a_second"] > 20
