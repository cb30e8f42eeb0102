"""A long text cut down to the stretch that a claim is about."""

from __future__ import annotations

import re

EXCERPT = 240
_WORD = re.compile(r"\w+")
_SHORTEST_TELLING_WORD = 4
_ELLIPSIS = "…"


def shorten(text: str, claim: str, width: int = EXCERPT) -> str:
    """The stretch of at most `width` characters that shares most words with the claim, cut between words."""
    if len(text) <= width:
        return text
    start = _find_stretch(text, claim, width - 2)
    stop = min(start + width - 2, len(text))
    if stop < len(text):
        stop = _step_back(text, start, stop)
    lead = _ELLIPSIS if start else ""
    return lead + text[start:stop].strip() + (_ELLIPSIS if stop < len(text) else "")


def _find_stretch(text: str, claim: str, width: int) -> int:
    """Where to start: among stretches that begin at a word, the first that holds most different shared words."""
    wanted = {word for word in map(str.lower, _WORD.findall(claim)) if _tells(word)}
    places = [(m.start(), m.end(), m.group().lower()) for m in _WORD.finditer(text)]
    shared = [(start, end, word) for start, end, word in places if word in wanted]
    best, best_start, first = 0, 0, 0
    inside: dict[str, int] = {}
    for index, (_, end, word) in enumerate(shared):
        inside[word] = inside.get(word, 0) + 1
        while first < index and end - shared[first][0] > width:
            gone = shared[first][2]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
        if len(inside) > best:
            best, best_start = len(inside), _centre(shared[first][0], end, width)
    starts = [start for start, _, _ in places if start >= best_start] if best_start else [0]
    return starts[0] if starts else best_start


def _tells(word: str) -> bool:
    return len(word) >= _SHORTEST_TELLING_WORD or any(map(str.isdigit, word))


def _centre(start: int, end: int, width: int) -> int:
    """Half of the room that is left goes before the words; nothing is cut in front that could stay."""
    return 0 if end <= width else max(0, start - (width - (end - start)) // 2)


def _step_back(text: str, start: int, stop: int) -> int:
    """Not in the middle of a word, unless the stretch is one word."""
    cut = stop
    while cut > start and text[cut].isalnum() and text[cut - 1].isalnum():
        cut -= 1
    return cut if cut > start else stop
