"""Windows: long evidence in pieces that a model can read whole, with nothing left out.

A window is cut between sentences, and the next one begins with the last sentence of the one before, so that what two
sentences say together stands together somewhere. Which windows speak of a claim is estimated by the words they share.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from groundwire.judge.protocols import TokenCounter
from groundwire.text.function_words import closed_classes
from groundwire.text.sentences import split_sentences
from groundwire.types import Span

WINDOW_TOKENS = 192
OVERLAP = 1
_FEWEST_TOKENS = 8
_WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENDING = re.compile(r"(?<=\w{3})(?:ies|ing|ed|es|s|y|e)\Z")
_SPACE = re.compile(r"\s+")
_FUNCTION_WORD, _NUMBER_OR_NAME = 0.02, 2.0
_RELATED = 0.05


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a passage; `spans` are where its words stand there, more than one when they were gathered."""

    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CutPassage:
    """A passage in windows; `sentences` and their `sizes` in tokens are there only when it needs more than one."""

    windows: tuple[Window, ...]
    sentences: tuple[Window, ...] = ()
    sizes: tuple[int, ...] = ()


def cut_passage(
    passage: str, count: TokenCounter, *, tokens: int = WINDOW_TOKENS, overlap: int = OVERLAP
) -> CutPassage:
    """Windows of at most `tokens` tokens, in order, that hold every word of the passage."""
    if tokens < _FEWEST_TOKENS:
        raise ValueError(f"a window needs at least {_FEWEST_TOKENS} tokens, not {tokens}")
    whole = _trim(passage, 0, len(passage))
    if whole.start == whole.end:
        return CutPassage(())
    if fits(passage, count, tokens):
        return CutPassage((_take(passage, whole),))
    atoms, sizes = _cut_atoms(passage, count, tokens)
    groups = _group_atoms(sizes, tokens, overlap)
    spans = [Span(atoms[first].start, atoms[last].end) for first, last in groups]
    windows = tuple(_take(passage, span) for span in _keep_within(passage, spans, count, tokens))
    return CutPassage(windows, tuple(_take(passage, atom) for atom in atoms), tuple(sizes))


def fits(text: str, count: TokenCounter, tokens: int) -> bool:
    """No tokenizer makes more tokens than there are bytes, so most memories need not be counted."""
    if len(text) <= tokens and (text.isascii() or len(text.encode("utf-8", "replace")) <= tokens):
        return True
    return count([text])[0] <= tokens


def gather_window(claim: str, cut: CutPassage, count: TokenCounter, *, tokens: int = WINDOW_TOKENS) -> Window | None:
    """The sentences of the whole passage that share most with the claim, in their order, in one window.

    What decides a claim is often spread over a document. None if nothing is shared, or one window holds everything.
    """
    if len(cut.windows) < 2:
        return None
    shares = weigh(claim, [sentence.text for sentence in cut.sentences])
    chosen: list[int] = []
    room = tokens
    for i in sorted(range(len(shares)), key=lambda i: (-shares[i], i)):
        if shares[i] > _RELATED and cut.sizes[i] <= room:
            chosen.append(i)
            room -= cut.sizes[i]
    while chosen:
        ordered = [cut.sentences[i] for i in sorted(chosen)]
        text = " ".join(sentence.text for sentence in ordered)
        if fits(text, count, tokens):
            return Window(text, tuple(span for sentence in ordered for span in sentence.spans))
        chosen.pop()
    return None


def choose(claim: str, windows: Sequence[Window], limit: int) -> tuple[Window, ...]:
    """At most `limit` windows, those first that share most with the claim."""
    if len(windows) <= 1:
        return tuple(windows[:limit])
    shares = weigh(claim, [window.text for window in windows])
    order = sorted(range(len(windows)), key=lambda i: (-shares[i], i))
    return tuple(windows[i] for i in order[:limit])


def weigh(claim: str, texts: Sequence[str]) -> list[float]:
    """How much of the claim's words each text has, in [0, 1]; rare words, numbers and names count for more."""
    wanted = _terms(claim)
    held = [_terms(text).keys() for text in texts]
    holders = Counter(term for terms in held for term in terms & wanted.keys())
    weights = {term: kind * math.log(1 + (len(texts) + 1) / (holders[term] + 1)) for term, kind in wanted.items()}
    total = sum(weights.values())
    return [sum(weights[term] for term in wanted if term in terms) / total if total else 0.0 for terms in held]


