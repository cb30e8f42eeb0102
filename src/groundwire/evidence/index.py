"""An index over the memories of one call: a claim finds its evidence without reading all of them again."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from groundwire.text.catalogue import Catalogue
from groundwire.text.reading import ReadClaim, ReadPassage, read_text
from groundwire.text.thesaurus import concept
from groundwire.types import Memory, Passage

_SMALL = 24
"""Up to this many memories, a claim is simply compared with all of them."""
_NEAREST = 24


class EvidenceIndex:
    """Memories by slot and by content word; built in one pass, linear in their number."""

    def __init__(self, memories: Sequence[Memory], catalogue: Catalogue | None = None) -> None:
        self.memories = {memory.id: memory for memory in memories}
        self.passages = [
            ReadPassage(Passage(m.id, m.text, m.trust, m.timestamp), read_text(m.text, catalogue)) for m in memories
        ]
        self._slots: dict[str, list[int]] = defaultdict(list)
        self._words: dict[str, list[int]] = defaultdict(list)
        if len(self.passages) > _SMALL:
            self._fill()

    def _fill(self) -> None:
        for position, read in enumerate(self.passages):
            for slot in {fact.slot_type for fact in read.reading.facts}:
                self._slots[slot].append(position)
            for word in {concept(lemma) for claim in read.reading.statements for lemma in claim.proposition.lemmas}:
                self._words[word].append(position)

    def select(self, claim: ReadClaim) -> Sequence[ReadPassage]:
        """The passages that can say something about the claim, in the order of the memories."""
        if len(self.passages) <= _SMALL:
            return self.passages
        chosen: set[int] = set()
        for fact in claim.facts:
            if fact.pattern != "predicate":
                chosen.update(self._slots.get(fact.slot_type, ()))
        scores: Counter[int] = Counter()
        for word in {concept(lemma) for lemma in claim.proposition.lemmas}:
            holders = self._words.get(word, ())
            if holders:
                weight = math.log(1 + len(self.passages) / len(holders))
                for position in holders:
                    scores[position] += weight  # type: ignore[assignment]
        chosen.update(heapq.nsmallest(_NEAREST, scores, key=lambda i: (-scores[i], i)))
        return [self.passages[i] for i in sorted(chosen)]
