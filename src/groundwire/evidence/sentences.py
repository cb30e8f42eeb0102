"""Attributes whose value is a whole sentence: what they say is a statement, whatever they are called.

"rule: Dogs must be kept on a lead." is no value that another word could take the place of; it is told as it stands.
"""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.evidence.phrasing import name_bearer
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER

_TITLES = frozenset(
    "name title motto slogan tagline quote headline lyric lyrics subtitle catchphrase caption".split()  # noqa: SIM905
)
_FEWEST, _LONGEST = 4, 600
_SHORT = 2
_PRONOUN = re.compile(r"(?:It|They|He|She)(?=['’ ])")
_OWNED = re.compile(r"(?:Its|Their|His|Her)(?= )")
_CONTRACTED = {"'s": " is", "'re": " are", "'ll": " will", "'ve": " have"}


@lru_cache(maxsize=4096)
def is_sentence(attribute: str, value: str) -> bool:
    """Whether a value says something of a subject of its own; a title in capitals does not, nor does "opens at 9"."""
    words = value.split()
    if len(words) < _FEWEST or len(value) > _LONGEST or not value[:1].isupper():
        return False
    if _TITLES & set(attribute.casefold().replace("_", " ").split()):
        return False
    is_closed = value.rstrip().endswith((".", "!"))
    if not is_closed and sum(word[:1].isupper() for word in words[1:]) * 2 > len(words):
        return False
    return any(
        r.proposition.predicate and r.claim.subject not in ("", USER) and value.startswith(r.claim.subject)
        for r in read_text(value).statements
    ) or (is_closed and any(r.claim.subject not in ("", USER) for r in read_text(value).claims))


def _names(sentence: str, name: str) -> bool:
    """Whether a sentence has a telling word of its bearer's name: it then needs no other."""
    said = {word.casefold().strip(".,;:!'’s") for word in sentence.split()}
    return any(word.casefold().strip("'’s") in said for word in name.split() if len(word) > _SHORT)


def tell_sentence(name: str, kind: str, value: str) -> str:
    """The sentence, under the name of its bearer where it only points at it."""
    bearer = name_bearer(name, kind)
    if (match := _OWNED.match(value)) is not None:
        return f"{bearer}'s{value[match.end() :]}"
    if (match := _PRONOUN.match(value)) is None:
        return value if _names(value, name) else f"{bearer}: {value}"
    rest = value[match.end() :].replace("’", "'")
    return next(
        (f"{bearer}{full}{rest[len(short) :]}" for short, full in _CONTRACTED.items() if rest.startswith(short)),
        f"{bearer}{rest}",
    )
