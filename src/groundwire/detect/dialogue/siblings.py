"""Two things of one kind where only one was spoken of: a beagle and a poodle, a wrist and an ankle.

They exclude each other only of one thing: whatever else both statements say has to be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from groundwire.detect.dialogue.topics import Topic, common_words
from groundwire.text.thesaurus import load_kinds, same_meaning

_LARGEST = 60
"""Words of a kind so wide that two of them have little to do with each other."""
_MOST = 8


def find_swap(mine: Topic, theirs: Topic) -> tuple[str, str] | None:
    """The word of each that stands in the place of the other's; None where there is none, or more than one."""
    own, other = _only(mine, theirs), _only(theirs, mine)
    found = [(one, two) for one in own for two in other if are_siblings(one, two)]
    return found[0] if len(found) == 1 else None


def _only(topic: Topic, against: Topic) -> list[str]:
    words = sorted((frozenset(topic.nouns) | topic.qualities) - common_words())
    return [word for word in words if not any(same_meaning(word, other) for other in against.words)][:_MOST]


@lru_cache(maxsize=16384)
def are_siblings(left: str, right: str) -> bool:
    """Whether two words name different things directly under one kind."""
    if left == right:
        return False
    return not _parents(left).isdisjoint(_parents(right))


@lru_cache(maxsize=16384)
def _parents(word: str) -> frozenset[str]:
    kinds = load_kinds()
    return frozenset(p for one in kinds.concepts_of(word) for p in kinds.links.get(one, ()) if _is_narrow(p))


def _is_narrow(kind: str) -> bool:
    return _sizes().get(kind, 0) <= _LARGEST


@lru_cache(maxsize=1)
def _sizes() -> dict[str, int]:
    sizes: dict[str, int] = {}
    for parent in _all_parents():
        sizes[parent] = sizes.get(parent, 0) + 1
    return sizes


def _all_parents() -> Iterator[str]:
    for parents in load_kinds().links.values():
        yield from parents
