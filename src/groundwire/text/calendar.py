"""Dates and clock times as comparable values.

A date is the days it can mean: a day, a month, a year are ranges of days, and the narrower range is the more specific
value. What needs a clock ("yesterday", "next Friday") is resolved only against a `now` that the caller gives.
"""

from __future__ import annotations

import calendar as months_of_the_world
import re
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.text.numerals import numerals, read_words, spell_with_digits
from groundwire.text.tables import join_stems

Days = tuple[date, date]

_LONGEST = 80
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
_MONTHS = tuple(name.lower() for name in MONTHS)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH_NUMBERS = {name[:length]: number for number, name in enumerate(_MONTHS, 1) for length in (3, 9)} | {"sept": 9}
WEEKDAY_NUMBERS = {name: number for number, name in enumerate(_WEEKDAYS)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
# Words of their own when they stand alone: the sun, a name, to mar.
_NOT_ALONE = frozenset({"jan", "mar", "sun", "sat"})
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_PARTS = {"early": (1, 4), "mid": (5, 8), "late": (9, 12)}

_MONTH = "(?P<month>" + "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_DATE_FORMS = (
    r"(?P<year>\d{4})[-/.](?P<number>\d{1,2})[-/.](?P<day>\d{1,2})",
    r"(?P<first>\d{1,2})(?P<sign>[-/.])(?P<second>\d{1,2})[-/.](?P<year>\d{4})",
    r"(?P<year>\d{4})[-/](?P<number>\d{2})",
    r"(?P<number>\d{1,2})/(?P<year>\d{4})",
    rf"{_MONTH} (?:the )?{_DAY}(?:,? {_YEAR})?",
    rf"{_DAY}[ -](?:of )?{_MONTH}(?:(?:,? (?:of )?|-){_YEAR})?",
    rf"(?:the )?(?:month of )?{_MONTH}(?:,? (?:of )?{_YEAR})?",
    r"(?:the )?(?:year )?(?P<year>[12]\d{3})",
    r"(?:the )?(?P<decade>[12]\d{2}0)'?s",
    r"(?:the )?'?(?P<short_decade>[2-9]0)'?s",
    r"(?:the )?(?P<century>\d{1,2}(?:st|nd|rd|th)|[a-z]{5,11}(?:-first)?)[ -]century",
    r"(?:the )?(?P<part>early|mid|late)[ -](?P<year>\d{4})",
    r"(?:the )?(?P<season>spring|summer|autumn|fall|winter) (?:of )?(?P<year>\d{4})",
    r"(?P<quarter>q[1-4]) (?:of )?(?P<year>\d{4})",
    r"(?P<year>\d{4})[ -]?(?P<quarter>q[1-4])",
)
_WEEKDAY = re.compile(r"(?:the )?(" + "|".join(sorted(WEEKDAY_NUMBERS, key=len, reverse=True)) + r")s?\.?(?:,? |$)")
_LEAD = re.compile(r"(?:on|in|at|the) ")
_ISO_TIME = re.compile(r"(?<=\d)t(?=\d\d:)")
_CLOCK = re.compile(
    r"(?<![\d.:/-])(?:at |@ ?)?(?:"
    r"(?P<hour>\d{1,2})[:.](?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?(?: ?(?P<half>[ap])\.?m\b\.?)?"
    r"|(?P<bare>\d{1,2}) ?(?P<half2>[ap])\.?m\b\.?"
    r"|(?P<oclock>\d{1,2}|[a-z]{3,6}) o'?clock"
    r"|(?P<fraction>half|quarter|(?:\d{1,2} minutes|(?:five|ten|twenty)(?: minutes)?)) (?P<way>past|to|after|before)"
    r" (?P<base>\d{1,2}|[a-z]{3,6})"
    r"|(?P<named>noon|midday|midnight)"
    r"|(?P<plain>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?= in the (?:morning|afternoon|evening)\b| at night\b)"
    r"|(?P<military>0\d[0-5]\d) ?(?:hrs|hours)\b"
    r")(?: (?P<zone>utc|gmt|cet|cest|est|edt|pst|pdt|cst|mst|ist|bst)\b|z\b)?"
    r"(?: (?:in the|at) (?P<daypart>morning|afternoon|evening|night))?"
)
_HINT = re.compile(  # every date and every time has a digit or one of these somewhere
    r"\d|" + join_stems([
        *(name[:3] for name in (*_MONTHS, *_WEEKDAYS)), "day", "week", "month", "year", "now", "tonight", "tomorrow",
        "century", "noon", "midnight", "morning", "evening", "night", "clock", "half", "quarter", "five", "ten",
        "twenty",
    ])
)  # fmt: skip
RELATIVE_DAYS = {"today": 0, "tonight": 0, "now": 0, "right now": 0, "tomorrow": 1, "yesterday": -1,
                  "day after tomorrow": 2, "day before yesterday": -2}  # fmt: skip
