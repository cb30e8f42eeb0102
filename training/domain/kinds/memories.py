"""Memory statements: one at a time, of somebody else, several at once, and answers that are supported in part.

Convention: I, you, the user and a note without subject are the same person; another person's fact says nothing of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from training.domain.grammar import end_sentence, fill
from training.domain.pair import Case, make_case
from training.domain.slots import (
    THE_SAME_USER,
    Person,
    Slot,
    claim,
    deny,
    miss,
    pick_other_value,
    pick_slot,
    pick_stranger,
    pick_value,
    pick_voice,
    pick_whom,
    refute,
    support,
    tell,
    tell_anything,
)
from training.domain.surface import stamp


def draw_memory(rng: random.Random) -> Case:
    slot, person = pick_slot(rng), pick_whom(rng)
    value, affirmed = pick_value(rng, slot, person), rng.random() < 0.65
    return make_case(
        claim(rng, slot, value, person, affirmed=affirmed),
        support(rng, slot, value, person, affirmed=affirmed),
        miss(rng, slot, value, person, affirmed=affirmed),
        refute(rng, slot, value, person, affirmed=affirmed),
    )


def draw_subject(rng: random.Random) -> Case:
    """Two people in the premise; only what is said of the right one counts."""
    slot, person = pick_slot(rng), pick_whom(rng)
    while slot.pool == "person":
        slot = pick_slot(rng)
    stranger = pick_stranger(rng, person)
    value, affirmed = pick_value(rng, slot, person), rng.random() < 0.65
    other = pick_other_value(rng, slot, person, value)
    noise = tell(rng, slot, rng.choice((value, other)), stranger)
    echo = tell(rng, slot, value, stranger) if affirmed == (rng.random() < 0.8) else deny(rng, slot, value, stranger)
    return make_case(
        claim(rng, slot, value, person, affirmed=affirmed),
        join(rng, [support(rng, slot, value, person, affirmed=affirmed), noise]),
        join(rng, [echo, tell_anything(rng, person, [slot])]) if rng.random() < 0.6 else echo,
        join(rng, [refute(rng, slot, value, person, affirmed=affirmed), echo]),
    )


def join(rng: random.Random, texts: Sequence[str], *, shuffle: bool = True) -> str:
    """Memories as one premise, in one of the shapes a store hands them out in."""
    texts = [text.removeprefix("- ") for text in texts]
    if shuffle:
        rng.shuffle(texts)
    shape = rng.random()
    if shape < 0.3:
        return "\n".join(texts)
    if shape < 0.6:
        return " ".join(text if text[-1] in ".!?" else text + "." for text in texts)
    if shape < 0.8:
        return "\n".join(f"- {text}" for text in texts)
    if shape < 0.9:
        return "\n".join(f"{at}. {text}" for at, text in enumerate(texts, 1))
    return "\n".join(text if text.startswith("[") else f"[{stamp(rng)}] {text}" for text in texts)


def surround(rng: random.Random, person: Person, slots: Sequence[Slot], count: int) -> list[str]:
    """Other memories: other slots of the same person, anything of other people."""
    texts: list[str] = []
    taken = list(slots)
    for _ in range(count):
        if rng.random() < 0.6 and len(taken) < 6:
            slot = pick_slot(rng, taken)
            taken.append(slot)
            texts.append(tell(rng, slot, pick_value(rng, slot, person), person))
        else:
            texts.append(tell_anything(rng, pick_stranger(rng, person), ()))
    return texts


def draw_several(rng: random.Random) -> Case:
    slot, person = pick_slot(rng), pick_whom(rng)
    value, affirmed = pick_value(rng, slot, person), rng.random() < 0.65
    others = surround(rng, person, [slot], rng.randint(1, 7))

    def among(text: str) -> str:
        return join(rng, [*others, text])

    return make_case(
        claim(rng, slot, value, person, affirmed=affirmed),
        among(support(rng, slot, value, person, affirmed=affirmed)),
        among(miss(rng, slot, value, person, affirmed=affirmed)),
        among(refute(rng, slot, value, person, affirmed=affirmed)),
    )


def draw_partly(rng: random.Random) -> Case:
    """An answer of two or three parts: all supported, one refuted, or one not mentioned."""
    person = THE_SAME_USER if rng.random() < 0.75 else pick_whom(rng)
    slots: list[Slot] = []
    for _ in range(rng.choice((2, 2, 3))):
        slots.append(pick_slot(rng, slots))
    parts = [(slot, pick_value(rng, slot, person), rng.random() < 0.8) for slot in slots]
    broken = rng.randrange(len(parts))
    told = [support(rng, slot, value, person, affirmed=yes) for slot, value, yes in parts]
    slot, value, yes = parts[broken]
    extra = surround(rng, person, slots, rng.choice((0, 0, 1, 2)))

    def with_part(text: str | None) -> str:
        texts = [*told[:broken], *([text] if text else []), *told[broken + 1 :], *extra]
        return join(rng, texts)

    gap = None if rng.random() < 0.3 else miss(rng, slot, value, person, affirmed=yes)
    return make_case(
        _claim_all(rng, parts, person),
        with_part(told[broken]),
        with_part(gap),
        with_part(refute(rng, slot, value, person, affirmed=yes)),
    )


def _claim_all(rng: random.Random, parts: Sequence[tuple[Slot, str, bool]], person: Person) -> str:
    clauses: list[str] = []
    values: dict[str, str] = {}
    for at, (slot, value, yes) in enumerate(parts):
        frame = rng.choice(slot.say if yes else slot.deny_exactly)
        clauses.append(frame.replace("{x}", f"{{x{at}}}").replace("{a x}", f"{{a x{at}}}"))
        values[f"x{at}"] = value
    voice = pick_voice(rng, person, in_claim=True)
    if len(clauses) == 2:
        link = rng.choice((" and ", ", and ", " but ", "; also, ", ", while "))
        return end_sentence(fill(link.join(clauses), voice, values))
    if rng.random() < 0.4:
        return " ".join(end_sentence(fill(clause, voice, values)) for clause in clauses)
    return end_sentence(fill(f"{clauses[0]}, {clauses[1]}, and {clauses[2]}", voice, values))
