"""Names that everybody knows, and names that are none: nobody looks them up."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.evidence.names import name_key, name_words
from groundwire.text import lexicon
from groundwire.text.membership import class_words
from groundwire.text.places import is_place
from groundwire.text.quantities import read_quantity
from groundwire.text.tables import read_table


@cache
def _classes() -> dict[str, str]:
    table: dict[str, list[str]] = read_table("public_names", "detect")
    history = read_table("anachronisms", "detect")
    names = dict.fromkeys(history["people"], "person") | dict.fromkeys(history["periods"], "other")
    return {name_key(name): kind for name, kind in names.items()} | {
        name_key(name): kind for kind, listed in table.items() for name in listed
    }


_PEOPLE = re.compile(r"(?:landic|landish|nese|ian|ish|ese)$")


@cache
def _peoples() -> frozenset[str]:
    words = {*class_words("demonym"), *class_words("language"), *class_words("religion")}
    return frozenset(word.casefold() for word in words)


def public_class(name: str) -> str:
    """The class of a name that everybody knows; empty where nobody need know it."""
    words = name_words(name)
    key = " ".join(words)
    if key in _classes():
        return _classes()[key]
    if words and (singular := " ".join((*words[:-1], lexicon.noun_lemma(words[-1])))) in _classes():
        return _classes()[singular]  # "Nobel Prizes"
    if is_place(words):
        return "place"
    if words and all(word in _peoples() or _PEOPLE.search(word) for word in words):
        return "other"
    return ""


@cache
def _roles() -> frozenset[str]:
    names = read_table("entities")["names"]
    return frozenset(names["honorifics"]) | class_words("profession") | frozenset(names["calendar"])


def is_role(word: str) -> bool:
    """A title or a job in front of a name."""
    return word.casefold().rstrip(".") in _roles()


@lru_cache(maxsize=8192)
def is_ordinary(name: str) -> bool:
    """Capitals on words that name nobody: a department, a role, a word at the head of a line."""
    words = name_words(name)
    if not words:
        return True
    if "-" in name and " " not in name.strip():
        return all(_is_plain(word) for word in words)
    if len(words) == 1:
        return _is_plain(words[0]) or len(words[0]) < 2
    return all(word in _roles() or word.isdigit() for word in words)


@lru_cache(maxsize=8192)
def _is_plain(word: str) -> bool:
    singular = lexicon.noun_lemma(word)
    unit = read_quantity(f"2 {word}")
    if read_quantity(word) is not None or (unit is not None and not unit[1]):
        return True
    known = lexicon.is_known(word) or lexicon.is_known(singular) or word in _roles() or singular in _roles()
    return known or word.rstrip("s") in _roles()
