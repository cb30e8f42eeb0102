"""Reads the times a text names and places them on the calendar of the call.

`resolved_date` is the first day an expression can mean; a time that no calendar can place (a clock time, "soon", a
bare duration) keeps None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo

from groundwire.text import times
from groundwire.text.folding import fold
from groundwire.text.tense import Clauses
from groundwire.text.times import add_units, find_forms, lower, make_date, read_count
from groundwire.types import TemporalExpression, TemporalRelation, Tense


def find_times(text: str, now: datetime, tz: tzinfo | None = None) -> tuple[TemporalExpression, ...]:
    """Every time named in `text`, in order, resolved against `now`; a clock without a zone is UTC."""
    clock = now if now.tzinfo else now.replace(tzinfo=UTC)
    clock = clock.astimezone(tz) if tz else clock
    folded = fold(text)
    clauses = Clauses(folded.text)
    found: list[TemporalExpression] = []
    previous: _Reading | None = None
    for match in find_forms(lower(folded.text)):
        reading = _Reading(match, clock, clauses, previous)
        placed = _PLACERS[match.lastgroup or "clock"](reading)
        if placed is None:
            continue
        span = folded.locate(match.start(), match.end())
        found.append(
            TemporalExpression(
                surface=text[span.start : span.end],
                span=span,
                resolved_date=placed.day,
                year=placed.year if placed.year is not None else (placed.day.year if placed.day else None),
                tense=placed.tense or reading.cue(placed.day) or _compare(placed, clock.date()),
                relation=placed.relation or reading.relation or TemporalRelation.AT,
            )
        )
        previous = reading
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an expression lies; `length` days tell whether it still contains today."""

    day: date | None = None
    length: int = 1
    tense: Tense | None = None
    relation: TemporalRelation | None = None
    year: int | None = None


@dataclass(slots=True)
class _Reading:
    """One match with what its surroundings say."""

    match: re.Match[str]
    clock: datetime
    clauses: Clauses
    previous: _Reading | None
    preposition: str = field(init=False)
    relation: TemporalRelation | None = field(init=False)

    def __post_init__(self) -> None:
        self.preposition, self.relation = self.clauses.read_preposition(self.match.start())
        joint = self.previous and self.clauses.read_joint(self.previous.match.end(), self.match.start())
        closes_between = joint == "and" and self.previous is not None and self.previous.preposition == "between"
        if joint in ("to", "-", "–", "through") or closes_between:
            self.preposition, self.relation = "to", TemporalRelation.UNTIL
        elif self.preposition == "to":
            self.relation = None

    @property
    def today(self) -> date:
        return self.clock.date()

    def group(self, name: str) -> str:
        return self.match.group(name) or ""

    def is_capital(self, name: str) -> bool:
        return self.clauses.is_capital(self.match.start(name))

    def number(self, name: str) -> int:
        return int(self.match.group(name))

    def cue(self, day: date | None = None) -> Tense | None:
        """The tense the clause gives; a past verb may set a term that lies ahead ("elected until 2030")."""
        tense = self.clauses.read_tense(self.match.start(), self.match.end(), self.relation)
        is_term = self.relation is TemporalRelation.UNTIL or self.preposition == "for"
        return None if tense is Tense.PAST and is_term and day and day > self.today else tense

    @property
    def looks_back(self) -> bool | None:
        """Whether the clause or the preposition points into the past; None when nothing tells."""
        if self.relation in (TemporalRelation.BEFORE, TemporalRelation.UNTIL) and self.cue() is not Tense.PAST:
            return False
        if self.relation is TemporalRelation.SINCE:
            return True
        cue = self.cue()
        return None if cue is None else cue is Tense.PAST


def _compare(place: _Place, today: date) -> Tense:
    if place.day is None:
        return Tense.PRESENT if place.year is None else Tense.PAST
    if place.day > today:
        return Tense.FUTURE
    return Tense.PAST if place.day + timedelta(days=place.length - 1) < today else Tense.PRESENT


