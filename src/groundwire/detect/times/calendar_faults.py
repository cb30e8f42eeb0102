"""Dates that no calendar has, weekdays that belong to another date, relative times that miss the clock."""

from __future__ import annotations

import calendar as months_of_the_world
import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from groundwire.detect.sightings import Sighting, read_words
from groundwire.detect.times.dates import Extent, find_extent, find_yearless, is_absolute, is_relative, read_weekday
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import MONTH_NUMBERS, small_number
from groundwire.text.numerals import has_digit
from groundwire.text.times import add_months
from groundwire.types import Span, TemporalExpression, Tense

IMPOSSIBLE, MISMATCH = 0.90, 0.80
_NAMES = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_JOINT = re.compile(
    r"\s*[,(–—-]?\s*(?:(?:which|that)\s+(?:was|is|will\s+be)\s+)?(?:i\.e\.,?\s+|namely,?\s+|specifically,?\s+|back\s+)?"
    r"(?:in|on|of|for)?\s*(?:the\s+year\s+|the\s+)?"
)
_COPULA = re.compile(r"'?s?\s*(?:is|was|will be|it is|it was)?\s*(?:the year|the|in|on)?\s*")
_NOW_IS = re.compile(
    r"\b(?:the\s+)?(?:current|present)\s+year\s+is\s+(\d{4})\b|\bit\s+is\s+(?:now|currently)\s+(\d{4})\b"
)
_BEFORE_LAST = re.compile(r"\bthe\s+year\s+before\s+last[\s,(]*(?:in\s+)?(?P<year>\d{4})\b")
_LEAP = re.compile(r"\b(\d{4})\s+(?:is|was|will be)\s+(not\s+)?a\s+leap\s+year\b")
_AGO = re.compile(r"(?P<count>.+?)\s+(?:or\s+so\s+)?(?P<unit>day|week|month|year|decade)s?\s+(?:ago|back)$")
_AHEAD = re.compile(
    r"(?:in\s+)?(?P<count>.+?)\s+(?P<unit>day|week|month|year|decade)s?(?:'?\s+time|\s+from\s+(?:now|today)|$)"
)
_SHIFT = re.compile(r"(?P<way>last|next|this|current|past|coming)\s+(?P<what>[a-z]+)$")


@cache
def _impossible() -> re.Pattern[str]:
    """Forms of dates whose numbers may lie outside the calendar."""
    return re.compile(
        rf"\b(?P<month>{_NAMES})\b\.?\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:%.]|\s?[ap]\.?m\b)(?:,?\s+(?P<year>\d{{4}})\b)?"
        rf"|\b(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<month2>{_NAMES})\b(?:\.?,?\s+(?P<year2>\d{{4}})\b)?"
        r"|(?<![\d/.-])(?P<iso>(?P<year3>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day3>\d\d))(?![\d-])"
        r"|(?<![\d/.-])(?P<stroke>(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<year4>(?:19|20)\d\d))(?![\d/])"
        r"|\b(?P<nth>(?:1[3-9]|[2-9]\d)th|thirteenth|fourteenth)\s+month\s+of\s+(?:the\s+(?:calendar\s+)?year|(?:19|20)\d\d)\b"
        r"|\b(?P<oclock>2[5-9]|[3-9]\d)\s+o'clock\b"
        r"|\b(?P<clock2>\d{1,2}:[6-9]\d)\s?[ap]\.?m\b"
        r"|\b(?:calendar\s+week|week|kw)\s+(?P<week>5[4-9]|[6-9]\d)\s+(?:of\s+)?(?:(?:the|this|next|last)\s+(?:calendar\s+)?year\b|(?:19|20)\d\d\b)"
        r"|\bq(?P<quarter>[05-9])\s+(?:of\s+)?(?:19|20)\d\d\b"
        r"|\b(?:at|from|until|till|around|by|before|after|past|struck|strikes|showed|shows|between)\s+(?P<clock>(?P<hour>2[4-9]|[3-9]\d):(?P<minute>\d\d)|(?P<hour2>\d{1,2}):(?P<minute2>[6-9]\d)(?:\s?[ap]\.?m\b)?"
        r"|(?P<half>1[3-9]|[2-9]\d)(?::\d\d)?\s?[ap]\.?m\b)(?![:\d])"
    )


def find_impossible(seen: Sighting) -> Iterator[TemporalFault]:
    """February 30, 2023-02-29, the 13th month, 25:00; not where a date is mentioned in order to be denied."""
    if (not has_digit(seen.low) and "teenth" not in seen.low) or not _may_date(seen):
        return
    for match in _impossible().finditer(seen.low):
        name = _name_fault(match, seen)
        if not name:
            continue
        where = match.span("clock") if match["clock"] else match.span()
        span = Span(seen.start + where[0], seen.start + where[1])
        is_denied = seen.mentions(read_words("denied")) or seen.low[: where[0]].endswith((" no ", "no such ", "not "))
        if seen.is_question or seen.is_quoted(span) or is_denied:
            continue
        shown = seen.text[where[0] : where[1]]
        yield TemporalFault(span, IMPOSSIBLE, f"{shown}: {name}", f"There is no {shown}: check the date.")


