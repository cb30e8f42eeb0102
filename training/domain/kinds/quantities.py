"""Numbers: restated, changed, bounded from above and below, converted, added up. Labels follow from ranges alone."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from training.domain.grammar import end_sentence
from training.domain.numbers import ORDINALS, order, spell, write
from training.domain.pair import Case, Label, make_case
from training.domain.ranges import Range, find_premises, is_above, is_below
from training.domain.words import pick, read_table

_AMOUNTS = (
    ("exact", ("{n}", "{n}", "{n}", "{n}", "exactly {n}")),
    ("above", ("more than {n}", "over {n}", "upwards of {n}")),
    ("below", ("{less} than {n}", "under {n}", "not even {n}")),
    ("least", ("at least {n}", "no {less} than {n}", "{n} or more", "a minimum of {n}")),
    ("most", ("at most {n}", "no more than {n}", "up to {n}", "a maximum of {n}")),
    ("about", ("about {n}", "around {n}", "roughly {n}", "approximately {n}")),
    ("between", ("between {n} and {m}", "from {n} to {m}")),
)
_LEADS = (
    "it turned out that ",
    "as a matter of fact, ",
    "we know that ",
    "it is a fact that ",
    "here is the problem: ",
    "as it happens, ",
)
_WEIGHTS = (8, 3, 3, 2, 2, 1.2, 1)


def _bound(how: str, number: float, other: float) -> Range:
    match how:
        case "above":
            return is_above(number)
        case "below":
            return is_below(number)
        case "least":
            return Range(number, float("inf"))
        case "most":
            return Range(float("-inf"), number)
        case "about":
            return Range(number, number, number * 0.1)
        case "between":
            return Range(number, other)
        case _:
            return Range(number, number)


def express(rng: random.Random, number: float, step: float, unit: str, *, exact: float = 0.0) -> tuple[str, Range]:
    """An amount with its unit, and the range it leaves open."""
    how, wordings = _AMOUNTS[0] if rng.random() < exact else rng.choices(_AMOUNTS, _WEIGHTS)[0]
    other = number + step * rng.randint(2, 8)
    less = "less" if unit in read_table("quantities")["mass"] or rng.random() < 0.05 else "fewer"
    wording = rng.choice(wordings)
    written = wording.format(n=write(rng, number), m=write(rng, other), less=less)
    if wording == "{n} or more":
        return f"{write(rng, number)} or more {unit}", _bound(how, number, other)
    return f"{written} {unit}", _bound(how, number, other)


def _move(rng: random.Random, number: float, low: float, high: float, step: float) -> float:
    """A number on the same scale: the same, close by, or anywhere."""
    chance = rng.random()
    if chance < 0.35:
        return number
    if chance < 0.65:
        return min(high, max(low + 0.0, number + step * rng.choice((-4, -3, -2, -1, 1, 2, 3, 4))))
    return low + step * rng.randint(0, int((high - low) / step))


def _fill(text: str, amounts: Mapping[int, str]) -> str:
    for at, amount in amounts.items():
        text = text.replace(f"{{q{at}}}", amount)
    return end_sentence(text)


def draw_scene(rng: random.Random) -> Case:
    """The premise's sentence again with one amount said otherwise."""
    scene: Mapping[str, Any] = rng.choice(read_table("quantities")["scene"])
    units: Sequence[tuple[str, int, int, int]] = scene["q"]
    numbers = [low + step * rng.randint(0, (high - low) // step) for _, low, high, step in units]
    at = rng.randrange(len(units))
    unit, low, high, step = units[at]
    fixed = {i: f"{write(rng, n)} {units[i][0]}" for i, n in enumerate(numbers) if i != at}
    text: str = (
        scene["text"]
        .replace("Tim", pick(rng, "person"))
        .replace("Omar", pick(rng, "person"))
        .replace("Sara", pick(rng, "person"))
    )
    said, bound = express(rng, numbers[at], step, unit, exact=0.15)

    def premise(rng: random.Random) -> tuple[str, Range]:
        amount, range_ = express(rng, _move(rng, numbers[at], low, high, step), step, unit, exact=0.5)
        return _fill(_lead(rng) + text, {**fixed, at: amount}), range_

    claim = _fill(text, {**fixed, at: said})
    return Case(claim, find_premises(rng, claim, bound, premise))


def _lead(rng: random.Random) -> str:
    return rng.choice(_LEADS) if rng.random() < 0.3 else ""


def draw_conversion(rng: random.Random) -> Case:
    thing, verb, unit, other_unit, factor, low, high, step = rng.choice(read_table("quantities")["convert"])
    number = low + step * rng.randint(0, int((high - low) / step))
    soft = factor in (0.621371, 1.609344, 2.204623, 0.453592)
    back = rng.random() < 0.5 and not soft
    tail = " long" if thing in ("the race", "the road") else ""

    def state(n: float, unit: str, wording: str) -> str:
        return end_sentence(f"{thing} {verb} {wording.format(n=write(rng, n))} {unit}{tail}")

    converted = number * factor
    if soft:
        said = round(converted)
        bound = Range(said, said, said * 0.04)
        claim = state(said, other_unit, rng.choice(("about {n}", "roughly {n}", "around {n}")))
    else:
        wording, bound = rng.choice(
            (
                ("{n}", Range(converted, converted)),
                ("more than {n}", is_above(converted)),
                ("less than {n}", is_below(converted)),
                ("at least {n}", Range(converted, float("inf"))),
                ("at most {n}", Range(float("-inf"), converted)),
            )
        )
        claim = state(converted, other_unit, wording) if not back else state(number, unit, wording)

    def premise(rng: random.Random) -> tuple[str, Range]:
        n = _move(rng, number, low, high, step)
        if n <= 1:
            n = number
        wording, range_ = rng.choice(
            (
                ("{n}", Range(n * factor, n * factor)),
                ("{n}", Range(n * factor, n * factor)),
                ("more than {n}", is_above(n * factor)),
                ("at least {n}", Range(n * factor, float("inf"))),
                ("less than {n}", is_below(n * factor)),
                ("at most {n}", Range(float("-inf"), n * factor)),
            )
        )
        return (state(n * factor, other_unit, wording) if back else state(n, unit, wording)), range_

    return Case(claim, find_premises(rng, claim, bound, premise))


_THINGS = (
    "apples",
    "marbles",
    "stamps",
    "books",
    "tickets",
    "coins",
    "postcards",
    "pencils",
    "badges",
    "eggs",
    "plants",
    "records",
    "cards",
    "photos",
    "shells",
    "toy cars",
)


def draw_sum(rng: random.Random) -> Case:
    """Two numbers in the premise, their sum or difference in the claim."""
    first, second = pick(rng, "person"), pick(rng, "person")
    while second == first:
        second = pick(rng, "person")
    things = rng.choice(_THINGS)
    a, b = rng.randint(8, 60), rng.randint(2, 50)
    if a == b:
        a += 3
    added = rng.random() < 0.5

    def premise(a: int, b: int) -> str:
        return rng.choice(
            (
                "{f} has {a} {t} and {s} has {b}.",
                "{f} owns {a} {t}, while {s} owns {b}.",
                "{s} has {b} {t}. {f} has {a}.",
                "There are {a} {t} in {f}'s box and {b} in {s}'s, and neither has any others.",
            )
        ).format(f=first, s=second, a=write(rng, a), b=write(rng, b), t=things)

    off = rng.choice((-5, -2, -1, 1, 2, 3, 10))
    if added:
        claim = rng.choice(
            (
                "together, {f} and {s} have {n} {t}",
                "{f} and {s} have {n} {t} in all",
                "the {t} of {f} and {s} add up to {n}",
            )
        ).format(f=first, s=second, n=write(rng, a + b), t=things)
        right, wrong = (a, b), (a + off if a + off > 0 else a + 1, b)
    else:
        most, least = (first, second) if a > b else (second, first)
        claim = rng.choice(("{f} has {n} more {t} than {s}", "{s} has {n} fewer {t} than {f}")).format(
            f=most, s=least, n=write(rng, abs(a - b)), t=things
        )
        right = (a, b)
        wrong = (
            (b, a) if rng.random() < 0.5 else (a, b + max(1, abs(off)) if b + max(1, abs(off)) != 2 * a - b else b + 17)
        )
    partial = rng.choice(
        (
            "{f} has {a} {t}, and {s} has some as well.",
            "{f} counted {a} {t}; nobody knows how many {s} has.",
            "{f} has {a} {t}. {s} collects them too.",
        )
    ).format(f=first, s=second, a=write(rng, a if rng.random() < 0.5 else max(2, a - b)), t=things)
    return make_case(end_sentence(claim), premise(*right), partial, premise(*wrong))


_FRACTIONS = (
    (50, "half"),
    (25, "a quarter"),
    (75, "three quarters"),
    (20, "a fifth"),
    (10, "a tenth"),
    (100, "all"),
    (40, "two fifths"),
    (80, "four fifths"),
)
_GROUPS = (
    "the members voted in favour",
    "the trains were late",
    "the staff work from home",
    "the budget has been spent",
    "the customers renewed",
    "the tests passed",
    "the seats were taken",
    "the land is forest",
    "the survey's participants own a car",
    "the flats are empty",
    "the emails were spam",
    "the pupils walk to school",
    "the patients recovered",
)


def draw_share(rng: random.Random) -> Case:
    """Percentages and fractions."""
    group = rng.choice(_GROUPS)
    percent, _ = rng.choice(_FRACTIONS)

    def say(rng: random.Random, percent: int) -> tuple[str, Range]:
        how, wordings = rng.choices(_AMOUNTS[:5], (8, 2, 2, 2, 2))[0]
        known = dict(_FRACTIONS).get(percent)
        written = (
            known if known and rng.random() < 0.5 else f"{percent}%" if rng.random() < 0.5 else f"{percent} percent"
        )
        if percent == 100:
            how, wordings = "exact", ("{n}",)
        wording = rng.choice(wordings).replace("{less}", "less").replace("{n} or more", "at least {n}")
        return end_sentence(f"{wording.format(n=written)} of {group}"), _bound(how, percent, percent)

    claim, bound = say(rng, percent)

    def premise(rng: random.Random) -> tuple[str, Range]:
        moved = (
            percent
            if rng.random() < 0.4
            else rng.choice((5, 10, 15, 20, 25, 30, 40, 45, 50, 55, 60, 70, 75, 80, 90, 95))
        )
        return say(rng, moved)

    return Case(claim, find_premises(rng, claim, bound, premise))


_CONTESTS = (
    "the marathon",
    "the chess tournament",
    "the baking contest",
    "the regional final",
    "the spelling competition",
    "the sailing regatta",
    "the swimming heats",
    "the quiz",
    "the ski race",
    "the design award",
)


def draw_rank(rng: random.Random) -> Case:
    """Ordinals, and the ranges of a ranking."""
    name, contest, place = pick(rng, "person"), rng.choice(_CONTESTS), rng.randint(1, 10)

    def say(rng: random.Random, place: int, exact: float) -> tuple[str, Range]:
        ordinal = ORDINALS[place] if rng.random() < 0.5 else order(place)
        if rng.random() < exact:
            wording = rng.choice(
                (
                    "{p} finished {o} in {c}",
                    "{p} came {o} in {c}",
                    "in {c}, {p} took {o} place",
                    "{p} was placed {o} in {c}",
                )
            )
            return end_sentence(wording.format(p=name, o=ordinal, c=contest)), Range(place, place)
        if rng.random() < 0.5 and place > 2:
            number = spell(place) if rng.random() < 0.6 else str(place)
            return end_sentence(f"{name} finished in the top {number} in {contest}"), Range(1, place)
        if rng.random() < 0.5:
            return end_sentence(f"{name} finished behind {ordinal} place in {contest}"), is_above(place)
        return end_sentence(
            f"{name} did better than {ORDINALS[place + 1] if place < 10 else '11th'} place in {contest}"
        ), Range(1, place)

    claim, bound = say(rng, place, 0.5)

    def premise(rng: random.Random) -> tuple[str, Range]:
        return say(rng, place if rng.random() < 0.4 else rng.randint(1, 10), 0.65)

    return Case(claim, find_premises(rng, claim, bound, premise))


def draw_age(rng: random.Random) -> Case:
    """Ages against birth years, only where the year is given."""
    name, now, age = pick(rng, "person"), rng.randint(2018, 2026), rng.randint(12, 90)
    off = rng.choice((-10, -3, -2, 2, 3, 10))

    def premise(age: int) -> str:
        return rng.choice(
            (
                f"In {now}, {name} turned {age}.",
                f"{name} celebrated a {order(age)} birthday in {now}.",
                f"It was {now} when {name} turned {spell(age)}.",
            )
        )

    empty = rng.choice(
        (
            f"{name} started a new job in {now}, with {age} colleagues.",
            f"In {now}, {name} moved to house number {age}.",
            f"{name} celebrated a birthday in {now}.",
        )
    )
    claim = rng.choice(
        (
            f"{name} was born in {now - age}.",
            f"{name}'s year of birth is {now - age}.",
            f"{now - age} is the year in which {name} was born.",
        )
    )
    return make_case(claim, premise(age), empty, premise(age + off))


def draw_quantity(rng: random.Random) -> Case:
    draw = rng.choices(
        (draw_scene, draw_conversion, draw_sum, draw_share, draw_rank, draw_age), (52, 13, 12, 10, 7, 4)
    )[0]
    case = draw(rng)
    return case if len(case.premises) == len(Label) else draw_quantity(rng)
