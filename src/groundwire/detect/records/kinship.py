"""Words of one class: two values of it compete for one attribute, whatever the attribute is called."""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.text.lexicon import noun_lemma
from groundwire.text.membership import class_words
from groundwire.text.places import gazetteer
from groundwire.text.tables import read_table

_CLASSES = ("demonym", "religion", "vehicle", "diet", "marital", "database", "framework", "language", "blood")
_WORD = re.compile(r"[^\W\d_]+")
_FIELD = re.compile(r"(?:ology|ologist|iatry|iatrist|ics|icist|onomy|onomist|istry|ist)$")
_STEM = 4


@lru_cache(maxsize=8192)
def classes_of_words(text: str) -> frozenset[str]:
    """The classes that any word of a phrase belongs to."""
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        lemma = noun_lemma(word)
        found.update(name for name in _CLASSES if word in class_words(name) or lemma in class_words(name))
        if word in _colours():
            found.add("colour")
        if re.search(r"(?:ology|ologist|iatry|iatrist)$", word):
            found.add("field")
    return frozenset(found)


@lru_cache(maxsize=8192)
def words_of_class(text: str) -> frozenset[str]:
    """The words of a phrase that belong to a class."""
    return frozenset(noun_lemma(word) for word in _WORD.findall(text.casefold()) if classes_of_words(word))


@lru_cache(maxsize=1)
def _colours() -> frozenset[str]:
    return frozenset(read_table("seniority")["contrasts"]["colour"])


def share_classes(said: str, stored: str) -> bool:
    """Whether both name one thing of the same class: two nationalities, two makes of car."""
    return bool(classes_of_words(said) & classes_of_words(stored))


def are_same_people(said: str, stored: str) -> bool:
    """ "Danish" and "Denmark": a country and its people begin alike."""
    mine, theirs = said.casefold(), stored.casefold()
    peoples = class_words("demonym")
    known = gazetteer().nodes
    pair = (mine in peoples and theirs in known) or (theirs in peoples and mine in known)
    return pair and mine[: _STEM - 1] == theirs[: _STEM - 1]


def is_people(text: str) -> bool:
    """An adjective of nationality, which stands elsewhere in a sentence than the country does."""
    return text.casefold() in class_words("demonym")


def shared_word(said: str, stored: str) -> str:
    """The one word of a phrase that is of the same class as a stored word; empty where there is no such pair."""
    kinds = classes_of_words(stored) - {"field"}
    found = [word for word in said.split() if classes_of_words(word) & kinds]
    return found[0] if len(found) == 1 and " " not in stored.strip() else ""
