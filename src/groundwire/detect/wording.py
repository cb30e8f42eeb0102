"""How a contradiction is told and corrected: the stored value, and the part of the answer that it replaces."""

from __future__ import annotations

from groundwire.detect.consulting import Checked
from groundwire.detect.examination import Examination
from groundwire.detect.facets import Facet
from groundwire.evidence.phrasing import tell
from groundwire.judge.mismatch import find_mismatch
from groundwire.types import Span


def describe_value(checked: Checked) -> str:
    """The record in a sentence."""
    facet = _facet(checked)
    if facet is None:
        return ""
    values = " or ".join(dict.fromkeys(value.value for value in facet.values))
    return tell(facet.entity.name, facet.entity.type, facet.attribute, values)


def _facet(checked: Checked) -> Facet | None:
    return checked.point.facet if checked.point is not None else None


def locate_value(examined: Examination, checked: Checked) -> Span | None:
    """Where the wrong value stands, and nothing else."""
    if right_value(examined, checked) is None or checked.point is None:
        return None
    return checked.point.span


def right_value(examined: Examination, checked: Checked) -> str | None:
    """The stored value, where it can stand in the place of the wrong one and no other value competes with it."""
    facet, point = _facet(checked), checked.point
    if facet is None or point is None or not point.text:
        return None
    best = [value for value in facet.values if value.trust == facet.best.trust]
    if len(dict.fromkeys(value.value.casefold() for value in best)) > 1:
        return None
    return facet.shown[0] if facet.kind == "amount" else facet.best.value


def locate_mismatch(examined: Examination, checked: Checked, statement: str) -> tuple[Span | None, str | None]:
    """The value that differs from a stated one, if the two sentences differ in a value alone."""
    span = checked.read.claim.span
    found = find_mismatch(examined.text[span.start : span.end], statement)
    if found is None or not found.is_value:
        return None, None
    return Span(span.start + found.span.start, span.start + found.span.end), found.theirs
