"""The ground of an answer: memories read once, where they contradict each other and which of them count for less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from groundwire.evidence.index import EvidenceIndex
from groundwire.judge.alignment import Aliases
from groundwire.judge.consultation import Consultant
from groundwire.judge.encoder import Recent
from groundwire.judge.parts import Part
from groundwire.settings import Settings
from groundwire.text.catalogue import Catalogue
from groundwire.text.reading import ReadClaim
from groundwire.types import ContradictionDetail, Memory, MemoryKind, MemoryStatus
from groundwire.verify.asking import exclude_each_other
from groundwire.verify.contradictions import ContradictionDetector, Held
from groundwire.verify.overruling import Overruled, find_overruled
from groundwire.verify.single import list_single_parts
from groundwire.verify.spellings import spellings_of
from groundwire.verify.weighing import Scales, Timeline

_GROUNDS, _LARGEST_KEPT = 128, 64
"""So many sets of so many memories at most are kept ready: together as many as are kept as read."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Memories made ready to be compared with: once for any number of answers."""

    index: EvidenceIndex
    aliases: Aliases
    contradictions: tuple[ContradictionDetail, ...]
    scales: Scales
    overruled: tuple[Overruled, ...] = ()
    found: dict[int, tuple[ReadClaim, tuple[Part, ...]]] = field(default_factory=dict[int, Any], compare=False)
    """What rules found about claims that were read before, by the claim itself."""


class Grounds:
    """Makes memories ready, and keeps the last ones."""

    def __init__(self, settings: Settings, catalogue: Catalogue, consultant: Consultant | None) -> None:
        self._settings, self._catalogue = settings, catalogue
        self._kept: Recent[tuple[int, ...], tuple[tuple[Memory, ...], Ground]] = Recent(_GROUNDS)
        self._detector = ContradictionDetector(
            trust_threshold=settings.trust_threshold,
            trust_gap=settings.trust_gap,
            catalogue=catalogue,
            spellings=spellings_of(settings),
            excludes=partial(exclude_each_other, consultant) if consultant is not None else None,
        )

    def prepare(self, memories: Sequence[Memory]) -> Ground:
        """The very same memories again are ready as they are.

        They are told by what they are and not by what they say: two that are equal may still be written differently.
        """
        if len(memories) > _LARGEST_KEPT:
            return self._prepare(memories)
        key = tuple(map(id, memories))
        kept = self._kept.get(key)
        if kept is None:
            kept = (tuple(memories), self._prepare(memories))  # as long as they are kept, nothing else has their ids
            self._kept.put(key, kept)
        return kept[1]

    def _prepare(self, memories: Sequence[Memory]) -> Ground:
        trust, gap = self._settings.trust_threshold, self._settings.trust_gap
        index = EvidenceIndex([m for m in memories if m.kind is not MemoryKind.SHARED_NARRATIVE], self._catalogue)
        read = [(p.reading, index.memories[p.passage.id]) for p in index.passages]
        held = [Held(fact, memory) for reading, memory in read for fact in reading.facts]
        parts = [Held(part, memory) for reading, memory in read for part in list_single_parts(reading)]
        aliases = Aliases.learn((entry.fact for entry in held), spellings_of(self._settings))
        contradictions = self._detector.detect_in(held, aliases, parts)
        timeline = Timeline((h for h in held if h.memory.status is MemoryStatus.ACTIVE), aliases)
        scales = Scales(index.memories, timeline, trust_threshold=trust, trust_gap=gap)
        additive = self._settings.additive_slots
        overruled = find_overruled(held, parts, aliases, trust=trust, gap=gap, additive=additive)
        return Ground(index, aliases, contradictions, scales, overruled)
