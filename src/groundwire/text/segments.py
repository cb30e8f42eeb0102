"""Segments: one per sentence, with everything that the detectors look at."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from groundwire.text.entities import find_entities
from groundwire.text.reading import read_text
from groundwire.text.sentences import split_sentences
from groundwire.text.temporal import find_times
from groundwire.types import Claim, EntityMention, ResponseSegment, TemporalExpression

Found = TypeVar("Found", Claim, EntityMention, TemporalExpression)


def segment_response(text: str, now: datetime) -> tuple[ResponseSegment, ...]:
    """The sentences of an answer in document order, each with its claims, entities and times."""
    claims = [read.claim for read in read_text(text).claims]
    entities, times = find_entities(text), find_times(text, now)
    sentences = split_sentences(text)
    starts = [sentence.span.start for sentence in sentences]
    claimed, named, timed = _by_sentence(starts, claims), _by_sentence(starts, entities), _by_sentence(starts, times)
    return tuple(
        ResponseSegment(i, s.text, s.span, tuple(claimed[i]), tuple(named[i]), tuple(timed[i]))
        for i, s in enumerate(sentences)
    )


def _by_sentence(starts: list[int], found: Iterable[Found]) -> dict[int, list[Found]]:
    """What was found, by the number of the sentence in which it begins."""
    placed: dict[int, list[Found]] = defaultdict(list)
    for item in found:
        placed[max(0, bisect_right(starts, item.span.start) - 1)].append(item)
    return placed
