"""Templates that agree with their subject: who speaks is chosen apart from what is said.

`{s}` is the subject, `{s's}` its possessive, `{he}` `{his}` `{him}` a pronoun once the subject has been named, `<work>`
a verb that agrees with what stands before it, `{x}` a value and `{a x}` a value with its article.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"\{([^}]*)\}|<([^>]*)>")
_FORMS = {
    "be": ("am", "are", "is"),
    "have": ("have", "have", "has"),
    "was": ("was", "were", "was"),
    "wasn't": ("wasn't", "weren't", "wasn't"),
    "don't": ("don't", "don't", "doesn't"),
    "haven't": ("haven't", "haven't", "hasn't"),
    "isn't": ("am not", "aren't", "isn't"),
}
_AN = re.compile(r"(?:[aeiou]|hour|honest|heir|MBA|MRI|SQL|X-ray|8|11\b|18\b|HR|LED|FM|NHS|RSS|SMS)", re.IGNORECASE)
_NOT_AN = re.compile(r"(?:uni|use|ukulele|euro|one\b|UX|eu-|eul|US|ubi)", re.IGNORECASE)


class Subject(NamedTuple):
    """`person` is 1, 2 or 3; the pronouns take over once the subject has been named."""

    nominative: str
    possessive: str
    objective: str
    pronoun: str
    pronoun_possessive: str
    pronoun_objective: str
    person: int


I = Subject("I", "my", "me", "I", "my", "me", 1)  # noqa: E741
YOU = Subject("you", "your", "you", "you", "your", "you", 2)
THE_USER = Subject("the user", "the user's", "the user", "they", "their", "them", 3)
USER = Subject("User", "User's", "User", "they", "their", "them", 3)


def name_subject(name: str, *, woman: bool) -> Subject:
    pronouns = ("she", "her", "her") if woman else ("he", "his", "him")
    return Subject(name, possess(name), name, *pronouns, 3)


def name_neutral(name: str) -> Subject:
    """Someone of whom only a relation is known ("my cousin") is spoken of as they."""
    return Subject(name, possess(name), name, "they", "their", "them", 3)


def possess(name: str) -> str:
    return name + "'" if name.endswith("s") and " " not in name and len(name) > 6 else name + "'s"


def add_article(noun: str) -> str:
    an = _AN.match(noun) and not _NOT_AN.match(noun)
    return f"{'an' if an else 'a'} {noun}"


@lru_cache(maxsize=4096)
def inflect(verb: str, person: int) -> str:
    if verb in _FORMS:
        return _FORMS[verb][person - 1]
    if person != 3:
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


@lru_cache(maxsize=8192)
def _parse(template: str) -> tuple[tuple[str, str], ...]:
    parts: list[tuple[str, str]] = []
    end = 0
    for found in _TOKEN.finditer(template):
        if found.start() > end:
            parts.append(("text", template[end : found.start()]))
        parts.append(("slot", found[1]) if found[1] is not None else ("verb", found[2]))
        end = found.end()
    if end < len(template):
        parts.append(("text", template[end:]))
    return tuple(parts)


def fill(template: str, subject: Subject | None = None, values: Mapping[str, str] | None = None) -> str:
    """The clause, without capital and full stop."""
    values = values or {}
    out: list[str] = []
    named = False
    person = subject.person if subject else 3
    for kind, word in _parse(template):
        if kind == "text":
            out.append(word)
        elif kind == "verb":
            out.append(inflect(word, person))
        elif subject and word in _PRONOUNS:
            full, short = _PRONOUNS[word]
            out.append(str(subject[short if named else full]))
            if word in ("s", "he"):
                person = 2 if named and subject.pronoun == "they" else subject.person
            named = True
        elif word.startswith("a "):
            out.append(add_article(values[word[2:]]))
        else:
            out.append(values[word])
    return "".join(out)


_PRONOUNS = {"s": (0, 3), "he": (0, 3), "s's": (1, 4), "his": (1, 4), "him": (2, 5)}


def capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def end_sentence(clause: str) -> str:
    """A clause as a sentence; one that already ends in a mark keeps it."""
    return capitalise(clause) if clause[-1:] in ".!?" else capitalise(clause) + "."
