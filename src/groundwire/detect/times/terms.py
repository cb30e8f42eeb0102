"""A start, a term and an end: "starts on 4 May and runs for three weeks, so it finishes on 12 June"; what still holds.

The end is announced as a result ("so", "which means", "you can … at"), and of the start and the term there is one each,
in the same sentence or in the one before. What is said to hold still, or no longer, is reckoned with today.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Duration, read_minutes
from groundwire.detect.times.spoken_lengths import LENGTH, read_spoken
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import MONTH_NUMBERS, MONTHS
from groundwire.text.numerals import numerals
from groundwire.types import Span

TERM = 0.78
_MONTH = "|".join(month.lower() for month in MONTHS)
_POINT = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )(?P<month>{_MONTH})\b(?:,? (?P<year>\d{{4}}))?"
    rf"|(?<=\b(?:in|of|by) )(?P<alone>{_MONTH})\b(?! \d{{1,2}}\b)(?:,? (?P<of>\d{{4}}))?"
    r"|\b(?P<clock>\d{1,2}:\d{2}(?: ?[ap]\.?m\b)?|\d{1,2} ?[ap]\.?m\b|noon|midnight)"
    r"|(?<=\b(?:by|at) )(?P<bare>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
    r"(?=[.,;!]|$| o'clock)"
)
_SO = re.compile(
    r"[,;–—]\s*(?:and )?(?:so|which means|that means|meaning|therefore|hence|then)\b|"
    r"[.,;–—]\s*(?:and )?(?:you can|you could|you'll|it'll|it will)\b"
)
_TERM = re.compile(
    r"\b(?:for|lasts?|lasting|takes?|runs?|with|of|needs?|another|is|after)\s+(?:another\s+|a\s+total\s+of\s+)?$|,\s*$"
)
_ENDS = re.compile(
    r"\b(?:finish\w*|ends?|ended|runs? out|ran out|expire[sd]?|over|out|up|ready|done|back|home|there|arrive[sd]?|"
    r"until|table|due|leave|grill|eat|serve|bake|cook|take|collect|return)\b"
)
_OPEN = re.compile(
    r"\b(?:about|around|roughly|almost|nearly|usually|break|pause|late|delay\w*|earliest|latest|or so|"
    r"extend\w*|renew\w*|except|each|every|per|"
    r"between|unless|hourly|time zone|local time|before that|not)\b|n't\b"
)
_STILL = re.compile(
    r"\b(?:is|are|'s|remains?)\s+still\s+(?:\w+\s+)?(?:covered|valid|under\s+(?:warranty|guarantee|contract)|in\s+force|good|insured|running|protected)\b"
)
_GONE = re.compile(
    r"\b(?:has|have|is|are)\s+(?:already\s+|now\s+)?(?:expired|run\s+out|lapsed|over)\b|\bno\s+longer\s+(?:covered|valid|under|insured|protected)\b"
)
_UNREAL = re.compile(
    r"\b(?:if|unless|would|might|may(?! \d)|could|perhaps|probably|extended|renewed|about|not)\b|n't\b"
)
_YEAR_OF = re.compile(
    rf"\b(?:bought|purchased|signed|issued|started|began|dated|installed|made|delivered|from|since)\s+"
    rf"(?:in|on|since)?\s*(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)? )?"
    rf"(?:(?P<month>{_MONTH}) )?(?P<year>20\d\d|19\d\d)\b"
)
_CAN = re.compile(r"\b(?:can|could|be home|still|lunch|dinner)\b")
_WEEKS_SHORT = 3
_LONGEST_CLOCK = 720


class _Point(NamedTuple):
    start: int
    end: int
    month: int = 0
    day: int = 0
    year: int = 0
    minutes: int | None = None
    is_bare: bool = False


def find_term_faults(seen: Sighting, previous: Sighting | None, today: date) -> Iterator[TemporalFault]:
    if seen.is_question or seen.is_endless:
        return
    yield from _check_holding(seen, today)
    match = next((m for m in _SO.finditer(seen.low)), None)
    if match is None or _OPEN.search(seen.low):
        return
    front, rest = _read_points(seen.low[: match.start() + 1]), _read_points(seen.low, match.end())
    if len(front) != 1 or len(rest) != 1 or not _ENDS.search(seen.low[match.start() :]):
        return
    terms = _read_terms(seen.low, match.start())
    if not terms and previous is not None and not _OPEN.search(previous.low) and not _read_points(previous.low):
        terms = _read_terms(previous.low, len(previous.low))
    if len(terms) == 1 and not _fits(front[0], rest[0], terms[0][0]):
        span = Span(seen.start + match.start() + 1, seen.start + rest[0].end)
        span = Span(seen.start + len(seen.low) - len(seen.low[match.end() :].lstrip()), span.end)
        if not seen.is_quoted(span) and not _is_later(seen, match, front[0], rest[0], terms[0][0]):
            evidence = f"{terms[0][1]} from {seen.text[front[0].start : front[0].end]} on end at another time"
            yield TemporalFault(span, TERM, evidence, "The end does not fit start and term: check all three.")


def _is_later(seen: Sighting, joint: re.Match[str], first: _Point, last: _Point, term: Duration) -> bool:
    """ "You can eat at 17:00", where it is done by half past four: what one can do then may well wait."""
    if _CAN.search(seen.low[joint.start() : last.start]) is None:
        return False
    if term.measure == "minutes" and first.minutes is not None and last.minutes is not None:
        return 0 < (last.minutes - first.minutes - term.amount) % 1440 < _LONGEST_CLOCK
    return term.measure == "days" and bool(first.month and last.month) and _days_apart(first, last) > term.amount


def _read_points(low: str, start: int = 0) -> list[_Point]:
    found: list[_Point] = []
    for match in _POINT.finditer(low, start):
        month = MONTH_NUMBERS.get(match["month"] or match["alone"] or "", 0)
        year = int(match["year"] or match["of"] or 0)
        if month:
            found.append(_Point(*match.span(), month, int(match["day"] or 0), year))
        elif match["clock"]:
            clock = match["clock"].replace(".", "")
            minutes = read_minutes(clock)
            if minutes is not None:
                found.append(_Point(*match.span(), minutes=minutes))
        elif match["bare"]:
            words = match["bare"]
            hour = int(words) if words.isdigit() else numerals().units.get(words, 0)
            if 0 < hour <= 24:
                found.append(_Point(*match.span(), minutes=hour * 60, is_bare=True))
    return found


def _read_terms(low: str, end: int) -> list[tuple[Duration, str]]:
    found: list[tuple[Duration, str]] = []
    for match in re.finditer(LENGTH, low[:end]):
        duration = read_spoken(match)
        if duration is not None and not match["about"] and _TERM.search(low[: match.start()]):
            found.append((duration, match.group()))
    return found


def _fits(first: _Point, last: _Point, term: Duration) -> bool:
    """Whether the one lies as far behind the other as the term is long, or cannot be compared."""
    if term.measure == "minutes":
        if first.minutes is None or last.minutes is None:
            return True
        turn = 720 if first.is_bare or last.is_bare else 1440
        apart = (last.minutes - first.minutes - term.amount) % turn
        return term.amount > _LONGEST_CLOCK or min(apart, turn - apart) <= max(5.0, 0.1 * term.amount)
    if not first.month or not last.month:
        return True
    if term.measure == "months":
        years = (last.year - first.year) * 12 if last.year and first.year else None
        apart = last.month - first.month + (years or 0) - term.amount
        least = apart if years is not None else (apart + 1) % 12 - 1
        return -1 <= least <= 0 or (not last.day and least == 1)
    if not first.day or not last.day:
        return True
    apart = _days_apart(first, last) - term.amount
    return -(_WEEKS_SHORT if term.unit == 7 else 1) <= apart <= 1


def _days_apart(first: _Point, last: _Point) -> int:
    """From the one day to the other, which comes in the next year where it cannot come in the same."""
    year = first.year or last.year or 2001
    start, end = (date(year, p.month, min(p.day or 1, 28)) for p in (first, last))
    end = end if not last.year else end.replace(year=last.year)
    end = end if end >= start or last.year else end.replace(year=end.year + 1)
    extra = max(0, last.day - 28) - max(0, first.day - 28)
    return (end - start).days + extra


# ── what still holds ────────────────────────────────────────────────────────────────────────────


def _check_holding(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """ "Lasts two years, so a kettle bought in June 2023 is still covered"."""
    still, gone = _STILL.search(seen.low), _GONE.search(seen.low)
    said = still or gone
    if said is None or (still and gone) or _UNREAL.search(seen.low):
        return
    starts, terms = list(_YEAR_OF.finditer(seen.low)), _read_terms(seen.low, len(seen.low))
    if len(starts) != 1 or len(terms) != 1 or terms[0][0].measure == "minutes":
        return
    ends = [_add(day, terms[0][0]) for day in _days_of(starts[0])]
    if (still and max(ends) < today) or (gone and min(ends) > today):
        span = Span(seen.start + said.start(), seen.start + said.end())
        evidence = f"{terms[0][1]} from {starts[0].group()} on end {max(ends):%Y-%m}; today is {today:%Y-%m-%d}"
        yield TemporalFault(span, TERM, evidence, "Start, term and today do not fit: check them.")


def _days_of(match: re.Match[str]) -> Sequence[date]:
    """The first and the last day that a date may mean."""
    year, month = int(match["year"]), MONTH_NUMBERS.get(match["month"] or "", 0)
    if month and match["day"] and int(match["day"]) <= 28:
        return [date(year, month, int(match["day"]))]
    last = date(year, month or 12, 28) + timedelta(days=3)
    return [date(year, month or 1, 1), last]


def _add(day: date, term: Duration) -> date:
    if term.measure == "days":
        return day + timedelta(days=term.amount)
    return day + timedelta(days=term.amount * 30.44)
