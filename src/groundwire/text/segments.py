"""Segments: one per sentence, with everything that the detectors look at."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from groundwire.text.entities import find_entities
from groundwire.text.reading import read_text
from groundwire.text.sentences import split_sentences
from groundwire.text.temporal import find_times
from groundwire.types import Claim, EntityMention, ResponseSegment, Span, TemporalExpression

Found = TypeVar("Found", Claim, EntityMention, TemporalExpression)


def segment_response(text: str, now: datetime) -> tuple[ResponseSegment, ...]:
    """The sentences of an answer in document order, each with its claims, entities and times."""
    claims = [read.claim for read in read_text(text).claims]
    entities, times = find_entities(text), find_times(text, now)
    return tuple(
        ResponseSegment(
            index=index,
            text=sentence.text,
            span=sentence.span,
            claims=_inside(claims, sentence.span),
            entities=_inside(entities, sentence.span),
            temporals=_inside(times, sentence.span),
        )
        for index, sentence in enumerate(split_sentences(text))
    )


def _inside(found: Iterable[Found], span: Span) -> tuple[Found, ...]:
    return tuple(item for item in found if span.start <= item.span.start < span.end)