# ── absolute dates ──────────────────────────────────────────────────────────────────────────────


def _place_iso(reading: _Reading) -> _Place | None:
    numbers = re.findall(r"\d+", reading.match.group()[:10])
    if len(numbers) == 2:
        day = make_date(int(numbers[0]), int(numbers[1]), 1)
        return _Place(day, 31) if day else None
    day = make_date(int(numbers[0]), int(numbers[1]), int(numbers[2]))
    return _Place(day) if day else None


def _place_numeric(reading: _Reading) -> _Place | None:
    """Points are written day first, strokes month first, unless the numbers allow one order only."""
    first, second, year = (int(part) for part in re.findall(r"\d+", reading.match.group()))
    if year < 100:
        year += 2000 if year < 70 else 1900
    month_first = "." not in reading.match.group()
    orders = [(first, second), (second, first)] if month_first else [(second, first), (first, second)]
    for month, day in orders:
        if placed := make_date(year, month, day):
            return _Place(placed)
    return None


def _place_day(reading: _Reading) -> _Place | None:
    """A day of a month, either order; without a year, the one the tense asks for."""
    prefix = "dmy" if reading.match.group("dmy") else "mdy"
    month = times.months()[reading.group(f"{prefix}_month")]
    day = reading.number(f"{prefix}_day")
    if reading.match.group(f"{prefix}_year"):
        placed = make_date(reading.number(f"{prefix}_year"), month, day)
        return _Place(placed) if placed else None
    if not _is_month_word(reading, f"{prefix}_month") or not make_date(2000, month, day):
        return None
    return _Place(_nearest(reading, lambda year: make_date(year, month, day)))


def _place_month(reading: _Reading) -> _Place | None:
    month = times.months()[reading.group("month")]
    offset = {"mid": 10, "late": 20, "end": 20}.get(times.read_part(reading.group("month_part")), 0)
    if reading.match.group("month_year"):
        day = make_date(reading.number("month_year"), month, 1)
    elif not _is_month_word(reading, "month") or not _stands_as_month(reading):
        return None
    else:
        day = _nearest(reading, lambda year: make_date(year, month, 1))
    return _Place(day + timedelta(days=offset), 31 - offset) if day else None


def _is_month_word(reading: _Reading, group: str) -> bool:
    """A lower-case "may" or "march" is a verb unless something else makes it a month."""
    if reading.is_capital(group) or reading.group(group) not in times.ambiguous_months() or reading.preposition:
        return True
    return group != "month" and bool(reading.group(group.replace("month", "nth")))


def _stands_as_month(reading: _Reading) -> bool:
    """A bare month that is also a name needs a preposition or a part ("early May") in front."""
    if reading.group("month") not in times.ambiguous_months() or reading.match.group("month_part"):
        return True
    follows = reading.clauses.verb_follows(reading.match.end())
    return reading.preposition in times.calendar_prepositions() and not follows


def _nearest(reading: _Reading, on_year: Callable[[int], date | None]) -> date | None:
    """The occurrence the tense points at; without a hint, that of the current year."""
    today = reading.today
    this_year = on_year(today.year)
    if reading.looks_back is None or this_year is None:
        return this_year
    if reading.looks_back:
        return this_year if this_year <= today else on_year(today.year - 1)
    upcoming = this_year >= today.replace(day=1)
    return this_year if upcoming else on_year(today.year + 1)


def _place_year(reading: _Reading) -> _Place | None:
    year = reading.number("year")
    named = reading.match.group("year_word") or reading.match.group("year_part")
    if not named and not reading.clauses.is_year(reading.match.start("year"), reading.match.end(), year):
        return None
    part = times.read_part(reading.group("year_part"))
    month = {"mid": 5, "late": 9, "end": 12}.get(part, 1)
    length = 366 if not part else {"early": 120, "mid": 123, "late": 122, "end": 31}[part]
    day = make_date(year, month, 1)
    return _Place(day, length, year=year) if day else None


