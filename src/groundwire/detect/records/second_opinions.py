"""A second opinion on what is about to be changed: nothing is taken out of an answer on the word of one rule.

A rule compares a value with an attribute and can have read the wrong one; the judge reads the whole sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.checked import Checked, Standing
from groundwire.detect.records.facets import Facet
from groundwire.detect.records.sayings import Sureness
from groundwire.detect.weighing.asking import hear, leans_against
from groundwire.evidence.lookups import Entity
from groundwire.evidence.phrasing import tell_plainly
from groundwire.evidence.relating import tell_relation
from groundwire.types import Passage, Verdict, VerifierInput, VerifierOutput

_LIKELY = 0.5
_ANYBODY = frozenset({"you", "one", "we", "everybody", "everyone", "anyone", "people"})
_PRONOUN = re.compile(r"(?:It|it|They|they|He|he|She|she)(?= )")
_SURE, _CLEARLY = 0.85, 3.0
"""How likely a refutation must be before anything is changed, and how many times likelier than support."""


def begin_to_doubt(examined: Examination, checked: Sequence[Checked]) -> None:
    """The judge starts on what `doubt` will ask of rules that are sure already; nobody waits for it."""
    hear(examined).begin([_ask(c) for c in checked if _is_sure(c)])


def doubt(examined: Examination, checked: Sequence[Checked]) -> Iterator[Checked]:
    """Every claim; where a rule is sure that it is wrong and the judge does not refute it, the rule is doubted.

    Of a measure, a date or an hour that its attribute is named for, it is enough that the judge leans that way.
    """
    checked = _without_supposed(examined, checked)
    sure = [c for c in checked if _is_sure(c)]
    answers = hear(examined).judge_all([_ask(c) for c in sure])
    agreed = {id(c) for c, answer in zip(sure, answers, strict=True) if _agrees(c, answer)}
    doubted = {id(c) for c in sure} - agreed
    return (replace(c, is_doubted=True) if id(c) in doubted else c for c in checked)


def _is_sure(checked: Checked) -> bool:
    return checked.standing is Standing.DIFFERS and not checked.is_unsure


def _without_supposed(examined: Examination, checked: Sequence[Checked]) -> list[Checked]:
    """A record that is only supposed to be meant, or is somebody else's, is held against nothing without the judge."""
    supposed = [c for c in checked if c.standing is Standing.DIFFERS and is_supposed(c) and not _is_alone(examined, c)]
    asked = [(c, question) for c in supposed for question in _ask_in_all_words(examined, c)]
    answers = hear(examined).judge_all([question for _, question in asked])
    seen = {
        id(c)
        for (c, _), answer in zip(asked, answers, strict=True)
        if answer.probabilities[Verdict.REFUTED] > _LIKELY and leans_against(answer)
    }
    spared = {id(c) for c in supposed} - seen
    return [replace(c, standing=Standing.SILENT, point=None) if id(c) in spared else c for c in checked]


def _ask_in_all_words(examined: Examination, checked: Checked) -> Iterator[VerifierInput]:
    """The claim as it was read, and the way back where no rule has compared two values; and of a pronoun, with the name
    of what the record is about and the text has named."""
    plain, point = _ask(checked), checked.point
    yield plain
    facet = point.facet if point is not None else None
    if point is not None and not point.text:
        yield VerifierInput(plain.evidence[0].text, (Passage("record", plain.claim),))
    start, end = checked.read.claim.span
    said = examined.text[start:end]
    pronoun = _PRONOUN.match(said)
    subject = checked.read.proposition.subject
    if facet is None or pronoun is None or any(word[:1].isupper() for word in subject.split()):
        return
    if facet.entity not in _named_lately(examined, checked):
        return
    known = _tell(facet)
    yield VerifierInput(f"{facet.entity.name}{said[pronoun.end() :]}", (Passage("record", known),))


def _named_lately(examined: Examination, checked: Checked) -> list[Entity]:
    """What the sentence before names, and the sentence itself as far as the claim."""
    start = checked.read.sentence.start
    before = max((s.span.start for s in examined.segments if s.span.start < start), default=start)
    return meet(examined).named_between(before, checked.read.claim.span.start)


def is_supposed(checked: Checked) -> bool:
    """Whether a rule holds a record against a claim that may be about something else."""
    facet = checked.point.facet if checked.point is not None else None
    if facet is None or checked.is_event or checked.statement is not None or not checked.read.proposition.predicate:
        return False
    return facet.entity is not checked.entity and not _is_done_by_another(checked, facet)


def _is_done_by_another(checked: Checked, facet: Facet) -> bool:
    """ "Jelena maintains the exporter", "she wrote the script": what is done, or to what, is named in the claim."""
    words, point = facet.attribute.casefold().replace("_", " ").split(), checked.point
    if not facet.is_relation or point is None or point.sureness < Sureness.FRAMED:
        return False
    said = checked.read.claim.text.casefold()
    names = [name.casefold() for name in (facet.entity.name, *facet.entity.aliases)]
    if words[-1:] == ["by"] and any(name in said for name in (*names, *words[:-1])):
        return True
    return said.startswith((" ".join(words), f"the {' '.join(words)}"))


def _is_alone(examined: Examination, checked: Checked) -> bool:
    """ "With ParcelPoint you can send up to 30 kilos": nothing else is named, and the attribute is spoken of."""
    point = checked.point
    if checked.entity is not None or point is None or point.facet is None or point.sureness < Sureness.NAMED:
        return False
    if not point.text or checked.read.claim.subject.casefold() not in _ANYBODY:
        return False
    named = meet(examined).named_between(*checked.read.sentence)
    return bool(named) and all(entity is point.facet.entity for entity in named)


def _agrees(checked: Checked, answer: VerifierOutput) -> bool:
    told = answer.probabilities
    if told[Verdict.REFUTED] < _CLEARLY * told[Verdict.SUPPORTED]:
        return False
    return told[Verdict.REFUTED] >= _SURE or (leans_against(answer) and _is_measured(checked))


def _is_measured(checked: Checked) -> bool:
    point = checked.point
    if point is None or point.facet is None or not point.text or point.sureness < Sureness.NAMED:
        return False
    facet = point.facet
    return facet.kind in ("date", "clock", "when", "address") or facet.dimension not in ("", "count")


def _ask(checked: Checked) -> VerifierInput:
    facet = checked.point.facet if checked.point is not None else None
    if facet is None:
        raise ValueError("a difference that is sure has an attribute")
    return VerifierInput(checked.read.claim.text, (Passage("record", _tell(facet)),))


def _tell(facet: Facet) -> str:
    value = " and ".join(v.value for v in facet.values[:4])
    put = tell_relation if facet.is_relation else tell_plainly
    return put(facet.entity.name, facet.entity.type, facet.attribute, value)
