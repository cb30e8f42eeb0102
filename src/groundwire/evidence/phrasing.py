"""Telling a stored attribute in a sentence, so that a judge of language can read it."""

from __future__ import annotations

from groundwire.evidence.meanings import attribute_words, meaning_of

_YES = frozenset({"true", "yes"})
_NO = frozenset({"false", "no"})
_PROPER = frozenset({"person", "organisation", "organization", "company", "product", "user", ""})
_VERBS = {"speaks", "likes", "drives", "makes", "sells", "offers", "contains", "includes", "knows", "produces"}


def tell(name: str, kind: str, attribute: str, value: str) -> str:
    """ "John Smith's department is Engineering." """
    bearer = name if kind.casefold() in _PROPER or name[:1].isupper() or name.startswith("the ") else f"the {name}"
    bearer = bearer[:1].upper() + bearer[1:]
    words = " ".join(attribute_words(attribute)) or attribute
    low = value.casefold()
    if low in _YES | _NO:
        return f"{bearer} is {'' if low in _YES else 'not '}{words.removeprefix('is ')}."
    meaning = meaning_of(attribute)
    match meaning.name:
        case "date":
            return f"{bearer} is on {value}."
        case "time":
            return f"{bearer} is at {value}."
        case "status":
            return f"{bearer} is {value}."
        case _:
            pass
    first = attribute.split("_")[0].split(" ")[0].casefold()
    if first in _VERBS:
        return f"{bearer} {first} {value}."
    return f"{bearer}'s {words} is {value}."
