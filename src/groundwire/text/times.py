"""The written forms of dates and times, and the arithmetic of the calendar."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache

from groundwire.text.tables import join_phrases, read_table

_UNIT_DAYS = {"day": 1, "night": 1, "week": 7, "fortnight": 14, "weekend": 7}
_UNIT_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200, "millennium": 12000}
_UNIT_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_UNIT = (
    r"(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|fortnights?|weekends?|months?|quarters?|years?|yrs?"
    r"|decades?|century|centuries)"
)
_SHORT_UNITS = {
    "centuries": "century", "yrs": "year", "yr": "year", "hrs": "hour", "hr": "hour", "mins": "minute", "min": "minute",
}  # fmt: skip
_PART = r"(?:early|mid|late|(?:the\s+)?(?:beginning|start|middle|end)\s+of)[\s-]+(?:the\s+year\s+)?"


_START = re.compile(r"(?<![\w.$€£#])(?:'?\d|[a-z]{1,12})")


@cache
def _section(name: str) -> dict[str, int]:
    section: dict[str, int] = read_table("temporal")[name]
    return section


def months() -> dict[str, int]:
    return _section("months")


def seasons() -> dict[str, int]:
    return _section("seasons")


def weekdays() -> dict[str, int]:
    return _section("weekdays")


def ordinals() -> dict[str, int]:
    return _section("ordinals")


@cache
def holidays() -> dict[str, tuple[int, int]]:
    table: dict[str, list[int]] = read_table("temporal")["holidays"]
    return {name: (month, day) for name, (month, day) in table.items()}


@cache
def ambiguous_months() -> frozenset[str]:
    return frozenset(read_table("temporal")["ambiguous"]["months"])


@cache
def _prepositions(kind: str) -> frozenset[str]:
    return frozenset(read_table("temporal")["prepositions"][kind])


def calendar_prepositions() -> frozenset[str]:
    return _prepositions("calendar")


def clock_prepositions() -> frozenset[str]:
    return _prepositions("clock")


def duration_prepositions() -> frozenset[str]:
    return _prepositions("duration")


def lower(text: str) -> str:
    """Lower case that keeps every offset: a few letters of other scripts grow when lowered."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def find_forms(text: str) -> Iterator[re.Match[str]]:
    """Matches of any form in lower-case `text`; the name of the outermost group says which it was.

    Few words can open a time, so the big pattern is tried only where one of them stands.
    """
    forms, openers, end = _forms(), _openers(), 0
    for start in _START.finditer(text):
        if start.start() < end:
            continue
        word = start.group()
        if (word[-1].isdecimal() or word in openers) and (match := forms.match(text, start.start())):
            end = match.end()
            yield match


@cache
def _forms() -> re.Pattern[str]:
    return re.compile("|".join([*_calendar_forms(), *_relative_forms(), *_loose_forms()]))


@cache
def _openers() -> frozenset[str]:
    table = read_table("temporal")
    openers: set[str] = set(table["prepositions"]["openers"])
    for section in ("months", "weekdays", "seasons", "holidays", "numbers"):
        openers.update(re.split(r"[\s']", name)[0] for name in _section(section))
    phrases: dict[str, list[str]] = table["phrases"]
    openers.update(phrase.split()[0] for group in phrases.values() for phrase in group)
    return frozenset(openers)


def _calendar_forms() -> list[str]:
    """Dates written out; the year may be missing, the day may not."""
    month, lead = f"(?:{join_phrases(months())})", rf"(?:(?:{join_phrases(weekdays())}),?\s+)?"
    return [
        r"(?P<iso>\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:z|[+-]\d{2}:?\d{2})?)?(?![\d-])"
        r"|\d{4}[/.]\d{1,2}[/.]\d{1,2}(?![\d/.]\d)|\d{4}-(?:0[1-9]|1[0-2])(?![\d-]))",
        r"(?P<numeric>\d{1,2}(?:(?:/\d{1,2}/|\.\d{1,2}\.|-\d{1,2}-)\d{4}|/\d{1,2}/\d{2})(?![\d/]|\.\d))",
        rf"(?P<dmy>{lead}(?:the\s+)?(?P<dmy_day>\d{{1,2}})(?P<dmy_nth>st|nd|rd|th)?(?:\s+of)?[\s-]+"
        rf"(?P<dmy_month>{month})\b(?:\.(?=\s*\d))?(?:,?[\s-]+(?P<dmy_year>\d{{4}})\b)?)",
        rf"(?P<mdy>{lead}(?P<mdy_month>{month})\b\.?\s+(?:the\s+)?(?P<mdy_day>\d{{1,2}})(?P<mdy_nth>st|nd|rd|th)?"
        r"(?![\d:%]|\s?[ap]\.?m\b)(?:,?\s+(?P<mdy_year>\d{4})\b)?)",
    ]


