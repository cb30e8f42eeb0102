"""Statements that clash only because they were cut out of their sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.detect.logic.clashes import Clash
from groundwire.detect.logic.scopes import is_another_case, is_aside, is_of_sibling, is_of_somebody_else
from groundwire.detect.sightings import Sighting
from groundwire.detect.weighing.asking import leans_against
from groundwire.judge.judge import Judge
from groundwire.types import Passage, Span, Verdict, VerifierInput

_BORNE_OUT = 0.3
"""How likely the support of the whole sentence must be, besides being likelier than its refutation."""


def without_retold(
    clashes: Sequence[Clash], by_rule: Sequence[Clash], sightings: Sequence[Sighting], judge: Judge
) -> Iterator[Clash]:
    """Every clash but those that only the judge sees and that it takes back when it reads both sentences as a whole.

    Those of two cases as well, which the whole sentences tell: "no fridge in the room", "one down the hall".
    """
    certain = {id(clash) for clash in by_rule}
    apart = {id(clash) for clash in clashes if id(clash) not in certain and _is_apart(clash, sightings)}
    clashes = [clash for clash in clashes if id(clash) not in apart]
    asked = [(clash, _ask(clash, sightings)) for clash in clashes if id(clash) not in certain]
    questions = [(clash, question) for clash, question in asked if question is not None]
    answers = judge.judge_all([question for _, question in questions]) if questions else []
    retold = {
        id(clash)
        for (clash, _), answer in zip(questions, answers, strict=True)
        if answer.probabilities[Verdict.SUPPORTED] > _BORNE_OUT and not leans_against(answer)
    }
    return (clash for clash in clashes if id(clash) not in retold)


def _is_apart(clash: Clash, sightings: Sequence[Sighting]) -> bool:
    one, other = (_find(span, sightings) if span is not None else None for span in (clash.earlier, clash.later))
    if one is None or other is None or one is other:
        return False
    is_whole = (
        clash.later.start == other.start
    )  # "last year" in front of another part of the sentence is not of this one
    if is_whole and is_another_case(one, other):
        return True
    return is_aside(one, other) or is_of_somebody_else(one, other) or is_of_sibling(one, other)


def _ask(clash: Clash, sightings: Sequence[Sighting]) -> VerifierInput | None:
    """The later sentence in the light of the earlier one, where they are two and not both were read as a whole."""
    earlier = clash.earlier
    one, other = (_find(span, sightings) if span is not None else None for span in (earlier, clash.later))
    if one is None or other is None or one is other:
        return None
    if earlier == one.segment.span and clash.later == other.segment.span:
        return None
    return VerifierInput(other.text.strip(), (Passage("earlier", one.text.strip()),))


def _find(span: Span, sightings: Sequence[Sighting]) -> Sighting | None:
    return next((s for s in sightings if s.segment.span.start <= span.start < s.segment.span.end), None)
