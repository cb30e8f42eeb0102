"""The review queue in SQL: decided once, by somebody other than whoever proposed, within limits that refuse."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import NoReturn

from sqlalchemy import BigInteger, Connection, bindparam, delete, func, insert, select, update

from groundwire.errors import GroundwireError, IllegalChange, InvalidInput, NotFound, NotPermitted, QueueFull
from groundwire.store import chain, schema
from groundwire.store.admission import check_item, new_id
from groundwire.store.chain import Note
from groundwire.store.database import Database, Writer
from groundwire.store.queries import name_scope, of_scope
from groundwire.store.redaction import clean
from groundwire.store.rows import review_to_row, row_to_review
from groundwire.store.values import check_text, to_micros
from groundwire.types.memories import Scope
from groundwire.types.records import Act, PendingMemory, ReviewState

_PENDING = ReviewState.PENDING.value
_COLUMNS = schema.reviews.c
_ONE = (_COLUMNS.scope == bindparam("of_scope"), _COLUMNS.id == bindparam("of_id"))
_KEY = select(_COLUMNS.key).where(*_ONE)
_ITEM = select(schema.reviews).where(of_scope(schema.reviews), _COLUMNS.id == bindparam("of_id"))
_COUNT = select(func.count()).select_from(schema.reviews).where(_COLUMNS.state == _PENDING)
_COUNT_OWN = _COUNT.where(_COLUMNS.scope == bindparam("of_scope"))
_WAITING = (
    select(schema.reviews)
    .where(of_scope(schema.reviews), _COLUMNS.state == _PENDING)
    .order_by(_COLUMNS.submitted_at, _COLUMNS.key)
    .limit(bindparam("most", type_=BigInteger))
)
_INSERT, _PRINT = insert(schema.reviews), insert(schema.fingerprints)
_UPDATE = update(schema.reviews).where(*_ONE)
_UNPRINT = delete(schema.fingerprints).where(schema.fingerprints.c.review == _KEY.scalar_subquery())


class SqlReviews:
    """Items of every scope, one scope at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def enqueue(self, item: PendingMemory, act: Act, *, fingerprints: Sequence[str] = ()) -> PendingMemory:
        check_item(item, self._database.options)
        if item.state is not ReviewState.PENDING:
            raise InvalidInput("state", f"a new item is pending, not {item.state}")
        item = replace(item, queue_id=item.queue_id or new_id())
        with self._database.writing() as writer:
            key = writer.scope_key(item.scope)
            self._check_room(writer, key, item, act)
            insert_review(writer, key, item, self._database.options.metadata_bytes, fingerprints)
            details = {"memory_type": item.memory_type, "source": item.source, "proposer": item.proposer}
            writer.note(Note(item.scope, "enqueue", item.queue_id, act, details=details))
        return item

    def _check_room(self, writer: Writer, scope: int, item: PendingMemory, act: Act) -> None:
        connection, options = writer.connection, self._database.options
        if connection.execute(_KEY, {"of_scope": scope, "of_id": item.queue_id}).scalar() is not None:
            raise InvalidInput("queue_id", f"{item.queue_id!r} is in the queue already")
        note = Note(item.scope, "enqueue", item.queue_id, act)
        if connection.execute(_COUNT_OWN, {"of_scope": scope}).scalar_one() >= options.pending_per_owner:
            waiting = f"{options.pending_per_owner} items of {item.user_id!r} wait for review"
            _refuse(writer, note, QueueFull(f"{waiting}; decide on some of them first"))
        if connection.execute(_COUNT).scalar_one() >= options.pending_total:
            _refuse(writer, note, QueueFull(f"{options.pending_total} items wait for review; the queue takes no more"))

    def pending(self, scope: Scope, act: Act, *, limit: int = 100) -> tuple[PendingMemory, ...]:
        with self._database.reading() as connection:
            rows = connection.execute(_WAITING, name_scope(scope, most=limit)).mappings()
            found = tuple(row_to_review(row, scope) for row in rows)
        self._note_view(Note(scope, "view", "", act, details={"shown": [item.queue_id for item in found]}))
        return found

    def get(self, scope: Scope, queue_id: str, act: Act) -> PendingMemory | None:
        with self._database.reading() as connection:
            found = _find(connection, scope, queue_id)
        self._note_view(Note(scope, "view", queue_id, act, "ok" if found else "refused: NotFound"))
        return found

    def _note_view(self, note: Note) -> None:
        """A file that cannot be written cannot tell who looked at it."""
        if not self._database.dialect.is_read_only:
            with self._database.writing() as writer:
                writer.note(note)

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
        if edited is not None:
            check_text("edited", edited, self._database.options.text_characters, may_be_empty=False)
        with self._database.writing() as writer:
            item = _open(writer, scope, queue_id, act, "approve", reviewers)
            decided = replace(
                item, state=ReviewState.APPROVED, decided_at=act.now, decided_by=act.actor, edited=edited, error=""
            )
            _settle(writer, decided)
            with _Storing(writer, item, act):
                memory_id = store(decided)
            _settle(writer, replace(decided, memory_id=memory_id))
            details = {"memory": memory_id, "edited": edited is not None}
            writer.note(Note(scope, "approve", queue_id, act, details=details))
        return memory_id

    def reject(
        self, scope: Scope, queue_id: str, act: Act, *, reason: str, reviewers: Collection[str] = ()
    ) -> PendingMemory:
        reason = clean(check_text("reason", reason, self._database.options.text_characters, may_be_empty=False))
        with self._database.writing() as writer:
            item = _open(writer, scope, queue_id, act, "reject", reviewers)
            decided = replace(
                item, state=ReviewState.REJECTED, decided_at=act.now, decided_by=act.actor, reason=reason, error=""
            )
            _settle(writer, decided)
            writer.note(Note(scope, "reject", queue_id, act, details={"reason": reason}))
        return decided

    def expire(self, before: datetime, act: Act) -> int:
        table, scopes = schema.reviews, schema.scopes
        with self._database.writing() as writer:
            rows = writer.connection.execute(
                select(table, scopes.c.owner, scopes.c.tenant)
                .join(scopes, scopes.c.key == table.c.scope)
                .where(table.c.state == _PENDING, table.c.submitted_at < to_micros("before", before))
                .order_by(table.c.key)
            ).mappings()
            items = [row_to_review(row, Scope(row["owner"], row["tenant"])) for row in rows]
            for item in items:
                _settle(writer, replace(item, state=ReviewState.EXPIRED, decided_at=act.now, decided_by=act.actor))
            writer.note(*(Note(item.scope, "expire", item.queue_id, act) for item in items))
        return len(items)


