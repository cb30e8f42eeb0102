"""Events of one thing with their dates: an end before its beginning, and a length that the two dates deny."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.detect.dates import Extent, find_extent, months_between, read_duration, read_minutes
from groundwire.detect.event_order import EventPair, event_pairs
from groundwire.detect.intervals import fits_amount
from groundwire.detect.sightings import Sighting
from groundwire.detect.tenses import TemporalFault
from groundwire.text.lexicon import verb_lemma
from groundwire.types import Claim, Span, TemporalExpression

ORDER = 0.80
_MOST = 16
"""So many dated events of one subject are compared; an answer that has more is a chronicle of many."""
_UNRESOLVED = frozenset({"he", "she", "they", "we", "i", "you", "this", "that", "these", "those", "there", "who"})
_LASTED = re.compile(
    r"\b(?:lasted|lasting|lasts|spanned|spanning|took|taking|ran\s+for|running\s+for|for\s+a\s+total\s+of|over\s+a\s+period\s+of|"
    r"total\s+of|duration\s+of)\s+(?:for\s+)?(?P<about>(?:about|around|roughly|approximately|nearly|almost|over|more than|"
    r"less than|at least|under|just over|just under|exactly)\s+)?"
    r"(?P<words>[\w-]{1,14}\s(?:minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)))\b"
)


@dataclass(frozen=True, slots=True)
class _Event:
    seen: Sighting
    claim: Claim
    lemma: str
    time: TemporalExpression
    extent: Extent | None
    minutes: int | None
    place: int
    """Number of the sentence."""


def find_dated_faults(sightings: Sequence[Sighting]) -> list[tuple[Sighting, TemporalFault]]:
    events: dict[str, list[_Event]] = defaultdict(list)
    for place, seen in enumerate(sightings):
        if not seen.times or seen.is_question:
            continue
        for claim in seen.segment.claims:
            event = _read_event(seen, claim, place)
            if event is not None:
                events[_subject_key(claim, place)].append(event)
    found: list[tuple[Sighting, TemporalFault]] = []
    for group in events.values():
        if 2 <= len(group) <= _MOST:
            found += _compare(group, sightings)
    return found


def _subject_key(claim: Claim, place: int) -> str:
    """Pronouns that nothing resolved mean the same thing inside one sentence at most."""
    key = re.sub(r"^(?:the|a|an|its|his|her|their)\s+", "", claim.subject.casefold())
    return f"{place} {key}" if key in _UNRESOLVED or key == "it" else key


def _read_event(seen: Sighting, claim: Claim, place: int) -> _Event | None:
    """A claim with one date directly behind its verb, or in front of its subject."""
    if claim.hedged or claim.quoted or not claim.predicate or claim.polarity.value != "positive":
        return None
    words = claim.predicate.lower().split()
    lemma = verb_lemma(words[-1]) or words[-1]
    times = [time for time in seen.times if claim.span.start <= time.span.start and time.span.end <= claim.span.end]
    placed = [(t, find_extent(t), read_minutes(t.surface)) for t in times]
    known = [(t, extent, minutes) for t, extent, minutes in placed if extent is not None or minutes is not None]
    if len(known) != 1:
        return None
    return _Event(seen, claim, lemma, *known[0], place)


def _compare(events: list[_Event], sightings: Sequence[Sighting]) -> list[tuple[Sighting, TemporalFault]]:
    found: list[tuple[Sighting, TemporalFault]] = []
    for pair in event_pairs():
        firsts = [e for e in events if e.lemma in pair.first]
        thens = [e for e in events if e.lemma in pair.then]
        if len(firsts) != 1 or len(thens) != 1 or not _same_object(firsts[0], thens[0], pair):
            continue
        first, then = firsts[0], thens[0]
        later = max(first, then, key=lambda event: event.time.span)
        if _is_reversed(first, then):
            evidence = f"{then.lemma} at {then.time.surface}, but {first.lemma} at {first.time.surface}"
            suggestion = "The end comes before the beginning: check both dates."
            found.append((later.seen, TemporalFault(later.time.span, ORDER, evidence, suggestion)))
        elif (fault := _check_length(first, then, sightings)) is not None:
            found.append(fault)
    return found


def _same_object(first: _Event, then: _Event, pair: EventPair) -> bool:
    one, other = (event.claim.object.casefold() for event in (first, then))
    if pair.dated and first.place != then.place and one != other:
        return False
    objects = [re.sub(r"^(?:the|a|an|its|his|her|their)\s+", "", o) for o in (one, other)]
    times = [event.time.surface.casefold() for event in (first, then)]
    objects = ["" if any(t in o or o in t for t in times) and o else o for o in objects]
    return objects[0] == objects[1]


def _is_reversed(first: _Event, then: _Event) -> bool:
    if first.extent is not None and then.extent is not None:
        return first.extent.first > then.extent.last
    if first.minutes is None or then.minutes is None or first.place != then.place:
        return False
    same_half = (first.minutes < 720) is (then.minutes < 720)
    return same_half and first.minutes > then.minutes and "next day" not in first.seen.low


def _check_length(first: _Event, then: _Event, sightings: Sequence[Sighting]) -> tuple[Sighting, TemporalFault] | None:
    """ "began in 1939 and ended in 1945, lasting eight years", in one sentence or the one behind it."""
    last = max(first.place, then.place)
    for seen in sightings[last : last + 2]:
        match = _LASTED.search(seen.low)
        duration = read_duration(match["words"]) if match else None
        if match is None or duration is None or (seen is not sightings[last] and find_other_subject(seen)):
            continue
        bounds = _bounds(first, then, duration.measure)
        if bounds is None or fits_amount(duration, *bounds, (match["about"] or "").strip()):
            return None
        span = Span(seen.start + match.start("words"), seen.start + match.end("words"))
        evidence = f"from {first.time.surface} to {then.time.surface} is not {match['words']}"
        return seen, TemporalFault(span, ORDER, evidence, "The length does not fit its end points: check all three.")
    return None


def find_other_subject(seen: Sighting) -> bool:
    return not seen.low.lstrip().startswith(("it ", "this ", "that ", "they ", "in total", "altogether", "the "))


def _bounds(first: _Event, then: _Event, measure: str) -> tuple[float, float] | None:
    if measure == "minutes":
        if first.minutes is None or then.minutes is None:
            return None
        length = float((then.minutes - first.minutes) % 1440)
        return length, length
    if first.extent is None or then.extent is None:
        return None
    if measure == "days":
        days = (then.extent.first - first.extent.first).days
        return (days, days + 1) if first.extent.grain == then.extent.grain == "day" else None
    slack = 12 if first.extent.grain == "year" else 1
    return (
        months_between(first.extent.first, then.extent.first) - slack,
        months_between(first.extent.first, then.extent.last) + 1,
    )
