"""Who did what to whom, and the same thing said in other words.

Convention: the exchanged relation contradicts only where both cannot hold ("older than"); else it leaves
the matter open.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from training.domain.grammar import Subject, end_sentence, fill
from training.domain.pair import Case, make_case
from training.domain.slots import THE_SAME_USER, Person, pick_stranger, pick_voice
from training.domain.surface import chat, roughen
from training.domain.words import pick_person, read_table

_DENY = ("it is not true that", "it is false that", "it isn't the case that")


def _names(rng: random.Random) -> tuple[str, str, str]:
    first = pick_person(rng).nominative
    second = pick_person(rng, first).nominative
    return first, second, pick_person(rng, first, second).nominative


def _put(rng: random.Random, wording: str, a: str, b: str) -> str:
    return roughen(rng, end_sentence(fill(wording, None, {"a": a, "b": b})))


def _pick_relation(rng: random.Random, *swaps: str) -> Mapping[str, Any]:
    while True:
        relation: Mapping[str, Any] = rng.choice(read_table("relations")["relation"])
        if not swaps or relation["swap"] in swaps:
            return relation


def draw_swap(rng: random.Random) -> Case:
    """Agent and patient exchanged."""
    relation = _pick_relation(rng, "contradict", "neutral")
    a, b, c = _names(rng)
    same, near, against = relation["same"], relation["near"], relation["against"]
    swapped = _put(rng, rng.choice(same), b, a)
    stranger = _put(rng, rng.choice(same), *rng.choice(((a, c), (c, b))))
    if relation["swap"] == "neutral":
        neutral = swapped if rng.random() < 0.6 else stranger
        contradict = _put(rng, rng.choice(against), a, b)
    else:
        neutral = stranger if rng.random() < 0.5 else _put(rng, rng.choice(near), a, b)
        contradict = swapped if rng.random() < 0.7 else _put(rng, rng.choice(against), a, b)
    claim, other = rng.sample(same, 2)
    return make_case(_put(rng, claim, a, b), _put(rng, other, a, b), neutral, contradict)


def _draw_converse(rng: random.Random) -> Case:
    relation = _pick_relation(rng)
    a, b, c = _names(rng)
    claim, other = rng.sample(relation["same"], 2)
    if rng.random() < 0.35:  # the claim denies
        return make_case(
            _put(rng, f"{rng.choice(_DENY)} {claim}", a, b),
            _put(rng, rng.choice(relation["against"]), a, b),
            _put(rng, rng.choice(relation["near"]), a, b),
            _put(rng, other, a, b),
        )
    neutral = _put(rng, rng.choice(relation["near"]), a, b) if rng.random() < 0.6 else _put(rng, other, a, c)
    return make_case(
        _put(rng, claim, a, b), _put(rng, other, a, b), neutral, _put(rng, rng.choice(relation["against"]), a, b)
    )


def draw_paraphrase(rng: random.Random) -> Case:
    if rng.random() < 0.5:
        return _draw_converse(rng)
    item: Mapping[str, Any] = rng.choice(read_table("relations")["paraphrase"])
    user = rng.random() < 0.5
    person = THE_SAME_USER if user else Person(pick_person(rng))
    while item.get("woman") and not user and person.subject and person.subject.pronoun != "she":
        person = Person(pick_person(rng))

    def premise(wording: str, who: Person = person) -> str:
        voice: Subject = pick_voice(rng, who, in_claim=False)
        return chat(rng, fill(wording, voice), voice)

    claim, other = rng.sample(item["same"], 2)
    against, near = rng.choice(item["against"]), premise(rng.choice(item["near"]))
    if rng.random() < 0.4 and not item.get("woman"):
        near = premise(rng.choice((*item["same"], *item["against"])), pick_stranger(rng, person))
    voice = pick_voice(rng, person, in_claim=True)
    if rng.random() < 0.4:
        text = fill(f"{rng.choice(_DENY)} {claim}", voice)
        return make_case(end_sentence(text), premise(against), near, premise(other))
    return make_case(end_sentence(fill(claim, voice)), premise(other), near, premise(against))
