"""What is told to follow, with a time that lies before what it follows: "Then, in 1940, …" behind 1952."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import YEARLESS, Extent, find_extent, find_yearless, is_relative, read_minutes
from groundwire.detect.times.tenses import TemporalFault
from groundwire.types import Span, TemporalExpression

SEQUENCE = 0.75
_FOLLOWS = re.compile(
    r"^\s*(?:(?:and|but)\s+)?(?:then|next|after\s+(?:that|this|which)|afterwards?|subsequently|thereafter"
    r"|shortly\s+(?:after(?:wards?)?|thereafter)|soon\s+after(?:wards?)?"
    r"|later(?:\s+on)?|(?:a\s+)?few\s+[a-z]+\s+later|only\s+then|this\s+was\s+followed\s+by"
    r"|it\s+was\s+followed\s+by)\b(?!\s+(?:in\s+(?:life|the)|than))"
    r"|^[^.;,]{2,40}\b(?:follows|followed|comes\s+next|came\s+next|goes\s+on\s+next|is\s+up\s+next)\b(?!\s+(?:by"
    r"|up|the|an?|his|her|its|their|suit|from)\b)"
)
_BEHIND = re.compile(r"[;,]\s+(?:and\s+)?(?:then|after\s+which|afterwards|followed\s+by|subsequently)\b")
_OTHER = re.compile(
    r"\b(?:meanwhile|earlier|before|already|had|back\s+in|originally|previously|next\s+(?:day|morning|year)"
    r"|following|tomorrow|overnight|by\s+contrast|other|born)\b"
)


def find_sequence_faults(seen: Sighting, previous: Sighting | None) -> Iterator[TemporalFault]:
    if seen.is_question or not seen.times or seen.is_endless:
        return
    if previous is not None and not previous.is_question and (match := _FOLLOWS.match(seen.low)) is not None:
        if not _OTHER.search(seen.low) and len(_known(previous)) >= 1:
            own = _known(seen)[:1]
            yield from _compare(seen, _known(previous)[-1], own, match.end())
        return
    if (joint := _BEHIND.search(seen.low)) is not None and not _OTHER.search(seen.low):
        at = seen.start + joint.start()
        front = [time for time in _known(seen) if time.span.end <= at]
        behind = [time for time in _known(seen) if time.span.start >= at]
        if front:
            yield from _compare(seen, front[-1], behind[:1], joint.end())


_SAME_DAY = re.compile(
    r"\s*,?\s*(?:later\s+)?(?:on\s+)?(?:the|that)\s+(?:very\s+)?same\s+(?:day|morning|afternoon|evening|night)\b"
)
_SETS_OUT = re.compile(
    r"\b(?:leaves?|left|departs?|departed|sets?\s+(?:off|out)|takes?\s+off|starts?|sails?|begins?)\b[^.;]{0,40}$"
)
_COMES_IN = re.compile(
    r"\b(?:arriv(?:es?|ed|ing)|gets?\s+(?:to|in|into|there)|got\s+(?:to|in|into)|reach(?:es|ed|ing)?|lands?"
    r"|landed|ends?|ended"
    r"|pulls?\s+in(?:to)?|docks?|finish(?:es|ed)?|is\s+in|are\s+in|is\s+over)\b[^.;]{0,40}$"
)
_OTHER_CLOCK = re.compile(r"\b(?:local|zones?|behind|difference|date line|flights?|plane|flies|lands?|landed)\b")


def find_trip_faults(seen: Sighting) -> Iterator[TemporalFault]:
    """ "Leaves at 14:20 and gets to Ghent at 13:50 the same afternoon": nothing is over before it has begun."""
    if seen.is_question or len(seen.times) < 2 or "same" not in seen.words:
        return
    clocks = [(time, minutes) for time in seen.times if (minutes := read_minutes(time.surface)) is not None]
    for (one, start), (other, end) in pairwise(clocks):
        front, between = seen.low[: one.span.start - seen.start], seen.between(one.span.end, other.span.start)
        if not _SETS_OUT.search(front) or not _COMES_IN.search(between) or end >= start:
            continue
        if _SAME_DAY.match(seen.low, other.span.end - seen.start) and not _OTHER_CLOCK.search(seen.low):
            span = Span(one.span.start, other.span.end)
            evidence = f"{other.surface} is before {one.surface} of the same day"
            yield TemporalFault(span, SEQUENCE, evidence, "The end lies before the beginning: check both times.")


def _known(seen: Sighting) -> list[TemporalExpression]:
    return [
        t
        for t in seen.times
        if not is_relative(t) and (find_extent(t) is not None or read_minutes(t.surface) is not None)
    ]


def _compare(
    seen: Sighting, first: TemporalExpression, then: list[TemporalExpression], at: int
) -> Iterator[TemporalFault]:
    for time in then:
        if time.span.start - seen.start - at > 60 or not _is_earlier(time, first) or seen.is_quoted(time.span):
            continue
        evidence = f"{time.surface} is before {first.surface}, which it is told to follow"
        yield TemporalFault(
            time.span, SEQUENCE, evidence, "This is told to come later, but its time is earlier: check both."
        )


def _is_earlier(time: TemporalExpression, first: TemporalExpression) -> bool:
    one, other = find_extent(first), find_extent(time)
    if one is not None and other is not None:
        return other.last < one.first
    start, end = read_minutes(first.surface), read_minutes(time.surface)
    if start is None or end is None or one is not None or other is not None:
        return False
    return end < start and (start < 720) is (end < 720) and start - end < 360


_OWN_POINT = re.compile(
    r"\b(?:by|until|till|before|since|after|when|once|from|between|ever|always|still|if|would|already\s+in)\b"
)


def find_perfect_faults(seen: Sighting, earlier: Sequence[Sighting]) -> Iterator[TemporalFault]:
    """ "She moved out in 2019. She had moved in in 2020": what had happened lies before what is told of."""
    if seen.is_question or seen.is_endless or not {"had", "'d"} & {token.low for token in seen.tokens}:
        return
    groups = [g for g in seen.groups if g.perfect and seen.tokens[g.start].low in ("had", "'d") and not g.modal]
    if len(groups) != 1 or groups[0].negated or _OWN_POINT.search(seen.low):
        return
    verb = seen.tokens[groups[0].start].start
    dates = [(t, e) for t in seen.times if (e := _extent_of(seen, t)) is not None]
    behind = [(t, e) for t, e in dates if t.span.start > verb]
    front = [e for t, e in dates if t.span.start < verb]
    told = front or [e for other in earlier for t in other.times if (e := _extent_of(other, t)) is not None]
    if len(behind) != 1 or not told or any(e.grain != behind[0][1].grain == YEARLESS for e in told):
        return
    time, extent = behind[0]
    latest = max(e.last for e in told)
    days = (extent.first - latest).days
    is_later = 0 < days <= 90 if extent.grain == YEARLESS else days > 0
    if is_later and not seen.is_quoted(time.span):
        evidence = f"{time.surface} is after what it is told to have come before"
        yield TemporalFault(
            time.span, SEQUENCE, evidence, "This is told to come earlier, but its time is later: check both."
        )


def _extent_of(seen: Sighting, time: TemporalExpression) -> Extent | None:
    return None if is_relative(time) else find_extent(time) or find_yearless(seen.times, time)