def _relative_forms() -> list[str]:
    """Times counted from the clock of the call."""
    tens = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    count = (
        rf"(?:\d{{1,4}}(?:\.\d)?|{tens}-\w{{3,5}}|half\s+an?|a\s+(?:couple|few|dozen|hundred)(?:\s+of)?|couple\s+of"
        rf"|several|many|some|{join_phrases(_section('numbers'))})"
    )
    what = (
        r"(?:weekend|week|fortnight|month|quarter|year|decade|century|night|morning|afternoon|evening|day"
        rf"|{join_phrases([*weekdays(), *months(), *seasons()])})"
    )
    part_of_day = r"(?:\s+(?:morning|afternoon|evening|night))?"
    return [
        rf"(?P<ago>(?P<ago_count>{count})\s+(?:or\s+so\s+)?(?P<ago_unit>{_UNIT})\s+(?:ago|back)\b)",
        rf"(?P<far>(?P<far_count>{count})\s+(?P<far_unit>{_UNIT})\s+"
        r"(?P<far_how>from\s+(?:now|today)|hence|later|earlier)\b)",
        rf"(?P<ahead>(?P<ahead_in>in|within)\s+(?P<ahead_count>{count})\s+(?P<ahead_unit>{_UNIT})\b(?:'s?\s+time\b|'s)?)",
        r"(?P<stretch_full>(?:the\s+)?(?P<stretch>last|past|previous|next|coming|following)\s+"
        rf"(?P<stretch_count>{count})\s+(?P<stretch_unit>{_UNIT})\b)",
        r"(?P<near_day>(?:the\s+)?day\s+(?:before\s+yesterday|after\s+tomorrow)"
        rf"|(?:yesterday|tomorrow){part_of_day}|today|tonight|last\s+night)\b",
        r"(?P<ending>(?:the\s+)?(?P<ending_part>beginning|start|middle|end)\s+of\s+(?P<ending_step>the|this|next|last)\s+"
        r"(?P<ending_unit>year|quarter|month|week|decade|century)\b)",
        r"(?P<shift_full>(?P<shift_the>the\s+)?(?P<shift>last|next|this|past|previous|coming|following|current)\s+"
        rf"(?P<shift_what>{what})\b{part_of_day})",
        rf"(?P<long>(?P<long_count>{count})\s+(?P<long_unit>{_UNIT})\b(?!\s+old|-))",
        rf"(?P<weekday_full>(?P<weekday>{join_phrases(weekdays())})\b{part_of_day})",
    ]


def _loose_forms() -> list[str]:
    """Months, years and longer stretches, times of day, and words that name no date at all."""
    phrases: dict[str, list[str]] = read_table("temporal")["phrases"]
    past, present, future = (join_phrases(phrases[name]) for name in ("past", "present", "future"))
    season = join_phrases(seasons())
    return [
        rf"(?P<month_full>(?P<month_part>{_PART})?(?P<month>{join_phrases(months())})\b(?:\.(?=\s*\d))?"
        r"(?:,?\s+(?:of\s+)?(?P<month_year>\d{4})\b)?)",
        r"(?P<quarter>(?:q(?P<quarter_digit>[1-4])|(?:the\s+)?(?P<quarter_word>first|second|third|fourth|last)\s+quarter)\b"
        r"(?:\s+(?:of\s+)?(?P<quarter_year>\d{4})\b)?)",
        rf"(?P<season_full>(?P<season>{season})(?:\s+of)?\s+(?P<season_year>\d{{4}})\b)",
        rf"(?P<decade>(?:the\s+)?(?:{_PART})?(?:(?P<decade_full>\d{{3}}0)'?s|'(?P<decade_short>\d0)s)\b)",
        rf"(?P<century>(?:the\s+)?(?:{_PART})?(?P<century_number>\d{{1,2}})(?:st|nd|rd|th)\s+century\b)",
        r"(?P<era>\d{1,4}\s?(?:bce?|b\.c\.|ce|ad|a\.d\.)(?!\w)|ad\s\d{1,4}\b)",
        rf"(?P<holiday>{join_phrases(holidays())})\b",
        rf"(?P<year_full>(?P<year_part>{_PART})?(?P<year_word>(?:the\s+)?(?:fiscal\s+)?year\s+|fy\s?)?"
        r"(?P<year>[12]\d{3})(?![\d%]|[.,:/]\d|-\d{3}(?!\d)|-\d{5})(?!\w))",
        r"(?P<clock>(?P<clock_hour>\d{1,2})(?:(?::[0-5]\d){1,2}(?:\s?(?P<clock_half>[ap]\.m\.|[ap]m\b))?"
        r"|\s?(?P<clock_word>[ap]\.m\.|[ap]m\b|o'clock\b))|noon\b|midnight\b)",
        rf"(?P<phrase>(?P<phrase_past>{past})|(?P<phrase_present>{present})|(?P<phrase_future>{future}))\b",
    ]


