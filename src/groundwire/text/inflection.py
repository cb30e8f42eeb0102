"""Plural and singular of nouns, and the gerund of verbs, by rule with tables for the exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.text.tables import read_table

_VOWELS = frozenset("aeiou")


@dataclass(frozen=True, slots=True)
class _Exceptions:
    """What the rules get wrong."""

    singulars: dict[str, str]
    plurals: dict[str, str]
    invariant: frozenset[str]
    ends_in_ie: frozenset[str]
    ends_in_e: frozenset[str]
    ends_in_s: frozenset[str]
    ends_in_men: frozenset[str]
    doubled: frozenset[str]
    activities: frozenset[str]


@cache
def _exceptions() -> _Exceptions:
    raw = read_table("inflection")
    irregular: dict[str, str] = raw["irregular"]
    words: dict[str, str] = raw["words"]
    singulars = dict(irregular)
    plurals: dict[str, str] = {}
    for plural_form, singular_form in irregular.items():
        plurals.setdefault(singular_form, plural_form)
    return _Exceptions(
        singulars=singulars,
        plurals=plurals,
        invariant=frozenset(words["invariant"].split()),
        ends_in_ie=frozenset(words["ends_in_ie"].split()),
        ends_in_e=frozenset(words["ends_in_e"].split()),
        ends_in_s=frozenset(words["ends_in_s"].split()),
        ends_in_men=frozenset(words["ends_in_men"].split()),
        doubled=frozenset(words["doubled"].split()),
        activities=frozenset(words["activities"].split()),
    )


@lru_cache(maxsize=16384)
def singular(noun: str) -> str:
    """The singular of a lower-case noun; a word that is singular already comes back unchanged."""
    table = _exceptions()
    if noun in table.singulars:
        return table.singulars[noun]
    if noun in table.invariant or not noun.isalpha():
        return noun
    if noun.endswith("men") and len(noun) > 4 and noun not in table.ends_in_men:
        return noun[:-3] + "man"
    if len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is")) or noun in table.ends_in_s:
        return noun
    return _without_plural_ending(noun, table)


def _without_plural_ending(noun: str, table: _Exceptions) -> str:
    without_s, without_es = noun[:-1], noun[:-2]
    if noun.endswith("ies"):
        return without_s if without_s in table.ends_in_ie or len(noun) == 4 else noun[:-3] + "y"
    if without_es in table.ends_in_s:
        return without_es
    takes_es = noun.endswith(("ches", "shes", "xes", "sses", "oes", "tzes"))
    if takes_es and without_s not in table.ends_in_e:
        return without_es
    return without_s


@lru_cache(maxsize=4096)
def plural(noun: str) -> str:
    """The plural of a lower-case singular noun."""
    table = _exceptions()
    if noun in table.plurals:
        return table.plurals[noun]
    if noun in table.invariant or not noun:
        return noun
    if noun.endswith("man") and noun[:-3] + "men" not in table.ends_in_men and len(noun) > 4:
        return noun[:-3] + "men"
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return noun[:-1] + "ies"
    if noun.endswith(("s", "x", "ch", "sh", "tz")) or noun + "es" in table.singulars:
        return noun + "es"
    if noun.endswith("o") and noun[-2:-1] not in _VOWELS and noun not in table.ends_in_e:
        return noun + "es"
    return noun + "s"


@lru_cache(maxsize=4096)
def gerund(verb: str) -> str:
    """The -ing form of a lower-case verb: swim, swimming; bake, baking; lie, lying."""
    if verb.endswith("ing") and len(verb) > 5:
        return verb
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return verb[:-1] + "ing"
    if verb in _exceptions().doubled or _ends_in_short_syllable(verb):
        return verb + verb[-1] + "ing"
    return verb + "ing"


def _ends_in_short_syllable(verb: str) -> bool:
    """One vowel between consonants, in a verb of one syllable: run, swim, but not read or visit."""
    if len(verb) < 3 or sum(letter in _VOWELS for letter in verb) != 1:
        return False
    return verb[-2] in _VOWELS and verb[-1] not in _VOWELS and verb[-1] not in "wxy"


def names_activity(verb: str) -> bool:
    """Whether the bare verb, said as a value, means the activity: "swim", but not "fish"."""
    return verb in _exceptions().activities


def third_person(verb: str) -> str:
    """ "teach" → teaches, "carry" → carries."""
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else f"{verb}s"
