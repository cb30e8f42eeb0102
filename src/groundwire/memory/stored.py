"""Existing memories out of a store: what the gate asks for is found by the fingerprints kept beside each memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b

from groundwire.memory.existing import ExistingMemories, content_of
from groundwire.memory.fingerprints import fingerprint, split_words
from groundwire.memory.protocols import MemoryStore
from groundwire.types import Memory, MemoryStatus, Scope

_HOLDERS = 64
"""Holders of one fingerprint that are looked at, newest first; as many as over a plain list."""
_SAME = 4
_ENOUGH = 8
"""As many as any check asks for: they share one look-up."""


def marks_of(text: str) -> tuple[str, ...]:
    """The fingerprints that a memory is stored with: its digest, its bands and its topics, each by its prefix."""
    found = fingerprint(text)
    return (
        _digest_mark(found.digest),
        *(_band_mark(band) for band in found.bands),
        *(topic_mark(topic) for topic in found.topics),
    )


def _digest_mark(digest: str) -> str:
    return f"d:{digest}"


def _band_mark(band: int) -> str:
    return f"b:{band:x}"


def topic_mark(topic: str) -> str:
    """Hashed, so that a mark has one length and holds no words."""
    return f"t:{blake2b(topic.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()}"


class StoredMemories:
    """What one tenant's store answers to the gate, as of `now`; made for one decision, and remembers its answers."""

    def __init__(self, store: MemoryStore, tenant: str, now: datetime) -> None:
        self._store = store
        self._tenant = tenant
        self._now = now
        self._about: dict[tuple[str, tuple[str, ...]], Sequence[Memory]] = {}
        self._near: dict[tuple[str, str], Sequence[tuple[Memory, float]]] = {}

    def find_exact(self, user_id: str, digest: str) -> Memory | None:
        found = self._store.find_marked(Scope(user_id, self._tenant), [_digest_mark(digest)], each=_SAME)
        holding = [marked.memory for marked in found if self._holds(marked.memory)]
        return min(holding, key=lambda memory: memory.status is not MemoryStatus.ACTIVE, default=None)

    def find_alike(self, user_id: str, bands: Sequence[int], limit: int) -> Sequence[Memory]:
        return self._find(user_id, [_band_mark(band) for band in bands], min(limit, _HOLDERS))[:limit]

    def find_about(self, user_id: str, topics: Sequence[str], limit: int) -> Sequence[Memory]:
        key, most = (user_id, tuple(topics)), max(limit, _ENOUGH)
        if key not in self._about or limit > _ENOUGH:
            found = self._find(user_id, [topic_mark(topic) for topic in topics], most)
            self._about[key] = sorted(found, key=lambda memory: _age(memory, self._now))
        return self._about[key][:limit]

    def find_near(self, user_id: str, text: str, limit: int) -> Sequence[tuple[Memory, float]]:
        """By shared words, as the store's search ranks them; how near is the share of concepts in common."""
        key, most = (user_id, text), 2 * max(limit, _ENOUGH)
        if key not in self._near or limit > _ENOUGH:
            content = content_of(split_words(text))
            words = " ".join(word for word in split_words(text) if content_of([word]))
            near = [(memory, _share(content, memory.text)) for memory in self._search(user_id, words, most)]
            self._near[key] = sorted(near, key=lambda entry: -entry[1])
        return self._near[key][:limit]

    def _search(self, user_id: str, words: str, most: int) -> list[Memory]:
        """Most of what is found still holds; the store is asked to leave the rest out only where it does not."""
        scope = Scope(user_id, self._tenant)
        found = self._store.search(scope, words, limit=most) if words else ()
        kept = [match.memory for match in found if _is_kept(match.memory) and self._holds(match.memory)]
        if len(kept) >= len(found) // 2 or len(found) < most:
            return kept
        return [match.memory for match in self._store.search(scope, words, when=self._now, limit=most)]

    def _find(self, user_id: str, marks: Sequence[str], each: int) -> list[Memory]:
        """Whoever carries most of the marks first."""
        if not marks:
            return []
        shared: Counter[str] = Counter()
        memories: dict[str, Memory] = {}
        for marked in self._store.find_marked(Scope(user_id, self._tenant), marks, each=each):
            if self._holds(marked.memory):
                memories[marked.memory.id] = marked.memory
                shared[marked.memory.id] += 1
        return [memories[id] for id, _ in shared.most_common()]

    def _holds(self, memory: Memory) -> bool:
        """What is past its horizon has ended: said again, it is news."""
        return memory.evidence is None or memory.evidence.is_valid_at(self._now)


class Excluding:
    """What exists, but for the item that is being decided on."""

    def __init__(self, provider: ExistingMemories, id: str) -> None:
        self._provider, self._id = provider, id

    def find_exact(self, user_id: str, digest: str) -> Memory | None:
        found = self._provider.find_exact(user_id, digest)
        return None if found is not None and found.id == self._id else found

    def find_alike(self, user_id: str, bands: Sequence[int], limit: int) -> Sequence[Memory]:
        return [m for m in self._provider.find_alike(user_id, bands, limit) if m.id != self._id]

    def find_about(self, user_id: str, topics: Sequence[str], limit: int) -> Sequence[Memory]:
        return [m for m in self._provider.find_about(user_id, topics, limit) if m.id != self._id]

    def find_near(self, user_id: str, text: str, limit: int) -> Sequence[tuple[Memory, float]]:
        return [entry for entry in self._provider.find_near(user_id, text, limit) if entry[0].id != self._id]


def _is_kept(memory: Memory) -> bool:
    return memory.status not in (MemoryStatus.SUPERSEDED, MemoryStatus.PROPOSAL)


def _age(memory: Memory, now: datetime) -> float:
    begun = memory.valid_from or memory.created_at
    return 0.0 if begun is None else (now - begun).total_seconds()


def _share(content: frozenset[str], text: str) -> float:
    theirs = content_of(split_words(text))
    total = len(content) + len(theirs)
    return 2 * len(content & theirs) / total if total else 0.0
