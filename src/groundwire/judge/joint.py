"""Who says what several passages say as one: an opinion on all of them together is put down to those that it rests on.

A model that is shown all memories as one text tells what follows from it and not from which of them. Support rests on
the passages that have the words of the claim between them; a refutation on the one that has another value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from groundwire.judge.carrying import content_of
from groundwire.judge.decision import PassageScores
from groundwire.judge.mismatch import find_mismatch
from groundwire.text.thesaurus import concept
from groundwire.types import Passage, Verdict

TOGETHER = "together"
_MOST, _LONGEST = 8, 700


@lru_cache(maxsize=1024)
def join_texts(passages: tuple[Passage, ...]) -> str:
    """All of them as one text, the oldest first; nothing where there is one alone, or too much to read."""
    if not 1 < len(passages) <= _MOST:
        return ""
    text = " ".join(p.text for p in sorted(passages, key=lambda p: (p.timestamp or 0, p.text)))
    return text if len(text) <= _LONGEST else ""


def attribute(claim: str, joint: PassageScores, passages: Sequence[Passage], nearest: Passage) -> PassageScores:
    """The opinion on all passages as one of those that it rests on; of the nearest where none can be told."""
    if joint.scores.verdict is Verdict.REFUTED:
        first, others = _find_denying(claim, passages) or nearest, ()
    else:
        first, *others = find_carriers(claim, passages) or (nearest,)
    windows = ((first.text, joint.scores),)
    return replace(joint, passage=first, windows=windows, beside=tuple(passage.id for passage in others))


def find_carriers(claim: str, passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages that have the claim's words between them: the one with most of them, then what others add."""
    left = _concepts(claim)
    found: list[Passage] = []
    told = {passage.id: (passage, _concepts(passage.text) & left) for passage in passages}
    while told:
        best = max(told, key=lambda key: (len(told[key][1] & left), told[key][0].timestamp or 0))
        passage, words = told.pop(best)
        if not words & left:
            break
        found.append(passage)
        left -= words
    return tuple(found)


def _find_denying(claim: str, passages: Sequence[Passage]) -> Passage | None:
    """The passage that has another number or name in the place of one of the claim, and speaks of the same."""
    wanted = _concepts(claim)
    rivals = [
        (len(wanted & _concepts(passage.text)), passage)
        for passage in passages
        if (found := find_mismatch(claim, passage.text)) is not None and found.is_value
    ]
    shared, passage = max(rivals, key=lambda rival: rival[0], default=(0, None))
    return passage if shared else None


@lru_cache(maxsize=4096)
def _concepts(text: str) -> frozenset[str]:
    return frozenset(map(concept, content_of(text)))