def _place_quarter(reading: _Reading) -> _Place | None:
    digit = reading.group("quarter_digit")
    quarter = int(digit) if digit else times.ordinals()[reading.group("quarter_word")]
    year = reading.number("quarter_year") if reading.match.group("quarter_year") else reading.today.year
    day = make_date(year, quarter * 3 - 2, 1)
    return _Place(day, 92) if day else None


def _place_season(reading: _Reading) -> _Place | None:
    day = make_date(reading.number("season_year"), times.seasons()[reading.group("season")], 1)
    return _Place(day, 92) if day else None


def _place_decade(reading: _Reading) -> _Place | None:
    if reading.match.group("decade_full"):
        year = reading.number("decade_full")
    else:
        year = 1900 + reading.number("decade_short")
    day = make_date(year, 1, 1)
    return _Place(day, 3653, relation=reading.relation or TemporalRelation.DURING) if day else None


def _place_century(reading: _Reading) -> _Place | None:
    day = make_date((reading.number("century_number") - 1) * 100 + 1, 1, 1)
    return _Place(day, 36525, relation=reading.relation or TemporalRelation.DURING) if day else None


def _place_era(reading: _Reading) -> _Place | None:
    year = int(re.findall(r"\d+", reading.match.group())[0])
    if "b" in reading.match.group():
        return _Place(None, tense=Tense.PAST, year=-year)
    day = make_date(year, 1, 1)
    return _Place(day, 366) if day else None


def _place_holiday(reading: _Reading) -> _Place | None:
    month, day = times.holidays()[re.sub(r"\s+", " ", reading.group("holiday"))]
    return _Place(_nearest(reading, lambda year: make_date(year, month, day)))


# ── relative to the clock ───────────────────────────────────────────────────────────────────────


def _place_near_day(reading: _Reading) -> _Place | None:
    phrase = reading.group("near_day")
    steps = {"yesterday": -1, "tomorrow": 1, "tonight": 0, "today": 0, "last night": -1}
    step = next(value for word, value in steps.items() if word in phrase)
    if phrase.startswith(("the day", "day")):
        step *= 2
    tense = Tense.PAST if step < 0 else Tense.FUTURE if step > 0 else None
    if phrase == "tonight":
        tense = reading.cue() or Tense.FUTURE
    return _Place(add_units(reading.clock, step, "day"), tense=tense)


def _place_shift(reading: _Reading) -> _Place | None:
    """ "last year", "next Friday", "this May": one step from where the clock stands."""
    step = times.read_step(reading.group("shift"))
    what = reading.group("shift_what")
    counted_from_text = times.is_anaphoric(reading.group("shift"), what, reading.preposition)
    if step and reading.match.group("shift_the") and counted_from_text:
        return _Place(None)
    day, length = times.step_to(what, step, reading.clock)
    tense = {-1: Tense.PAST, 1: Tense.FUTURE}.get(step)
    return _Place(day, length, tense, reading.relation or (TemporalRelation.DURING if length > 1 else None))


def _place_ending(reading: _Reading) -> _Place | None:
    """ "the end of the year": a part of the unit, a third in for the middle and the last tenth for the end."""
    step = times.read_step(reading.group("ending_step"))
    day, length = times.step_to(reading.group("ending_unit"), step, reading.clock)
    if day is None:
        return None
    share = {"middle": 0.34, "end": 0.92}.get(reading.group("ending_part"), 0.0)
    offset = int(length * share)
    return _Place(day + timedelta(days=offset), length - offset, {-1: Tense.PAST, 1: Tense.FUTURE}.get(step))


def _place_ago(reading: _Reading) -> _Place | None:
    count = read_count(reading.group("ago_count"))
    day = add_units(reading.clock, -count, reading.group("ago_unit")) if count is not None else None
    return _Place(day, tense=Tense.PAST)


