"""The words that make the difference: where a claim and the sentence against it say two values for the same thing.

A model says that evidence speaks against a claim, not why. The two wordings are laid side by side; the place where one
has a number, a name or a word and the other has another of the same kind is what a reader wants to see first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.judge.differences import list_differences
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.thesaurus import same_meaning
from groundwire.types import Span

_WORD = re.compile(r"[$€£]?\d+(?:[.,:/-]\d+)*(?:%|[ap]m\b|st\b|nd\b|rd\b|th\b)?|[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_MOST_WORDS = 120
_LONGEST = 5
_ORDER = ("number", "name", "word")
_HALVES_OF_THE_DAY = frozenset({"am", "pm", "a.m", "p.m", "o'clock"})


class Mismatch(NamedTuple):
    """What the claim says, where in it, and what the evidence says in its place."""

    mine: str
    span: Span
    theirs: str
    is_value: bool
    """A number or a name on both sides, not just another word."""


class _Word(NamedTuple):
    text: str
    low: str
    start: int
    end: int
    kind: str


def find_mismatch(claim: str, sentence: str) -> Mismatch | None:
    """The clearest pair of different values; numbers before names before other words."""
    mine, theirs = _split(claim), _split(sentence)
    if not mine or not theirs or max(len(mine), len(theirs)) > _MOST_WORDS:
        return None
    found = [*_replaced(mine, theirs), *_only_values(mine, theirs)]
    if not found:
        return None
    left, right = min(found, key=lambda pair: _rank(pair[0]))
    span = Span(left[0].start, left[-1].end)
    is_value = _rank(left) == _rank(right) < _ORDER.index("word")
    return Mismatch(claim[span.start : span.end], span, sentence[right[0].start : right[-1].end], is_value)


def _rank(words: Sequence[_Word]) -> int:
    return min(_ORDER.index(word.kind) for word in words if word.kind in _ORDER)


def _split(text: str) -> list[_Word]:
    words: list[_Word] = []
    function_words = closed_classes()
    for match in _WORD.finditer(text):
        word = match.group()
        low = word.lower()
        first = match.start() == 0 or text[: match.start()].rstrip()[-1:] in ".!?:\n"
        if any(map(str.isdigit, word)):
            kind = "number"
        elif low in function_words:
            kind = "function"
        elif word[0].isupper() and not first:
            kind = "name"
        else:
            kind = "word"
        words.append(_Word(word, low, match.start(), match.end(), kind))
    return words


Slices = tuple[Sequence[_Word], Sequence[_Word]]


def _replaced(mine: Sequence[_Word], theirs: Sequence[_Word]) -> Iterator[Slices]:
    """Slices that stand in the same place between the same words."""
    for tag, a, b, c, d in list_differences([w.low for w in mine], [w.low for w in theirs]):
        if tag != "replace":
            continue
        if b < len(mine) and mine[b].low in _HALVES_OF_THE_DAY:
            b, d = b + 1, d + 1
        left, right = _narrow(_trim(mine[a:b]), _trim(theirs[c:d]))
        if not left or not right or max(len(left), len(right)) > _LONGEST:
            continue
        same_kind = left[-1].kind == right[-1].kind or "number" not in (left[-1].kind, right[-1].kind)
        if same_kind and not _mean_the_same(left, right):
            yield left, right


def _mean_the_same(left: Sequence[_Word], right: Sequence[_Word]) -> bool:
    pairs = zip(map(_lemma, left), map(_lemma, right), strict=False)
    return len(left) == len(right) and all(one == other or same_meaning(one, other) for one, other in pairs)


def _lemma(word: _Word) -> str:
    return verb_lemma(word.low) or noun_lemma(word.low)


def _narrow(left: Sequence[_Word], right: Sequence[_Word]) -> Slices:
    """Where both sides have a name or a number among other words, that is the value."""
    for kind in ("name", "number"):
        mine, theirs = _runs(left, kind), _runs(right, kind)
        if len(mine) == len(theirs) == 1:
            return _with_half(mine[0], left), _with_half(theirs[0], right)
    return left, right


def _with_half(run: Sequence[_Word], words: Sequence[_Word]) -> Sequence[_Word]:
    """The hour with its half of the day: "4 pm"."""
    end = words.index(run[-1]) + 1
    return [*run, words[end]] if end < len(words) and words[end].low in _HALVES_OF_THE_DAY else run


def _runs(words: Sequence[_Word], kind: str) -> list[Sequence[_Word]]:
    """Words of one kind that follow each other count as one value."""
    runs: list[list[_Word]] = []
    for before, word in zip([None, *words], words, strict=False):
        if word.kind != kind:
            continue
        if runs and before is not None and before.kind == kind:
            runs[-1].append(word)
        else:
            runs.append([word])
    return list(runs)


def _trim(words: Sequence[_Word]) -> Sequence[_Word]:
    """Without the articles and prepositions around a value."""
    start, end = 0, len(words)
    while start < end and words[start].kind == "function":
        start += 1
    while end > start and words[end - 1].kind == "function":
        end -= 1
    return words[start:end]


def _only_values(mine: Sequence[_Word], theirs: Sequence[_Word]) -> Iterator[Slices]:
    """In sentences that are built differently: the one number, or the one name, that each side has for itself."""
    known = {w.low for w in mine} & {w.low for w in theirs}
    for kind in ("number", "name"):
        left, right = (
            [run for run in _runs(side, kind) if not any(w.low in known for w in run)] for side in (mine, theirs)
        )
        if len(left) == 1 and len(right) == 1:
            yield left[0], right[0]
