"""Telling an attribute that is a yes or a no, by the words of its name: "accepts_walk_ins: false", "in_stock: true".

A name says how it wants to be told: by a verb, a permission, a place or a quality; what is none of them is had.
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.text import lexicon
from groundwire.text.tables import read_table

_MODALS = {"can": "cannot", "may": "may not", "must": "does not have to", "will": "will not", "should": "should not"}
_ADJECTIVE = re.compile(r"(?:ian|al|ic|ive|able|ible|ful|less|ed|ous|proof|free|friendly|ary|ent|ant)$")
_NEEDED = frozenset({"required", "needed", "mandatory", "compulsory", "optional", "necessary"})
_ADMITTED = frozenset(
    "allowed permitted welcome accepted forbidden prohibited banned available offered".split()  # noqa: SIM905
)
_RULED = _NEEDED | _ADMITTED | {"included", "provided", "possible"}
RULING = re.compile(rf"(not )?({'|'.join(sorted(_RULED))})", re.IGNORECASE)
""" "pets: not allowed", "prescription_required: yes": what holds there of something else than the bearer."""
PREPOSITIONS = frozenset(
    "in on at for from to with by of as under until till within into about after before per".split()  # noqa: SIM905
)


@cache
def _listed(part: str) -> frozenset[str]:
    return frozenset(read_table("sentences", "evidence")["switches"][part])


def tell_switch(bearer: str, words: list[str], *, is_so: bool) -> str:
    """ "has no bathtub", "is vegan", "does not accept walk ins", "Pets are allowed at …"."""
    if len(words) > 1 and words[0] not in ("is", "has") and RULING.fullmatch(words[-1]):
        return tell_ruling(bearer, words[:-1], is_so=is_so, ruling=words[-1])
    if (told := _tell_permission(bearer, words, is_so=is_so) or _tell_deed(bearer, words, is_so=is_so)) != "":
        return told
    phrase = " ".join(words).removeprefix("is ").removeprefix("has ")
    if words[0] == "has" or (words[0] != "is" and not _is_quality(words)):
        return f"{bearer} has {_article(words) if is_so else 'no '}{phrase}."
    return f"{bearer} is {'' if is_so else 'not '}{phrase}."


def tell_ruling(bearer: str, words: list[str], *, is_so: bool, ruling: str) -> str:
    """ "Pets are not allowed at the Sonnblick", "A prescription is required for Amoxan"."""
    phrase, last = " ".join(words), words[-1]
    are = "are" if last != lexicon.noun_lemma(last) and last.endswith("s") else "is"
    place = "for" if ruling in _NEEDED else "at" if ruling in _ADMITTED else "with"
    return f"{phrase[:1].upper()}{phrase[1:]} {are} {'' if is_so else 'not '}{ruling} {place} {bearer}."


def _tell_permission(bearer: str, words: list[str], *, is_so: bool) -> str:
    """ "can_borrow_dvds" is what the bearer can, "parents_may_watch" what others may."""
    place = next((i for i, word in enumerate(words[:-1]) if word in _MODALS), -1)
    if place < 0:
        return ""
    modal, rest = words[place], " ".join(words[place + 1 :])
    told = modal if is_so else _MODALS[modal]
    if not place:
        return f"{bearer} {told} {rest}."
    others = " ".join(words[:place])
    return f"{others[:1].upper()}{others[1:]} {told} {rest} at {bearer}."


def _tell_deed(bearer: str, words: list[str], *, is_so: bool) -> str:
    """ "accepts_walk_ins", "accepting_new_patients", "delivers": what it does, or is doing."""
    first, rest = words[0], " ".join(words[1:])
    verb, kinds = lexicon.verb_lemma(first), [reading[0] for reading in lexicon.readings(first)]
    if verb is None or first in ("is", "has"):
        return ""
    has_object = len(words) > 1 and (words[1].endswith("s") or words[1] in PREPOSITIONS)
    if "VBZ" in kinds and (kinds[0] == "VBZ" or has_object):
        return " ".join(f"{bearer} {first if is_so else f'does not {verb}'} {rest}".split()) + "."
    if kinds[0] == "VBG" and (len(words) > 2 or (len(words) > 1 and verb in _listed("deeds"))):
        return f"{bearer} is {'' if is_so else 'not '}{first} {rest}."
    return ""


def _is_quality(words: list[str]) -> bool:
    """ "waterproof", "gluten free", "in stock", "open on Sundays"; a balcony is had."""
    first, last = words[0], words[-1]
    kinds = [reading[0] for reading in lexicon.readings(first)]
    if len(words) > 1 and first in PREPOSITIONS:
        return True
    if len(words) > 1 and kinds[0] in ("JJ", "VBN", "VBD") and not PREPOSITIONS.isdisjoint(words[1:]):
        return True
    if len(words) > 1 and words[-1] == "only":
        return True
    own = [reading[0] for reading in lexicon.readings(last)]
    if last in _listed("qualities") or not {"NN", "NNS", "NNP"} & set(own):
        return True
    return "JJ" in own and (own[0] == "JJ" or _ADJECTIVE.search(last) is not None)


def _article(words: list[str]) -> str:
    last, first = words[-1], words[1] if words[0] == "has" and len(words) > 1 else words[0]
    if last.endswith(("s", "ing")) or last in _listed("uncounted"):
        return ""
    return "an " if first[:1] in "aeiou" else "a "
