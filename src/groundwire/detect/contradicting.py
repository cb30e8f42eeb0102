"""Contradicted facts: claims that a stored statement refutes, or the record of an event."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.detect.examination import Examination
from groundwire.detect.records.checked import Checked, Standing
from groundwire.detect.records.consulting import consult_knowledge
from groundwire.detect.records.wording import describe_value, locate_mismatch, locate_value, right_value
from groundwire.types import ContradictionType
from groundwire.types.detection import HallucinationFlag, HallucinationType, KBEvidence, Stance

_OFFSET = re.compile(
    r"\b(?:days?|weeks?|months?|years?) (?:earlier|later|before(?:hand)?|after(?:wards)?|ahead)[,:(–—\s]*$"
)
_EXCLUSIVE = 0.95
_TRUSTED = 0.75
_LEAST = 0.6
_CRUMB = 12
"""Characters; what is shorter says nothing by itself."""


class ContradictsFactDetector:
    """Stored statements, and the date, time or status of an event, against what the answer says."""

    name = "kb_contradictions"

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        differing = [checked for checked in consult_knowledge(examined) if contradicts_fact(checked)]
        differing = [c for c in differing if not _is_crumb(c, differing)]
        found = [_flag(examined, checked) for checked in differing if not _is_reckoned(examined, checked)]
        return [flag for flag in found if flag.confidence >= _LEAST]


def _is_crumb(checked: Checked, others: Sequence[Checked]) -> bool:
    """A word or two of a sentence that the same statement denies as a whole already."""
    span, statement = checked.read.claim.span, checked.statement
    if statement is None or span.end - span.start > _CRUMB:
        return False
    return any(
        o.statement is statement and o.read.sentence == checked.read.sentence and len(o.read.claim.text.split()) > 2
        and o.read.claim.span.end - o.read.claim.span.start > _CRUMB
        for o in others if o is not checked
    )  # fmt: skip


def _is_reckoned(examined: Examination, checked: Checked) -> bool:
    """ "Eight weeks earlier, that is by 11 April": a date worked out from the recorded one is another date."""
    return _OFFSET.search(examined.text[: checked.read.claim.span.start]) is not None


def contradicts_fact(checked: Checked) -> bool:
    return checked.standing is Standing.DIFFERS and checked.is_of_fact


def _flag(examined: Examination, checked: Checked) -> HallucinationFlag:
    span = checked.read.claim.span
    statement = checked.statement
    if statement is not None:
        evidence, source = statement.text, statement.id
        value_span, correct = locate_mismatch(examined, checked, statement.text)
        confidence = checked.confidence
    else:
        facet = checked.point.facet if checked.point is not None else None
        evidence = describe_value(checked)
        source = (facet.best.source or f"{facet.entity.name}/{facet.attribute}") if facet is not None else None
        value_span, correct = locate_value(examined, checked), right_value(examined, checked)
        by_rule = checked.point is not None and checked.point.sureness > 0
        trusted = facet is not None and facet.best.trust >= _TRUSTED
        confidence = _EXCLUSIVE if by_rule and trusted else checked.confidence
    return HallucinationFlag(
        span=span,
        content=examined.text[span.start : span.end],
        hallucination_type=HallucinationType.CONTRADICTS_FACT,
        confidence=round(confidence, 4),
        suggestion=f"Correct it: {evidence}",
        evidence=evidence,
        correct_value=correct if value_span is not None else None,
        value_span=value_span if correct is not None else None,
        source_id=source,
        detector=ContradictsFactDetector.name,
        claim_span=span,
        is_unverifiable=checked.is_unsure,
        contradiction_type=ContradictionType.INCOMPATIBLE_VALUES,
        kb=KBEvidence(Stance.CONTRADICTS, round(confidence, 4), evidence),
    )
