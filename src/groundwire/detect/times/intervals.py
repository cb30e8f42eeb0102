"""Stretches of time: an end before the start, and lengths that the end points deny."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import NamedTuple

from groundwire.detect.sightings import Sighting, read_words
from groundwire.detect.times.dates import (
    Duration,
    Extent,
    find_extent,
    has_year,
    months_between,
    read_duration,
    read_minutes,
)
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import MONTH_NUMBERS
from groundwire.text.lexicon import verb_lemma
from groundwire.types import Span, TemporalExpression

ORDER, LENGTH = 0.80, 0.80
_RANGE = re.compile(r"\s*(?:to|until|till|through|–|—|-|and|thru)\s*(?:the\s+|early\s+|late\s+|mid-?)?")
_OPENERS = re.compile(r"\b(?:from|between)\s+(?:the\s+|early\s+|late\s+|mid-?)?$")
NUMBER = (
    r"(?:(?<!quarter of )(?<!quarters of )(?<!half of )(?<!third of )(?<!thirds of )(?<!fifths of )(?<!half )"
    r"(?:\d{1,4}(?:\.\d)?|(?:(?:two|three|four|five|six|seven|eight|nine|\d) )?hundred"
    r"|an?(?: (?:whole|full|entire|solid))?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-(?:one|two|three|four|five|six|seven|eight|nine))?)"
    r"(?:(?<=[a-z0-9]) (?:whole|full|entire|solid)(?=[\s-]))?)"
)
ABOUT = (
    "about|around|roughly|approximately|nearly|almost|some|over|more than|at least|just over|just under"
    "|under|less than|up to|exactly|a total of|a full|full"
)
_LENGTH = re.compile(
    rf"(?<!every )(?<!each )\b(?P<about>(?:{ABOUT})\s+)?"
    rf"(?P<words>{NUMBER}[\s-](?:minute|hour|day|night|week|month|year|decade|centurie|century)s?)\b"
    r"(?!\s+(?:ago|later|earlier|old|before|after|and\s+a\s+(?:half|quarter))|-old)"
)
_BEFORE_LENGTH = re.compile(
    r"[\s,(–—=:-]*(?:(?:which|that|it)\s+(?:is|was|lasted|lasts)\s+)?"
    r"(?:that\s+is|that's|which\s+(?:is|makes)|that\s+makes|for|lasting|lasts|lasted|spanning|covering|running|totall?ing|making|giving|in\s+all|so|i\.e\.|or|being|is|was"
    r"|about|a|an|the|taking|took|amounting\s+to|in\s+total|an?\s+(?:[a-z]+\s+){1,2}of|over\s+a\s+(?:period|span)\s+of"
    r"|and\s+(?:lasted|lasts|took|ran\s+for|runs\s+for|lasting))?[\s,(]*(?:for\s+|an?\s+(?:[a-z]+\s+){1,2}of\s+)?"
)
_AFTER_LENGTH = re.compile(
    r"(?:\s+(?!(?:and|but|or|then|before|after|when|while|who|which|that)\b)[a-z'-]{1,20}){0,6}[\s,–—:-]*\(?\s*"
    r"(?:it\s+(?:runs|ran|lasts|lasted|goes|went|is|was)\s+)?(?:from\s+|between\s+)?(?:the\s+|early\s+|late\s+|mid-?)?"
)


_MONTH_DAY = re.compile(
    r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?\s+[a-z]{3,9}|[a-z]{3,9}\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?"
)


class Stretch(NamedTuple):
    """Two end points, and where they stand."""

    start: TemporalExpression
    end: TemporalExpression
    span: Span
    is_wide: bool = False
    """Other words stand between the two: "began in May and lasted a year until June"."""


def find_interval_faults(seen: Sighting) -> Iterator[TemporalFault]:
    if not seen.times or seen.is_question:
        return
    yield from _check_days(seen)
    for stretch in find_stretches(seen):
        if seen.is_quoted(stretch.span):
            continue
        fault = _check_order(seen, stretch)
        if fault is None:
            fault = _check_length(seen, stretch)
        if fault is not None:
            yield fault


_DAYS = re.compile(
    r"\b(?:from|between)\s+(?:the\s+)?(?P<one>\d{1,2})(?:st|nd|rd|th)?\s+(?:to|until|and)\s+(?:the\s+)?(?P<two>\d{1,2})(?:st|nd|rd|th)?"
    r"\s+(?:of\s+)?(?:january|february|march|april|may|june|july|august|september|october|november|december)\b(?:\s+\d{4})?"
)


def _check_days(seen: Sighting) -> Iterator[TemporalFault]:
    """ "from 12 to 10 June"; "the two-day fair from 4 to 8 October"."""
    for match in _DAYS.finditer(seen.low):
        one, two = int(match["one"]), int(match["two"])
        if not 0 < one <= 31 or not 0 < two <= 31:
            continue
        span = Span(seen.start + match.start(), seen.start + match.end())
        if one > two:
            yield TemporalFault(span, ORDER, f"{one} is after {two}", "Check both days.")
            continue
        behind = _DAYS_BEHIND.match(seen.low, match.end())
        told = read_duration(f"{behind['count']} {behind['unit']}") if behind is not None else None
        if told is not None and told.measure == "days" and not two - one - 1 < told.amount < two - one + 2:
            whole = Span(span.start, seen.start + behind.end()) if behind is not None else span
            evidence = f"{match.group()} is not {told.amount:.0f} days"
            yield TemporalFault(whole, LENGTH, evidence, "The length does not fit its end points: check all three.")
            continue
        before = _DAY_LONG.search(seen.low, max(0, match.start() - 60), match.start())
        duration = read_duration(f"{before['count']} days") if before is not None else None
        if duration is not None and duration.amount not in (two - one, two - one + 1):
            evidence = f"{match.group()} is not {duration.amount:.0f} days"
            yield TemporalFault(span, LENGTH, evidence, "The length does not fit its end points: check all three.")


_DAYS_BEHIND = re.compile(
    rf"\s*[,(–—-]?\s*(?:so|that's|that\s+is|which\s+is|which\s+means|for|i\.e\.|meaning|lasting|a\s+total\s+of)?[^.;,\d]{{0,40}}?\b(?P<count>{NUMBER})\s+(?:full\s+|whole\s+)?(?P<unit>days|weeks|nights)\b(?!\s+(?:before|after|later|earlier|notice|ago|from|in\s+advance|each|per|left|of))"
)
_DAY_LONG = re.compile(rf"\b(?P<count>{NUMBER})-day\s+(?!(?:ticket|pass|rule|limit|notice|period|week)\b)[^.;,]*$")


def find_stretches(seen: Sighting) -> Iterator[Stretch]:
    dates = [time for time in seen.times if time.resolved_date is not None or read_minutes(time.surface) is not None]
    for one, other in pairwise(dates):
        joint = seen.between(one.span.end, other.span.start)
        if len(joint) > 14 or not _RANGE.fullmatch(joint):
            if len(joint) <= 70 and re.search(r"\b(?:until|till)\s+$", joint) and _LENGTH.search(joint):
                yield Stretch(one, other, Span(one.span.start, other.span.end), is_wide=True)
            continue
        front = seen.low[: one.span.start - seen.start]
        opened = _OPENERS.search(front)
        word = joint.strip().split(" ")[0]
        if word == "and" and not (opened and "between" in opened.group()):
            continue
        if word == "to" and not opened and not re.search(r"[(,:]\s*$|^\s*$", front):
            continue
        yield Stretch(one, other, Span(one.span.start, other.span.end))


def _check_order(seen: Sighting, stretch: Stretch) -> TemporalFault | None:
    first, last = _extents(stretch)
    if first is None and last is None:
        first, last = _share_month(stretch)
    is_back = first is not None and last is not None and last.last < first.first
    if not (is_back or _turns_back(seen, stretch)) or _is_moved(seen, stretch):
        return None
    evidence = f"{stretch.start.surface} is after {stretch.end.surface}"
    return TemporalFault(stretch.span, ORDER, evidence, "The stretch ends before it starts: check both dates.")


_ON_ONE_DAY = re.compile(
    r"\b(?:the|that) same (?:day|morning|afternoon|evening)\b(?! [a-z]+ticket| (?:ticket|pass|delivery|return))"
)


def _turns_back(seen: Sighting, stretch: Stretch) -> bool:
    """ "from 10 am to 7 am": who works round the clock says so."""
    halves = [re.search(r"([ap])\.?m\b", time.surface.lower()) for time in (stretch.start, stretch.end)]
    start, end = read_minutes(stretch.start.surface), read_minutes(stretch.end.surface)
    if start is None or end is None or start <= end or "overnight" in seen.words or "next" in seen.words:
        return False
    if None in halves:
        return _ON_ONE_DAY.search(seen.low) is not None  # "from 15:30 until 14:10 on the same afternoon"
    return len({half[1] for half in halves if half is not None}) == 1


def _extents(stretch: Stretch, *, any_month: bool = False) -> tuple[Extent | None, Extent | None]:
    """The days of both ends; a start in the same month borrows the year of the end."""
    first, last = find_extent(stretch.start), find_extent(stretch.end)
    month = MONTH_NUMBERS.get(stretch.start.surface.lower())
    if (
        first is None
        and last is not None
        and any_month
        and last.grain == "month"
        and month
        and month <= last.first.month
    ):
        first = Extent(last.first.replace(month=month, day=1), last.first.replace(month=month, day=28), "month")
    if first is None and last is not None and last.grain == "day" and not has_year(stretch.start):
        day = stretch.start.resolved_date
        same = day is not None and (day.month == last.first.month or (any_month and day.month < last.first.month))
        if day is not None and same and re.search(r"\d", stretch.start.surface):
            borrowed = day.replace(year=last.first.year) if (day.month, day.day) != (2, 29) else None
            first = Extent(borrowed, borrowed, "day") if borrowed else None
    return first, last


def _share_month(stretch: Stretch) -> tuple[Extent | None, Extent | None]:
    """ "from 10 May to 2 May": two days of one month, in whatever year."""
    ends = [time.resolved_date for time in (stretch.start, stretch.end)]
    names = [_MONTH_DAY.fullmatch(time.surface.lower()) for time in (stretch.start, stretch.end)]
    if None in ends or None in names or len({day.month for day in ends if day is not None}) != 1:
        return None, None
    first, last = (Extent(day.replace(year=2000), day.replace(year=2000), "day") for day in ends if day is not None)
    return first, last


def _is_moved(seen: Sighting, stretch: Stretch) -> bool:
    """A value that was changed from one date to an earlier one, or a list told backwards."""
    front = seen.low[max(0, stretch.span.start - seen.start - 60) : stretch.span.start - seen.start]
    words = set(re.findall(r"[a-z]+", front))
    if any((verb_lemma(word) or word) in read_words("moved") for word in words):
        return True
    behind = seen.low[stretch.span.end - seen.start : stretch.span.end - seen.start + 24]
    return not read_words("moved_words").isdisjoint(words | set(re.findall(r"[a-z]+", behind)))


def _check_length(seen: Sighting, stretch: Stretch) -> TemporalFault | None:
    for match in _LENGTH.finditer(seen.low):
        where = Span(seen.start + match.start(), seen.start + match.end())
        if where.start >= stretch.span.end:
            joint = seen.between(stretch.span.end, where.start)
            linked = len(joint) <= 50 and _BEFORE_LENGTH.fullmatch(joint)
        elif where.end <= stretch.span.start:
            joint = seen.between(where.end, stretch.span.start)
            linked = len(joint) <= 60 and _AFTER_LENGTH.fullmatch(joint)
        else:
            linked = stretch.is_wide
        duration = read_duration(match["words"]) if linked else None
        if duration is not None and not fits_stretch(stretch, duration, (match["about"] or "").strip()):
            shown = seen.text[match.start("words") : match.end("words")]
            evidence = f"{stretch.start.surface} to {stretch.end.surface} is not {shown}"
            span = Span(seen.start + match.start("words"), seen.start + match.end("words"))
            span = Span(min(span.start, stretch.span.start), max(span.end, stretch.span.end))
            return TemporalFault(span, LENGTH, evidence, "The length does not fit its end points: check all three.")
    return None


def fits_stretch(stretch: Stretch, duration: Duration, about: str) -> bool:
    """Whether the length may be right, counting both ends or none."""
    if duration.measure == "minutes":
        return _fits_clock(stretch, duration, about)
    first, last = find_extent(stretch.start), find_extent(stretch.end)
    if first is None and last is not None:
        first = _extents(stretch, any_month=True)[0]
    if first is None or last is None:
        return True
    if duration.measure == "days":
        if first.grain != "day" or last.grain != "day":
            return True
        least, most = (last.first - first.first).days, (last.first - first.first).days + 1
    else:
        least, most = (
            months_between(first.first, last.first),
            months_between(first.first, last.last + timedelta(days=1)),
        )
        if first.grain in ("year", "decade"):
            least -= 12
    return fits_amount(duration, least, most, about)


def _fits_clock(stretch: Stretch, duration: Duration, about: str) -> bool:
    start, end = read_minutes(stretch.start.surface), read_minutes(stretch.end.surface)
    if start is None or end is None:
        return True
    length = (end - start) % 1440
    return fits_amount(duration, length, length, about)


def fits_amount(duration: Duration, least: float, most: float, about: str) -> bool:
    """Whether an amount lies between the least and the most that it can be, as exactly as its words claim."""
    amount, slack = duration.amount, 0.5 * duration.unit if duration.measure != "minutes" else 5.0
    slack = min(slack, 30.0) if duration.measure == "months" else slack
    if about in ("about", "around", "roughly", "approximately", "nearly", "almost", "some", "just over", "just under"):
        slack = max(slack, 0.25 * most, duration.unit if duration.measure == "months" else 0)
    if about in ("nearly", "almost") and most < 0.5 * amount:
        return False
    if about in ("over", "more than", "at least"):
        return amount <= most + slack
    if about in ("under", "less than", "up to"):
        return amount >= least - slack
    return least - slack <= amount <= most + slack
