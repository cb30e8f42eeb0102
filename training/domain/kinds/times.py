"""Dates and times: restated, changed, before, after, by, until; labels follow from ranges of days or of minutes."""

from __future__ import annotations

import calendar
import random
from datetime import date, timedelta

from training.domain.grammar import end_sentence
from training.domain.numbers import order
from training.domain.pair import Case, Label, make_case
from training.domain.ranges import Range, find_premises, is_above
from training.domain.words import list_pool, pick, read_table


def _write_day(rng: random.Random, day: date) -> str:
    month = calendar.month_name[day.month]
    return rng.choice(
        (
            f"{day.day} {month} {day.year}",
            f"{month} {day.day}, {day.year}",
            f"{month} {order(day.day)}, {day.year}",
            day.isoformat(),
            f"the {order(day.day)} of {month} {day.year}",
            f"{day.day} {calendar.month_abbr[day.month]} {day.year}",
        )
    )


def _last_of(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def _say_day(rng: random.Random, day: date, exact: float) -> tuple[str, Range]:
    number = day.toordinal()
    written = _write_day(rng, day)
    if rng.random() < exact:
        return f"on {written}", Range(number, number)
    match rng.randrange(9):
        case 0:
            return f"before {written}", Range(float("-inf"), number - 1)
        case 1:
            return f"after {written}", Range(number + 1, float("inf"))
        case 2:
            return f"{rng.choice(('no later than', 'on or before'))} {written}", Range(float("-inf"), number)
        case 3:
            return f"{rng.choice(('no earlier than', 'on or after'))} {written}", Range(number, float("inf"))
        case 4 | 5:
            return f"in {calendar.month_name[day.month]} {day.year}", Range(
                day.replace(day=1).toordinal(), _last_of(day.year, day.month).toordinal()
            )
        case 6:
            return f"in {day.year}", Range(date(day.year, 1, 1).toordinal(), date(day.year, 12, 31).toordinal())
        case 7:
            quarter = (day.month - 1) // 3
            wording = rng.choice(
                (
                    f"in Q{quarter + 1} {day.year}",
                    f"in the {('first', 'second', 'third', 'fourth')[quarter]} quarter of {day.year}",
                )
            )
            return wording, Range(
                date(day.year, quarter * 3 + 1, 1).toordinal(), _last_of(day.year, quarter * 3 + 3).toordinal()
            )
        case _:
            end = day + timedelta(days=rng.randint(3, 60))
            return f"between {written} and {_write_day(rng, end)}", Range(number, end.toordinal())


def _place(rng: random.Random, event: str, when: str) -> str:
    return end_sentence(
        f"{when}, {event}" if rng.random() < 0.2 and when.startswith(("on ", "in ", "after ")) else f"{event} {when}"
    )


def draw_date(rng: random.Random) -> Case:
    event = rng.choice(read_table("times")["events"]).replace("{p}", pick(rng, "person"))
    day = date(rng.randint(1990, 2025), 1, 1) + timedelta(days=rng.randint(0, 364))
    when, bound = _say_day(rng, day, 0.35)

    def premise(rng: random.Random) -> tuple[str, Range]:
        chance = rng.random()
        moved = (
            day
            if chance < 0.4
            else day + timedelta(days=rng.choice((-366, -40, -30, -10, -7, -2, -1, 1, 2, 7, 10, 30, 40, 366)))
        )
        when, range_ = _say_day(rng, moved, 0.6)
        return _place(rng, event, when), range_

    claim = _place(rng, event, when)
    return Case(claim, find_premises(rng, claim, bound, premise))


def _write_time(rng: random.Random, minutes: int) -> str:
    hour, minute = divmod(minutes, 60)
    if minutes == 720 and rng.random() < 0.5:
        return "noon"
    twelve, half = (hour - 1) % 12 + 1, "am" if hour < 12 else "pm"
    forms = [f"{hour:02}:{minute:02}", f"{twelve}:{minute:02} {half}"]
    if not minute:
        forms += [f"{twelve} {half}", f"{twelve}{half}"]
    elif minute == 30:
        forms.append(f"half past {twelve} in the {'morning' if hour < 12 else 'afternoon' if hour < 18 else 'evening'}")
    return rng.choice(forms)


def _say_time(rng: random.Random, minutes: int, exact: float) -> tuple[str, Range]:
    written = _write_time(rng, minutes)
    if rng.random() < exact:
        return f"at {written}", Range(minutes, minutes)
    match rng.randrange(6):
        case 0:
            return f"before {written}", Range(float("-inf"), minutes - 1)
        case 1:
            return f"after {written}", is_above(minutes)
        case 2:
            return f"{rng.choice(('no later than', 'at the latest at'))} {written}", Range(float("-inf"), minutes)
        case 3:
            return f"{rng.choice(('not before', 'no earlier than', 'at the earliest at'))} {written}", Range(
                minutes, float("inf")
            )
        case 4 if minutes < 690:
            return "in the morning", Range(4 * 60, 11 * 60 + 59)
        case 4 if 13 * 60 <= minutes < 17 * 60:
            return "in the afternoon", Range(12 * 60 + 1, 17 * 60 + 59)
        case _:
            later = min(minutes + rng.choice((30, 60, 90, 120)), 23 * 60 + 45)
            return f"between {written} and {_write_time(rng, later)}", Range(minutes, later)


def draw_time(rng: random.Random) -> Case:
    event = rng.choice(read_table("times")["daily"]).replace("{p}", pick(rng, "person"))
    minutes = rng.randint(5 * 4, 22 * 4) * 15
    when, bound = _say_time(rng, minutes, 0.45)

    def premise(rng: random.Random) -> tuple[str, Range]:
        moved = (
            minutes
            if rng.random() < 0.4
            else max(300, min(1350, minutes + rng.choice((-720, -180, -60, -30, -15, 15, 30, 60, 180, 720))))
        )
        when, range_ = _say_time(rng, moved, 0.6)
        return _place(rng, event, when), range_

    claim = _place(rng, event, when)
    return Case(claim, find_premises(rng, claim, bound, premise))


def draw_span(rng: random.Random) -> Case:
    """Something with a beginning and an end: claims on its length, its days and its edges."""
    course = rng.choice(read_table("times")["courses"]).replace("{p}", pick(rng, "person"))
    start = date(rng.randint(2015, 2025), 1, 1) + timedelta(days=rng.randint(0, 330))
    days = rng.choice((5, 7, 10, 14, 20, 21, 28, 30, 45))
    end = start + timedelta(days=days)

    def say(rest: str) -> str:
        return end_sentence(f"{course} {rest}")

    def whole(shift: int = 0, longer: int = 0) -> str:
        a = _write_day(rng, start + timedelta(days=shift))
        b = _write_day(rng, end + timedelta(days=shift + longer))
        return say(
            rng.choice(
                (f"ran from {a} to {b}", f"began on {a} and ended on {b}", f"started on {a} and was over on {b}")
            )
        )

    away = days + rng.randint(3, 40)
    later, earlier, right = whole(away), whole(-away), whole()
    began, ended = say(f"began on {_write_day(rng, start)}"), say(f"ended on {_write_day(rng, end)}")
    nothing = say(rng.choice(("was planned for a long time", "cost more than expected", "went well on the whole")))
    match rng.randrange(6):
        case 0:
            middle = _write_day(rng, start + timedelta(days=rng.randint(1, days - 1)))
            return make_case(
                say(f"was under way on {middle}"),
                right,
                rng.choice((began, ended, nothing)),
                rng.choice((later, earlier)),
            )
        case 1:
            return make_case(began, right, rng.choice((ended, nothing)), rng.choice((later, earlier)))
        case 2:
            claim = say(f"was already over by {_write_day(rng, end + timedelta(days=2))}")
            return make_case(claim, rng.choice((right, ended, earlier)), rng.choice((began, nothing)), later)
        case 3:
            claim = say(f"had not yet begun on {_write_day(rng, start - timedelta(days=1))}")
            return make_case(claim, rng.choice((right, began, later)), rng.choice((ended, nothing)), whole(-4))
        case 4:
            length = f"{days // 7} weeks" if days % 7 == 0 and days > 7 and rng.random() < 0.5 else f"{days} days"
            told = say(f"began on {_write_day(rng, start)} and ended {days} days later")
            return make_case(
                say(f"lasted {length}"), told, rng.choice((began, ended)), whole(0, rng.choice((-2, 3, 7, 14)))
            )
        case _:
            return make_case(ended, right, rng.choice((began, nothing)), rng.choice((later, earlier)))


def draw_rhythm(rng: random.Random) -> Case:
    """Weekdays and how often something happens."""
    table = read_table("times")
    days = list_pool("weekday")
    a, b = rng.sample(days, 2)
    weekend = ("Saturday", "Sunday")
    words = {
        "h": rng.choice(table["habits"]).replace("{p}", pick(rng, "person")),
        "a": a,
        "b": b,
        "kind": "at the weekend" if a in weekend else "on a weekday",
        "o": rng.choice([day for day in days if (day in weekend) != (a in weekend)]),
    }
    row = rng.choice(table["rhythm"])
    texts = (rng.choice(row[label]).format(**words) for label in ("entail", "neutral", "contradict"))
    return make_case(end_sentence(row["claim"].format(**words)), *map(end_sentence, texts))


def draw_when(rng: random.Random) -> Case:
    case = rng.choices((draw_date, draw_time, draw_span, draw_rhythm), (40, 25, 18, 17))[0](rng)
    return case if len(case.premises) == len(Label) else draw_when(rng)
