"""Statements about a person: a slot, a value, who it is said of, and whether it is affirmed, denied or left open."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from training.domain.grammar import (
    THE_USER,
    USER,
    YOU,
    I,
    Subject,
    capitalise,
    end_sentence,
    fill,
    name_neutral,
    name_subject,
)
from training.domain.surface import chat, slip, stamp
from training.domain.words import pick, pick_other, pick_person, read_table

_DOUBLE = 0.12
_NOT_TRUE = (
    "it's not true that {}",
    "it is not the case that {}",
    "it is false that {}",
    "it would be wrong to say that {}",
)
_RELATED = (
    {"native", "language"},
    {"favfood", "likesfood", "diet", "coffee"},
    {"pet", "dogname"},
    {"degree", "major", "university"},
    {"travel", "city", "birthplace", "home"},
    {"editor", "os", "tool", "programming"},
    {"hobby", "sport", "skill", "fear", "instrument", "team", "genre", "favband"},
    {"allergy", "likesfood", "favfood", "condition", "pet", "medication", "dogname"},
    {"birthmonth", "sign", "age"},
    {"employer", "title"},
    {"phone", "owns", "car"},
)


_WOMEN = {"sister", "mother", "aunt", "grandmother", "daughter", "niece"}
_MEN = {"brother", "father", "uncle", "grandfather", "son", "nephew"}


class Exclusive(StrEnum):
    """Whether another value of the same slot rules this one out; UNCLEAR: people differ, so it is never asked."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    pool: str
    exclusive: Exclusive
    say: tuple[str, ...]
    tell: tuple[str, ...]
    note: tuple[str, ...]
    deny: tuple[str, ...]
    maybe: tuple[str, ...]

    @property
    def deny_exactly(self) -> tuple[str, ...]:
        """Denials that say no more than that the statement is false: a stronger one ("+") is fit for premises alone."""
        return tuple(frame for frame in self.deny if not frame.startswith("+"))


@dataclass(frozen=True, slots=True)
class Person:
    """Someone facts are about. The user goes by I, you, the user and by no name at all; others by their name."""

    subject: Subject | None = None

    @property
    def is_user(self) -> bool:
        return self.subject is None


THE_SAME_USER = Person()


@cache
def read_slots() -> tuple[Slot, ...]:
    return tuple(
        Slot(
            name,
            t["pool"],
            Exclusive(t["exclusive"]),
            *(tuple(t[part]) for part in ("say", "tell", "note", "deny", "maybe")),
        )
        for name, t in read_table("slots").items()
    )


def pick_slot(rng: random.Random, apart_from: Sequence[Slot] = (), *, exclusive: bool = False) -> Slot:
    """A slot that has nothing to do with those given, so that it says nothing of them."""
    while True:
        slot = rng.choice(read_slots())
        if exclusive and slot.exclusive is not Exclusive.YES:
            continue
        if not any(_are_related(slot, other) for other in apart_from):
            return slot


def _are_related(left: Slot, right: Slot) -> bool:
    return left.name == right.name or any(left.name in group and right.name in group for group in _RELATED)


def pick_value(rng: random.Random, slot: Slot, person: Person, *not_these: str) -> str:
    names = (person.subject.nominative,) if person.subject else ()
    return pick(rng, slot.pool, *names, *not_these)


def pick_other_value(rng: random.Random, slot: Slot, person: Person, value: str) -> str:
    names = (person.subject.nominative,) if person.subject else ()
    return pick_other(rng, slot.pool, value, *names)


def pick_whom(rng: random.Random) -> Person:
    return THE_SAME_USER if rng.random() < 0.7 else Person(pick_person(rng))


def pick_stranger(rng: random.Random, person: Person) -> Person:
    """Somebody else: a name, or for the user a relation such as "my brother"."""
    if person.is_user and rng.random() < 0.5:
        relation = pick(rng, "relation")
        if relation in _WOMEN or relation in _MEN:
            return Person(name_subject("my " + relation, woman=relation in _WOMEN))
        return Person(name_neutral("my " + relation))
    return Person(pick_person(rng, person.subject.nominative if person.subject else ""))


def pick_voice(rng: random.Random, person: Person, *, in_claim: bool) -> Subject:
    if person.subject:
        return person.subject
    if in_claim:
        return rng.choices((YOU, THE_USER, I, USER), (55, 25, 12, 8))[0]
    return rng.choices((I, THE_USER, USER, YOU), (60, 18, 14, 8))[0]


