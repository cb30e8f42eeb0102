"""Technical and project facts: ports, versions, owners, limits, paths and identifiers that differ in one character."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from training.domain.grammar import end_sentence, fill
from training.domain.pair import Case, make_case
from training.domain.surface import roughen
from training.domain.words import list_pool, pick, pick_other, read_table

_FOLDERS = ("/etc", "/opt/app", "/srv", "config", "deploy/prod", "src/main/resources", "~/.config", "infra/helm")
_FILES = ("settings", "app", "config", "values", "service", "defaults", "billing", "gateway", "limits")
_ENDINGS = (".yaml", ".yml", ".toml", ".json", ".ini", ".env", ".conf")
_HEX = "0123456789abcdef"
_MADE = ("version", "limit", "timeout", "replicas", "path", "commit", "ticket", "deadline", "flag", "host")
_MONTHS = ("January", "March", "April", "May", "June", "July", "August", "October", "December")


def make_value(rng: random.Random, pool: str) -> str:
    match pool:
        case "version":
            return ".".join(str(rng.randint(0, 12)) for _ in range(rng.choice((2, 3))))
        case "limit":
            return str(rng.choice((50, 60, 100, 120, 150, 200, 250, 300, 500, 600, 1000, 1200, 2000, 5000)))
        case "timeout":
            return str(rng.choice((3, 5, 8, 10, 15, 20, 25, 30, 45, 60, 90, 120)))
        case "replicas":
            return str(rng.randint(2, 16))
        case "path":
            name = rng.choice(_FILES) + rng.choice(("", "-prod", "-eu", "2"))
            return f"{rng.choice(_FOLDERS)}/{name}{rng.choice(_ENDINGS)}"
        case "commit":
            return "".join(rng.choice(_HEX) for _ in range(7))
        case "ticket":
            return f"{rng.choice(('OPS', 'INC', 'PAY', 'WEB', 'DATA', 'CORE'))}-{rng.randint(100, 9999)}"
        case "deadline":
            return f"{rng.randint(1, 28)} {rng.choice(_MONTHS)}"
        case "flag":
            return rng.choice(("DEBUG", "INFO", "WARNING", "ERROR", "TRACE"))
        case "host":
            machine = rng.choice(("web", "db", "app", "cache", "batch", "edge"))
            return f"{machine}-{rng.randint(1, 40):02}.{rng.choice(('prod', 'stage', 'eu', 'us'))}.internal"
        case _:
            return pick(rng, pool)


def change_value(rng: random.Random, pool: str, value: str) -> str:
    """Another value; for identifiers often one that differs in a single character."""
    if pool not in _MADE:
        return pick_other(rng, pool, value)
    if pool in ("version", "commit", "ticket", "path", "host") and rng.random() < 0.6:
        places = [at for at, char in enumerate(value) if char.isdigit() or (pool == "commit" and char in _HEX)]
        if places:
            at = rng.choice(places)
            start = at == 0 or not value[at - 1].isdigit()
            digits = _HEX if pool == "commit" else "123456789" if start else "0123456789"
            return value[:at] + rng.choice([d for d in digits if d != value[at]]) + value[at + 1 :]
    while (other := make_value(rng, pool)) == value:
        pass
    return other


def pick_part(rng: random.Random) -> str:
    return pick(rng, "part") if rng.random() < 0.7 else pick(rng, "project")


def pick_other_part(rng: random.Random, part: str) -> str:
    return pick_other(rng, "part" if part in list_pool("part") else "project", part, part)


def _put(rng: random.Random, wording: str, part: str, x: str, y: str = "") -> str:
    return roughen(rng, end_sentence(fill(wording, None, {"p": part, "x": x, "y": y})))


def state_anything(rng: random.Random, part: str, *not_pools: str) -> str:
    while (fact := rng.choice(read_table("technical")["fact"]))["pool"] in not_pools:
        pass
    return _put(rng, rng.choice(fact["say"]), part, make_value(rng, fact["pool"]))


def _draw_migration(rng: random.Random) -> Case:
    table = read_table("technical")
    pool = rng.choice(("database", "cloud", "queue", "ci", "framework"))
    part = pick_part(rng)
    x = pick(rng, pool)
    y = pick_other(rng, pool, x)

    def put(frames: str, x: str, y: str = "", part: str = part) -> str:
        return _put(rng, rng.choice(table[frames]), part, x, y)

    other = pick_other_part(rng, part)
    if rng.random() < 0.6:
        return make_case(
            put("now", x),
            rng.choice((put("shift", y, x), put("keep", x))),
            rng.choice((put("plan", x), put("shift", y, x, other), put("now", x, "", other))),
            put("shift", x, y),
        )
    denied = f"it is not true that {rng.choice(table['past'])}"
    if rng.random() < 0.5:
        return make_case(
            put("past", x),
            put("shift", x, y),
            rng.choice((put("plan", x), put("shift", x, y, other))),
            _put(rng, rng.choice((denied, "{p} has never used {x}")), part, x),
        )
    return make_case(
        _put(rng, rng.choice(("{p} no longer uses {x}", "{p} is not on {x} any more")), part, x),
        put("shift", x, y),
        rng.choice((put("plan", y), put("shift", x, y, other))),
        rng.choice((put("keep", x), put("shift", y, x))),
    )


def draw_technical(rng: random.Random) -> Case:
    if rng.random() < 0.18:
        return _draw_migration(rng)
    table = read_table("technical")
    fact: Mapping[str, Any] = rng.choice(table["fact"])
    pool, part = fact["pool"], pick_part(rng)
    x = make_value(rng, pool)
    y = change_value(rng, pool, x)
    affirmed = rng.random() < 0.65
    said = _put(rng, rng.choice(fact["say"]), part, x)
    denied = _put(rng, rng.choice(fact["deny"]), part, x)
    instead = _put(rng, rng.choice(fact["say"]), part, y)
    against = instead if fact["one"] and rng.random() < 0.75 else denied
    other_part = pick_other_part(rng, part)
    neutral = rng.choice((
        _put(rng, rng.choice(fact["say"]), other_part, x),
        _put(rng, rng.choice(fact["deny"]), other_part, x),
        _put(rng, rng.choice(table["aside"]), part, x),
        instead if not fact["one"] else _put(rng, rng.choice(fact["deny"]), part, y),
        state_anything(rng, part, pool, *(("cloud", "region", "host") if pool in ("cloud", "region", "host") else ())),
    ))  # fmt: skip
    extra = [state_anything(rng, pick_other_part(rng, part)) for _ in range(rng.choice((0, 0, 0, 1, 2)))]

    def among(text: str) -> str:
        return " ".join(t if t[-1] in ".!?" else t + "." for t in rng.sample([text, *extra], len(extra) + 1))

    if affirmed:
        return make_case(_put(rng, rng.choice(fact["say"]), part, x), among(said), among(neutral), among(against))
    return make_case(_put(rng, rng.choice(fact["deny"]), part, x), among(against), among(neutral), among(said))