@lru_cache(maxsize=2048)
def _terms(text: str) -> dict[str, float]:
    """Words without their endings → how much such a word tells."""
    found: dict[str, float] = {}
    function_words = _function_words()
    words = _WORD.findall(text)
    opening = bool(words) and text.startswith(words[0])
    for place, word in enumerate(words):
        low = word.casefold()
        if low in function_words:
            found.setdefault(low, _FUNCTION_WORD)
            continue
        first = word[0]
        named = first.isdigit() or (first.isupper() and not (opening and place == 0))
        stem = low if first.isdigit() else _stem(low)
        found[stem] = max(found.get(stem, 0.0), _NUMBER_OR_NAME if named else 1.0)
    return found


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    return _ENDING.sub("", word)


@cache
def _function_words() -> frozenset[str]:
    return frozenset(closed_classes())


def _take(passage: str, span: Span) -> Window:
    return Window(passage[span.start : span.end], (span,))


def _trim(passage: str, start: int, end: int) -> Span:
    piece = passage[start:end]
    first = start + len(piece) - len(piece.lstrip())
    return Span(first, max(first, start + len(piece.rstrip())))


def _cut_atoms(passage: str, count: TokenCounter, tokens: int) -> tuple[list[Span], list[int]]:
    """Sentences with what stands between them, and their sizes; one that fills half a window is cut in two."""
    starts = [sentence.span.start for sentence in split_sentences(passage)]
    edges = [0, *starts[1:], len(passage)]
    spans = [_trim(passage, a, b) for a, b in pairwise(edges)]
    whole = [span for span in spans if span.end > span.start]
    sizes: dict[Span, int] = {}
    uncounted = whole
    while uncounted:
        sizes.update(zip(uncounted, count([passage[span.start : span.end] for span in uncounted]), strict=True))
        large = [span for span in uncounted if sizes[span] > tokens // 2 and span.end - span.start > 1]
        uncounted = [piece for span in large for piece in _halve(passage, span)]
        for span in large:
            del sizes[span]
    atoms = sorted(sizes)
    return atoms, [sizes[atom] for atom in atoms]


def _halve(passage: str, span: Span) -> tuple[Span, ...]:
    """Two pieces, between words where that is possible near the middle."""
    if span.end - span.start < 2:
        return (span,)
    middle = (span.start + span.end) // 2
    reach = (span.end - span.start) // 4
    after = _SPACE.search(passage, middle, middle + reach)
    before = list(_SPACE.finditer(passage, middle - reach, middle))
    cut = before[-1].end() if before else after.end() if after else middle
    pieces = (_trim(passage, span.start, cut), _trim(passage, cut, span.end))
    return tuple(piece for piece in pieces if piece.end > piece.start)


def _group_atoms(sizes: Sequence[int], tokens: int, overlap: int) -> list[tuple[int, int]]:
    """First and last atom of each window: as many as fit, beginning with the last ones of the window before."""
    groups: list[tuple[int, int]] = []
    first = 0
    while first < len(sizes):
        last, used = first, sizes[first]
        while last + 1 < len(sizes) and used + sizes[last + 1] <= tokens:
            last += 1
            used += sizes[last]
        groups.append((first, last))
        if last + 1 == len(sizes):
            break
        following = last + 1
        shared = 0
        while following > first + 1 and last + 1 - following < overlap:
            shared += sizes[following - 1]
            if shared + sizes[last + 1] > tokens:
                break
            following -= 1
        first = following
    return groups


def _keep_within(passage: str, spans: list[Span], count: TokenCounter, tokens: int) -> list[Span]:
    """Pieces may count for more together than one by one: what has grown too large is cut again."""
    kept: list[Span] = []
    while spans:
        sizes = count([passage[span.start : span.end] for span in spans])
        kept += [span for span, size in zip(spans, sizes, strict=True) if size <= tokens or span.end - span.start == 1]
        grown = [span for span, size in zip(spans, sizes, strict=True) if size > tokens]
        spans = [piece for span in grown if span.end - span.start > 1 for piece in _halve(passage, span)]
    return sorted(kept)
