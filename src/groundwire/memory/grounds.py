"""The memories that a text may rest on, kept in reach until anybody changes them, in whichever process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Generic, TypeVar

from groundwire.memory.fingerprints import find_topics
from groundwire.memory.protocols import Store
from groundwire.memory.recalling import Retriever
from groundwire.memory.standing import Windows, is_evidence
from groundwire.memory.stored import topic_mark
from groundwire.types import Memory, Passage, Scope, VerificationReport, VerifierInput, VerifierOutput
from groundwire.types.records import VerdictRecord

_SMALL = 256
"""Up to this many memories, all of an owner's are evidence; beyond, those that a claim can be about."""
_PER_CLAIM = 24
NEAREST = 5
"""Retrieved for one claim before it is judged (JDG-015), beside what is about the same thing by its marks."""
_SCOPES = 64
_CLAIMS = 256
_VERDICTS = 100

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RecentlyUsed(Generic[K, V]):
    """The last so many answers; any thread may ask."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Version:
    """What an answer depends on: the number of changes, and the minute, since memories begin and end by themselves."""

    scope: Scope
    changes: int
    minute: int


class Grounds:
    """Evidence out of a store. The number of changes is read before the memories, so nothing stale is ever kept."""

    def __init__(self, store: Store, retriever: Retriever, windows: Windows) -> None:
        self._store = store
        self._retriever = retriever
        self._windows = windows
        self._all: RecentlyUsed[Scope, tuple[_Version, tuple[Memory, ...] | None]] = RecentlyUsed(_SCOPES)
        self._found: RecentlyUsed[tuple[_Version, str], tuple[Memory, ...]] = RecentlyUsed(_CLAIMS)

    def gather(self, scope: Scope, claims: Sequence[str], now: datetime) -> tuple[Memory, ...]:
        """What the claims may be checked against: current, and no narrative."""
        version = self._read_version(scope, now)
        everything = self._read_all(scope, version, now)
        if everything is None:
            found = self._find(scope, version, claims, now)
            everything = tuple({m.id: m for claim in claims for m in found[claim]}.values())
        return tuple(memory for memory in everything if is_evidence(memory, now, self._windows))

    def gather_passages(self, scope: Scope, claim: str, now: datetime) -> tuple[Passage, ...]:
        """The few that one claim is judged by."""
        version = self._read_version(scope, now)
        found = self._find(scope, version, (claim,), now)[claim]
        return tuple(
            Passage(memory.id, memory.text, memory.trust, memory.timestamp)
            for memory in found
            if is_evidence(memory, now, self._windows)
        )

    def _read_version(self, scope: Scope, now: datetime) -> _Version:
        return _Version(scope, self._store.changes(scope), int(now.timestamp()) // 60)

    def _read_all(self, scope: Scope, version: _Version, now: datetime) -> tuple[Memory, ...] | None:
        """Everything current, or None where that is too much."""
        kept = self._all.get(scope)
        if kept is not None and kept[0] == version:
            return kept[1]
        found: tuple[Memory, ...] | None = self._store.memories.recall(scope, now, limit=_SMALL + 1)
        if len(found) > _SMALL:
            found = None
        self._all.put(scope, (version, found))
        return found

    def _find(
        self, scope: Scope, version: _Version, claims: Sequence[str], now: datetime
    ) -> Mapping[str, tuple[Memory, ...]]:
        """By claim; those that are new are looked for together."""
        found = {claim: self._found.get((version, claim)) for claim in claims}
        new = [claim for claim, kept in found.items() if kept is None]
        near = self._retriever.retrieve_all(scope, new, when=now, limit=NEAREST) if new else ()
        marks = {claim: [topic_mark(topic) for topic in find_topics(claim)] for claim in new}
        about = self._find_marked(scope, [mark for named in marks.values() for mark in named])
        for claim, hits in zip(new, near, strict=True):
            both = {
                m.id: m for m in [*(m for mark in marks[claim] for m in about[mark]), *(hit.memory for hit in hits)]
            }
            found[claim] = tuple(both.values())
            self._found.put((version, claim), tuple(both.values()))
        return {claim: kept or () for claim, kept in found.items()}

    def _find_marked(self, scope: Scope, marks: Sequence[str]) -> Mapping[str, list[Memory]]:
        """By mark, in the order of the store."""
        found: dict[str, list[Memory]] = {mark: [] for mark in marks}
        for marked in self._store.memories.find_marked(scope, marks, each=_PER_CLAIM) if marks else ():
            found[marked.fingerprint].append(marked.memory)
        return found


# ── verdicts ────────────────────────────────────────────────────────────────────────────────────


class VerdictCache:
    """The last claims with their verdicts. The key covers all of the evidence and the judge with its model, so that a
    changed memory or model is another question; it is a digest, so that the cache stays small."""

    def __init__(self, size: int = _VERDICTS) -> None:
        self._kept: RecentlyUsed[bytes, VerifierOutput] = RecentlyUsed(size)

    def judge(
        self, question: VerifierInput, judge: str, ask: Callable[[VerifierInput], VerifierOutput]
    ) -> VerifierOutput:
        key = blake2b(repr((question, judge)).encode("utf-8", "surrogatepass")).digest()
        kept = self._kept.get(key)
        if kept is None:
            kept = ask(question)
            self._kept.put(key, kept)
        return kept


def record_output(
    scope: Scope, question: VerifierInput, output: VerifierOutput, now: datetime
) -> tuple[VerdictRecord, ...]:
    """One judgement as the log keeps it."""
    return (
        VerdictRecord(
            owner=scope.owner,
            tenant=scope.tenant,
            recorded_at=now,
            claim=question.claim,
            verdict=output.verdict,
            confidence=output.confidence,
            judge=output.judge,
            evidence=tuple(passage.id for passage in question.evidence),
            evidence_used=output.evidence_used,
            probabilities=output.probabilities,
            action=output.action,
            explanation=output.explanation,
            model=output.model,
            calibration=output.calibration,
        ),
    )


def record_report(scope: Scope, report: VerificationReport, now: datetime, model: str) -> tuple[VerdictRecord, ...]:
    """Every claim of a verified answer as the log keeps it."""
    return tuple(
        VerdictRecord(
            owner=scope.owner,
            tenant=scope.tenant,
            recorded_at=now,
            claim=claim.text,
            verdict=claim.verdict,
            confidence=claim.confidence,
            judge=report.judge,
            evidence=claim.evidence,
            evidence_used=claim.evidence,
            action=claim.action,
            explanation=claim.explanation,
            model=model,
        )
        for claim in report.claims
    )
