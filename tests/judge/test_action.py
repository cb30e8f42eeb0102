"""From verdict to action."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.action import decide_action, most_severe
from groundwire.types import Action, Verdict, VerifyMode

CONFIDENCES = st.floats(0, 1)
BRANCHES = st.integers(0, 12)
MODES = st.sampled_from(VerifyMode)


@pytest.mark.requirement("ACT-002")
def test_there_are_four_actions():
    assert [action.value for action in Action] == ["CONTINUE", "HALT", "BRANCH", "ABSTAIN"]


@pytest.mark.requirement("JDG-006")
def test_there_are_two_modes():
    assert [mode.value for mode in VerifyMode] == ["INLINE", "POSTHOC"]


@pytest.mark.requirement("ACT-003")
@given(CONFIDENCES, BRANCHES, MODES)
def test_what_is_supported_goes_on(confidence: float, branches: int, mode: VerifyMode):
    assert decide_action(Verdict.SUPPORTED, confidence, branches, mode) is Action.CONTINUE


@pytest.mark.requirement("ACT-004")
@pytest.mark.parametrize("confidence", [0.7, 0.71, 0.95, 1.0])
@pytest.mark.parametrize(("branches", "action"), [(0, "BRANCH"), (2, "BRANCH"), (3, "ABSTAIN"), (9, "ABSTAIN")])
def test_a_sure_refutation_after_the_fact_branches_three_times_and_then_abstains(
    confidence: float, branches: int, action: str
):
    assert decide_action(Verdict.REFUTED, confidence, branches) is Action(action)


@pytest.mark.requirement("ACT-004")
@pytest.mark.parametrize("branches", [0, 2, 3])
def test_a_sure_refutation_in_the_stream_halts(branches: int):
    assert decide_action(Verdict.REFUTED, 0.7, branches, VerifyMode.INLINE) is Action.HALT


@pytest.mark.requirement("ACT-005")
@given(st.floats(0, 0.7, exclude_max=True), BRANCHES, MODES)
def test_an_unsure_refutation_goes_on(confidence: float, branches: int, mode: VerifyMode):
    assert decide_action(Verdict.REFUTED, confidence, branches, mode) is Action.CONTINUE


@pytest.mark.requirement("ACT-006")
@given(CONFIDENCES, MODES)
def test_what_is_insufficient_branches_three_times_and_then_goes_on(confidence: float, mode: VerifyMode):
    actions = [decide_action(Verdict.INSUFFICIENT, confidence, n, mode) for n in range(5)]
    assert actions == [Action.BRANCH] * 3 + [Action.CONTINUE] * 2


@pytest.mark.requirement("ACT-004", "ACT-005", "ACT-006")
def test_a_deployment_may_move_the_thresholds():
    assert decide_action(Verdict.REFUTED, 0.8, refute_confidence=0.9) is Action.CONTINUE
    assert decide_action(Verdict.REFUTED, 0.5, refute_confidence=0.5) is Action.BRANCH
    assert decide_action(Verdict.REFUTED, 0.9, 1, max_branches=1) is Action.ABSTAIN
    assert decide_action(Verdict.INSUFFICIENT, 0.9, 0, max_branches=0) is Action.CONTINUE


@pytest.mark.requirement("JDG-017")
def test_the_most_severe_action_wins_in_any_order():
    order = [Action.ABSTAIN, Action.HALT, Action.BRANCH, Action.CONTINUE]
    for length in range(1, 5):
        for actions in itertools.permutations(order, length):
            assert most_severe(actions) is min(actions, key=order.index)


@pytest.mark.requirement("JDG-016")
def test_without_claims_the_answer_goes_on():
    assert most_severe([]) is Action.CONTINUE
