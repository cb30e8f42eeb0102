"""What is known as a whole, asked once more about what is about to be flagged.

A clause is weighed against one statement at a time. What one of them seems to deny another may say outright, and what
no single one says several may say together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.bearers import is_of_other
from groundwire.detect.records.checked import Checked, Standing
from groundwire.detect.records.retelling import tell_record
from groundwire.detect.weighing.asking import hear, leans_against
from groundwire.detect.weighing.units import resolve
from groundwire.evidence.knowledge import Knowledge
from groundwire.judge.hybrid import HybridJudge
from groundwire.types import Passage, Span, Verdict, VerifierInput

_SAID_OUTRIGHT = 0.7
"""How sure the judge must be that another statement bears a claim out."""
_BORNE_OUT = 0.3
"""How likely support by everything near must be, besides being likelier than refutation."""
_CREDITED = re.compile(r"^(?:according to|as per|per|as stated in|as) [^,.]{1,50}, ", re.IGNORECASE)
_NEAREST = 4
_MOST = 6
"""Claims of one answer that are asked about again; an answer with more of them is made up as a whole."""
_CIRCLE = 4


def reprieve(examined: Examination, checked: Sequence[Checked]) -> list[Checked]:
    """Every claim; one that a statement is held against stands where another statement says it."""
    doubted = [c for c in checked if c.standing is Standing.DIFFERS and c.statement is not None and not c.is_ruled]
    asked = [(c, told) for c in doubted for told in _others(examined, c)]
    questions = [VerifierInput(c.read.claim.text, (Passage("known", told),)) for c, told in asked]
    answers = hear(examined).judge_all(questions)
    spared = {
        id(c)
        for (c, _), answer in zip(asked, answers, strict=True)
        if answer.probabilities[Verdict.SUPPORTED] > _SAID_OUTRIGHT
    }
    return [
        replace(c, standing=Standing.SUPPORTED, statement=None, confidence=0.0) if id(c) in spared else c
        for c in checked
    ]


def _others(examined: Examination, checked: Checked) -> list[str]:
    known, against = examined.knowledge, checked.statement
    told = known.told if isinstance(known, Knowledge) else known.statements
    span = checked.read.claim.span
    others = [m.text for m in told if m is not against and not is_of_other(examined, m, span)]
    return _nearest(examined, checked.read.claim.text, others)


def find_borne_out(examined: Examination, spans: Sequence[Span]) -> list[Span]:
    """Those of the claims whose sentence is borne out by what is known of it, taken together."""
    if not isinstance(examined.judge, HybridJudge):
        return []
    asked = [
        (span, said, near)
        for span in spans[:_MOST]
        for said in dict.fromkeys((_sentence_of(examined, span), _clause_of(examined, span)))
        if (near := _gather(examined, span, said))
    ]
    questions = [VerifierInput(said, (Passage("known", " ".join(near)),)) for _, said, near in asked]
    answers = zip(asked, hear(examined).judge_all(questions), strict=True)
    found = [
        span
        for (span, _, _), answer in answers
        if answer.probabilities[Verdict.SUPPORTED] > _BORNE_OUT and not leans_against(answer)
    ]
    return list(dict.fromkeys(found))


def _clause_of(examined: Examination, span: Span) -> str:
    """The claim alone, with the name of whom its pronoun means; its sentence, where it has no subject of its own."""
    written = examined.text[span.start : span.end].strip(" .!,")
    told = resolve(written, span.start, meet(examined))
    return told if told != written or written[:1].isupper() else _sentence_of(examined, span)


def _gather(examined: Examination, span: Span, sentence: str) -> list[str]:
    known = examined.knowledge
    told = [m.text for m in (known.told if isinstance(known, Knowledge) else known.statements)]
    people = meet(examined)
    named = list(dict.fromkeys(people.named_between(*span)))[:_CIRCLE]
    told += [text for entity in named for text in tell_record(entity)]
    told += [
        text
        for entity in named
        for other in people.related(entity)[:_CIRCLE]
        for text in tell_record(other)
        if entity.name in text
    ]
    if not named and (before := people.named_before(span.start)) is not None:
        told += [text for entity in (before, *people.related(before)[:_CIRCLE]) for text in tell_record(entity)]
    return _nearest(examined, sentence, told)


def _sentence_of(examined: Examination, span: Span) -> str:
    """The sentence around a claim, without whom it is credited to: that is no part of what is known."""
    inside = [s.text.strip() for s in examined.segments if s.span.start <= span.start < s.span.end]
    return _CREDITED.sub("", inside[0] if inside else examined.text[span.start : span.end])


def _nearest(examined: Examination, text: str, told: Sequence[str]) -> list[str]:
    return sorted(told, key=lambda sentence: -examined.similarity(text, sentence))[:_NEAREST]
