"""Bounds belong to the amount: who is "over ninety" is not ninety, and who weighs "more than 90 kilos" is 92 perhaps.

A frame of a slot takes the noun or the number as its value. Where a word before it says that the number is only an end
of what is meant, that word is part of the value, so that it is compared as a range.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from groundwire.text.cues import Cued
from groundwire.text.quantities import read_quantity
from groundwire.text.wording import normalise
from groundwire.types import ExtractedFact, Sentence, Span

_WORDS = (
    r"(?:at (?:least|most)|(?:no )?(?:more|less|fewer|greater|higher|lower|older|younger|longer|shorter) than|up to|"
    r"(?:just |well |slightly |a little |a bit )?(?:over|under|above|below)|nearly|almost|roughly|approximately)"
)
_BEFORE = re.compile(rf"\b{_WORDS} $", re.IGNORECASE)
_WHOLE = Cued(
    re.compile(rf"\b{_WORDS} (?=\S)", re.IGNORECASE),
    "least most than up over under above below nearly almost roughly approximately",
)
_LONGEST_BOUND = 24
_COMPARED = ("more", "less", "fewer", "least", "most")
_FIGURE = r"(?:[$€£]?\d(?:[\d.,]*\d)?[%a-zA-Z€]{0,12}|[a-z-]{2,20})"
_AMOUNT_BEHIND = re.compile(rf" than ({_FIGURE}(?: (?!(?:a|an|and|or|but|in|on|at|for|per)\b)[^\W\d]{{1,20}})?)")


def with_bounds(facts: Sequence[ExtractedFact], sentence: Sentence) -> tuple[ExtractedFact, ...]:
    """The facts, amounts with the words that make ranges of them."""
    if _WHOLE.search(sentence.text) is None:
        return tuple(facts)
    return tuple(_with_bound(fact, sentence) for fact in facts)


def _with_bound(fact: ExtractedFact, sentence: Sentence) -> ExtractedFact:
    text, offset = sentence.text, sentence.span.start
    start, end = fact.value_span.start - offset, fact.value_span.end - offset
    if not 0 <= start < end <= len(text) or text[start:end] != fact.raw:
        return fact
    if fact.raw.lower() in _COMPARED and (behind := _AMOUNT_BEHIND.match(text, end)) is not None:
        if read_quantity(behind[1].lower()) is None:
            return fact
        return _widened(fact, sentence, start, behind.end())
    before = _BEFORE.search(text, max(0, start - _LONGEST_BOUND), start)
    found = read_quantity(fact.raw.lower()) if before is not None else None
    if before is None or found is None or found[1].strip():
        return fact
    begin = before.start()
    while begin < start and read_quantity(text[begin:end].lower()) is None:  # "well over": the bound alone is read
        begin = text.find(" ", begin) + 1
    return _widened(fact, sentence, begin, end)


def _widened(fact: ExtractedFact, sentence: Sentence, start: int, end: int) -> ExtractedFact:
    raw, offset = sentence.text[start:end], sentence.span.start
    return replace(fact, raw=raw, value=normalise(raw), value_span=Span(start + offset, end + offset))
