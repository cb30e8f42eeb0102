"""Events of different things with a fixed order: no winner is declared before the race."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.tables import read_table
from groundwire.types import Span

ENABLING = 0.78
_JOINT = re.compile(r"\b(?P<way>before|prior\s+to|ahead\s+of|after)\b")
_OTHER = re.compile(
    r"\b(?:again|another|next|second|third|new|previous|other|different|not|never|if|could|can|may|might|should|would|will|must|first\s+results|all|last|some|western|eastern)\b|n't\b"
)


@cache
def _orders() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    rows = read_table("enabling", "detect")["orders"]
    return tuple((re.compile(row["then"]), re.compile(row["first"])) for row in rows)


def find_enabling_faults(seen: Sighting) -> Iterator[TemporalFault]:
    if seen.is_question or (joint := _JOINT.search(seen.low)) is None or _OTHER.search(seen.low):
        return
    front, behind = seen.low[: joint.start()], seen.low[joint.end() :]
    if not front.strip():
        head, comma, tail = behind.partition(",")
        front, behind = (tail, head) if comma else (front, behind)
    if joint["way"] == "after":
        front, behind = behind, front
    behind = re.split(r"[;,]", behind)[0]
    for then, first in _orders():
        if then.search(front) and first.search(behind):
            span = Span(seen.start + joint.start(), seen.start + len(seen.low.rstrip(" .!")))
            if not seen.is_quoted(span):
                evidence = "the one cannot be there before the other"
                yield TemporalFault(
                    span, ENABLING, evidence, "These events have a fixed order: check which came first."
                )
            return
