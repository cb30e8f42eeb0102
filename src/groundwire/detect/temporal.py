"""Temporal errors: times that the calendar, the clock of the call, or the answer itself denies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from groundwire.detect.examination import Examination
from groundwire.detect.sightings import Places, Sighting, look_at, look_through
from groundwire.detect.times.ages import AgeKeeper
from groundwire.detect.times.almanac import find_almanac_faults
from groundwire.detect.times.anachronisms import find_anachronisms
from groundwire.detect.times.calendar_faults import find_clock_mismatches, find_impossible, find_weekday_faults
from groundwire.detect.times.calendar_words import find_word_faults
from groundwire.detect.times.dated_events import find_dated_faults
from groundwire.detect.times.day_sums import find_day_sum_faults
from groundwire.detect.times.day_words import find_day_faults
from groundwire.detect.times.deadlines import find_deadline_faults, find_feast_faults
from groundwire.detect.times.distances import find_distance_faults
from groundwire.detect.times.enabling import find_enabling_faults
from groundwire.detect.times.event_order import find_order_faults
from groundwire.detect.times.generations import find_generation_faults
from groundwire.detect.times.intervals import find_interval_faults
from groundwire.detect.times.known_distances import find_known_distances
from groundwire.detect.times.known_lives import find_outside_of_record
from groundwire.detect.times.lapsed import find_lapsed_faults
from groundwire.detect.times.lengths import find_length_faults
from groundwire.detect.times.lifelines import LifelineKeeper
from groundwire.detect.times.looking_back import find_looking_back_faults
from groundwire.detect.times.named_points import find_point_faults
from groundwire.detect.times.neighbour_days import find_neighbour_faults
from groundwire.detect.times.not_yet import find_used_too_early
from groundwire.detect.times.periods import find_period_faults
from groundwire.detect.times.reaches import find_reach_faults
from groundwire.detect.times.relative_ages import find_relative_age_faults
from groundwire.detect.times.scripts import find_stage_faults
from groundwire.detect.times.sequences import find_perfect_faults, find_sequence_faults, find_trip_faults
from groundwire.detect.times.tenses import TemporalFault, find_tense_faults, tells_fiction
from groundwire.detect.times.terms import find_term_faults
from groundwire.detect.times.timelines import find_row_faults
from groundwire.types import ContradictionType, ResponseSegment
from groundwire.types.detection import HallucinationFlag, HallucinationType

NAME = "temporal_errors"


class TemporalErrorDetector:
    """Reads the clock of each call: nothing is kept from one answer to the next."""

    @property
    def name(self) -> str:
        return NAME

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        sightings = look_through(examined)
        known = (
            *find_outside_of_record(sightings, examined.knowledge),
            *find_known_distances(sightings, examined.knowledge),
        )
        return _find_errors(sightings, examined.now, known)


def detect_temporal_errors(segments: Sequence[ResponseSegment], now: datetime) -> tuple[HallucinationFlag, ...]:
    """Every time in the answer that cannot be right, in text order; overlapping finds give the surest one."""
    return _find_errors(look_at(segments), now)


def _find_errors(
    sightings: Sequence[Sighting], now: datetime, known: Sequence[tuple[Sighting, TemporalFault]] = ()
) -> tuple[HallucinationFlag, ...]:
    today, is_fiction = now.date(), False
    ages, lives = AgeKeeper(today), LifelineKeeper(today)
    faults: list[tuple[Sighting, TemporalFault]] = [*known]
    for place, seen in enumerate(sightings):
        is_fiction = is_fiction or tells_fiction(seen)
        faults += [(seen, fault) for fault in _find_faults(seen, today, is_fiction=is_fiction)]
        if not seen.is_endless:
            previous = sightings[place - 1] if place else None
            found = (
                *ages.read(seen),
                *lives.read(seen),
                *find_distance_faults(seen, previous, today),
                *find_point_faults(seen, sightings[max(0, place - 4) : place]),
                *find_length_faults(seen, previous, today),
                *find_neighbour_faults(seen, previous),
                *find_deadline_faults(seen, previous, today),
                *find_looking_back_faults(seen, previous, today),
                *find_reach_faults(seen, previous),
                *find_term_faults(seen, previous, today),
                *find_sequence_faults(seen, previous),
                *find_trip_faults(seen),
                *find_used_too_early(seen, previous, today),
                *find_perfect_faults(seen, sightings[max(0, place - 2) : place]),
            )
            faults += [(seen, fault) for fault in found]
            if not is_fiction:
                following = sightings[place + 1] if place + 1 < len(sightings) else None
                faults += [(seen, fault) for fault in find_lapsed_faults(seen, previous, following, today)]
    faults += find_dated_faults(sightings)
    faults += find_row_faults(sightings)
    faults += find_stage_faults(sightings)
    faults += find_relative_age_faults(sightings)
    places = Places()
    surest = sorted(faults, key=lambda found: -found[1].confidence)
    flags = [_flag(seen, fault) for seen, fault in surest if places.take(fault.span)]
    return tuple(sorted(flags, key=lambda flag: flag.span))


def _find_faults(seen: Sighting, today: date, *, is_fiction: bool) -> Iterator[TemporalFault]:
    yield from find_impossible(seen)
    yield from find_weekday_faults(seen, today)
    yield from find_clock_mismatches(seen, today)
    yield from find_word_faults(seen)
    yield from find_almanac_faults(seen)
    yield from find_day_faults(seen, today)
    yield from find_day_sum_faults(seen)
    if seen.is_endless:
        return
    yield from find_tense_faults(seen, today, is_fiction=is_fiction)
    yield from find_interval_faults(seen)
    yield from find_order_faults(seen)
    yield from find_enabling_faults(seen)
    yield from find_generation_faults(seen)
    yield from find_feast_faults(seen, today)
    if not is_fiction:
        yield from find_anachronisms(seen)
        yield from find_period_faults(seen)


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
