"""How a sentence is worn: small talk around it, contractions, a slip of the hand. None of it changes what is said."""

from __future__ import annotations

import random
import re

from training.domain.grammar import Subject, end_sentence
from training.domain.words import pick, read_table

_CONTRACTIONS = (
    (re.compile(r"\bI am\b(?! \w+\.$)"), "I'm"),
    (re.compile(r"\b([Yy])ou are\b"), r"\1ou're"),
    (re.compile(r"\b(is|was|did|does|do|has|have|were) not\b"), r"\1n't"),
    (re.compile(r"\bI have (been|had|never|visited|read)\b"), r"I've \1"),
)
_SLIPS = {
    "because": "becuase", "definitely": "definately", "their": "thier", "favourite": "favorite", "language": "langauge",
    "working": "workign", "really": "realy", "birthday": "birtday", "the": "teh", "with": "wiht", "every": "evrey",
    "don't": "dont", "doesn't": "doesnt", "isn't": "isnt", "company": "compnay", "colour": "color", "I'm": "Im",
    "usually": "usualy", "account": "acount", "which": "wich", "you're": "youre", "always": "alwyas",
    "people": "poeple",
}  # fmt: skip


def contract(rng: random.Random, text: str) -> str:
    if rng.random() < 0.4:
        for pattern, short in _CONTRACTIONS:
            text = pattern.sub(short, text)
    return text


def slip(rng: random.Random, text: str) -> str:
    """One misspelt word now and then, never a value: only words of the frame are in the list."""
    words = text.split(" ")
    places = [at for at, word in enumerate(words) if word in _SLIPS]
    if places:
        at = rng.choice(places)
        words[at] = _SLIPS[words[at]]
    return " ".join(words)


def roughen(rng: random.Random, text: str) -> str:
    text = contract(rng, text)
    chance = rng.random()
    if chance < 0.06:
        return slip(rng, text)
    if chance < 0.10 and text.endswith("."):
        return text[:-1]
    if (
        chance < 0.13
        and text[1:2].islower()
        and text.split(" ")[0].lower() in ("the", "my", "your", "these", "since", "every", "user")
    ):
        return text[0].lower() + text[1:]
    return text


def chat(rng: random.Random, clause: str, subject: Subject) -> str:
    """The clause as a sentence, sometimes with small talk before or after it."""
    talk = read_table("talk")
    chance = rng.random()
    if chance < 0.55:
        text = end_sentence(clause)
    elif chance < 0.70:
        text = end_sentence(rng.choice(talk["opening"]) + " " + clause)
    elif chance < 0.82 and subject.person == 1:
        text = f"{rng.choice(talk['before'])} {end_sentence(clause)}"
    elif chance < 0.92 and subject.person == 1:
        text = f"{end_sentence(clause)} {rng.choice(talk['after'])}"
    else:
        text = f"{rng.choice(talk['record'])} {end_sentence(clause)}"
    return roughen(rng, text)


def stamp(rng: random.Random) -> str:
    return f"{rng.randint(2021, 2025)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def speak(rng: random.Random, text: str) -> str:
    return f"{rng.choice(('User', 'User', 'Me', pick(rng, 'person')))}: {text}"
