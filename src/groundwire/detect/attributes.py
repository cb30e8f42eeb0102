"""Wrong attributes: a person, an organisation or a thing with a value that its record contradicts."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.detect.examination import Examination
from groundwire.detect.records.checked import Checked, Standing
from groundwire.detect.records.consulting import consult_knowledge
from groundwire.detect.records.wording import describe_value, locate_value, right_value
from groundwire.types import Span
from groundwire.types.detection import HallucinationFlag, HallucinationType, KBEvidence, Stance


class WrongAttributeDetector:
    """The entity and the attribute exist, and no stored value is the claimed one."""

    name = "wrong_attributes"

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        return [_flag(examined, checked) for checked in consult_knowledge(examined) if is_wrong_attribute(checked)]


def is_wrong_attribute(checked: Checked) -> bool:
    return checked.standing is Standing.DIFFERS and not checked.is_of_fact


def _flag(examined: Examination, checked: Checked) -> HallucinationFlag:
    span = _find_place(checked)
    evidence = describe_value(checked)
    return HallucinationFlag(
        span=span,
        content=examined.text[span.start : span.end],
        hallucination_type=HallucinationType.WRONG_ATTRIBUTE,
        confidence=round(checked.confidence, 4),
        suggestion=f"Give the value that is on record: {evidence}",
        evidence=evidence,
        correct_value=right_value(examined, checked),
        value_span=locate_value(examined, checked),
        source_id=_source(checked),
        detector=WrongAttributeDetector.name,
        claim_span=span,
        is_unverifiable=checked.is_unsure,
        kb=KBEvidence(Stance.CONTRADICTS, round(checked.confidence, 4), evidence),
    )


def _find_place(checked: Checked) -> Span:
    """The claim; or the value alone, where it stands in another clause: "With 520 employees, it is …"."""
    claim, point = checked.read.claim.span, checked.point
    is_inside = point is None or (point.span.start < claim.end and claim.start < point.span.end)
    return claim if is_inside or point is None or not point.text else point.span


def _source(checked: Checked) -> str | None:
    facet = checked.point.facet if checked.point is not None else None
    if facet is None:
        return None
    return facet.best.source or f"{facet.entity.name}/{facet.attribute}"