_DATING = frozenset({"month", "clock", "week", "kw", "q", "am", "pm", "m", *MONTH_NUMBERS})


def _may_date(seen: Sighting) -> bool:
    """Whether a word or a sign stands here of which every form of a date has one."""
    return not _DATING.isdisjoint(seen.runs) or "-" in seen.low or "/" in seen.low or ":" in seen.low


def _name_fault(match: re.Match[str], seen: Sighting) -> str:
    """Why there is no such date; empty where there is one."""
    if match["nth"]:
        return "a year has twelve months"
    if match["quarter"]:
        return "a year has four quarters"
    if match["oclock"]:
        return "a day has twenty-four hours"
    if match["week"]:
        return "a year has fifty-two weeks, at times fifty-three"
    if match["clock"] or match["clock2"]:
        return _name_clock_fault(match, seen)
    if match["stroke"]:
        one, two, year = int(match["one"]), int(match["two"]), int(match["year4"])
        fits = any(_has_day(year, month, day) for month, day in ((one, two), (two, one)))
        return "" if fits or one == two == 0 else "the calendar has no such day"
    if match["iso"]:
        year, month, day = int(match["year3"]), int(match["number"]), int(match["day3"])
        return "" if _has_day(year, month, day) else "the calendar has no such day"
    name, day = match["month"] or match["month2"], int(match["day"] or match["day2"])
    at = match.start("month") if match["month"] else match.start("month2")
    if not seen.text[at].isupper() and name in ("may", "mar", "march", "sept", "sep", "dec", "jan", "jun", "nov"):
        return ""
    is_ordinal = re.search(r"\d(?:st|nd|rd|th)\b", match.group()) is not None
    named = match["month2"] and len(name) > 3 and name not in ("may", "march")  # "32 January"
    named = named or seen.low[: match.start()].endswith(
        (" on ", " by ", " until ", " on the ", "today is ", "today is the ")
    )
    if day > 31 and not (match["year"] or match["year2"] or is_ordinal or named):
        return ""  # "May 45 people", "12 Mar" are no dates
    year = int(match["year"] or match["year2"] or _year_beside(seen) or 2000)
    return "" if day and _has_day(year, MONTH_NUMBERS[name], day) else "the month has no such day"


_YEAR = re.compile(r"(?<![\d.,$€£])(?:1[5-9]|20)\d\d(?![\d.,]\d)")


def _year_beside(seen: Sighting) -> int | None:
    """The one year of a sentence is that of its dates."""
    years = {int(found) for found in _YEAR.findall(seen.low)}
    return years.pop() if len(years) == 1 else None


def _name_clock_fault(match: re.Match[str], seen: Sighting) -> str:
    if seen.mentions(read_words("not_clock")) or (match["clock"] or "").startswith("24:00"):
        return ""
    return "a day has twenty-four hours of sixty minutes"


