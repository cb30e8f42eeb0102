"""Evidence that is about something else: what a model reads into it is not taken for grounds (JDG-019).

A model that was trained on pairs about one scene finds support and contradiction in sentences that merely share a mood.
How alike claim and evidence are, by a sentence embedder, tells such pairs apart; what an exact rule found stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from groundwire.errors import ModelUnavailable
from groundwire.judge.action import decide_action
from groundwire.judge.protocols import Scores
from groundwire.types import Verdict, VerifierInput, VerifierOutput

RELEVANT = 0.3
"""For what a search has picked."""
CHOSEN = 0.1
"""For what a caller hands in: on 3,300 labelled pairs 0.3 would cost one right support in twenty, and this one in four
hundred."""
IRRELEVANT = "irrelevant_evidence"
_LEFT = 0.3
"""What support by irrelevant evidence is still worth, at the most."""
_DENIED = 0.2
_BY_MODEL = frozenset({"model_supports", "model_refutes"})


class Likeness(Protocol):
    """The cosine of a claim with each of several texts; may raise ModelUnavailable."""

    def __call__(self, claim: str, texts: Sequence[str], /) -> Sequence[float]: ...


def is_irrelevant(claim: str, texts: Sequence[str], likeness: Likeness, least: float) -> bool:
    """Whether the texts are, on the average, about something else. Where nobody can tell, they are not."""
    try:
        found = likeness(claim, texts)
    except ModelUnavailable:
        return False
    return bool(found) and sum(found) / len(found) < least


def withhold_support(scores: Scores) -> Scores:
    supported, refuted = min(scores.supported, _LEFT), min(scores.refuted, _DENIED)
    return Scores(supported, refuted, 1.0 - supported - refuted)


def withhold_verdict(question: VerifierInput, output: VerifierOutput, likeness: Likeness) -> VerifierOutput:
    """For evidence that a search has picked: what the model made of it is left open where it is about something else.

    Evidence that a caller hands in is that caller's choice; there, support is withheld where nothing is alike at all.
    """
    used = [passage.text for passage in question.evidence if passage.id in output.evidence_used]
    if output.reason not in _BY_MODEL or not used or not is_irrelevant(question.claim, used, likeness, RELEVANT):
        return output
    scores = withhold_support(Scores(*(output.probabilities[v] for v in _ORDER)))
    named = ", ".join(output.evidence_used)[:80]
    return replace(
        output,
        verdict=Verdict.INSUFFICIENT,
        confidence=scores.insufficient,
        probabilities={v: scores.of(v) for v in Verdict},
        explanation=f"INSUFFICIENT: {named} is about something else.",
        reason=IRRELEVANT,
        action=decide_action(Verdict.INSUFFICIENT, scores.insufficient, 0, question.mode),
        low_confidence=False,
        conflicting=(),
    )


_ORDER = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT)
