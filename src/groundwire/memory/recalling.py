"""What is remembered about something, now or as of an earlier time, and how it came to be so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Protocol

from groundwire.errors import InvalidInput, NotFound
from groundwire.memory.fingerprints import split_words
from groundwire.memory.outcomes import Recalled
from groundwire.memory.protocols import MemoryStore
from groundwire.memory.standing import Windows, confidence_at, is_current
from groundwire.memory.stored import topic_mark
from groundwire.text.catalogue import Phase, load_catalogue
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import verb_lemma
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER
from groundwire.types import Memory, MemoryKind, Scope
from groundwire.types.records import Retrieved, Tombstone

_DEEPER = 4
_DEEPEST = 1_000
_OF_SLOT = 4
_FEW_SLOTS = 6
_IN_HISTORY = 10
_MOST = 1_000
_FAVORITE = re.compile(r"\bfavou?rite\s+(\w+)", re.IGNORECASE)


class Retriever(Protocol):
    """Finds memories that held at `when`, or at any time, best first: by words, by meaning, or by both."""

    def retrieve(self, scope: Scope, query: str, *, when: datetime | None, limit: int) -> Sequence[Retrieved]: ...

    def retrieve_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None, limit: int
    ) -> Sequence[Sequence[Retrieved]]:
        """For several queries, asked together."""
        ...


class LexicalRetriever:
    """By words alone: the store's own search."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def retrieve(self, scope: Scope, query: str, *, when: datetime | None, limit: int) -> Sequence[Retrieved]:
        words = [word for word in split_words(query) if word not in closed_classes()]
        found = self._store.search(scope, " ".join(words) or query, when=when, limit=limit)
        return [Retrieved(match.memory, match.score, lexical=match.score) for match in found]

    def retrieve_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None, limit: int
    ) -> Sequence[Sequence[Retrieved]]:
        return [self.retrieve(scope, query, when=when, limit=limit) for query in queries]


class Recaller:
    """Reads; what fades does so here, and what is stored stays as it was."""

    def __init__(self, store: MemoryStore, retriever: Retriever, windows: Windows) -> None:
        self._store = store
        self._retriever = retriever
        self._windows = windows

    def recall(
        self, query: str, scope: Scope, *, when: datetime, limit: int, min_confidence: float | None = None
    ) -> list[Recalled]:
        """Current memories, best first; a query that names a slot finds what fills it, in whichever words."""
        _check(query, limit, min_confidence)
        least = min_confidence or 0.0
        found: list[Recalled] = []
        wanted = limit
        while True:
            wanted *= _DEEPER
            hits = self._retrieve(scope, query, when, wanted)
            found = [r for r in (self._read(hit, when) for hit in hits) if r is not None and r.confidence >= least]
            if len(found) >= limit or len(hits) < wanted or wanted >= _DEEPEST:
                return found[:limit]

    def _retrieve(self, scope: Scope, query: str, when: datetime, limit: int) -> list[Retrieved]:
        """What fills a slot that the query names comes first; what fills one that its verb is about comes last."""
        hits = {hit.memory.id: hit for hit in self._retriever.retrieve(scope, query, when=when, limit=limit)}
        best = max((hit.score for hit in hits.values()), default=0.0)
        ranked: dict[str, Retrieved] = {}
        for memory in self._find_holders(scope, find_slots(query), when):
            hit = hits.get(memory.id) or Retrieved(memory, 0.0)
            ranked[memory.id] = replace(hit, score=best + 1.0)
        for hit in hits.values():
            ranked.setdefault(hit.memory.id, hit)
        for memory in self._find_holders(scope, find_slots_of_verbs(query), when):
            ranked.setdefault(memory.id, Retrieved(memory, 0.0))
        return list(ranked.values())

    def _find_holders(self, scope: Scope, topics: Sequence[str], when: datetime) -> list[Memory]:
        """Who filled these slots at that time: what fills them now, or stood there before."""
        if not topics:
            return []
        found: dict[str, Memory] = {}
        for marked in self._store.find_marked(scope, [topic_mark(topic) for topic in topics], each=_OF_SLOT):
            line = [marked.memory] if _held(marked.memory, when) else self._store.history(scope, marked.memory.id)
            found |= {m.id: m for m in line if isinstance(m, Memory) and _held(m, when)}
        return list(found.values())

    def _read(self, hit: Retrieved, when: datetime) -> Recalled | None:
        memory = hit.memory
        if not is_current(memory, when, self._windows):
            return None
        return Recalled(
            memory=memory,
            score=hit.score,
            lexical=hit.lexical,
            semantic=hit.semantic,
            confidence=confidence_at(memory, when, self._windows),
            is_authoritative=memory.kind is not MemoryKind.SHARED_NARRATIVE,
        )

    # ── history ─────────────────────────────────────────────────────────────────────────────────

    def tell_history(
        self, scope: Scope, *, memory_id: str | None = None, query: str | None = None
    ) -> list[Memory | Tombstone]:
        """Oldest first; each memory names what replaced it and why."""
        if memory_id is not None:
            line = self._store.history(scope, memory_id)
            if not line:
                raise NotFound("memory", memory_id)
            return list(line)
        if query is None:
            return sorted((*self._store.list(scope), *self._store.tombstones(scope)), key=_moment)
        _check(query, _IN_HISTORY, None)
        hits = self._retriever.retrieve(scope, query, when=None, limit=_IN_HISTORY)
        marks = [topic_mark(topic) for topic in find_slots(query) or find_slots_of_verbs(query)]
        named = [m.memory for m in self._store.find_marked(scope, marks, each=_OF_SLOT)] if marks else []
        found: dict[str, Memory | Tombstone] = {}
        for id in dict.fromkeys([*(memory.id for memory in named), *(hit.memory.id for hit in hits)]):
            if id not in found:
                found |= {entry.id: entry for entry in self._store.history(scope, id)}
        return sorted(found.values(), key=_moment)


