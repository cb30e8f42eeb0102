"""Finding memories by their words and by their meaning, in one order.

Words find names, numbers and whatever is spelled alike; meaning finds what was said in other words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from groundwire.errors import ModelUnavailable
from groundwire.evidence.protocols import LexicalSearch, SemanticSearch
from groundwire.text.function_words import closed_classes
from groundwire.types.memories import Memory, Scope
from groundwire.types.records import Ranked, Retrieved

_WORD = re.compile(r"\w+(?:['’]\w+)?")
_DEPTH = 20
"""How far down each order a memory is looked for; further down the other side decides nothing any more."""
_SOFTENING = 5
"""Added to a rank before it is turned over. Small: the first places of either side are worth most."""
_LEAST = 0.3
"""What is less alike than this shares a topic at best, and is no answer by itself."""


class Retriever:
    """Two searches over one store; without the second one, words alone decide."""

    def __init__(self, words: LexicalSearch, meanings: SemanticSearch | None = None) -> None:
        self._words = words
        self._meanings = meanings

    @property
    def problem(self) -> ModelUnavailable | None:
        """Why meaning has no say; None while all is well."""
        return None if self._meanings is None else self._meanings.problem

    def retrieve(
        self, scope: Scope, query: str, *, when: datetime | None = None, limit: int = 5
    ) -> tuple[Retrieved, ...]:
        """The best memories of one scope, best first; of what held at `when`, or of all times."""
        return self.retrieve_all(scope, (query,), when=when, limit=limit)[0]

    def retrieve_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None = None, limit: int = 5
    ) -> tuple[tuple[Retrieved, ...], ...]:
        """The same for several queries, which are asked together."""
        if limit < 1:
            return tuple(() for _ in queries)
        depth = max(_DEPTH, limit)
        lexical = self._words.rank_all(scope, [pick_words(query) for query in queries], when=when, limit=depth)
        semantic: Sequence[Sequence[Ranked]] = [()] * len(queries)
        if self._meanings is not None:
            semantic = self._meanings.rank_all(scope, queries, when=when, limit=depth)
        both = list(zip(lexical, semantic, strict=True))
        best = [fuse(words, [entry for entry in meanings if entry.score >= _LEAST])[:limit] for words, meanings in both]
        wanted = list(dict.fromkeys(entry.id for chosen in best for entry in chosen))
        memories = {memory.id: memory for memory in self._words.get_many(scope, wanted)}
        return tuple(_join(chosen, memories, *sides) for chosen, sides in zip(best, both, strict=True))


def _join(
    chosen: Sequence[Ranked], memories: Mapping[str, Memory], lexical: Sequence[Ranked], semantic: Sequence[Ranked]
) -> tuple[Retrieved, ...]:
    words, meanings = dict[str, float](lexical), dict[str, float](semantic)
    return tuple(
        Retrieved(memories[entry.id], entry.score, words.get(entry.id), meanings.get(entry.id))
        for entry in chosen
        if entry.id in memories  # somebody may have it forgotten in between
    )


def pick_words(query: str) -> str:
    """The words that carry meaning; all of them where none does."""
    grammar = closed_classes()
    return " ".join(word for word in _WORD.findall(query) if word.lower() not in grammar) or query


def fuse(lexical: Sequence[Ranked], semantic: Sequence[Ranked]) -> list[Ranked]:
    """Both orders as one, by reciprocal rank: scores of different kinds are never added up.

    1.0 is first on both sides, a half first on one and missing on the other. Words go before meaning where both count
    the same.
    """
    scores: dict[str, float] = {}
    for side in (lexical, semantic):
        for place, entry in enumerate(side):
            scores[entry.id] = scores.get(entry.id, 0.0) + 0.5 * (_SOFTENING + 1) / (_SOFTENING + 1 + place)
    return [Ranked(id, round(score, 4)) for id, score in sorted(scores.items(), key=lambda item: -item[1])]
