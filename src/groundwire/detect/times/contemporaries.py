"""Two people of whom one was dead before the other was born: Mozart with a book by Darwin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.verbs import VerbGroup
from groundwire.types import Span, Tense

_SURE = 0.80
_SLACK = 1
_REACHES_ON = frozenset(
    """
    influence inspire precede predate anticipate foreshadow prefigure die live be have become remain shape affect pave
    outsell surpass rival resemble call know remember say predict look inform change
    """.split()  # noqa: SIM905
)
"""What somebody does to those who come after, and what is said when two are compared."""
_UNREAL = re.compile(
    r"\b(?:if|unless|imagine|as\s+though|would|could|might|never|not|no|film|movie|novel|play|game|museum|statue"
    r"|before|after|unlike|than"
    r"|like|centuries|generations?|later|until|street|prize|university|today|legacy|influence|inspiration"
    r"|compared|century|descendants?)\b"
    r"|n't\b|[\"“”]"
)


class Person(NamedTuple):
    start: int
    end: int
    words: str
    first: int
    last: int


def find_strangers(
    seen: Sighting, people: Sequence[Person], acts: Sequence[VerbGroup | None]
) -> Iterator[TemporalFault]:
    """`acts` has for each person the verb whose subject they are; who stands behind it was not born yet."""
    if len(people) < 2 or _UNREAL.search(seen.low):
        return
    for actor, group in zip(people, acts, strict=True):
        if group is None or group.tense is not Tense.PAST or group.modal or group.negated:
            continue
        if group.lemma in _REACHES_ON:
            continue
        verb = seen.tokens[group.start].start - seen.start
        other = next((p for p in people if p.start > verb and p.first > actor.last + _SLACK), None)
        if other is None:
            continue
        span = Span(seen.start + actor.start, seen.start + other.end)
        evidence = f"{actor.words.title()} died in {actor.last}, {other.words.title()} was born in {other.first}"
        yield TemporalFault(span, _SURE, evidence, "The two did not live at the same time: check both names.")
        return
