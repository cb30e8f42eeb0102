"""The vocabulary: pools of values from the data tables, some of them made by combining parts."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from groundwire.text.numerals import numerals
from training.domain.grammar import Subject, name_subject

DATA = Path(__file__).parent / "data"
NUMBER_WORDS = tuple(numerals().units)[:13]
_NEAR = 0.45  # how often a wrong value is a neighbour of the right one


@cache
def read_table(name: str) -> Mapping[str, Any]:
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def _pools() -> Mapping[str, tuple[str, ...]]:
    pools = {
        name: tuple(item.strip() for item in items.split(",")) for name, items in read_table("words")["pool"].items()
    }
    made = (
        f"{head}{tail} {kind}"
        for head, tail in product(pools["employer_head"], pools["employer_tail"])
        for kind in pools["employer_kind"]
    )
    pools["employer"] = (*made, *pools["employer_word"] * 40)
    pools["person"] = (*pools["woman"], *pools["man"])
    pools["project"] = (
        *(f"Project {word}" for word in pools["project_word"]),
        *(f"the {word} project" for word in pools["project_word"]),
    )
    pools["part"] = tuple(f"the {head} {tail}" for head in pools["component"] for tail in pools["suffix"])
    pools["film"] = tuple(
        f"The {adjective} {noun}" for adjective, noun in product(pools["film_adj"], pools["film_noun"])
    )
    pools["town"] = tuple(head + tail for head, tail in product(pools["town_head"], pools["town_tail"]))
    pools["smallcount"] = NUMBER_WORDS[2:9]
    pools["age"] = tuple(str(n) for n in range(18, 85))
    pools["clock"] = tuple(f"{hour}:{minute} am" for hour in (5, 6, 7, 8, 9) for minute in ("00", "15", "30", "45"))
    pools["port"] = (
        "80",
        "443",
        "3000",
        "3306",
        "5000",
        "5432",
        "6379",
        "8000",
        "8080",
        "8081",
        "8443",
        "8888",
        "9000",
        "9090",
        "9200",
        "27017",
    )
    return pools


def list_pool(pool: str) -> Sequence[str]:
    return _pools()[pool]


def pick(rng: random.Random, pool: str, *not_these: str) -> str:
    items = _pools()[pool]
    while True:
        item = items[int(rng.random() * len(items))]
        if item not in not_these:
            return item


def pick_other(rng: random.Random, pool: str, value: str, *not_these: str) -> str:
    """A different value of the same kind, often one that is easily confused with it."""
    if rng.random() < _NEAR:
        items = _pools()[pool]
        place = items.index(value) + rng.choice((-3, -2, -1, 1, 2, 3))
        item = items[place % len(items)]
        if item != value and item not in not_these:
            return item
    return pick(rng, pool, value, *not_these)


def pick_person(rng: random.Random, *not_these: str) -> Subject:
    woman = rng.random() < 0.5
    return name_subject(pick(rng, "woman" if woman else "man", *not_these), woman=woman)


def pick_full_name(rng: random.Random) -> str:
    return f"{pick(rng, 'person')} {pick(rng, 'surname')}"
