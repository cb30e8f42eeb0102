"""Whether a claim contradicts what is stored about the same thing."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.judge.judge import Judge
from groundwire.memory.existing import ExistingMemories, content_of
from groundwire.memory.fingerprints import find_topics, split_words
from groundwire.text.reading import read_text
from groundwire.text.thesaurus import concept
from groundwire.types import ContradictionDetail, Memory, MemoryStatus, Passage, Verdict, VerifierInput
from groundwire.verify.contradictions import ContradictionDetector

REFUTED = 0.6
"""From this confidence on the judge's refutation counts: a conflict only asks for attention, it refuses nothing."""
_ABOUT = 4
_NEAR = 3
_NEAR_ENOUGH = 0.5
"""What is less similar and in no common slot cannot contradict, and is not read."""
_CANDIDATE = "candidate"


@dataclass(frozen=True, slots=True)
class Conflict:
    """The stored memory that speaks against the claim, with the slot where one was named."""

    memory: Memory
    explanation: str
    detail: ContradictionDetail | None = None


class ConflictChecker:
    """The read gate's contradictions, and the judge's word on what has no slot."""

    def __init__(self, provider: ExistingMemories, judge: Judge, detector: ContradictionDetector | None = None) -> None:
        self.provider = provider
        self._judge = judge
        # What is stored takes part whatever its trust: the reviewer is told, and decides.
        self._detector = detector or ContradictionDetector(trust_threshold=0.0, trust_gap=1.01)

    def find_conflict(self, content: str, user_id: str) -> Conflict | None:
        """The first contradiction; memories about the same slot are asked before those that are merely similar."""
        about = self.provider.find_about(user_id, find_topics(content), _ABOUT)
        near = [
            memory
            for memory, similarity in self.provider.find_near(user_id, content, _NEAR)
            if similarity >= _NEAR_ENOUGH and _may_meet(content, memory.text)
        ]
        for memory in {m.id: m for m in [*about, *near] if m.status is MemoryStatus.ACTIVE}.values():
            conflict = self._compare(content, memory)
            if conflict is not None:
                return conflict
        return None

    def _compare(self, content: str, memory: Memory) -> Conflict | None:
        output = self._judge.judge(
            VerifierInput(content, (Passage(memory.id, memory.text, timestamp=memory.timestamp),))
        )
        if output.verdict is Verdict.SUPPORTED:
            return None
        found = self._detector.detect((memory, Memory(_CANDIDATE, content)))
        detail = next((d for d in found if {memory.id, _CANDIDATE} <= set(d.memory_ids)), None)
        if detail is not None:
            return Conflict(memory, f"{detail.slot_type}: {' / '.join(detail.values)}", detail)
        if output.verdict is Verdict.REFUTED and output.confidence >= REFUTED:
            return Conflict(memory, output.explanation)
        return None


def _may_meet(content: str, stored: str) -> bool:
    """Whether the stored text mentions whom the claim is about: what is said of others is not worth reading."""
    mentioned = content_of(split_words(stored))
    for read in read_text(content).statements:
        subject = read.proposition.subject_lemmas
        if not subject or not mentioned.isdisjoint(map(concept, subject)):
            return True
    return False