class _Storing(AbstractContextManager[None]):
    """Remembers why storing an approved item failed, where the transaction that tried it is undone."""

    def __init__(self, writer: Writer, item: PendingMemory, act: Act) -> None:
        self._writer, self._item, self._act = writer, item, act

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is not None:
            self._writer.afterwards.append(lambda connection: self._note(connection, kind.__name__))

    def _note(self, connection: Connection, problem: str) -> None:
        table, item = schema.reviews, self._item
        connection.execute(
            update(table).where(of_scope(table, item.scope), table.c.id == item.queue_id).values(error=problem)
        )
        note = Note(item.scope, "approve", item.queue_id, self._act, f"failed: {problem}")
        chain.append(connection, [note])


def insert_review(writer: Writer, scope: int, item: PendingMemory, limit: int, fingerprints: Sequence[str]) -> None:
    row = review_to_row(item, scope, limit)
    primary = writer.connection.execute(_INSERT, row).inserted_primary_key
    assert primary is not None
    prints = [
        {"scope": scope, "fingerprint": check_text("fingerprint", mark, 512), "review": primary[0]}
        for mark in dict.fromkeys(fingerprints)
    ]
    if prints:
        writer.connection.execute(_PRINT, prints)
    writer.touch(scope)


def _find(connection: Connection, scope: Scope, queue_id: str) -> PendingMemory | None:
    row = connection.execute(_ITEM, name_scope(scope, of_id=queue_id)).mappings().one_or_none()
    return None if row is None else row_to_review(row, scope)


def _open(
    writer: Writer, scope: Scope, queue_id: str, act: Act, action: str, reviewers: Collection[str]
) -> PendingMemory:
    """The item, if this person may decide on it now with this credential."""
    note = Note(scope, action, queue_id, act)
    item = _find(writer.connection, scope, queue_id)
    if item is None:
        _refuse(writer, note, NotFound("item for review", queue_id))
    if act.actor != scope.owner and act.actor not in reviewers:
        _refuse(writer, note, NotPermitted(f"{act.actor!r} is no reviewer for {scope.owner!r}"))
    if not act.credential:
        _refuse(writer, note, NotPermitted("a decision needs the credential that it is made with"))
    if hmac.compare_digest(act.credential.encode(), item.proposer.encode()):
        _refuse(writer, note, NotPermitted("the credential that proposed a memory cannot decide on it"))
    if not item.state.may_become(ReviewState.APPROVED):
        _refuse(writer, note, IllegalChange(f"item {queue_id!r} is {item.state} already"))
    return item


def _refuse(writer: Writer, note: Note, error: GroundwireError) -> NoReturn:
    writer.refuse(replace(note, outcome=f"refused: {type(error).__name__}"))
    raise error


def _settle(writer: Writer, item: PendingMemory) -> None:
    """Write down a decision; a fingerprint finds only what is still undecided."""
    key = writer.scope_key(item.scope)
    one = {"of_scope": key, "of_id": item.queue_id}
    writer.connection.execute(_UPDATE, {**review_to_row(item, key), **one})
    writer.connection.execute(_UNPRINT, one)
    writer.touch(key)