RELATIVE = re.compile(r"(?P<which>last|next|this|past|coming|previous|current|upcoming) (?P<what>[a-z]{3,10})$")
DISTANCE = re.compile(r"(?P<ahead>in )?(?P<count>\d{1,4}|[a-z]{1,9}(?:[ -][a-z]{3,5})?) (?P<unit>day|week|month|year)s?"
                       r"(?P<way> ago| from now| from today| later| earlier| back)?$")  # fmt: skip


class Moment(NamedTuple):
    """What a date or time says; `days` holds every reading of an ambiguous date, `minutes` of an ambiguous hour."""

    shown: str
    days: tuple[Days, ...] = ()
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    minutes: tuple[int, ...] = ()
    zone: str = ""
    relative: str = ""

    @property
    def has_date(self) -> bool:
        return bool(self.days or self.month or self.weekday is not None or self.relative)

    @property
    def key(self) -> str | None:
        """Equal keys, equal moments; what needs a clock has none."""
        if self.relative:
            return None
        parts = ["|".join(f"{first}" if first == last else f"{first}..{last}" for first, last in self.days)]
        if self.days and self.days[0] == span_year(self.days[0][0].year):
            parts = [str(self.days[0][0].year)]
        if self.month:
            parts.append(_MONTHS[self.month - 1] + (f" {self.day}" if self.day else ""))
        if self.weekday is not None and not self.days:
            parts.append(_WEEKDAYS[self.weekday])
        parts.extend(f"{minute // 60:02d}:{minute % 60:02d}" for minute in self.minutes)
        parts.append(self.zone)
        return " ".join(part for part in parts if part)


def read_moment(text: str) -> Moment | None:
    """The date, the time or both that lower-case `text` is; None when it says anything else besides."""
    return None if len(text) > _LONGEST or _HINT.search(text) is None else _read(text)


@lru_cache(maxsize=8192)
def _read(text: str) -> Moment | None:
    if text.isdecimal() and text.isascii():  # of all forms, digits alone are only a year
        return Moment(text, (span_year(int(text)),)) if len(text) == 4 and text[0] in "12" else None
    shown, text = text, _ISO_TIME.sub(" ", text)
    clock = _CLOCK.search(text)
    minutes, zone, rest = (), "", text
    if clock and (found := _minutes(clock)):
        minutes, zone = found, clock["zone"] or ""
        rest = f"{text[: clock.start()].rstrip(' ,')} {text[clock.end() :].lstrip(' ,')}".strip()
        rest = rest.removesuffix(" on").removesuffix(" at")
    if not rest:
        return Moment(shown, minutes=minutes, zone=zone) if minutes else None
    found_date = _read_date(rest, shown)
    if found_date is None and (lead := _LEAD.match(rest)) is not None:
        found_date = _read_date(rest[lead.end() :], shown)
    if found_date is None:
        return None
    return Moment(shown, found_date.days, found_date.month, found_date.day, found_date.weekday, minutes, zone,
                  found_date.relative)  # fmt: skip


def _minutes(clock: re.Match[str]) -> tuple[int, ...]:
    """Every minute of the day that the words can mean."""
    if named := clock["named"]:
        return (0,) if named == "midnight" else (720,)
    if military := clock["military"]:
        return (int(military[:2]) * 60 + int(military[2:]),)
    half = clock["half"] or clock["half2"] or ""
    if daypart := clock["daypart"]:
        half = "a" if daypart == "morning" else "p"
    if clock["fraction"]:
        return _past_or_to(clock, half)
    written = clock["hour"] or clock["bare"] or clock["plain"] or ""
    hour = small_number(written or clock["oclock"])
    if hour is None:
        return ()
    if clock["hour"] and ":" not in clock.group() and not half:  # 3.30 is a number unless am or pm follows
        return ()
    return _on_the_clock(hour, int(clock["minute"] or 0), half, certain=written.startswith("0"))


def _past_or_to(clock: re.Match[str], half: str) -> tuple[int, ...]:
    base = small_number(clock["base"])
    words = clock["fraction"].removesuffix(" minutes")
    offset = {"half": 30, "quarter": 15}.get(words) or small_number(words)
    if base is None or offset is None or not 1 <= base <= 12:
        return ()
    sign = 1 if clock["way"] in ("past", "after") else -1
    return tuple(sorted((minute + sign * offset) % 1440 for minute in _on_the_clock(base, 0, half, certain=False)))


def _on_the_clock(hour: int, minute: int, half: str, *, certain: bool) -> tuple[int, ...]:
    if hour > 24 or (half and not 1 <= hour <= 12 and hour < 13):
        return ()
    if half and hour <= 12:
        return (hour % 12 * 60 + minute + (720 if half == "p" else 0),)
    if certain or not 1 <= hour <= 12:
        return (hour % 24 * 60 + minute,)
    return tuple(sorted((hour % 12 * 60 + minute, hour % 12 * 60 + minute + 720)))


