"""From verdict to action."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.types import Action, Verdict, VerifyMode

MAX_BRANCHES = 3
REFUTE_CONFIDENCE = 0.7
_SEVERITY = (Action.ABSTAIN, Action.HALT, Action.BRANCH, Action.CONTINUE)


def decide_action(
    verdict: Verdict,
    confidence: float,
    branch_count: int = 0,
    mode: VerifyMode = VerifyMode.POSTHOC,
    *,
    refute_confidence: float = REFUTE_CONFIDENCE,
    max_branches: int = MAX_BRANCHES,
) -> Action:
    """What to do about one claim; a refutation that is not sure enough lets the answer pass, marked in the report."""
    match verdict:
        case Verdict.SUPPORTED:
            return Action.CONTINUE
        case Verdict.REFUTED:
            if confidence < refute_confidence:
                return Action.CONTINUE
            if mode is VerifyMode.INLINE:
                return Action.HALT
            return Action.BRANCH if branch_count < max_branches else Action.ABSTAIN
        case Verdict.INSUFFICIENT:
            return Action.BRANCH if branch_count < max_branches else Action.CONTINUE


def most_severe(actions: Iterable[Action]) -> Action:
    """The action of a whole answer is the most severe of its claims'."""
    found = set(actions)
    return next((action for action in _SEVERITY if action in found), Action.CONTINUE)
