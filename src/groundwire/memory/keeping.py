"""The face of the memory: what may be asked of it. The work is done by the services over a store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

from groundwire.errors import InvalidInput
from groundwire.types import Memory, Scope

if TYPE_CHECKING:
    from groundwire.judge.judge import Judge
    from groundwire.memory.candidates import Extracted, Turn
    from groundwire.memory.conversation import Conversation
    from groundwire.memory.keyring import Keyring
    from groundwire.memory.ledger import Ledger
    from groundwire.memory.once import Once
    from groundwire.memory.outcomes import Recalled, Remembered, RememberedConversation
    from groundwire.memory.rejections import RejectionSummary
    from groundwire.memory.review import Reviews
    from groundwire.memory.services import Services
    from groundwire.types.records import Act, Forgotten, Tombstone


class Keeping:
    """The half of Groundwire that remembers. Every call names whose memory it is."""

    def _open_memory(self) -> Services:
        raise NotImplementedError

    def _tell_time(self) -> datetime:
        raise NotImplementedError

    def _read_candidates(
        self, source: str | Sequence[Turn], candidates: Sequence[object] | None
    ) -> tuple[Conversation, Extracted, str]:
        raise NotImplementedError

    def _choose_judge(self) -> Judge:
        raise NotImplementedError

    def remember(
        self,
        content: str,
        *,
        user: str,
        source: str = "user",
        memory_type: str = "fact",
        tenant: str = "default",
        repository: str | None = None,
        turns: Sequence[str] | None = None,
        valid_from: datetime | None = None,
        validity_horizon: datetime | None = None,
        credential: str = "operator",
        allowed_sources: frozenset[str] | None = None,
        metadata: Mapping[str, object] | None = None,
        now: datetime | None = None,
    ) -> Remembered:
        """Let the gate decide on a claim and store, queue or refuse it, all of it in one transaction.

        `turns` is what the user said, where a conversation is the source. `credential` is who proposes, and can never
        approve what waits for review; `allowed_sources` are those that it may claim.
        """
        from groundwire.memory.checks import Candidate
        from groundwire.memory.remembering import Submission

        scope, moment = name_scope(user, tenant), self._choose_time(now)
        candidate = Candidate(
            content=content,
            memory_type=memory_type,
            source=source,
            user_id=scope.owner,
            user_turns=turns,
            validity_horizon=_check_time("validity_horizon", validity_horizon),
            metadata=metadata or {},
            allowed_sources=allowed_sources,
        )
        submission = Submission(
            candidate,
            tenant,
            _check_name("credential", credential),
            repository=repository,
            valid_from=_check_time("valid_from", valid_from),
        )
        return self._open_memory().rememberer.remember(submission, moment)

    def remember_conversation(
        self,
        source: str | Sequence[Turn],
        *,
        user: str,
        tenant: str = "default",
        candidates: Sequence[object] | None = None,
        credential: str = "extractor",
        allowed_sources: frozenset[str] | None = None,
        now: datetime | None = None,
    ) -> RememberedConversation:
        """Extract from a summary or from turns what may be remembered, and remember all of it or nothing."""
        from groundwire.memory.conversing import Listener

        scope, moment = name_scope(user, tenant), self._choose_time(now)
        services = self._open_memory()
        conversation, extracted, extractor = self._read_candidates(source, candidates)
        listener = Listener(services.store, services.rememberer, self._choose_judge())
        return listener.remember(
            conversation,
            extracted,
            scope,
            extractor=extractor,
            credential=_check_name("credential", credential),
            allowed_sources=allowed_sources,
            now=moment,
        )

    def recall(
        self,
        query: str,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 5,
        as_of: datetime | None = None,
        min_confidence: float | None = None,
        now: datetime | None = None,
    ) -> list[Recalled]:
        """What is remembered about `query`, best first; `as_of` asks for what held at an earlier time."""
        scope, moment = name_scope(user, tenant), _check_time("as_of", as_of) or self._choose_time(now)
        recaller = self._open_memory().recaller
        return recaller.recall(query, scope, when=moment, limit=limit, min_confidence=min_confidence)

    def history(
        self, *, user: str, memory_id: str | None = None, query: str | None = None, tenant: str = "default"
    ) -> list[Memory | Tombstone]:
        """Oldest first, with what replaced what and why: of one memory, of what a query finds, or of everything."""
        scope = name_scope(user, tenant)
        return self._open_memory().recaller.tell_history(scope, memory_id=memory_id, query=query)

    def forget(
        self,
        memory_id: str,
        *,
        user: str,
        reason: str,
        tenant: str = "default",
        credential: str = "operator",
        now: datetime | None = None,
    ) -> Forgotten:
        """Delete a memory and whatever quotes it; a tombstone stays, and what rested on it is named."""
        if not reason.strip():
            raise InvalidInput("reason", "is empty; forgetting is on record with its reason")
        act = self._sign(credential, now)
        return self._open_memory().forget(name_scope(user, tenant), memory_id, reason, act)

    def reviews(self, user: str | None = None, tenant: str = "default", *, reviewers: Collection[str] = ()) -> Reviews:
        """What waits for a person, of one user; `reviewers` are those who may decide besides the user."""
        return self._open_memory().open_reviews(name_scope(user, tenant), reviewers, self._tell_time)

    def rejections(
        self, *, user: str | None = None, since: datetime | None = None, tenant: str = "default"
    ) -> RejectionSummary:
        """How the last hundred candidates of a user fared, or all since a time, and what to change."""
        scope, after = name_scope(user, tenant), _check_time("since", since)
        return self._open_memory().summarise_rejections(scope, after)

    def ledger(self, user: str | None, tenant: str = "default") -> Ledger:
        """What is on record of one user, page by page: memories, what waits, verdicts, rejections, the audit trail."""
        return self._open_memory().open_ledger(name_scope(user, tenant), self._tell_time)

    def count_pending(self) -> int:
        """How many items wait for review, of all users together."""
        return self._open_memory().store.pages.count_pending()

    def keys(self) -> Keyring:
        """The credentials of those who ask over the network."""
        from groundwire.memory.keyring import Keyring

        return Keyring(self._open_memory().store, self._tell_time)

    def once(self) -> Once:
        """Carries out a request that may arrive twice, and keeps its answer."""
        from groundwire.memory.once import Once

        return Once(self._open_memory().store, self._tell_time)

    def export(
        self, target: str | Path | IO[str], *, user: str | None = None, tenant: str = "default"
    ) -> Mapping[str, int]:
        """Write JSON Lines; how many records of which kind. Without a user, everything of every tenant."""
        from groundwire.memory.exchange import write_records

        return write_records(self._open_memory().store, target, None if user is None else name_scope(user, tenant))

    def import_(
        self, source: str | Path | IO[str], *, credential: str = "operator", now: datetime | None = None
    ) -> Mapping[str, int]:
        """Take in what `export` wrote, all of it or nothing; what is here already, or was forgotten, stays as it is."""
        from groundwire.memory.exchange import read_records

        return read_records(self._open_memory().store, source, self._sign(credential, now))

    def _sign(self, credential: str, now: datetime | None) -> Act:
        from groundwire.types.records import Act

        name = _check_name("credential", credential)
        return Act(name, self._choose_time(now), name)

    def _choose_time(self, now: datetime | None) -> datetime:
        return _check_time("now", now) or self._tell_time()


def name_scope(user: str | None, tenant: str) -> Scope:
    if user is None:
        raise InvalidInput("user", "is missing; every question names whose memory it is about")
    return Scope(_check_name("user", user), _check_name("tenant", tenant))


def _check_name(field: str, name: str) -> str:
    if not name.strip():
        raise InvalidInput(field, "is empty")
    return name


def _check_time(field: str, moment: datetime | None) -> datetime | None:
    if moment is not None and moment.utcoffset() is None:
        raise InvalidInput(field, f"{moment.isoformat()} has no time zone; use an aware datetime")
    return moment
