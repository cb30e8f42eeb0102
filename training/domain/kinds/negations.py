"""Negation: with and without a negative word on either side, lexical, doubled, and on both sides at once."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from training.domain.grammar import end_sentence, fill
from training.domain.pair import Case, make_case
from training.domain.slots import Person, pick_stranger, pick_voice, pick_whom
from training.domain.surface import chat
from training.domain.words import read_table

_TURN = (
    "it's not true that {}",
    "it is not the case that {}",
    "it is false that {}",
    "nobody could truthfully say that {}",
)


def _strip(wordings: Sequence[str]) -> list[str]:
    return [wording.removeprefix("+") for wording in wordings]


def _plain(wordings: Sequence[str]) -> list[str]:
    """Only the wordings that say neither more nor less than the others."""
    return [wording for wording in wordings if not wording.startswith("+")]


def _miss(rng: random.Random, fact: Mapping[str, Any], person: Person) -> str:
    """What leaves the fact open: an aside, the fact of somebody else, or another fact of the same person."""
    chance = rng.random()
    if chance < 0.4:
        wording, who = rng.choice(fact["open"]), person
    elif chance < 0.7 and all("{s" in frame or "{h" in frame for frame in (*fact["yes"], *fact["no"])):
        wording, who = rng.choice(_strip((*fact["yes"], *fact["no"]))), pick_stranger(rng, person)
    else:
        other = fact
        while other is fact:
            other = rng.choice(read_table("facts")["fact"])
        wording, who = rng.choice(_strip((*other["yes"], *other["no"]))), person
    voice = pick_voice(rng, who, in_claim=False)
    return chat(rng, fill(wording, voice), voice)


def draw_negation(rng: random.Random) -> Case:
    fact: Mapping[str, Any] = rng.choice(read_table("facts")["fact"])
    person = pick_whom(rng)
    affirmed = rng.random() < 0.5
    same, opposite = (fact["yes"], fact["no"]) if affirmed else (fact["no"], fact["yes"])
    turning = 0.0 if fact.get("gap") else 0.2

    def premise(wording: str) -> str:
        voice = pick_voice(rng, person, in_claim=False)
        return chat(rng, fill(wording, voice), voice)

    def turn(wordings: Sequence[str], otherwise: Sequence[str]) -> str:
        if rng.random() < turning:
            return rng.choice(_TURN).format(rng.choice(_plain(otherwise)))
        return rng.choice(wordings)

    claim = turn(_plain(same), opposite)
    other = turn([wording for wording in _strip(same) if wording != claim], opposite)
    voice = pick_voice(rng, person, in_claim=True)
    neutral, against = _miss(rng, fact, person), premise(turn(_strip(opposite), same))
    return make_case(end_sentence(fill(claim, voice)), premise(other), neutral, against)
