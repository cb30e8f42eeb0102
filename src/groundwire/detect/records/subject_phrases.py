"""Phrases in and around the subject of a claim: whom they may name, and what is only reported."""

from __future__ import annotations

import re
from collections.abc import Iterable

from groundwire.types import Span

_FRONT = 60
_SAID = re.compile(
    r"(?<!\bas )(?<!\bAs )\b(?:I|we|you)(?:['’]d|['’]ve| had| have)?(?: \w+ly| earlier| just| already| first)? "
    r"(?:said|told|wrote|mentioned|stated|claimed|quoted|gave)(?: (?:you|me|us|him|her|them))?(?: earlier| before)?"
    r"(?: that)? $"
)


def is_reported(text: str, span: Span) -> bool:
    """ "Earlier I said it was at three": a matter of what was said, not of what is so; "as I said" stands behind it."""
    return _SAID.search(text, max(0, span.start - _FRONT), span.start) is not None


def without_lead(subject: str) -> str:
    """ "A note on staffing: Dr. Kettering" is about Dr. Kettering."""
    return subject.rpartition(": ")[2]


def owners(subject: str) -> Iterable[tuple[str, bool]]:
    """The phrases in a subject that may name whom it is about, and whether it then is: all of it, its owner, what it
    is of; what a thing is in, on or for is only near."""
    yield subject, True
    if "'s " in subject:
        yield subject.rpartition("'s ")[0], True
    if " by " in subject:  # "the sonata by Henrike Oosthuizen"
        yield subject.partition(" by ")[0], True
    for preposition in (" of ", " for ", " from ", " in ", " at ", " on ", " against ", " with ", " to "):
        head, found, tail = subject.partition(preposition)
        if found:
            yield tail, preposition == " of "
            yield head, True
