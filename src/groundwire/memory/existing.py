"""What the gate asks of stored memories, and the same over a plain list.

A store answers the protocol for one tenant; every question names the owner. Memories that wait for a reviewer are
among the answers (`MemoryStatus.PENDING`), so that one claim is not queued twice. A store keeps each memory's
`Fingerprint` beside it and answers by equality; it never has to read a text.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol

from groundwire.memory.fingerprints import Fingerprint, digest_of, find_topics, split_words
from groundwire.memory.minhash import bands_of
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.thesaurus import concept
from groundwire.types import Memory

_VISITED = 64
"""Holders of one word or band that are looked at, newest first: common words must not make a look-up a scan."""


class ExistingMemories(Protocol):
    """Look-ups among one owner's memories, pending ones included; each may raise, and the gate then fails closed."""

    def find_exact(self, user_id: str, digest: str) -> Memory | None:
        """The memory with this digest of its words."""
        ...

    def find_alike(self, user_id: str, bands: Sequence[int], limit: int) -> Sequence[Memory]:
        """Memories that share a MinHash band, most shared bands first."""
        ...

    def find_about(self, user_id: str, topics: Sequence[str], limit: int) -> Sequence[Memory]:
        """Memories that share a topic, newest first."""
        ...

    def find_near(self, user_id: str, text: str, limit: int) -> Sequence[tuple[Memory, float]]:
        """The nearest by meaning or by words, nearest first, with a similarity in [0, 1]."""
        ...


class NoMemories:
    """Nothing is stored yet."""

    def find_exact(self, user_id: str, digest: str) -> Memory | None:
        return None

    def find_alike(self, user_id: str, bands: Sequence[int], limit: int) -> Sequence[Memory]:
        return ()

    def find_about(self, user_id: str, topics: Sequence[str], limit: int) -> Sequence[Memory]:
        return ()

    def find_near(self, user_id: str, text: str, limit: int) -> Sequence[tuple[Memory, float]]:
        return ()


class _Shelf:
    """One owner's memories with their indexes; topics need reading, so they wait until somebody asks."""

    def __init__(self) -> None:
        self.memories: list[Memory] = []
        self.digests: dict[str, int] = {}
        self.bands: dict[int, list[int]] = defaultdict(list)
        self.topics: dict[str, list[int]] = defaultdict(list)
        self.words: dict[str, list[int]] = defaultdict(list)
        self.contents: list[frozenset[str]] = []
        self.unread: list[int] = []

    def add(self, memory: Memory, known: Fingerprint | None) -> None:
        place = len(self.memories)
        self.memories.append(memory)
        words = split_words(memory.text)
        self.digests.setdefault(known.digest if known else digest_of(words), place)
        for band in known.bands if known else bands_of(set(words)):
            self.bands[band].append(place)
        if known is None:
            self.unread.append(place)
        else:
            self._file(place, known.topics)
        content = content_of(words)
        self.contents.append(content)
        for word in content:
            self.words[word].append(place)

    def read_all(self) -> None:
        for place in self.unread:
            self._file(place, find_topics(self.memories[place].text))
        self.unread.clear()

    def _file(self, place: int, topics: Sequence[str]) -> None:
        for topic in topics:
            self.topics[topic].append(place)


class ListedMemories:
    """Existing memories from a list, as the command line hands them in; look-ups cost the same for any length."""

    def __init__(self, user_id: str = "", memories: Iterable[Memory] = ()) -> None:
        self._shelves: dict[str, _Shelf] = {}
        for memory in memories:
            self.add(user_id, memory)

    def add(self, user_id: str, memory: Memory, known: Fingerprint | None = None) -> None:
        """`known` spares the reading where the fingerprint was stored."""
        self._shelves.setdefault(user_id, _Shelf()).add(memory, known)

    def _open(self, user_id: str) -> _Shelf:
        return self._shelves.get(user_id) or _Shelf()

    def find_exact(self, user_id: str, digest: str) -> Memory | None:
        shelf = self._open(user_id)
        place = shelf.digests.get(digest)
        return None if place is None else shelf.memories[place]

    def find_alike(self, user_id: str, bands: Sequence[int], limit: int) -> Sequence[Memory]:
        shelf = self._open(user_id)
        shared: Counter[int] = Counter()
        for band in bands:
            shared.update(_newest(shelf.bands.get(band, ())))
        return [shelf.memories[place] for place, _ in shared.most_common(limit)]

    def find_about(self, user_id: str, topics: Sequence[str], limit: int) -> Sequence[Memory]:
        shelf = self._open(user_id)
        shelf.read_all()
        places = {place for topic in topics for place in islice(_newest(shelf.topics.get(topic, ())), limit)}
        return [shelf.memories[place] for place in sorted(places, reverse=True)[:limit]]

    def find_near(self, user_id: str, text: str, limit: int) -> Sequence[tuple[Memory, float]]:
        """By shared content words, the rarest counting first: what everybody shares tells nobody apart."""
        shelf = self._open(user_id)
        content = content_of(split_words(text))
        rarest = sorted(content & shelf.words.keys(), key=lambda word: (len(shelf.words[word]), word))
        shared: Counter[int] = Counter()
        for word in rarest:
            if len(shared) >= _VISITED:
                break
            shared.update(_newest(shelf.words[word]))
        near = [
            (place, 2 * len(content & shelf.contents[place]) / (len(content) + len(shelf.contents[place])))
            for place, _ in shared.most_common(_VISITED)
        ]
        near.sort(key=lambda entry: (-entry[1], -entry[0]))
        return [(shelf.memories[place], similarity) for place, similarity in near[:limit]]


def _newest(places: Sequence[int]) -> Iterable[int]:
    return islice(reversed(places), _VISITED)


def content_of(words: Iterable[str]) -> frozenset[str]:
    """The words that carry meaning, each as the concept it stands for."""
    grammar = closed_classes()
    return frozenset(concept(verb_lemma(word) or noun_lemma(word)) for word in words if word not in grammar)
