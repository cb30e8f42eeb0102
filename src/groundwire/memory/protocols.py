"""What the write gate asks of a store; `store/` answers it, and neither knows the other.

Every question names a scope, and nothing outside it is answered: somebody else's id is as unknown as one that never
existed. Every write names its act (who, when, with which credential), is in the audit trail when the call returns, and
has been acknowledged by the disk by then. Times carry a time zone. Texts hold no NUL.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from groundwire.evidence.protocols import SemanticSearch
from groundwire.types.access import Credential, OwnerSummary, Page, Reply
from groundwire.types.memories import Memory, MemoryStatus, Scope
from groundwire.types.records import (
    Act,
    AuditEntry,
    CandidateOutcome,
    FingerprintMatch,
    Forgotten,
    Marked,
    Match,
    PendingMemory,
    Ranked,
    Rejection,
    Session,
    Tombstone,
    VerdictRecord,
)


class MemoryStore(Protocol):
    """Statements that are never overwritten: what changes is superseded, what is forgotten is gone."""

    def add(self, memory: Memory, act: Act, *, fingerprints: Sequence[str] = ()) -> Memory:
        """Keep a memory; an empty id is given one, missing times are those of the act.

        `fingerprints` are whatever the gate wants to find it by again (a normalised hash, bands of a MinHash).
        """
        ...

    def add_many(self, memories: Sequence[Memory], act: Act, *, fingerprints: Sequence[Sequence[str]] = ()) -> int:
        """All of them or none."""
        ...

    def supersede(
        self,
        old_id: str,
        memory: Memory,
        act: Act,
        *,
        why: str,
        fingerprints: Sequence[str] = (),
        others: Collection[str] = (),
    ) -> Memory:
        """`memory` takes the place of an older one of the same scope, which ends when the new one begins.

        `others` end with it: two that contradicted each other have one successor.
        """
        ...

    def confirm(
        self, scope: Scope, id: str, act: Act, *, trust: float | None = None, confidence: float | None = None
    ) -> Memory:
        """It was said again: one more mention, confirmed now, active again if it rested. Old numbers are audited."""
        ...

    def adjust(
        self, scope: Scope, id: str, act: Act, *, why: str, trust: float | None = None, confidence: float | None = None
    ) -> Memory:
        """Other scores, without a mention: what a contradiction does. Old numbers are audited."""
        ...

    def change_status(self, scope: Scope, id: str, status: MemoryStatus, act: Act, *, why: str) -> Memory:
        """Expire, archive, deactivate, or make active again; superseding has its own verb."""
        ...

    def get(self, scope: Scope, id: str) -> Memory | None: ...

    def count(self, scope: Scope) -> int:
        """How many memories there are of whatever status."""
        ...

    def recall(self, scope: Scope, when: datetime, *, limit: int | None = None) -> tuple[Memory, ...]:
        """What held at `when`, newest first: begun, not ended, within its horizon, and no mere proposal."""
        ...

    def search(self, scope: Scope, query: str, *, when: datetime | None = None, limit: int = 10) -> tuple[Match, ...]:
        """Memories that share words with the query, best first; as of `when`, or of all times."""
        ...

    def rank_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None = None, limit: int = 10
    ) -> tuple[tuple[Ranked, ...], ...]:
        """For each query the same by name, for whoever goes on choosing: reading the memories is most of a search."""
        ...

    def get_many(self, scope: Scope, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Those that are there, in the order asked for."""
        ...

    def find_fingerprints(self, scope: Scope, fingerprints: Collection[str]) -> tuple[FingerprintMatch, ...]:
        """Who carries any of them: memories that nothing superseded, and items that wait for review."""
        ...

    def find_marked(self, scope: Scope, fingerprints: Collection[str], *, each: int = 8) -> tuple[Marked, ...]:
        """The same with their texts, and at most so many of each fingerprint, the newest first."""
        ...

    def list(self, scope: Scope, *, limit: int | None = None) -> tuple[Memory, ...]:
        """Memories of whatever status, oldest first."""
        ...

    def history(self, scope: Scope, id: str) -> tuple[Memory | Tombstone, ...]:
        """Everything that ever stood in this memory's place, oldest first."""
        ...

    def forget(self, scope: Scope, ids: Collection[str], act: Act) -> Forgotten:
        """Delete content, index entries and log entries that quote it; leave a tombstone; say what rested on it."""
        ...

    def forget_owner(self, scope: Scope, act: Act) -> Forgotten:
        """Delete everything of one owner but a content-free audit entry."""
        ...

    def tombstones(self, scope: Scope) -> tuple[Tombstone, ...]: ...


