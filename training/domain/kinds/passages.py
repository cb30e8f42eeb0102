"""Long passages: notes, letters and reports of 100 to 350 words in which one sentence decides."""

from __future__ import annotations

import random

from training.domain.grammar import end_sentence
from training.domain.kinds.projects import pick_part, state_anything
from training.domain.pair import Case, Label
from training.domain.slots import (
    Person,
    claim,
    miss,
    pick_slot,
    pick_stranger,
    pick_value,
    refute,
    support,
    tell,
    tell_anything,
)
from training.domain.surface import stamp
from training.domain.words import pick, pick_person, read_table


def _clean(text: str) -> str:
    return end_sentence(text.removeprefix("- ").partition("] ")[2] or text.removeprefix("- "))


def _frame(rng: random.Random, sentences: list[str], name: str) -> str:
    if rng.random() < 0.5:
        cut = rng.randint(2, len(sentences) - 2)
        body = " ".join(sentences[:cut]) + "\n\n" + " ".join(sentences[cut:])
    else:
        body = " ".join(sentences)
    match rng.randrange(5):
        case 0:
            return f"Meeting notes, {stamp(rng)}\n\n{body}"
        case 1:
            return f"Dear {pick(rng, 'person')},\n\n{body}\n\nBest wishes,\n{pick(rng, 'person', name)}"
        case 2:
            return f"Weekly status report\n{body}"
        case 3:
            return "\n".join(f"- {sentence}" for sentence in sentences)
        case _:
            return body


def draw_passage(rng: random.Random) -> Case:
    slot, person = pick_slot(rng), Person(pick_person(rng))
    name = person.subject.nominative if person.subject else ""
    value, affirmed = pick_value(rng, slot, person), rng.random() < 0.65
    goal = rng.randint(95, 320)
    others: list[str] = []
    taken = [slot]
    while sum(map(len, others)) < goal * 5.6:
        chance = rng.random()
        if chance < 0.40:
            others.append(rng.choice(read_table("talk")["filler"]))
        elif chance < 0.65:
            others.append(_clean(state_anything(rng, pick_part(rng))))
        elif chance < 0.75 and len(taken) < 6:
            taken.append(pick_slot(rng, taken))
            others.append(_clean(tell(rng, taken[-1], pick_value(rng, taken[-1], person), person)))
        else:
            others.append(_clean(tell_anything(rng, pick_stranger(rng, person), ())))
    others = list(dict.fromkeys(others))
    premises: dict[Label, str] = {}
    for label, speak in ((Label.ENTAIL, support), (Label.NEUTRAL, miss), (Label.CONTRADICT, refute)):
        place = rng.randint(0, len(others))
        deciding = _clean(speak(rng, slot, value, person, affirmed=affirmed))
        premises[label] = _frame(rng, [*others[:place], deciding, *others[place:]], name)
    return Case(claim(rng, slot, value, person, affirmed=affirmed), premises)
