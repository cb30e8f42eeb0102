"""The cases of the whole write path: a floor under the half that was read, and nothing let in that is not grounded."""

from __future__ import annotations

import pytest

from write_cases import HALVES, PARTS, Score, read_cases, run


@pytest.fixture(scope="module")
def scores() -> dict[str, Score]:
    return run("dev")


def test_the_gate_keeps_its_tiers(scores: dict[str, Score]) -> None:
    gate = scores["gate"]
    assert gate.counts["wrongly_approved"] == 0, gate.misses
    assert gate.share("right", "cases") >= 0.98, gate.misses
    assert gate.share("citations_right", "citations") == 1.0
    assert gate.share("named_right", "named") >= 0.9


def test_extraction_finds_what_was_said_and_nothing_that_was_not(scores: dict[str, Score]) -> None:
    extract = scores["extract"]
    assert extract.counts["forbidden"] == 0, extract.misses
    assert extract.share("found", "expected") >= 0.95, extract.misses


def test_only_what_the_source_carries_is_kept(scores: dict[str, Score]) -> None:
    ground = scores["ground"]
    assert ground.counts["wrongly_kept"] == 0, ground.misses
    assert ground.share("right", "cases") >= 0.92, ground.misses


@pytest.mark.parametrize("part", PARTS)
def test_the_halves_share_no_case(part: str) -> None:
    ids = [{case["id"] for case in read_cases(part, half)} for half in HALVES]
    assert all(ids)
    assert ids[0].isdisjoint(ids[1])
