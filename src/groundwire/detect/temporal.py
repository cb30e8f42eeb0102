"""Temporal errors: times that the calendar, the clock of the call, or the answer itself denies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from groundwire.detect.ages import AgeKeeper
from groundwire.detect.calendar_faults import find_clock_mismatches, find_impossible, find_weekday_faults
from groundwire.detect.dated_events import find_dated_faults
from groundwire.detect.event_order import find_order_faults
from groundwire.detect.examination import Examination
from groundwire.detect.intervals import find_interval_faults
from groundwire.detect.sightings import Sighting, look_at
from groundwire.detect.tenses import TemporalFault, find_tense_faults, tells_fiction
from groundwire.types import ContradictionType, ResponseSegment, Span
from groundwire.types.detection import HallucinationFlag, HallucinationType

NAME = "temporal_errors"


class TemporalErrorDetector:
    """Reads the clock of each call: nothing is kept from one answer to the next."""

    @property
    def name(self) -> str:
        return NAME

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        return detect_temporal_errors(examined.segments, examined.now)


def detect_temporal_errors(segments: Sequence[ResponseSegment], now: datetime) -> tuple[HallucinationFlag, ...]:
    """Every time in the answer that cannot be right, in text order; overlapping finds give the surest one."""
    today, is_fiction = now.date(), False
    ages = AgeKeeper(today)
    found: list[HallucinationFlag] = []
    seen_all = look_at(segments)
    for seen in seen_all:
        is_fiction = is_fiction or tells_fiction(seen)
        faults = _strongest([*_find_faults(seen, today, is_fiction=is_fiction), *ages.read(seen)])
        found += [_flag(seen, fault) for fault in faults]
    dated = find_dated_faults(seen_all)
    taken = [flag.span for flag in found]
    found += [_flag(seen, fault) for seen, fault in dated if not any(_overlap(fault.span, span) for span in taken)]
    return tuple(sorted(found, key=lambda flag: flag.span))


def _find_faults(seen: Sighting, today: date, *, is_fiction: bool) -> Iterator[TemporalFault]:
    yield from find_impossible(seen)
    yield from find_weekday_faults(seen, today)
    yield from find_clock_mismatches(seen, today)
    yield from find_tense_faults(seen, today, is_fiction=is_fiction)
    yield from find_interval_faults(seen)
    yield from find_order_faults(seen)


def _strongest(faults: list[TemporalFault]) -> list[TemporalFault]:
    """One fault for each place, the surest; the first found among equals."""
    kept: list[TemporalFault] = []
    for fault in sorted(faults, key=lambda fault: -fault.confidence):
        if not any(_overlap(fault.span, other.span) for other in kept):
            kept.append(fault)
    return kept


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _flag(seen: Sighting, fault: TemporalFault) -> HallucinationFlag:
    segment = seen.segment
    content = segment.text[fault.span.start - segment.span.start : fault.span.end - segment.span.start]
    around = [c.span for c in segment.claims if c.span.start <= fault.span.start and fault.span.end <= c.span.end]
    return HallucinationFlag(
        span=fault.span,
        content=content,
        hallucination_type=HallucinationType.TEMPORAL_ERROR,
        confidence=fault.confidence,
        suggestion=fault.suggestion,
        evidence=fault.evidence,
        detector=NAME,
        claim_span=min(around, key=lambda span: span.end - span.start, default=segment.span),
        contradiction_type=ContradictionType.TEMPORAL_IMPOSSIBILITY,
    )