def find_slots(query: str) -> list[str]:
    """The user's slots that a query names: "my previous employer", "favourite colour"."""
    text = f" {' '.join(split_words(query))} "
    catalogue = load_catalogue()
    slots = [slot for noun, slot in _nouns() if f" {noun} " in text and catalogue.is_exclusive(slot)]
    for match in _FAVORITE.finditer(query):
        # A statement about it names the slot as every memory about it does.
        slots += [fact.slot_type for fact in read_text(f"My favorite {match.group(1)} is this.").facts]
    return list(dict.fromkeys(f"{USER}|{slot}" for slot in slots))


def find_slots_of_verbs(query: str) -> list[str]:
    """The slots that a verb of the query is about: "where do I live"."""
    words = [word for word in split_words(query) if word not in closed_classes()]
    slots = [slot for word in words for slot in _slots_of_verb(verb_lemma(word) or word)]
    return list(dict.fromkeys(f"{USER}|{slot}" for slot in slots))


@cache
def _nouns() -> tuple[tuple[str, str], ...]:
    """What a slot is called: by its own name and by the nouns of the catalogue."""
    catalogue = load_catalogue()
    return (*catalogue.nouns.items(), *((name.replace("_", " "), name) for name in catalogue.slots))


@cache
def _slots_of_verb(verb: str) -> tuple[str, ...]:
    """What a verb is about, where it is about few things: "live", and not "be" or "have"."""
    catalogue = load_catalogue()
    frames = catalogue.frames.get((verb, False))
    if frames is None:
        return ()
    slots = tuple(dict.fromkeys(frame.slot for frame in frames.list_all() if frame.phase is Phase.STATE))
    return tuple(slot for slot in slots if catalogue.is_exclusive(slot)) if len(slots) <= _FEW_SLOTS else ()


def _held(memory: Memory, when: datetime) -> bool:
    begun = memory.valid_from is not None and memory.valid_from <= when
    return begun and (memory.valid_to is None or memory.valid_to > when)


def _moment(entry: Memory | Tombstone) -> datetime:
    """What happened at the same moment stays in the order in which it was stored."""
    if isinstance(entry, Tombstone):
        return entry.forgotten_at
    return entry.valid_from or entry.created_at or datetime.min.replace(tzinfo=UTC)


def _check(query: str, limit: int, min_confidence: float | None) -> None:
    if not query.strip():
        raise InvalidInput("query", "is empty")
    if not 1 <= limit <= _MOST:
        raise InvalidInput("limit", f"must be from 1 to {_MOST:,}, not {limit}")
    if min_confidence is not None and not 0.0 <= min_confidence <= 1.0:
        raise InvalidInput("min_confidence", f"must be in [0, 1], not {min_confidence}")