def _has_day(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= year <= 9999 and 1 <= day <= months_of_the_world.monthrange(year, month)[1]


def find_weekday_faults(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """A weekday beside a date that fell on another one; "today is Monday" against the clock."""
    for time in seen.times:
        named = read_weekday(time.surface)
        if named is None or time.resolved_date is None or seen.is_quoted(time.span) or is_relative(time):
            continue
        extent = find_extent(time)
        if extent and extent.grain == "day" and extent.first.weekday() != named:
            yield _misses_weekday(time.span, time.surface, extent.first)
        if extent is None and _is_near(time, today) and not _tells_past(seen) and time.resolved_date.weekday() != named:
            yield _misses_weekday(time.span, time.surface, time.resolved_date)
    yield from _find_parted_weekdays(seen)


def _tells_past(seen: Sighting) -> bool:
    """A date without its year that is told as past may be of any year."""
    return any(group.tense is Tense.PAST for group in seen.groups) or not seen.groups


def _is_near(time: TemporalExpression, today: date) -> bool:
    """ "Friday, 10 April" without a year, in the months ahead of the clock."""
    day = time.resolved_date
    return day is not None and 0 <= (day - today).days <= 150 and re.search(r"\d", time.surface) is not None


def _find_parted_weekdays(seen: Sighting) -> Iterator[TemporalFault]:
    """ "March 4, 2025, a Monday", "on Monday (March 4, 2025)", "March 4, 2025 was a Monday"."""
    for one, other in zip(seen.times, seen.times[1:], strict=False):
        for day, name in ((one, other), (other, one)):
            named = _bare_weekday(name)
            extent = find_extent(day)
            if named is None or extent is None or extent.grain != "day" or read_weekday(day.surface) is not None:
                continue
            joint = seen.between(one.span.end, other.span.start)
            if not re.fullmatch(
                r"[\s,(:–—]*(?:which\s+)?(?:(?:is|was|fell|falls|will\s+be|will\s+fall)\s+)?(?:on\s+)?(?:an?\s+|the\s+)?[\s,(]*",
                joint,
            ):
                continue
            if extent.first.weekday() != named and not seen.is_quoted(day.span) and not seen.is_question:
                span = Span(min(day.span.start, name.span.start), max(day.span.end, name.span.end))
                yield _misses_weekday(span, seen.text[span.start - seen.start : span.end - seen.start], extent.first)


def _bare_weekday(time: TemporalExpression) -> int | None:
    low = time.surface.lower()
    names = [name.lower() for name in _WEEKDAYS]
    return names.index(low) if low in names else None


def _misses_weekday(span: Span, shown: str, day: date) -> TemporalFault:
    right = _WEEKDAYS[day.weekday()]
    evidence = f"{shown}: {day:%Y-%m-%d} is a {right}"
    return TemporalFault(span, MISMATCH, evidence, f"{day:%Y-%m-%d} is a {right}: check the weekday or the date.")


def find_clock_mismatches(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """ "last year in 2026", "two days ago, on May 5, 2024", "today is 3 March 2021", each against the clock."""
    if seen.is_question:
        return
    for one, other in zip(seen.times, seen.times[1:], strict=False):
        joint = seen.between(one.span.end, other.span.start)
        if len(joint) > 30 or seen.is_quoted(one.span) or ("," in joint and " and " in joint):
            continue
        relative, absolute = (one, other) if is_relative(one) else (other, one)
        if not is_relative(relative) or not (is_absolute(absolute) or _find_bare(absolute)):
            continue
        if re.search(
            r"\b(?:from|since|of|than|after|before|until)\s+(?:the\s+)?$", seen.low[: relative.span.start - seen.start]
        ):
            continue  # "four weeks from yesterday"
        if not is_absolute(absolute) and "for" in joint.split():
            continue  # "pencilled in five days for July"
        linked = _JOINT.fullmatch(joint) or (_COPULA.fullmatch(joint) and joint.strip())
        meant = _days_of(relative.surface.lower(), today)
        said = find_extent(absolute) or (_nearest_year(absolute, meant) if meant else None)
        if linked and meant and said and (said.last < meant.first or meant.last < said.first):
            evidence = (
                f"{relative.surface} is {_show(meant)}, not {absolute.surface}; the current date is {today:%Y-%m-%d}"
            )
            suggestion = f"{relative.surface} and {absolute.surface} are different times: check which is meant."
            yield TemporalFault(Span(one.span.start, other.span.end), MISMATCH, evidence, suggestion)
    yield from _find_wrong_now(seen, today)
    yield from _find_wrong_today(seen, today)


_NAMED_TODAY = re.compile(
    r"(?<!before )(?<!after )\b(?P<when>today|tomorrow|yesterday)(?:\s+(?:is|was"
    r"|will\s+be)\s+(?:a\s+)?|\s*,\s*(?:a\s+|on\s+)?|\s+\(\s*|\s+on\s+)(?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
    r"(?!\s+(?:and|or|to|until|through|at|from|morning|evening|night|afternoon|we|you|i|it|the|they)\b|\s*[,–-]\s*(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))"
)


def _find_wrong_today(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """ "Today is Monday", "tomorrow, Friday,", against the clock."""
    for match in _NAMED_TODAY.finditer(seen.low):
        day = today + timedelta(days={"today": 0, "tomorrow": 1, "yesterday": -1}[match["when"]])
        span = Span(seen.start + match.start(), seen.start + match.end())
        if _WEEKDAYS[day.weekday()].lower() != match["day"] and not seen.is_quoted(span) and "if" not in seen.words:
            yield _misses_weekday(span, match.group(), day)


def _nearest_year(time: TemporalExpression, meant: Extent) -> Extent | None:
    """A day without its year, in the year that brings it nearest to what is meant."""
    shared = _find_bare(time)
    if shared is None or (shared.first.month, shared.first.day) == (2, 29) or meant.grain == "year":
        return None
    days = [shared.first.replace(year=meant.first.year + step) for step in (-1, 0, 1)]
    nearest = min(days, key=lambda day: abs((day - meant.first).days))
    return Extent(nearest, nearest + (shared.last - shared.first), shared.grain)


def _find_bare(time: TemporalExpression) -> Extent | None:
    """A day or a month without its year, in some year."""
    low = time.surface.lower()
    if low in MONTH_NUMBERS and len(low) > 2 and not (low in ("may", "march") and time.surface == low):
        month = MONTH_NUMBERS[low]
        return Extent(date(2001, month, 1), date(2001, month, months_of_the_world.monthrange(2001, month)[1]), "month")
    return find_yearless((time,), time)


def _find_wrong_now(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    for match in _NOW_IS.finditer(seen.low):
        year = match[1] or match[2]
        if int(year) != today.year and not seen.is_quoted(Span(seen.start + match.start(), seen.start + match.end())):
            span = Span(seen.start + match.end() - 4, seen.start + match.end())
            yield TemporalFault(span, MISMATCH, f"the current date is {today:%Y-%m-%d}", "Check the current year.")
    for match in _BEFORE_LAST.finditer(seen.low):
        if int(match["year"]) != today.year - 2:
            span = Span(seen.start + match.start(), seen.start + match.end())
            evidence = f"the year before last is {today.year - 2}; the current date is {today:%Y-%m-%d}"
            yield TemporalFault(span, MISMATCH, evidence, "Check which year is meant.")
    for match in _LEAP.finditer(seen.low):
        is_leap = months_of_the_world.isleap(int(match[1])) if 1 <= int(match[1]) <= 9999 else True
        is_denied = bool(match[2]) or seen.low[: match.start()].rstrip().endswith(("nor", "neither"))
        if is_leap is is_denied:
            span = Span(seen.start + match.start(), seen.start + match.end())
            state = "a leap year" if is_leap else "no leap year"
            yield TemporalFault(span, MISMATCH, f"{match[1]} is {state}", "Check the length of the year.")


def _show(extent: Extent) -> str:
    if extent.grain == "year":
        return (
            str(extent.first.year)
            if extent.first.year == extent.last.year
            else f"{extent.first.year} to {extent.last.year}"
        )
    return (
        f"{extent.first:%Y-%m-%d}"
        if extent.first == extent.last
        else f"{extent.first:%Y-%m-%d} to {extent.last:%Y-%m-%d}"
    )


def _days_of(words: str, today: date) -> Extent | None:
    """Every day that words counted from the clock can mean, generously where people count loosely."""
    near = {
        "yesterday": -1,
        "today": 0,
        "tonight": 0,
        "tomorrow": 1,
        "day before yesterday": -2,
        "day after tomorrow": 2,
    }
    low = re.sub(r"\s+", " ", words).removeprefix("the ")
    low = re.sub(r" (?:morning|afternoon|evening|night)$", "", low)
    if low in near:
        day = today + timedelta(days=near[low])
        return Extent(day, day, "day")
    if words.startswith("the "):  # "the last year" of something
        return None
    if match := _SHIFT.match(low):
        return _shifted(match["way"], match["what"], today)
    for pattern, sign in ((_AGO, -1), (_AHEAD, 1)):
        if match := pattern.match(low):
            count = small_number(match["count"])
            return _counted(sign * count, match["unit"], today) if count is not None else None
    return None


def _shifted(way: str, what: str, today: date) -> Extent | None:
    step = {"last": -1, "past": -1, "next": 1, "coming": 1}.get(way, 0)
    if what == "year":
        return Extent(date(today.year + step, 1, 1), date(today.year + step, 12, 31), "year")
    if what == "month":
        first = add_months(today.replace(day=1), step)
        after = add_months(today.replace(day=1), step + 1)
        return Extent(first, after - timedelta(days=1), "month") if first and after else None
    if what == "week":
        monday = today - timedelta(days=today.weekday())
        first, last = {-1: (-8, -1), 0: (-1, 7), 1: (6, 14)}[step]
        return Extent(monday + timedelta(days=first), monday + timedelta(days=last), "week")
    if what.capitalize() in _WEEKDAYS:
        first, last = {-1: (-13, -1), 0: (-6, 7), 1: (1, 14)}[step]
        return Extent(today + timedelta(days=first), today + timedelta(days=last), "day")
    return None


def _counted(count: int, unit: str, today: date) -> Extent | None:
    """Days are counted exactly; longer units loosely, by one of them on either side."""
    try:
        if unit in ("day", "week"):
            middle, slack = today + timedelta(days=count * (7 if unit == "week" else 1)), 6 if unit == "week" else 0
            return Extent(middle - timedelta(days=slack), middle + timedelta(days=slack), "day")
        size = {"month": 1, "year": 12, "decade": 120}[unit]
        first, last = (
            add_months(today.replace(day=1), (count - 1) * size),
            add_months(today.replace(day=1), (count + 1) * size),
        )
    except OverflowError:
        return None
    if first is None or last is None:
        return None
    if unit == "month":
        return Extent(first, last + timedelta(days=30), "month")
    return Extent(date(first.year, 1, 1), date(last.year, 12, 31), "year")
