"""Encyclopaedic sentences on invented people, films, towns, clubs, albums, companies and elections.

A record is written out with the attribute in question right, changed or left out, so the same claim meets all three.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from training.domain.grammar import add_article, end_sentence
from training.domain.pair import Case, make_case
from training.domain.words import pick, pick_full_name, read_table

Record = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Topic:
    """`name` and `make` invent a record; the wordings are in the table of topics under `table`."""

    table: str
    name: Callable[[random.Random], str]
    make: Mapping[str, Callable[[random.Random], str]]

    def read(self, part: str) -> Mapping[str, Sequence[str]]:
        return read_table("topics")[self.table][part]


def _from(pool: str) -> Callable[[random.Random], str]:
    return lambda rng: pick(rng, pool)


def _year(low: int, high: int) -> Callable[[random.Random], str]:
    return lambda rng: str(rng.randint(low, high))


def _number(low: int, high: int, step: int = 1) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.randrange(low, high, step):,}"


_LEAGUES = (
    "the first division",
    "the second division",
    "the third division",
    "the regional league",
    "the premier league",
)
_ENDINGS = ("United", "Rovers", "Athletic", "City", "Wanderers", "Albion")
TOPICS: tuple[Topic, ...] = (
    Topic("film", _from("film"), {
        "year": _year(1950, 2023), "nation": _from("demonym"), "genre": _from("genre_film"), "director": pick_full_name,
        "star": pick_full_name, "composer": pick_full_name, "minutes": _number(80, 190),
    }),
    Topic("person", pick_full_name, {
        "born": _year(1880, 1995), "place": _from("city"), "job": _from("profession"), "nation": _from("demonym"),
        "school": _from("school"), "award": _from("county"),
    }),
    Topic("town", _from("town"), {
        "county": _from("county"), "population": _number(400, 90000, 37), "founded": _year(1100, 1890),
        "height": _number(20, 1400, 10), "mayor": pick_full_name, "twin": _from("city"),
    }),
    Topic("club", lambda rng: f"{pick(rng, 'town')} {rng.choice(_ENDINGS)}", {
        "founded": _year(1870, 1990), "league": lambda rng: rng.choice(_LEAGUES), "coach": pick_full_name,
        "colours": lambda rng: f"{pick(rng, 'carcolour')} and gold", "capacity": _number(2000, 60000, 250),
        "captain": pick_full_name,
    }),
    Topic("album", _from("book"), {
        "artist": _from("band"), "year": _year(1968, 2024), "label": _from("label_music"), "producer": pick_full_name,
        "tracks": _number(7, 19), "studio": _from("city"),
    }),
    Topic("company", _from("employer"), {
        "seat": _from("city"), "founded": _year(1890, 2019), "founder": pick_full_name, "chief": pick_full_name,
        "staff": _number(40, 40000, 20), "profit": _number(2, 900),
    }),
    Topic("election", lambda rng: f"the {rng.randint(1946, 2022)} {pick(rng, 'county')} election", {
        "winner": _from("party"), "turnout": _number(41, 92), "seats": _number(40, 300), "premier": pick_full_name,
        "month": _from("month"),
    }),
)  # fmt: skip


def _open(rng: random.Random, topic: Topic, name: str, record: Record) -> tuple[str, tuple[str, ...]]:
    """A first sentence that packs several attributes, where the record has them all."""
    openers: Sequence[Mapping[str, Any]] = read_table("topics")[topic.table]["openers"]
    fitting = [opener for opener in openers if all(key in record for key in opener["keys"])]
    if not fitting or rng.random() < 0.35:
        return "", ()
    opener = rng.choice(fitting)
    keys, sentence = opener["keys"], opener["text"]
    values = {key: record[key] for key in keys}
    articles = {f"a_{key}": add_article(record[key]) for key in keys}
    return end_sentence(sentence.format(n=name, **values, **articles)), tuple(keys)


def _write(rng: random.Random, topic: Topic, name: str, record: Record) -> str:
    opening, packed = _open(rng, topic, name, record)
    if opening:
        rest = {key: value for key, value in record.items() if key not in packed}
        return " ".join([opening, *_follow(rng, topic, name, rest)])
    return " ".join(_follow(rng, topic, name, record))


def _follow(rng: random.Random, topic: Topic, name: str, record: Record) -> list[str]:
    if not record:
        return []
    keys = list(record)
    head = keys[0] if keys[0] in topic.read("sentences") else ""
    rest = [key for key in keys[1:] if key in topic.read("sentences")]
    rng.shuffle(rest)
    parts: list[str] = []
    for at, key in enumerate(([head] if head else []) + rest):
        sentence = rng.choice(topic.read("sentences")[key])
        value = record[key]
        text = end_sentence(sentence.replace("{a}", add_article(value)).replace("{v}", value).replace("{n}", name))
        parts.append(text if at or "{n}" in sentence else text.replace("It ", end_sentence(name)[:-1] + " ", 1))
    return parts


def draw_knowledge(rng: random.Random) -> Case:
    topic = rng.choice(TOPICS)
    name = topic.name(rng)
    intro, *others = list(topic.read("sentences"))
    asked = rng.choice([key for key in topic.read("claims") if key != intro])
    kept = [intro, asked, *rng.sample([key for key in others if key != asked], rng.randint(1, len(others) - 1))]
    record = {key: topic.make[key](rng) for key in kept}
    right = record[asked]
    wrong = right
    while wrong == right:
        wrong = topic.make[asked](rng)
    denied = asked in topic.read("deny") and rng.random() < 0.3
    claim = rng.choice(topic.read("deny")[asked] if denied else topic.read("claims")[asked])
    text = end_sentence(claim.replace("{a}", add_article(right)).replace("{v}", right).replace("{n}", name))
    without = {key: value for key, value in record.items() if key != asked}
    for_it, against = _write(rng, topic, name, record), _write(rng, topic, name, {**record, asked: wrong})
    return make_case(
        text, against if denied else for_it, _write(rng, topic, name, without), for_it if denied else against
    )
