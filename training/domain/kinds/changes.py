"""Updates: claims on the present and on the past, against what has changed, ended, stayed or is only planned."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from training.domain.grammar import end_sentence, fill
from training.domain.pair import Case, make_case
from training.domain.slots import Person, pick_stranger, pick_voice, pick_whom
from training.domain.surface import chat
from training.domain.words import pick, pick_other, read_table


def draw_change(rng: random.Random) -> Case:
    change: Mapping[str, Any] = rng.choice(read_table("changes")["change"])
    person = pick_whom(rng)
    stranger = pick_stranger(rng, person)
    x = pick(rng, change["pool"])
    y = pick_other(rng, change["pool"], x)
    z = pick(rng, change["pool"], x, y)

    def say(part: str, x: str, y: str = "", who: Person = person) -> str:
        voice = pick_voice(rng, who, in_claim=False)
        return chat(rng, fill(rng.choice(change[part]), voice, {"x": x, "y": y}), voice)

    def claim(part: str) -> str:
        voice = pick_voice(rng, person, in_claim=True)
        return end_sentence(fill(rng.choice(change[part]), voice, {"x": x}))

    ended = rng.choice((say("shift", x, y), say("stop", x)))
    begun = rng.choice((say("shift", y, x), say("stay", x)))
    of_another = say(rng.choice(("stop", "stay", "now")), x, who=stranger)
    match rng.randrange(4):
        case 0 | 1:
            neutral = [say("plan", x), of_another, say("stop", y)]
            return make_case(claim("now"), begun, rng.choice(neutral), ended)
        case 2:
            neutral = [of_another, say("shift", y, z), say("plan", x)]
            return make_case(claim("past"), ended, rng.choice(neutral), say("never", x))
        case _:
            return make_case(claim("over"), ended, rng.choice((of_another, say("stop", y))), begun)
