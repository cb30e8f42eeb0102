"""Telling a stored relation in a sentence: "Oberon Freight is a subsidiary of Talvik Holding".

A relation is named by a verb, a participle, a noun or a preposition, and which of them it is says who does what to
whom: "acquired" and "acquired_by" are the two sides of one deed.
"""

from __future__ import annotations

from functools import cache, lru_cache

from groundwire.evidence.phrasing import name_bearer, split_name, tell_plainly
from groundwire.text import lexicon
from groundwire.text.function_words import closed_classes
from groundwire.text.tables import read_table

_VOWELS = "aeiou"


@lru_cache(maxsize=4096)
def tell_relation(name: str, kind: str, relation: str, target: str) -> str:
    """One relation as people would say it; as an attribute where its name is a plain noun."""
    words = split_name(relation)
    words = words[1:] if words[0] in ("is", "was", "are") and len(words) > 1 else words
    told = _tell_verb(words) or _tell_link(words)
    if told:
        return f"{name_bearer(name, kind)} {told} {target}."
    return _tell_work(name, kind, words, target) or tell_plainly(name, kind, relation, target)


def _tell_work(name: str, kind: str, words: list[str], target: str) -> str:
    """ "script_by": the script of it is by somebody; empty where no noun stands before the "by"."""
    noun = words[-2] if len(words) > 1 and words[-1] == "by" else ""
    if not noun or lexicon.readings(noun)[0][0] not in ("NN", "NNS"):
        return ""
    bearer = name_bearer(name, kind)
    bearer = f"the {bearer[4:]}" if bearer.startswith("The ") and not name.startswith("The ") else bearer
    verb = "are" if noun != lexicon.noun_lemma(noun) else "is"
    return f"The {' '.join(words[:-1])} of {bearer} {verb} by {target}."


def _tell_verb(words: list[str]) -> str:
    """ "reports to", "acquired", "was acquired by", "is married to"; empty where the name is no verb."""
    first, last, phrase = words[0], words[-1], " ".join(words)
    tags = [tag for tag, _ in lexicon.readings(first)]
    base = lexicon.noun_lemma(first)
    verb = lexicon.verb_lemma(first) or (lexicon.verb_lemma(base) if len(words) > 1 else None)
    if verb is None or (len(words) > 1 and last not in closed_classes()):
        return ""
    if "VBN" in tags and last == "by":
        return f"{'was' if verb in _listed('done') else 'is'} {phrase}"
    if first in _listed("standing") and len(words) > 1:
        return f"{'was' if verb in _listed('done') else 'is'} {phrase}"
    if "VBD" in tags or "VBZ" in tags or first == _third_person(verb):
        return phrase
    is_base = tags[0] in ("VB", "VBP") or (len(words) > 1 and last not in ("of", "by") and "VB" in tags)
    return " ".join((_third_person(first), *words[1:])) if is_base else ""


def _tell_link(words: list[str]) -> str:
    """ "is the mother of", "is downstream of", "is in"; empty for a noun alone."""
    head, last = " ".join(words[:-1]), words[-1]
    if last not in closed_classes() or last in ("by", "as"):
        return ""
    noun = words[-2] if len(words) > 1 else ""
    is_thing = bool(noun) and lexicon.readings(noun)[0][0] == "NN"
    if not is_thing or noun in _listed("plain"):
        return f"is {' '.join(words)}"
    article = "the" if noun not in _listed("one_of_many") else "an" if head[0] in _VOWELS else "a"
    return f"is {article} {head} {last}"


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    is_changed = verb.endswith("y") and verb[-2:-1] not in _VOWELS
    return f"{verb[:-1]}ies" if is_changed else f"{verb}s"


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(read_table("relations", "evidence")[name])
