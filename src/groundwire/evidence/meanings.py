"""What an attribute means, whatever it is called: "dept", "works in" and "team" are a department.

The table is data (attributes.toml); a name that it does not have means its own words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.evidence.measures import split_unit
from groundwire.text import lexicon
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import same_meaning

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_FILLERS = frozenset({"the", "a", "an", "its", "their", "his", "her", "current", "official", "actual", "exact"})
_SMALL = frozenset({"of", "the", "a", "an", "in", "on", "at", "to", "by", "for", "is", "be", "s", "from", "and", "as"})
_LONGEST = 120
_OTHERS = frozenset(
    """
    previous former past old prior ex emergency alternate alternative backup deputy vice assistant next last first
    second secondary other new future planned target maximum minimum max min average initial original final total
    """.split()  # noqa: SIM905
)
"""Words that make an attribute another one: a former employer is none."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """One attribute of the table."""

    name: str
    kind: str = "any"
    additive: bool = False
    lasting: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """A way to say an attribute: verb, voice, and the preposition before the value; "object" where there is none."""

    verb: str
    passive: bool
    role: str


@dataclass(frozen=True, slots=True)
class Meanings:
    by_id: dict[str, Meaning]
    by_name: dict[str, tuple[str, ...]]
    by_frame: dict[Frame, tuple[str, ...]]
    by_inverse: dict[str, tuple[str, ...]]
    by_slot: dict[str, tuple[str, ...]]


@cache
def load_meanings() -> Meanings:
    """The table, turned round: from every way to say an attribute to the attribute."""
    by_id: dict[str, Meaning] = {}
    names: dict[str, list[str]] = defaultdict(list)
    frames: dict[Frame, list[str]] = defaultdict(list)
    inverse: dict[str, list[str]] = defaultdict(list)
    slots: dict[str, list[str]] = defaultdict(list)
    for identity, row in read_table("attributes", "evidence").items():
        by_id[identity] = Meaning(
            identity,
            row.get("kind", "any"),
            row.get("additive", False),
            row.get("lasting", False),
            row.get("group", ""),
        )
        for name in (identity, *row.get("names", ())):
            _put(names[attribute_key(name)], identity, first=name == identity)
        for saying in row.get("says", ()):
            _put(frames[_read_frame(saying)], identity)
        for verb in row.get("inverse", ()):
            _put(inverse[verb], identity)
        for slot in row.get("slots", ()):
            _put(slots[slot], identity, first=slot == identity)
    return Meanings(
        by_id,
        {key: tuple(found) for key, found in names.items()},
        {key: tuple(found) for key, found in frames.items()},
        {key: tuple(found) for key, found in inverse.items()},
        {key: tuple(found) for key, found in slots.items()},
    )


def _put(found: list[str], identity: str, *, first: bool = False) -> None:
    if identity not in found:
        found.insert(0, identity) if first else found.append(identity)


_MERE_BEING = frozenset({"hold", "locate", "situate", "base", "schedule"})
"""Passives that only say where or when a thing is; the text layer reads them as "be"."""
_PREPOSITIONS = frozenset(
    "in on at for from to with by of as under since until till within into about out after before over".split()  # noqa: SIM905
)


_ONE_FORM = frozenset({"set", "put", "cut", "shut"})


def _read_frame(saying: str) -> Frame:
    words = saying.split()
    preposition = len(words) > 1 and words[-1] in _PREPOSITIONS
    role, body = (words[-1], words[:-1]) if preposition else ("object", words)
    if len(body) > 1 and body[0] == "be":
        lemma = lexicon.verb_lemma(body[1])
        if lemma is not None and body[1].endswith(("ed", "n", "t", "d")) and lemma != body[1]:
            mere = lemma in _MERE_BEING
            return Frame("be" if mere else lemma, not mere, role)
        if body[1] in _ONE_FORM and len(body) > 2:  # "be set up in": the participle looks like the verb
            return Frame(" ".join(body[1:]), True, role)
        return Frame("be " + " ".join(body[1:]), False, role)
    return Frame(" ".join(body), False, role)


@lru_cache(maxsize=16384)
def attribute_words(name: str) -> tuple[str, ...]:
    """The words of an attribute's name in the singular: `batteryLife`, `battery_life` → battery, life."""
    spaced = _CAMEL.sub(" ", name[:_LONGEST]).replace("_", " ").replace("-", " ")
    words = [w.casefold() for w in _WORDS.findall(spaced)]
    while len(words) > 1 and words[0] in _FILLERS:
        words = words[1:]
    return tuple(lexicon.noun_lemma(w) for w in words)


def attribute_key(name: str) -> str:
    return " ".join(attribute_words(name))


@lru_cache(maxsize=16384)
def meanings_of(name: str) -> tuple[str, ...]:
    """The attributes of the table that `name` is a name of; empty where it has none."""
    table = load_meanings()
    words = attribute_words(name)
    found = table.by_name.get(" ".join(words))
    for start in range(1, len(words)):
        if found is None and _OTHERS.isdisjoint(words[:start]):
            found = table.by_name.get(" ".join(words[start:]))
    if found is None and (plain := split_unit(name)[0]) != name:
        return meanings_of(plain)  # "price_eur"
    if found is None:
        found = table.by_frame.get(_read_frame(" ".join(_as_verb(name))), ())
    return found


def other_than(words: Iterable[str]) -> frozenset[str]:
    """Those of the words that make an attribute another one than its noun says."""
    return _OTHERS.intersection(words)


def _as_verb(name: str) -> list[str]:
    """ "works under" → work under."""
    words = [w.casefold() for w in _WORDS.findall(name[:_LONGEST].replace("_", " "))] or [""]
    return [lexicon.verb_lemma(words[0]) or words[0], *words[1:]]


def meaning_of(name: str) -> Meaning:
    """The first meaning of a name; an open one, of any kind, where the table has none."""
    found = meanings_of(name)
    return load_meanings().by_id[found[0]] if found else Meaning(attribute_key(name))


@lru_cache(maxsize=16384)
def are_similar(left: str, right: str) -> bool:
    """About the same: one group of the table, or a telling word in common."""
    table = load_meanings()
    ours, theirs = meanings_of(left), meanings_of(right)
    if set(ours) & set(theirs):
        return True
    groups = {table.by_id[one].group for one in ours} - {""}
    if groups & {table.by_id[one].group for one in theirs}:
        return True
    mine = [w for w in attribute_words(left) if w not in _SMALL]
    others = [w for w in attribute_words(right) if w not in _SMALL]
    return any(one == two or same_meaning(one, two) for one in mine for two in others)