def small_number(word: str) -> int | None:
    if word.isdecimal():
        return int(word)
    words = word.replace("-", " ").split()
    found = read_words(words, 0)
    if found and found[1] == len(words):
        return int(found[0])
    return {"a": 1, "an": 1, "couple of": 2}.get(word)


def _read_date(text: str, shown: str) -> Moment | None:
    if RELATIVE.match(text) is not None:
        return Moment(shown, relative=text) if _span_named(text.rpartition(" ")[2]) else None
    if text in RELATIVE_DAYS or _is_distance(text):
        return Moment(shown, relative=text)
    weekday = None
    if (match := _WEEKDAY.match(text)) and text.rstrip(".") not in _NOT_ALONE:
        weekday = WEEKDAY_NUMBERS[match[1]]
        text = text[match.end() :].removeprefix("the ")
        if not text:
            return Moment(shown, weekday=weekday)
    if text.rstrip(".") in _NOT_ALONE:
        return None
    text = _with_digits(text.removeprefix("the "))
    for form in _date_forms():
        if match := form.fullmatch(text):
            return _from_match(match, shown, weekday)
    return None


def _with_digits(text: str) -> str:
    """ "third of August" as "3rd of August"; a century is told by its word."""
    words = text.replace("-", " ").split()
    if numerals().ordinals.keys().isdisjoint(words) or MONTH_NUMBERS.keys().isdisjoint(words):
        return text
    return " ".join(spell_with_digits(words))


@cache
def _date_forms() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form) for form in _DATE_FORMS)


def _from_match(match: re.Match[str], shown: str, weekday: int | None) -> Moment | None:
    groups = match.groupdict()
    if groups.get("first"):
        readings = _numeric(int(match["first"]), int(match["second"]), int(match["year"]), match["sign"])
        return Moment(shown, readings, weekday=weekday) if readings else None
    month = int(groups.get("number") or 0) or MONTH_NUMBERS.get(groups.get("month") or "", 0)
    day, year = int(groups.get("day") or 0), int(groups.get("year") or -1)
    if decade := groups.get("decade") or groups.get("short_decade"):
        start = int(decade) if len(decade) == 4 else 1900 + int(decade) if decade != "20" else 2020
        length = 100 if start % 100 == 0 and start < 2000 else 10  # the 1100s are a century, the 2000s the decade
        return Moment(shown, ((date(start, 1, 1), date(start + length - 1, 12, 31)),))
    if century := groups.get("century"):
        number = _read_ordinal(century)
        return (
            Moment(shown, ((date(100 * number - 99, 1, 1), date(100 * number, 12, 31)),)) if 0 < number < 99 else None
        )
    if year < 0:
        fits = 1 <= month <= 12 and day <= months_of_the_world.monthrange(2000, month)[1]
        return Moment(shown, month=month, day=day or None, weekday=weekday) if fits else None
    if not 1 <= year < 9998:
        return None
    if groups.get("season"):
        return Moment(shown, (span_months(year, _SEASONS[match["season"]], 3),))
    if groups.get("quarter"):
        return Moment(shown, (span_months(year, int(match["quarter"][1]) * 3 - 2, 3),))
    if groups.get("part"):
        first, last = _PARTS[match["part"]]
        return Moment(shown, (span_months(year, first, last - first + 1),))
    days = _days(year, month, day)
    return Moment(shown, (days,), weekday=weekday) if days else None


def _numeric(first: int, second: int, year: int, sign: str) -> tuple[Days, ...]:
    """3.5.2021 puts the day first; 3/5/2021 can be both unless a number exceeds twelve."""
    orders = [(second, first)] if sign == "." else [(first, second), (second, first)]
    readings = {days for month, day in orders if day and (days := _days(year, month, day)) and month}
    return tuple(sorted(readings))


def _days(year: int, month: int, day: int) -> Days | None:
    if not 1 <= year <= 9998:
        return None
    if not month:
        return span_year(year)
    if month > 12 or day > months_of_the_world.monthrange(year, month)[1]:
        return None
    if day:
        return date(year, month, day), date(year, month, day)
    return span_months(year, month, 1)


def _read_ordinal(written: str) -> int:
    """ "19th", "twelfth", "twenty-first"; 0 for other words."""
    digits = spell_with_digits(written.split("-"))[0][:-2]
    return int(digits) if digits.isdecimal() else 0


def span_year(year: int) -> Days:
    return date(year, 1, 1), date(year, 12, 31)


def span_months(year: int, month: int, count: int) -> Days:
    start, end = year * 12 + month - 1, year * 12 + month - 1 + count
    return date(start // 12, start % 12 + 1, 1), date(end // 12, end % 12 + 1, 1) - timedelta(days=1)


def _is_distance(text: str) -> bool:
    match = DISTANCE.match(text)
    return bool(match and (match["ahead"] or match["way"]) and small_number(match["count"]) is not None)


def _span_named(word: str) -> bool:
    return word in ("week", "weekend", "month", "year") or word in WEEKDAY_NUMBERS or word in MONTH_NUMBERS
