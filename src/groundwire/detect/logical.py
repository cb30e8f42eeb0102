"""Logical inconsistencies: statements of one answer that cannot all be true."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from groundwire.detect.amounts.limits import find_broken_limits
from groundwire.detect.amounts.recounts import find_wrong_recounts
from groundwire.detect.amounts.sums import find_wrong_sums
from groundwire.detect.examination import Examination
from groundwire.detect.logic.advice import find_misadvised
from groundwire.detect.logic.assertions import join_segments, read_assertions
from groundwire.detect.logic.clashes import Clash, exclude, find_inner_clashes, find_negations
from groundwire.detect.logic.comparisons import find_circles, find_surpassed
from groundwire.detect.logic.consequences import find_broken_rules
from groundwire.detect.logic.coverage import find_uncovered
from groundwire.detect.logic.diets import find_forbidden_ingredients
from groundwire.detect.logic.ellipses import find_elliptic_exceptions
from groundwire.detect.logic.excepted import find_told_exceptions
from groundwire.detect.logic.exclusions import find_excluded
from groundwire.detect.logic.impossible import find_impossible_properties
from groundwire.detect.logic.kinds_apart import find_other_kinds
from groundwire.detect.logic.named_values import find_other_named_values
from groundwire.detect.logic.orders import find_disorder
from groundwire.detect.logic.paraphrases import find_paraphrased
from groundwire.detect.logic.permissions import find_forbidden
from groundwire.detect.logic.quantifiers import find_denied_existence, find_exceptions
from groundwire.detect.logic.retelling import without_retold
from groundwire.detect.logic.sentence_pairs import find_refuted_sentences
from groundwire.detect.logic.uniqueness import find_presumed
from groundwire.detect.logic.values_apart import find_other_values
from groundwire.detect.sightings import Places, Sighting, look_at, look_through
from groundwire.judge.judge import Judge
from groundwire.types import ContradictionType, ResponseSegment, Span
from groundwire.types.detection import HallucinationFlag, HallucinationType

NAME = "logical_inconsistencies"
_LABELLED = re.compile(r"^[\s*•-]*\**(?P<label>[A-Za-z][\w ]{0,30})\**:\**\s+(?P<value>[\w-]+(?:\s[\w-]+){0,2})[.\s]*$")
_EXCEPTION = re.compile(r"(?<!without )(?<!without any )(?<!\bno )(?<!single )\bexceptions?\b", re.IGNORECASE)
_NEAR = 600
"""Characters from one statement to another within which an exception that is announced covers both."""
_RULES = (
    find_negations,
    find_inner_clashes,
    find_exceptions,
    find_denied_existence,
    find_other_values,
    find_other_kinds,
    find_circles,
    find_surpassed,
)


class LogicalInconsistencyDetector:
    @property
    def name(self) -> str:
        return NAME

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        return _find_clashes(examined.text, look_through(examined), examined.judge)


def detect_logical_inconsistencies(
    segments: Sequence[ResponseSegment], judge: Judge | None = None, *, text: str | None = None
) -> tuple[HallucinationFlag, ...]:
    """What the answer says against itself, in text order; the judge is asked where no rule decides."""
    return _find_clashes(text if text is not None else join_segments(segments), look_at(segments), judge)


def _find_clashes(whole: str, sightings: Sequence[Sighting], judge: Judge | None) -> tuple[HallucinationFlag, ...]:
    assertions = read_assertions(whole)
    found = [clash for rule in _RULES for clash in rule(assertions)]
    found += find_forbidden(sightings)
    found += find_disorder(sightings)
    found += find_excluded(sightings)
    found += find_forbidden_ingredients(sightings)
    found += find_misadvised(sightings)
    found += find_presumed(sightings)
    found += find_uncovered(sightings)
    found += find_elliptic_exceptions(sightings)
    if found and "exception" in whole.casefold():
        found = [clash for clash in found if not _is_admitted(clash, whole)]
    found += find_told_exceptions(sightings)
    found += find_other_named_values(sightings)
    counted = [rule(sightings) for rule in (find_broken_limits, find_wrong_sums, find_wrong_recounts)]
    found += (exact := [clash for clashes in counted for clash in clashes])
    found += [clash for seen in sightings for clash in find_impossible_properties(seen)]
    found += _find_labels(sightings)
    kept = _settle(found)
    if judge is not None:
        by_rule = kept
        kept = _settle([*kept, *find_paraphrased(assertions, judge, _told(kept))])
        kept = _settle([*kept, *find_refuted_sentences(sightings, judge, _told(kept))])
        kept = list(without_retold(kept, by_rule, sightings, judge))
        kept = _settle([*kept, *find_broken_rules(sightings, judge)])
    certain = {id(clash) for clash in exact}
    return tuple(_flag(clash, whole, is_certain=id(clash) in certain) for clash in kept)


def _is_admitted(clash: Clash, whole: str) -> bool:
    """ "Open around the clock, with one exception: on Sundays …": what differs is told as such."""
    spans = [span for span in (clash.earlier, clash.later) if span is not None]
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    return end - start <= _NEAR and _EXCEPTION.search(whole, start, end) is not None


def _told(clashes: Sequence[Clash]) -> list[Span]:
    """What need not be asked about again."""
    return [span for clash in clashes for span in (clash.later, clash.earlier) if span is not None]


def _settle(clashes: Sequence[Clash]) -> list[Clash]:
    """Each later statement once, and so each pair, by its surest reason."""
    places = Places()
    kept = [
        clash
        for clash in sorted(clashes, key=lambda c: (-c.confidence, c.earlier is None, c.later, c.earlier or Span(0, 0)))
        if clash.later != clash.earlier and places.take(clash.later)
    ]
    return sorted(kept, key=lambda c: (c.later, c.earlier or Span(0, 0)))


def _find_labels(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """ "Status: closed" and further down "Status: open"."""
    known: dict[str, list[tuple[str, Span]]] = defaultdict(list)
    for seen in sightings:
        match = _LABELLED.match(seen.text)
        if match is None:
            continue
        label, value = match["label"].strip().lower(), match["value"].strip().lower()
        for other, span in known[label][-8:]:
            if exclude(other, value):
                evidence = f"{label} is both {other} and {value}"
                kind = ContradictionType.DIRECT_NEGATION
                yield Clash(seen.segment.span, span, 0.95, kind, evidence)
        known[label].append((value, seen.segment.span))


def _flag(clash: Clash, text: str, *, is_certain: bool) -> HallucinationFlag:
    """Which of two statements is the wrong one only a sum can tell: nothing else is taken out for it."""
    what = (
        "This statement cannot be true together with an earlier one"
        if clash.earlier
        else "This cannot be true by itself"
    )
    return HallucinationFlag(
        span=clash.later,
        content=text[clash.later.start : clash.later.end],
        hallucination_type=HallucinationType.LOGICAL_INCONSISTENCY,
        confidence=clash.confidence,
        suggestion=f"{what}: check which is right.",
        evidence=clash.evidence,
        related_span=clash.earlier,
        detector=NAME,
        claim_span=clash.later,
        contradiction_type=clash.kind,
        is_unverifiable=not is_certain,
    )
