"""How long something took, against the two points between which it took place, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import (
    Duration,
    Extent,
    find_extent,
    find_yearless,
    months_between,
    read_duration,
    read_minutes,
)
from groundwire.detect.times.intervals import ABOUT, NUMBER, fits_amount
from groundwire.detect.times.tenses import TemporalFault
from groundwire.types import Span

LENGTH = 0.80
_SPANS = ("minute", "hour", "day", "night", "week", "month", "year", "decade", "centurie", "century")
_UNIT = rf"(?:{'|'.join(_SPANS)})s?"
_UNITS = frozenset(f"{span}{end}" for span in _SPANS for end in ("", "s"))
_LENGTH = re.compile(
    rf"\b(?P<about>(?:{ABOUT})\s+)?(?:(?P<half>half\s+an?\s+(?:hour|day|year|century|decade))"
    rf"|(?P<words>{NUMBER}(?P<more>\s+and\s+a\s+(?:half|quarter))?[\s-]{_UNIT})(?P<behind>\s+and\s+a\s+(?P<part>half|quarter))?"
    rf"(?:,?\s+(?:and\s+)?(?P<rest>{NUMBER}\s+minutes?))?)\b"
    r"(?!\s+(?:ago|later|earlier|old|before|after|in\s+advance|each|per|notice|off|break|beforehand|late|early|younger|older|left|remaining|to\s+go|to\s+run)\b|-old)"
)
_APART = re.compile(
    r"\b(?:every|each|per|within|another|next|first|last|past|previous|coming|final|by|of\s+the|after|than|until|before|under"
    r"|once|twice|in|any|minimum|maximum|optional|extra|additional|further)\s*(?:the\s+|a\s+|an\s+|his\s+|her\s+|its\s+)?$"
)
_MEASURES = re.compile(
    r"(?:[,;(–—:]|\b(?:which|that|this|it|so|for|needs?|requires?|lasted|lasts|lasting|took|takes|taking|spent|spend|spending|makes|made|making|is|was|were|are|'s|of|ran|runs"
    r"|running|worked|served|lived|stayed|studied|reigned|been|totall?ing|over|spanning|spanned|covering|gives|giving|adds\s+up\s+to|comes\s+to|equals"
    r"|waited|slept|drove|walked|taught|held|kept|all|total|after|done|had|have|has|exactly|full|whole|only|just|almost|nearly|about))\s+"
    r"(?:[a-z]+\s+){0,2}?$|^\s*(?:after\s+)?(?:[a-z]+\s+){0,2}?$"
)
_OPENS = re.compile(r"\s*after\s+(?:about\s+)?")
_BREAKS = re.compile(
    r"\b(?:except|excluding|interrupt|pause|break|gap|time\s+zone|local\s+time|stopover|next\s+day|following\s+day|overnight|every|daily|each)\b"
)
_SINCE = re.compile(r"\bsince\s+(?:the\s+|early\s+|late\s+|about\s+)?$")
_FOR = re.compile(
    r"\b(?:has|have|'ve|’ve|'s|’s)\s+(?:been\s+(?:with|at|in|on|part\s+of)\s+(?:[a-z]+\s+){1,3}|(?:[a-z]+\s+){1,3})for\s+(?:(?:about|over|just|well|only|nearly|almost|a\s+little|a\s+bit|under|more\s+than)\s+){0,2}$"
)
_SET_UP = re.compile(
    r"\b(?:founded|established|set\s+up|opened|launched|started|began|created|built|joined|began|moved\s+in|took\s+over|came|hired|married|signed\s+up|born)\s+(?:in|on)\b"
)
_RUNNING = re.compile(
    r"\b(?:has|have|'ve|'s|’ve|’s)\s+(?:[a-z]+\s+){0,2}?been\b|\bnow\b|\btoday\b|\bso far\b|\balready\b|\bby now\b"
)


class _Length(NamedTuple):
    duration: Duration
    about: str
    start: int
    end: int


class _Point(NamedTuple):
    span: Span
    extent: Extent | None
    minutes: int | None


def find_length_faults(seen: Sighting, previous: Sighting | None, today: date) -> Iterator[TemporalFault]:
    """Two points and one length in a sentence, or the points in the sentence before; or "since 2019" and the clock."""
    if seen.is_question or _BREAKS.search(seen.low):
        return
    points = read_points(seen)
    lengths = list(_read_lengths(seen, points))
    if not lengths and len(points) == 2 and previous is not None:
        yield from _check_trip(seen, previous, points)
    if len(lengths) != 1:
        return
    length = lengths[0]
    if _SINCE.search(seen.low[: points[0].span.start - seen.start] if points else "") and len(points) == 1:
        yield from _check_since(seen, points[0], length, today)
        return
    if len(points) == 1 and _FOR.search(seen.low[: length.start]) and _SET_UP.search(seen.low):
        yield from _check_since(seen, points[0], length, today)
        return
    if not points and previous is not None and _TENURE.search(seen.low) and len(held := read_points(previous)) == 1:
        if _SINCE.search(previous.low[: held[0].span.start - previous.start]) and not _BREAKS.search(previous.low):
            yield from _check_since(seen, held[0], length, today, is_held=True)
        return
    where = seen
    if not points and previous is not None and not _BREAKS.search(previous.low):
        points, where = read_points(previous), previous
        if not re.match(
            r"\s*(?:that|this|it|so|in\s+all|altogether|after|the\s+(?:whole|entire|trip|journey|drive|flight|ride)|those|these)\b"
            rf"|\s*(?:his|her|its|their|the|in\s+those|over\s+those|over\s+these|for|in)\s+(?:(?:{ABOUT})\s+)?{NUMBER}[\s-]{_UNIT}\b(?!\s+(?:before|earlier|ago|after|afterwards|later|now|since|to\s+come))",
            seen.low,
        ):
            return
    if len(points) != 2 or not _fits_points(points):
        return
    bounds = _bounds(points[0], points[1], length.duration)
    if bounds is None or fits_amount(length.duration, *bounds, length.about):
        return
    if _LEAVES.search(seen.low[: length.start]):  # until then: counted from today
        left = [
            _bounds(_Point(point.span, Extent(today, today, "day"), None), point, length.duration) for point in points
        ]
        if any(one is not None and fits_amount(length.duration, *one, length.about) for one in left):
            return
    if where is seen and _is_later(seen, points, length, bounds):
        return
    span = Span(seen.start + length.start, seen.start + length.end)
    if where is seen:
        span = Span(min(span.start, points[0].span.start), max(span.end, points[1].span.end))
    if not seen.is_quoted(span):
        evidence = f"the two points are not {seen.text[length.start : length.end]} apart"
        yield TemporalFault(span, LENGTH, evidence, "The length does not fit its end points: check all three.")


_CAN = re.compile(r"\b(?:can|could|home|lunch|dinner)\b")


def _is_later(seen: Sighting, points: list[_Point], length: _Length, bounds: tuple[float, float]) -> bool:
    """ "Leaves at ten and takes two hours, so you can have lunch at one": what one can do then may well wait."""
    behind = seen.low[length.end : max(0, points[1].span.start - seen.start)]
    return bounds[0] > length.duration.amount and _CAN.search(behind) is not None


_LEAVES = re.compile(r"\b(?:leaves?|left|still\s+have|you\s+have|remain(?:s|ing)?)\b[^.;]{0,20}$")
_TAKES = re.compile(r"\b(?:takes|lasts|needs|is)\s+(?:about\s+|only\s+|just\s+|exactly\s+)?$")
_TRIP = re.compile(
    r"\b(?:leaves?|departs?|boards?|starts?|begins?|set\s+off|sets\s+off|gets?\s+on|catch|take)\b.{1,60}"
    r"\b(?:arrives?|gets?\s+(?:there|in)|reach(?:es)?|ends?|finish(?:es)?|are\s+there|be\s+there|is\s+over|get\s+off)\b"
)


def _check_trip(seen: Sighting, previous: Sighting, points: list[_Point]) -> Iterator[TemporalFault]:
    """ "The ferry takes 40 minutes. If you board at 10:00, you arrive at 11:30." """
    if not _TRIP.search(seen.low) or _BREAKS.search(previous.low) or read_points(previous):
        return
    told = [m for m in _LENGTH.finditer(previous.low) if _TAKES.search(previous.low[: m.start()])]
    length = _read(told[0]) if len(told) == 1 else None
    bounds = _bounds(points[0], points[1], length) if length is not None and _fits_points(points) else None
    if length is None or bounds is None or fits_amount(length, *bounds, (told[0]["about"] or "").strip()):
        return
    span = Span(points[0].span.start, points[1].span.end)
    evidence = f"the two points are not {previous.text[told[0].start() : told[0].end()]} apart"
    yield TemporalFault(span, LENGTH, evidence, "The times do not fit the length: check all three.")


def _read_lengths(seen: Sighting, points: list[_Point]) -> Iterator[_Length]:
    for match in _LENGTH.finditer(seen.low) if not _UNITS.isdisjoint(seen.runs) else ():
        front = seen.low[: match.start()]
        if _APART.search(front) and not _closes(seen, front, points) and (bool(points) or not _OPENS.fullmatch(front)):
            continue
        if not _MEASURES.search(front):
            continue
        if (duration := _read(match)) is not None:
            yield _Length(duration, (match["about"] or "").strip(), match.start(), match.end())


def _closes(seen: Sighting, front: str, points: list[_Point]) -> bool:
    """ "began in March and was lifted in May, after nearly two years": of all that stands in front of it."""
    return (
        len(points) == 2
        and re.search(r",\s+after\s+(?:a\s+)?$", front) is not None
        and all(point.span.end <= seen.start + len(front) for point in points)
    )


def _read(match: re.Match[str]) -> Duration | None:
    if match["half"]:
        whole = read_duration(f"1 {match['half'].split()[-1]}")
        return Duration(whole.measure, whole.amount / 2, whole.unit / 2) if whole else None
    words = match["words"]
    found = read_duration(re.sub(r"\s+and\s+a\s+(?:half|quarter)", "", words) if match["more"] else words)
    if found is None:
        return None
    part = (match["more"] or match["part"] or "").split()[-1:]
    extra = {"half": 0.5, "quarter": 0.25}.get("".join(part), 0.0) * found.unit
    rest = read_duration(match["rest"]) if match["rest"] else None
    if rest is not None and found.measure == "minutes":
        return Duration("minutes", found.amount + extra + rest.amount, 1)
    return Duration(found.measure, found.amount + extra, found.unit if not extra else found.unit / 2)


def read_points(seen: Sighting) -> list[_Point]:
    """Dates and times of day in text order; a day without its year counts where none of them has one."""
    found: list[_Point] = []
    for time in seen.times:
        extent, minutes = find_extent(time) or find_yearless(seen.times, time), read_minutes(time.surface)
        if extent is not None or minutes is not None:
            found.append(_Point(time.span, extent, minutes))
    return found


def _fits_points(points: list[_Point]) -> bool:
    one, other = points
    return (one.minutes is None) is (other.minutes is None)


def _bounds(one: _Point, other: _Point, duration: Duration) -> tuple[float, float] | None:
    """The least and the most between two points, in the measure of the duration; None where it cannot be told."""
    if duration.measure == "minutes":
        if one.minutes is None or other.minutes is None:
            return None
        length = (other.minutes - one.minutes) % 1440
        if length > 720 and other.minutes < one.minutes:  # across midnight, or the wrong way round
            return None
        return length, length
    if one.extent is None or other.extent is None or one.minutes is not None:
        return None
    first, last = sorted((one.extent, other.extent))
    if duration.measure == "days":
        if first.grain == last.grain and first.grain in ("day", "yearless"):
            days = (last.first - first.first).days
            return days, days + 1
        return None
    if first.grain not in ("day", "month", "year", "yearless") or last.grain not in (
        "day",
        "month",
        "year",
        "yearless",
    ):
        return None
    apart, grains = months_between(first.first, last.first), {first.grain, last.grain}
    slack = 12 if "year" in grains else 1 if "month" in grains else 0.2
    return apart - slack, apart + slack


_TENURE = re.compile(
    rf"\b(?:his|her|its|their|our|my|your|those|these)\s+(?:(?:{ABOUT})\s+)?{NUMBER}\s+years?\s+(?:here|with|at|in|on|of|as|so\s+far|together)\b"
)


def _check_since(
    seen: Sighting, point: _Point, length: _Length, today: date, *, is_held: bool = False
) -> Iterator[TemporalFault]:
    """ "since 2023, that's ten years now"."""
    is_running = is_held or _RUNNING.search(seen.low) or _FOR.search(seen.low[: length.start])
    if point.extent is None or point.extent.first > today or point.extent.grain == "yearless" or not is_running:
        return
    if length.duration.measure != "months" or (not is_held and _is_of_another(seen, point, length)):
        return
    apart = months_between(point.extent.first, today)
    least = apart - (12 if point.extent.grain == "year" else 1)
    if fits_amount(length.duration, least - 6, apart + 6, length.about):
        return
    start, end = seen.start + length.start, seen.start + length.end
    span = Span(start, end) if is_held else Span(min(start, point.span.start), max(end, point.span.end))
    evidence = f"from {point.extent.first:%Y-%m} to {today:%Y-%m} is not {seen.text[length.start : length.end]}"
    yield TemporalFault(span, LENGTH, evidence, "The time since then is another: check both.")


def _is_of_another(seen: Sighting, point: _Point, length: _Length) -> bool:
    """ "was a widow for ten years and has been married since 2020": a verb between them has the date for itself."""
    first, last = seen.index_at(seen.start + length.end), seen.index_at(point.span.start)
    return any(first <= group.start < last for group in seen.groups)
