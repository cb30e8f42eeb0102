"""Sentences that were not read because of what is added behind a comma: "It has 36 desks, each with a lamp"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from groundwire.text.reading import ReadClaim, read_text
from groundwire.types import Span

_ADDED = re.compile(
    r",\s+(?:each|both|all|one|two|half|most|none|some)(?:\s+of\s+(?:them|which|whom))?\s+(?:with|for|of|in|on|at|to|from|by|\w+ing)\b"
    r"|,\s+(?:written|made|built|designed|painted|run|owned|led|edited|taught|played|sung|given|held|followed|including|plus)\b"
)
_LONGEST = 300


def read_front(read: ReadClaim, text: str) -> Iterator[ReadClaim]:
    """The claim; or what stands before the addition, where nothing was read in the sentence as a whole."""
    start, end = read.claim.span
    added = _ADDED.search(text, start, end) if not read.proposition.predicate and end - start < _LONGEST else None
    found = read_text(f"{text[start : added.start()]}.").statements if added is not None else ()
    fronts = [one for one in found if one.proposition.predicate and not one.is_note]
    if not fronts:
        yield read
    for one in fronts:
        claim = one.claim
        span = Span(start + claim.span.start, start + claim.span.end)
        value = claim.value_span
        moved = Span(start + value.start, start + value.end) if value is not None else None
        arguments = tuple(
            a._replace(span=Span(start + a.span.start, start + a.span.end)) for a in one.proposition.arguments
        )
        proposition = one.proposition._replace(arguments=arguments)
        placed = replace(claim, span=span, value_span=moved, other_spans=())
        yield replace(one, claim=placed, proposition=proposition, facts=(), sentence=read.sentence)