def _place_distance(reading: _Reading) -> _Place | None:
    """ "two days later" starts from a moment in the text, "two days from now" from the clock."""
    count, how = read_count(reading.group("far_count")), reading.group("far_how")
    if "now" not in how and "today" not in how and "hence" not in how:
        return _Place(None, relation=TemporalRelation.BEFORE if how == "earlier" else TemporalRelation.AFTER)
    day = add_units(reading.clock, count, reading.group("far_unit")) if count is not None else None
    return _Place(day, tense=Tense.FUTURE)


def _place_ahead(reading: _Reading) -> _Place | None:
    """ "in three days" looks ahead, unless the clause is past: then it says how long something took."""
    if reading.cue() is Tense.PAST:
        return _Place(None, relation=TemporalRelation.DURING, tense=Tense.PAST)
    count = read_count(reading.group("ahead_count"))
    day = add_units(reading.clock, count, reading.group("ahead_unit")) if count is not None else None
    relation = TemporalRelation.BEFORE if reading.group("ahead_in") == "within" else TemporalRelation.AFTER
    return _Place(day, tense=Tense.FUTURE, relation=relation)


def _place_stretch(reading: _Reading) -> _Place | None:
    """ "the last two years": the stretch up to the clock, or away from it."""
    count, step = read_count(reading.group("stretch_count")), times.read_step(reading.group("stretch"))
    if step > 0:
        return _Place(reading.today, relation=TemporalRelation.DURING, tense=Tense.FUTURE)
    day = add_units(reading.clock, -count, reading.group("stretch_unit")) if count is not None else None
    return _Place(day, tense=reading.cue() or Tense.PAST, relation=TemporalRelation.DURING)


def _place_duration(reading: _Reading) -> _Place | None:
    if reading.group("long_count") in ("a", "an", "one") and reading.preposition not in times.duration_prepositions():
        return None
    relation = reading.relation if reading.preposition in ("after", "before") else TemporalRelation.DURING
    return _Place(None, relation=relation)


def _place_weekday(reading: _Reading) -> _Place | None:
    if not reading.is_capital("weekday") and not reading.preposition:
        return None
    back = reading.looks_back
    ahead = (times.weekdays()[reading.group("weekday")] - reading.today.weekday()) % 7
    return _Place(add_units(reading.clock, ahead - 7 if back and ahead else ahead, "day"))


def _place_clock(reading: _Reading) -> _Place | None:
    hour = reading.group("clock_hour")
    exact = reading.match.group("clock_half") or reading.match.group("clock_word") or len(hour) != 1
    if not exact and reading.preposition not in times.clock_prepositions():
        return None
    return None if hour and int(hour) > 24 else _Place(None)


def _place_phrase(reading: _Reading) -> _Place | None:
    if reading.match.group("phrase_past"):
        return _Place(None, tense=Tense.PAST)
    if reading.match.group("phrase_future"):
        return _Place(None, tense=Tense.FUTURE)
    return _Place(reading.today, tense=Tense.PRESENT)


_PLACERS: dict[str, Callable[[_Reading], _Place | None]] = {
    "iso": _place_iso, "numeric": _place_numeric, "dmy": _place_day, "mdy": _place_day, "month_full": _place_month,
    "year_full": _place_year, "quarter": _place_quarter, "season_full": _place_season, "decade": _place_decade,
    "century": _place_century, "era": _place_era, "holiday": _place_holiday, "near_day": _place_near_day,
    "shift_full": _place_shift, "ago": _place_ago, "far": _place_distance, "ahead": _place_ahead,
    "stretch_full": _place_stretch, "long": _place_duration, "weekday_full": _place_weekday, "clock": _place_clock,
    "phrase": _place_phrase, "ending": _place_ending,
}  # fmt: skip