def make_date(year: int, month: int, day: int) -> date | None:
    """The date, or None where the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def read_count(words: str) -> int | None:
    """The number in front of a unit; "a few" and "several" name none."""
    words = words.removesuffix(" of")
    if words[:1].isdigit():
        return int(float(words))
    if words.startswith("half"):
        return None
    if words.startswith("a ") or "couple" in words:
        return {"couple": 2, "dozen": 12, "hundred": 100}.get(words.split()[-1])
    numbers = _section("numbers")
    tens, _, ones = words.partition("-")
    total = numbers.get(tens)
    return total + numbers.get(ones, 0) if total is not None else None


def _singular(unit: str) -> str:
    return _SHORT_UNITS.get(unit, unit).removesuffix("s")


def add_units(clock: datetime, count: int, unit: str) -> date | None:
    """The day `count` units from the clock; None beyond the calendar."""
    name = _singular(unit)
    try:
        if name in _UNIT_SECONDS:
            return (clock + timedelta(seconds=count * _UNIT_SECONDS[name])).date()
        if name in _UNIT_DAYS:
            return clock.date() + timedelta(days=count * _UNIT_DAYS[name])
    except OverflowError:
        return None
    return add_months(clock.date(), count * _UNIT_MONTHS[name])


def add_months(day: date, count: int) -> date | None:
    index = day.year * 12 + day.month - 1 + count
    year, month = index // 12, index % 12 + 1
    if not 1 <= year <= 9999:
        return None
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def read_step(word: str) -> int:
    """-1 for what lies behind the clock, 1 for what lies ahead, 0 for where it stands."""
    return {"last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1, "following": 1}.get(word, 0)


def read_part(words: str) -> str:
    """early, mid, late or end, whatever the wording; empty for the whole."""
    if not words:
        return ""
    for part, cues in {"early": ("early", "beginning", "start"), "mid": ("mid",), "end": ("end",)}.items():
        if any(cue in words for cue in cues):
            return part
    return "late"


def is_anaphoric(word: str, what: str, preposition: str) -> bool:
    """ "the next day" counts from a day in the text, "over the next year" from the clock."""
    if word in ("following", "previous"):
        return True
    return word == "next" and preposition not in ("in", "over", "within", "for", "during") and what not in weekdays()


def step_to(what: str, step: int, clock: datetime) -> tuple[date | None, int]:
    """The first day, and the length in days, of the unit `step` away from the clock."""
    today = clock.date()
    if what in weekdays():
        return _step_to_weekday(weekdays()[what], step, today), 1
    if what in months():
        return _step_to_month(months()[what], step, today), 31
    if what in seasons():
        return _step_to_month(seasons()[what], step, today), 92
    if what in ("night", "morning", "afternoon", "evening", "day"):
        return add_units(clock, step, "day"), 1
    if what == "weekend":
        saturday = today + timedelta(days=(5 - today.weekday()) % 7)
        return add_units(datetime.combine(saturday, clock.timetz()), step, "week"), 2
    if what in ("week", "fortnight"):
        monday = today - timedelta(days=today.weekday())
        return add_units(datetime.combine(monday, clock.timetz()), step, what), _UNIT_DAYS[what]
    size = _UNIT_MONTHS[what]
    index = today.year * 12 + today.month - 1
    first = add_months(date(1, 1, 1), (index // size + step) * size - 12)
    return first, size * 30 + size // 2


def _step_to_weekday(weekday: int, step: int, today: date) -> date | None:
    ahead = (weekday - today.weekday()) % 7
    if step < 0:
        return today - timedelta(days=(today.weekday() - weekday) % 7 or 7)
    return today + timedelta(days=ahead if step == 0 else ahead or 7)


def _step_to_month(month: int, step: int, today: date) -> date | None:
    """The latest that is over, the next to come, or the one of this year."""
    year = today.year
    if step < 0:
        year -= month >= today.month
    elif step > 0:
        year += month <= today.month
    return make_date(year, month, 1)