class ReviewStore(Protocol):
    """Claims that wait for a person. Every attempt is audited, the refused ones as well."""

    def enqueue(self, item: PendingMemory, act: Act, *, fingerprints: Sequence[str] = ()) -> PendingMemory:
        """Add to the queue; raises QueueFull rather than displace anything."""
        ...

    def pending(self, scope: Scope, act: Act, *, limit: int = 100) -> tuple[PendingMemory, ...]:
        """This owner's undecided items, oldest first."""
        ...

    def get(self, scope: Scope, queue_id: str, act: Act) -> PendingMemory | None:
        """An item of this owner in whatever state."""
        ...

    def approve(
        self,
        scope: Scope,
        queue_id: str,
        act: Act,
        store: Callable[[PendingMemory], str],
        *,
        edited: str | None = None,
        reviewers: Collection[str] = (),
    ) -> str:
        """Take the item from the queue, let `store` keep it, and return the memory's id: all of it or nothing.

        `store` runs inside the transaction, and what it writes through this store is part of it. If it raises, the
        item is pending again with the error noted. The actor is the owner or one of `reviewers`, and the act's
        credential is not the proposer's.
        """
        ...

    def reject(
        self, scope: Scope, queue_id: str, act: Act, *, reason: str, reviewers: Collection[str] = ()
    ) -> PendingMemory: ...

    def expire(self, before: datetime, act: Act) -> int:
        """Close every item that was submitted before then; how many."""
        ...


class LogStore(Protocol):
    """What was judged and what was refused, the most recent of it; of one scope, newest first."""

    def record_verdicts(self, records: Sequence[VerdictRecord]) -> None: ...

    def verdicts(self, scope: Scope, *, limit: int = 100) -> tuple[VerdictRecord, ...]: ...

    def record_rejections(self, rejections: Sequence[Rejection]) -> None:
        """Each of them counts as an outcome as well."""
        ...

    def rejections(self, scope: Scope, *, limit: int = 100) -> tuple[Rejection, ...]: ...

    def record_outcomes(self, outcomes: Sequence[CandidateOutcome]) -> None: ...

    def outcomes(self, scope: Scope, *, limit: int = 100) -> tuple[CandidateOutcome, ...]: ...


class SessionStore(Protocol):
    """Conversations, and values by path that belong to an owner."""

    def begin(self, session: Session) -> Session: ...

    def end(self, scope: Scope, id: str, when: datetime) -> Session: ...

    def get(self, scope: Scope, id: str) -> Session | None: ...

    def list(self, scope: Scope, *, limit: int = 100) -> tuple[Session, ...]:
        """The latest first."""
        ...

    def put(self, scope: Scope, values: Mapping[str, Any], when: datetime) -> None:
        """Keep JSON values under flat paths; the last one written under a path is the one kept."""
        ...

    def replace(self, scope: Scope, prefix: str, values: Mapping[str, Any], when: datetime) -> None:
        """Drop whatever is under `prefix` and keep these values in its place; each path begins with the prefix."""
        ...

    def values(self, scope: Scope, prefix: str = "") -> Mapping[str, Any]:
        """Everything whose path begins with `prefix`, in the order of the paths."""
        ...


class AuditLog(Protocol):
    """Append-only, each entry chained to the one before."""

    def record(
        self, scope: Scope, action: str, target: str, act: Act, *, outcome: str = "ok", details: Mapping[str, Any]
    ) -> None:
        """Note something that no other call of the store notes by itself."""
        ...

    def entries(self, scope: Scope, *, target: str | None = None, limit: int = 100) -> tuple[AuditEntry, ...]:
        """Newest first."""
        ...

    def verify(self) -> tuple[str, ...]:
        """What is wrong with the chain, in words; empty when it is whole."""
        ...