def _turn_twice(rng: random.Random, clause: str) -> str:
    return rng.choice(_NOT_TRUE).format(clause)


def _word(rng: random.Random, frames: Sequence[str], opposite: Sequence[str], voice: Subject, value: str) -> str:
    if rng.random() < _DOUBLE:
        exact = [frame for frame in opposite if not frame.startswith("+")]
        return _turn_twice(rng, fill(rng.choice(exact), voice, {"x": value}))
    return fill(rng.choice(frames).removeprefix("+"), voice, {"x": value})


def claim(rng: random.Random, slot: Slot, value: str, person: Person, *, affirmed: bool = True) -> str:
    voice = pick_voice(rng, person, in_claim=True)
    frames, opposite = (slot.say, slot.deny) if affirmed else (slot.deny_exactly, slot.say)
    text = end_sentence(_word(rng, frames, opposite, voice, value))
    return slip(rng, text) if rng.random() < 0.02 else text


def tell(rng: random.Random, slot: Slot, value: str, person: Person) -> str:
    """A premise that affirms."""
    if person.is_user and rng.random() < 0.22:
        return _note(rng, fill(rng.choice(slot.note), None, {"x": value}))
    voice = pick_voice(rng, person, in_claim=False)
    frames = slot.say if rng.random() < 0.5 else slot.tell
    return chat(rng, _word(rng, frames, slot.deny, voice, value), voice)


def deny(rng: random.Random, slot: Slot, value: str, person: Person) -> str:
    voice = pick_voice(rng, person, in_claim=False)
    return chat(rng, _word(rng, slot.deny, slot.say, voice, value), voice)


def leave_open(rng: random.Random, slot: Slot, value: str, person: Person) -> str:
    """A premise that names the value without affirming or denying it."""
    voice = pick_voice(rng, person, in_claim=False)
    return chat(rng, fill(rng.choice(slot.maybe), voice, {"x": value}), voice)


def tell_anything(rng: random.Random, person: Person, apart_from: Sequence[Slot]) -> str:
    slot = pick_slot(rng, apart_from)
    value = pick_value(rng, slot, person)
    return tell(rng, slot, value, person) if rng.random() < 0.85 else deny(rng, slot, value, person)


def _note(rng: random.Random, note: str) -> str:
    chance = rng.random()
    if chance < 0.35:
        return note
    if chance < 0.6:
        return end_sentence(note)
    if chance < 0.75:
        return f"- {note}"
    if chance < 0.88:
        return f"[{stamp(rng)}] {note}"
    return f"User: {capitalise(note)}"


def support(rng: random.Random, slot: Slot, value: str, person: Person, *, affirmed: bool) -> str:
    """A premise that entails the (affirmed or denied) statement."""
    if affirmed:
        return tell(rng, slot, value, person)
    if slot.exclusive is Exclusive.YES and rng.random() < 0.5:
        return tell(rng, slot, pick_other_value(rng, slot, person, value), person)
    return deny(rng, slot, value, person)


def refute(rng: random.Random, slot: Slot, value: str, person: Person, *, affirmed: bool) -> str:
    if not affirmed:
        return tell(rng, slot, value, person)
    if slot.exclusive is Exclusive.YES and rng.random() < 0.7:
        return tell(rng, slot, pick_other_value(rng, slot, person, value), person)
    return deny(rng, slot, value, person)


def miss(rng: random.Random, slot: Slot, value: str, person: Person, *, affirmed: bool) -> str:
    """A premise that says nothing of the statement, mostly one that looks as if it did."""
    chance = rng.random()
    other = pick_other_value(rng, slot, person, value)
    if chance < 0.25 and affirmed:
        return leave_open(rng, slot, value, person)
    if chance < 0.55 and slot.exclusive is Exclusive.NO:
        return tell(rng, slot, other, person) if affirmed or rng.random() < 0.5 else deny(rng, slot, other, person)
    if chance < 0.65 and slot.exclusive is not Exclusive.UNCLEAR:
        return deny(rng, slot, other, person)
    if chance < 0.85 and slot.pool != "person":
        stranger = pick_stranger(rng, person)
        return (tell if rng.random() < 0.6 else deny)(rng, slot, value, stranger)
    return tell_anything(rng, person, [slot])
