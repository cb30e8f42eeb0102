"""The cases of detection: a floor under the working half, and the script that scores them."""

from __future__ import annotations

from typing import Any

import pytest

from detection import (
    CLEAN,
    HALVES,
    TYPES,
    Tally,
    is_reworded,
    locate,
    make_answer,
    make_knowledge,
    measure,
    read_cases,
    score,
)
from groundwire import Groundwire, Settings
from groundwire.types import Span


class Saying:
    """A library that flags what it is told to."""

    def __init__(self, *flags: tuple[str, str]) -> None:
        self._flags = flags

    def detect(self, response: str, **_: object) -> Any:
        from groundwire.types.detection import (
            DetectionMetrics,
            DetectionReport,
            HallucinationFlag,
            HallucinationType,
            Handling,
        )

        flags = tuple(
            HallucinationFlag(locate(response, words), words, HallucinationType(kind), 0.9)
            for kind, words in self._flags
            if words in response
        )
        return DetectionReport(response, flags, (), response, 1.0, Handling.ACCEPT, DetectionMetrics())


CASES = [
    {"id": "1", "kind": "TemporalError", "response": "a b c", "expected": [{"type": "TemporalError", "content": "b"}]},
    {"id": "2", "kind": "clean", "response": "a b d", "expected": []},
    {"id": "3", "kind": "clean", "response": "a x", "expected": [], "also_fine": ["UnsupportedClaim"]},
]


def count(*flags: tuple[str, str]) -> Tally:
    return score(CASES, Saying(*flags))  # type: ignore[arg-type]


def test_a_flag_counts_by_type_and_overlap() -> None:
    right = count(("TemporalError", "b c")).describe()
    assert right["kinds"]["TemporalError"] == {"precision": 1.0, "recall": 1.0, "flags": 1, "expected": 1}
    other = count(("LogicalInconsistency", "b c"), ("TemporalError", "a")).describe()
    assert other["kinds"]["TemporalError"]["recall"] == 0.0
    assert other["kinds"]["LogicalInconsistency"]["precision"] == 0.0
    assert (other["clean"], other["clean_flagged"]) == (2, 2)
    assert count(("UnsupportedClaim", "x")).clean_flagged == 0


def test_the_sets_are_large_and_share_no_case() -> None:
    sets = {half: read_cases(half) for half in HALVES}
    for cases in sets.values():
        kinds = [case["kind"] for case in cases]
        assert set(kinds) == {CLEAN, *TYPES}
        assert all(kinds.count(kind) >= 12 for kind in TYPES)
        assert kinds.count(CLEAN) >= 32
        for case in cases:
            assert all(isinstance(locate(case["response"], entry["content"]), Span) for entry in case["expected"])
    answers = [case["response"] for cases in sets.values() for case in cases]
    assert len(answers) == len(set(answers))


def test_a_sample_of_the_working_half_is_scored_and_no_right_answer_is_reworded() -> None:
    cases = read_cases("dev")
    sample = [case for kind in (*TYPES, CLEAN) for case in [c for c in cases if c["kind"] == kind][:6]]
    result = score(sample, Groundwire(settings=Settings(judge="rules"))).describe()
    assert result["failures"] == {}
    assert result["clean_reworded"] == 0
    met = [row["recall"] for row in result["kinds"].values()]
    assert sum(met) / len(met) >= 0.5


def test_time_is_measured_and_no_two_rounds_read_the_same() -> None:
    assert not set(make_answer(20, 0).split(". ")) & set(make_answer(20, 1).split(". "))
    assert len({entity["name"] for entity in make_knowledge(200)["entities"]}) == 200
    first = measure("rules", sentences=2, entities=5, turns=2, rounds=1)
    following = measure("rules", sentences=2, entities=5, turns=2, rounds=1, is_next=True)
    assert min(first.processor, first.wall, following.processor, following.wall) > 0


@pytest.mark.parametrize("handling", ["accept", "correct"])
def test_only_applied_corrections_count_as_rewording(handling: str) -> None:
    from groundwire.types.detection import Correct, DetectionMetrics, DetectionReport, Handling

    action = Correct(Span(0, 1), "a", "b", "Knowledge Base")
    report = DetectionReport("a", (), (action,), "b", 0.5, Handling(handling), DetectionMetrics())
    assert is_reworded(report) is (handling == "correct")
