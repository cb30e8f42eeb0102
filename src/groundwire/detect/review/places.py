"""Where a flag stands: its sentence, the sentence it is held against, and what was said before."""

from __future__ import annotations

from groundwire.detect.examination import Examination
from groundwire.evidence.dialogue import Dialogue
from groundwire.text.sentences import split_sentences
from groundwire.types import Span
from groundwire.types.detection import HallucinationFlag

_QUOTED = 20
"""Characters of a quotation by which its sentence is found."""


def sentence_at(examined: Examination, place: Span) -> str:
    """The sentence of the answer around a place."""
    for segment in examined.segments:
        if segment.span.start <= place.start < segment.span.end:
            return segment.text.strip()
    return examined.text[place.start : place.end]


def turn_against(flag: HallucinationFlag, examined: Examination) -> str:
    """The turn that a flag holds against the answer; empty where it rests on none."""
    if flag.history is None:
        return ""
    number = flag.history.turn_id
    return next((turn.text for turn in examined.dialogue.turns if turn.turn_id == number), "")


def exchange_against(flag: HallucinationFlag, examined: Examination) -> str:
    """The question and the reply that a flag holds against the answer, where the reply says little alone."""
    dialogue, number = examined.dialogue, flag.history.turn_id if flag.history is not None else None
    if number is None or not isinstance(dialogue, Dialogue):
        return ""
    return next((text for turn, text in dialogue.exchanges.items() if turn.turn_id == number), "")


def sentence_against(flag: HallucinationFlag, examined: Examination) -> str:
    """The sentence that a flag holds against the answer, of the dialogue or of the answer itself."""
    if flag.related_span is not None:
        return sentence_at(examined, flag.related_span)
    if flag.history is None:
        return ""
    quote = flag.history.quote
    found = (s.text.strip() for s in split_sentences(turn_against(flag, examined)) if quote[:_QUOTED] in s.text)
    return next(found, quote)
