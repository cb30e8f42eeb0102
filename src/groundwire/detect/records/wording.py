"""How a contradiction is told and corrected: the stored value, and the part of the answer that it replaces."""

from __future__ import annotations

import re

from groundwire.detect.examination import Examination
from groundwire.detect.records.checked import Checked
from groundwire.detect.records.facets import Facet, is_weekday
from groundwire.detect.records.values import find_values, read_shape
from groundwire.evidence.phrasing import tell
from groundwire.evidence.relating import tell_relation
from groundwire.text.lexicon import noun_lemma
from groundwire.text.numerals import numerals
from groundwire.types import Span

_CARRIERS = frozenset(
    {"department", "team", "division", "unit", "group", "office", "branch", "plan", "colour", "color"}
)
_WORDS = re.compile(r"[^\W\d_]+")
_SHORT = 3
_NUMBER = re.compile(r"\d+")


def describe_value(checked: Checked) -> str:
    """The record in a sentence."""
    facet = _facet(checked)
    if facet is None:
        return ""
    values = " or ".join(dict.fromkeys(value.value for value in facet.values))
    put = tell_relation if facet.is_relation else tell
    return put(facet.entity.name, facet.entity.type, facet.attribute, values)


def _facet(checked: Checked) -> Facet | None:
    return checked.point.facet if checked.point is not None else None


def locate_value(examined: Examination, checked: Checked) -> Span | None:
    """Where the wrong value stands, and nothing else: the noun that only carries it stays."""
    if right_value(examined, checked) is None or checked.point is None:
        return None
    span = checked.point.span
    words = examined.text[span.start : span.end].split(" ")
    if len(words) > 1 and words[-1].casefold() in _CARRIERS:
        return Span(span.start, span.end - len(words[-1]) - 1)
    return span


def right_value(examined: Examination, checked: Checked) -> str | None:
    """The stored value, where it can stand in the place of the wrong one and no other value competes with it."""
    facet, point = _facet(checked), checked.point
    if facet is None or point is None or not point.text or checked.is_unsure:
        return None
    best = [value for value in facet.values if value.trust == facet.best.trust]
    if len(dict.fromkeys(value.value.casefold() for value in best)) > 1:
        return None
    stored = facet.shown[0] if facet.kind == "amount" else facet.best.value
    written = examined.text[point.span.start : point.span.end]
    return _fit(written, stored)


def _fit(written: str, stored: str) -> str | None:
    """The stored value in the form of the one it replaces: "five-year" → 2-year, "fourth" → 2nd."""
    kind, dimension = read_shape(written)
    inner = [value for value in find_values(stored) if value.kind == (kind or "amount")]
    if kind in ("date", "clock"):
        found = stored if read_shape(stored)[0] == kind or not inner else inner[0].text
        return f"{found}s" if is_weekday(written) and written.endswith("s") and is_weekday(found) else found
    if not inner or kind == "address":
        return stored
    number = _NUMBER.search(stored)
    if written.casefold() in numerals().ordinals:
        return _as_ordinal(number.group()) if number is not None else None
    if "-" in written and written[:1].isalnum() and number is not None and len(stored.split()) == 2:
        return "-".join(noun_lemma(word) if word.isalpha() else word for word in stored.split())
    if inner[0].span.start and dimension not in ("", "count"):
        return None
    return inner[0].text


def _as_ordinal(number: str) -> str:
    last = "th" if number[-2:] in ("11", "12", "13") else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return f"{number}{last}"


def locate_mismatch(examined: Examination, checked: Checked, statement: str) -> tuple[Span | None, str | None]:
    """The value that differs from a stated one, if the two sentences say the same but for that value."""
    span = checked.read.claim.span
    said = examined.text[span.start : span.end]
    ours, theirs = find_values(said, span.start), find_values(statement)
    if len(ours) != 1 or len(theirs) != 1 or ours[0].kind != theirs[0].kind:
        return None, None
    mine, other = ({w for w in _WORDS.findall(text.casefold()) if len(w) > _SHORT} for text in (said, statement))
    mine -= set(_WORDS.findall(ours[0].text.casefold()))
    other -= set(_WORDS.findall(theirs[0].text.casefold()))
    if len(mine & other) * 2 <= max(len(mine), len(other)) or ours[0].dimension != theirs[0].dimension:
        return None, None
    return ours[0].span, theirs[0].text