class CredentialStore(Protocol):
    """Who may ask over the network, with the digest of a secret and never the secret."""

    def add(self, credential: Credential, digest: str, act: Act) -> None: ...

    def find(self, id: str) -> tuple[Credential, str] | None:
        """A credential, revoked or not, with its digest."""
        ...

    def list(self, tenant: str | None = None) -> tuple[Credential, ...]: ...

    def count(self) -> int: ...

    def revoke(self, id: str, act: Act) -> Credential: ...

    def touch(self, id: str, when: datetime) -> None:
        """Note when it was used last."""
        ...


class ReplyStore(Protocol):
    """What requests were answered with, by credential and by the key that the client gave the request."""

    def find(self, credential: str, key: str) -> Reply | None: ...

    def keep(self, scope: Scope, credential: str, key: str, reply: Reply, when: datetime) -> None: ...

    def drop(self, before: datetime) -> int: ...


class PageStore(Protocol):
    """What is kept, page by page; `after` is the `next` of the page before, and later arrivals shift nothing."""

    def memories(
        self, scope: Scope, *, after: int | None = None, limit: int = 50, status: MemoryStatus | None = None
    ) -> Page[Memory]:
        """In the order in which they were stored."""
        ...

    def pending(self, scope: Scope, *, after: int | None = None, limit: int = 50) -> Page[PendingMemory]: ...

    def verdicts(self, scope: Scope, *, after: int | None = None, limit: int = 50) -> Page[VerdictRecord]: ...

    def rejections(self, scope: Scope, *, after: int | None = None, limit: int = 50) -> Page[Rejection]: ...

    def sessions(self, scope: Scope, *, after: int | None = None, limit: int = 50) -> Page[Session]: ...

    def audit(
        self, scope: Scope, *, after: int | None = None, limit: int = 50, target: str | None = None
    ) -> Page[AuditEntry]: ...

    def values(self, scope: Scope, prefix: str = "", *, after: str = "", limit: int = 50) -> Mapping[str, Any]:
        """By path: those that begin with `prefix` and come after `after`."""
        ...

    def owners(
        self, tenant: str, *, after: str = "", limit: int = 1_000, only: str | None = None
    ) -> tuple[OwnerSummary, ...]: ...

    def count_pending(self) -> int: ...


class Store(Protocol):
    """One place where everything is kept."""

    @property
    def memories(self) -> MemoryStore: ...

    @property
    def vectors(self) -> SemanticSearch:
        """The same memories by what they mean; finds nothing where the store was opened without an embedder."""
        ...

    @property
    def reviews(self) -> ReviewStore: ...

    @property
    def logs(self) -> LogStore: ...

    @property
    def sessions(self) -> SessionStore: ...

    @property
    def audit(self) -> AuditLog: ...

    @property
    def credentials(self) -> CredentialStore: ...

    @property
    def replies(self) -> ReplyStore: ...

    @property
    def pages(self) -> PageStore: ...

    @property
    def is_read_only(self) -> bool: ...

    def transaction(self) -> AbstractContextManager[object]:
        """What is written inside by this thread is kept together or not at all; nobody else writes meanwhile."""
        ...

    def changes(self, scope: Scope | None = None) -> int:
        """A number that grows with every change to the memories of a scope, or of all: by whichever process.

        Read it before what is to be cached: as long as it stays the same, so does the answer.
        """
        ...

    def check(self) -> tuple[str, ...]:
        """Examine everything that is stored; what is wrong, in words."""
        ...

    def export(self, scope: Scope | None = None) -> Iterator[dict[str, Any]]:
        """Memories, undecided reviews and tombstones as JSON objects."""
        ...

    def restore(
        self,
        lines: Iterable[Mapping[str, Any]],
        act: Act,
        *,
        fingerprint: Callable[[str], Sequence[str]] | None = None,
    ) -> Mapping[str, int]:
        """Take in what `export` gave; what is here already, or was forgotten here, is left alone. Counts by outcome.

        `fingerprint` gives the fingerprints of a text, which are not exported.
        """
        ...

    def purge(self) -> bool:
        """Remove what deleted words left behind in files; False if somebody else's reading prevents it now."""
        ...

    def close(self) -> None: ...
