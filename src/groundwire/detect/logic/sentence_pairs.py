"""Whole sentences of one answer that the judge refutes by each other, whatever their words and their subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.logic.conditions import without_conditions
from groundwire.detect.logic.pair_choice import are_apart, choose_pairs, nest
from groundwire.detect.logic.parts import part
from groundwire.detect.logic.rows import is_in_a_row
from groundwire.detect.logic.scopes import (
    are_allowed_elsewhere,
    are_done_elsewhere,
    is_another_case,
    is_no_member,
    is_of_sibling,
    is_of_somebody_else,
    is_owned_by_another,
)
from groundwire.detect.logic.sides import FIRM, Side
from groundwire.detect.sightings import Sighting
from groundwire.detect.weighing.scale import Opinion, describe_pair, log_odds, weigh
from groundwire.detect.weighing.traits import compare_statements
from groundwire.judge.judge import Judge
from groundwire.text.subjects import USER
from groundwire.types import ContradictionType, Passage, Span, VerifierInput

_ENOUGH, _ENOUGH_OF_ORDER, _LEANING = 0.65, 0.81, 0.6
"""How likely a clash must be by the scale, and how sure of it the judge must be in the stronger direction."""
_RATHER, _STRONGLY, _FAIRLY = 0.5, 0.8, 0.75
"""The same for two sentences of one thing where the judge is sure in one direction, if not in the other."""
_SURELY = 0.8
"""How likely it must be of two things that are told without a word of all or none."""
_SURE = ((0.55, 0.85), (0.1, 0.93))
"""How sure in the weaker and in the stronger direction it must be to need no scale."""
_AT_MOST = 0.9
_SCALE = "sentences"
_OPENING = re.compile(r"(?:It|He|She|They)\b(?!')")
_SCOPED = re.compile(
    r"\bon (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays|weekends)\b|\bat (?:the )?weekends?\b|"
    r"\bin (?:the )?(?:winter|summer|spring|autumn|mornings?|evenings?|afternoons?)\b|\bduring the holidays\b"
)
_ALMOST_ALL = re.compile(r"\b(?:almost|nearly|virtually|practically)\s+(?:all|every|no|none|any)")
_SOLE = re.compile(r"\b(?:there (?:is|are|was|were)|has|have|had) (?:only one|a single|just one|no other)\b")
_ELLIPTIC = re.compile(r"\b(?:do|does|did|is|are|was|were|has|have|can|will|would)(?:n't)?\W*$")


def find_refuted_sentences(sightings: Sequence[Sighting], judge: Judge, told: Sequence[Span]) -> Iterator[Clash]:
    """One bounded batch, both directions of each pair, and once more with the noun where one begins with a pronoun."""
    for weighed in weigh_pairs(choose_pairs(without_conditions(part(sightings)), told), judge):
        one, other = weighed.one, weighed.other
        if weighed.is_clash:
            evidence = f'the judge refutes "{other.seen.text}" by "{one.seen.text}" and the other way round'
            sure = round(min(_AT_MOST, max(_ENOUGH, weighed.stronger)), 4)
            kind = ContradictionType.DIRECT_NEGATION
            yield Clash(other.seen.segment.span, one.seen.segment.span, sure, kind, evidence)


@dataclass(frozen=True, slots=True)
class WeighedPair:
    """Two sentences, the likelihood of a clash by the scale, and how sure the judge is of it in both directions."""

    one: Side
    other: Side
    probability: float
    weaker: float
    stronger: float

    @property
    def is_clash(self) -> bool:
        if not self.one.is_firm and _SCOPED.search(self.other.seen.low) and not _SCOPED.search(self.one.seen.low):
            return False  # "It closes at six; on Saturdays it closes at one"
        is_apart = are_apart(self.one, self.other)
        if is_apart and not (self.one.is_firm or self.other.is_firm or self.probability >= _SURELY):
            return False
        if self.one.seen.segment.index != self.other.seen.segment.index and (
            is_another_case(self.one.seen, self.other.seen) or is_no_member(self.one.subject, self.other.subject)
        ):
            return False
        if is_owned_by_another(self.one.seen, self.other.seen, self.other.subject):
            return False
        if is_of_sibling(self.one.seen, self.other.seen) or are_done_elsewhere(self.one.seen, self.other.seen):
            return False
        if is_of_somebody_else(self.one.seen, self.other.seen) or is_in_a_row(
            self.one.seen, self.one.subject, self.other.seen, self.other.subject
        ):
            return False
        if are_allowed_elsewhere(self.one.seen, self.other.seen):
            return False
        if _ALMOST_ALL.search(self.one.seen.low) and not FIRM.search(self.other.seen.low):
            return False  # "Almost everybody agreed. Two members voted against it"
        is_order = self.one.is_order or self.other.is_order  # what is to be done denies little of what is
        if is_order and _SOLE.search(self.one.seen.low) and self.stronger >= _FAIRLY:
            is_order = False  # "There is only one door. Use the back door"
        if self.probability >= (_ENOUGH_OF_ORDER if is_order else _ENOUGH) and self.stronger >= _LEANING:
            return True
        if self.probability >= _RATHER and self.stronger >= _STRONGLY and not (is_order or is_apart):
            return True
        is_sure = any(self.weaker >= least and self.stronger >= most for least, most in _SURE)
        return is_sure and not (is_order or is_apart)


def weigh_pairs(pairs: Sequence[tuple[Side, Side]], judge: Judge) -> list[WeighedPair]:
    texts = [(one.seen.text, other.seen.text) for one, other in pairs]
    resolved = [_resolve_pair(one, other) for one, other in pairs]
    ways = ((claim, known) for one, other in (*texts, *resolved) for claim, known in ((other, one), (one, other)))
    questions = [VerifierInput(claim, (Passage("earlier", known),)) for claim, known in dict.fromkeys(ways)]
    verdicts = judge.judge_all(questions) if questions else []
    said = {
        (question.evidence[0].text, question.claim): Opinion.of(verdict)
        for question, verdict in zip(questions, verdicts, strict=True)
    }
    found: list[WeighedPair] = []
    for pair, plain, whole in zip(pairs, texts, resolved, strict=True):
        there, back = said[plain], said[plain[1], plain[0]]
        better = said[whole], said[whole[1], whole[0]]
        probability = weigh(_SCALE, describe_sides(*pair, there, back, better))
        found.append(WeighedPair(*pair, probability, *sorted((there.refutation, back.refutation))))
    return found


def describe_sides(
    one: Side, other: Side, there: Opinion, back: Opinion, better: tuple[Opinion, Opinion]
) -> dict[str, float]:
    """The evidence of a pair; `better` are the opinions on it with the noun in place of a pronoun."""
    support = max(there.support, back.support)
    traits = compare_statements(other.seen.text, one.seen.text, None)
    weaker, stronger = sorted(opinion.refutation for opinion in better)
    marks = {
        "firm": float(one.is_firm or other.is_firm),
        "figures": float(bool(one.numbers and other.numbers) and not nest(one.numbers, other.numbers)),
        "orders": float(one.is_order and other.is_order),
        "order": float(one.is_order or other.is_order),
        "exception": float("except" in one.seen.words | other.seen.words),
        "same_subject": float(bool(one.subject) and one.subject.lower() == other.subject.lower()),
        "apart": float(are_apart(one, other)),
        "elliptic": float(_ELLIPTIC.search(other.seen.low) is not None),
        "within": float(one.seen.segment.index == other.seen.segment.index),
        "far": float(other.seen.segment.index - one.seen.segment.index > 1),
        "timed": float(bool(one.times or other.times)),
        "pronoun": float(_OPENING.match(other.seen.text) is not None),
        "resolved_low": log_odds(weaker),
        "resolved_high": log_odds(stronger),
        "firm_low": float(one.is_firm or other.is_firm) * log_odds(min(there.refutation, back.refutation)),
    }
    return describe_pair(traits, there, back, 0.0, support, marks)


def _resolve_pair(one: Side, other: Side) -> tuple[str, str]:
    if (one.numbers or one.times) and (other.numbers or other.times):  # "opens at eight", "closes at midnight"
        return one.seen.text, other.seen.text
    return _resolve(one), _resolve(other)


def _resolve(side: Side) -> str:
    """ "It is late" as "The train is late", where the subject was read so."""
    text = side.seen.text
    match = _OPENING.match(text)
    if match is None or not side.subject or side.subject.lower() in read_logic("pronouns") or side.subject == USER:
        return text
    if match.group() == "It" and side.subject.split()[0].lower() not in read_logic("marks"):
        return text  # a name may be a person's
    return f"{side.subject}{text[match.end() :]}"
