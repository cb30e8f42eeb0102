"""Memories in SQL: added, superseded, confirmed, recalled as of a time, searched."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Connection, Update, bindparam, func, insert, literal, select, union_all, update

from groundwire.errors import IllegalChange, InvalidInput, NotFound
from groundwire.store import forgetting, schema
from groundwire.store.admission import complete
from groundwire.store.chain import Note
from groundwire.store.database import Database, Writer, find_scope
from groundwire.store.dialect import IndexedText
from groundwire.store.marks import find_marked
from groundwire.store.queries import (
    Found,
    fetch_memory,
    filter_hits,
    held,
    name_moment,
    name_scope,
    of_scope,
    read_found,
    select_memories,
)
from groundwire.store.rows import evidence_to_row, memory_to_row, row_to_memory, row_to_tombstone
from groundwire.store.values import check_score, check_text, to_micros
from groundwire.store.vectors import insert_vectors
from groundwire.types.memories import Memory, MemoryStatus, Scope
from groundwire.types.records import Act, FingerprintMatch, Forgotten, Marked, Match, Ranked, ReviewState, Tombstone

_AT_ONCE = 500
_ALL = 2**62
_DEEPER = 4
_RECALL = (
    select_memories()
    .where(of_scope(schema.memories), held())
    .order_by(schema.memories.c.valid_from.desc(), schema.memories.c.key.desc())
    .limit(bindparam("most", type_=BigInteger))
)
_LIST = (
    select_memories()
    .where(of_scope(schema.memories))
    .order_by(schema.memories.c.valid_from, schema.memories.c.key)
    .limit(bindparam("most", type_=BigInteger))
)
_BY_IDS = select_memories().where(of_scope(schema.memories), schema.memories.c.id.in_(bindparam("ids", expanding=True)))
_PRINTED = (of_scope(schema.fingerprints), schema.fingerprints.c.fingerprint.in_(bindparam("wanted", expanding=True)))
_BY_MEMORY = (
    select(schema.fingerprints.c.fingerprint, schema.memories.c.id)
    .join(schema.memories, schema.memories.c.key == schema.fingerprints.c.memory)
    .where(*_PRINTED, schema.memories.c.status != MemoryStatus.SUPERSEDED.value)
)
_BY_REVIEW = (
    select(schema.fingerprints.c.fingerprint, schema.reviews.c.id)
    .join(schema.reviews, schema.reviews.c.key == schema.fingerprints.c.review)
    .where(*_PRINTED, schema.reviews.c.state == ReviewState.PENDING.value)
)
_KNOWN = union_all(
    *(
        select(table.c.id, literal(what).label("what")).where(
            table.c.scope == bindparam("confined_to"), table.c.id.in_(bindparam("ids", expanding=True))
        )
        for table, what in ((schema.memories, "is stored already"), (schema.tombstones, "was forgotten"))
    )
)
_HIGHEST = select(func.coalesce(func.max(schema.memories.c.key), 0))
_ABOVE = select(schema.memories.c.id, schema.memories.c.key).where(schema.memories.c.key > bindparam("highest"))
_ADD_MEMORY, _ADD_EVIDENCE, _ADD_FINGERPRINT = (
    insert(table) for table in (schema.memories, schema.evidence, schema.fingerprints)
)


class SqlMemories:
    """The memories of every scope, one scope at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # ── writing ─────────────────────────────────────────────────────────────────────────────────

    def add(self, memory: Memory, act: Act, *, fingerprints: Sequence[str] = ()) -> Memory:
        return self._add([memory], act, [fingerprints])[0]

    def add_many(self, memories: Sequence[Memory], act: Act, *, fingerprints: Sequence[Sequence[str]] = ()) -> int:
        return len(self._add(memories, act, fingerprints))

    def _add(self, memories: Sequence[Memory], act: Act, fingerprints: Sequence[Sequence[str]]) -> Sequence[Memory]:
        for memory in memories:
            if memory.supersedes or memory.superseded_by or memory.status is MemoryStatus.SUPERSEDED:
                raise InvalidInput("supersedes", f"memory {memory.id!r} is part of a change; use supersede()")
        if len(fingerprints) not in (0, len(memories)):
            raise InvalidInput("fingerprints", "there must be as many lists as memories, or none")
        completed = [complete(memory, act, self._database.options) for memory in memories]
        with self._database.writing() as writer:
            insert_memories(writer, self._database, completed, act, fingerprints)
        return completed

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
        new = replace(complete(memory, act, self._database.options), supersedes=old_id, superseded_by=None)
        why = check_text("why", why, self._database.options.text_characters)
        with self._database.writing() as writer:
            olds = [_find_replaceable(writer, new, id) for id in dict.fromkeys((old_id, *others))]
            insert_memories(writer, self._database, [new], act, [fingerprints])
            for old in olds:
                _end(writer, old, new, why, act)
        return new

    def confirm(
        self, scope: Scope, id: str, act: Act, *, trust: float | None = None, confidence: float | None = None
    ) -> Memory:
        with self._database.writing() as writer:
            old = _fetch(writer, scope, id)
            if old.status is MemoryStatus.SUPERSEDED:
                raise IllegalChange(f"memory {id!r} is superseded by {old.superseded_by!r}; confirm that one")
            changes = _scores(trust, confidence)
            if old.status is not MemoryStatus.PROPOSAL:
                changes |= {"status": MemoryStatus.ACTIVE.value, "valid_to": None}
            assert old.last_confirmed is not None
            confirmed = to_micros("now", max(act.now, old.last_confirmed))
            _update(writer, old, mentions=old.mentions + 1, last_confirmed=confirmed, **changes)
            return _finish(writer, old, "confirm", act, {})

    def adjust(
        self, scope: Scope, id: str, act: Act, *, why: str, trust: float | None = None, confidence: float | None = None
    ) -> Memory:
        with self._database.writing() as writer:
            old = _fetch(writer, scope, id)
            changes = _scores(trust, confidence)
            if changes:
                _update(writer, old, **changes)
            return _finish(writer, old, "adjust", act, {"why": why})

    def change_status(self, scope: Scope, id: str, status: MemoryStatus, act: Act, *, why: str) -> Memory:
        with self._database.writing() as writer:
            old = _fetch(writer, scope, id)
            if status is MemoryStatus.SUPERSEDED or not old.status.may_become(status):
                raise IllegalChange(f"memory {id!r} is {old.status} and cannot become {status}")
            assert old.valid_from is not None
            ends = None
            if status is not MemoryStatus.ACTIVE:
                ends = to_micros("now", max(old.valid_from, min(filter(None, (old.valid_to, act.now)))))
            _update(writer, old, status=status.value, valid_to=ends)
            return _finish(writer, old, "change_status", act, {"why": why, "status": [old.status, status]})

    def forget(self, scope: Scope, ids: Collection[str], act: Act) -> Forgotten:
        return forgetting.forget(self._database, scope, ids, act)

    def forget_owner(self, scope: Scope, act: Act) -> Forgotten:
        return forgetting.forget_owner(self._database, scope, act)

    # ── reading ─────────────────────────────────────────────────────────────────────────────────

    def get(self, scope: Scope, id: str) -> Memory | None:
        with self._database.reading() as connection:
            return fetch_memory(connection, scope, id)

    def count(self, scope: Scope) -> int:
        query = select(func.count()).select_from(schema.memories).where(of_scope(schema.memories, scope))
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()

    def recall(self, scope: Scope, when: datetime, *, limit: int | None = None) -> tuple[Memory, ...]:
        parameters = name_scope(scope, most=_ALL if limit is None else limit, **name_moment(when))
        with self._database.reading() as connection:
            return tuple(row_to_memory(row, scope) for row in connection.execute(_RECALL, parameters).mappings())

    def get_many(self, scope: Scope, ids: Sequence[str]) -> tuple[Memory, ...]:
        found: dict[str, Memory] = {}
        with self._database.reading() as connection:
            for start in range(0, len(ids), _AT_ONCE):
                parameters = name_scope(scope, ids=list(ids[start : start + _AT_ONCE]))
                rows = connection.execute(_BY_IDS, parameters).mappings()
                found |= {row["id"]: row_to_memory(row, scope) for row in rows}
        return tuple(found[id] for id in dict.fromkeys(ids) if id in found)

    def search(self, scope: Scope, query: str, *, when: datetime | None = None, limit: int = 10) -> tuple[Match, ...]:
        with self._database.reading() as connection:
            key = find_scope(connection, scope)
            if key is None:
                return ()
            found = self._rank(connection, key, (query,), when, limit)
            return tuple(read_found(connection, scope, key, found[0]))

    def rank(self, scope: Scope, query: str, *, when: datetime | None = None, limit: int = 10) -> tuple[Ranked, ...]:
        return self.rank_all(scope, (query,), when=when, limit=limit)[0]

    def rank_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None = None, limit: int = 10
    ) -> tuple[tuple[Ranked, ...], ...]:
        with self._database.reading() as connection:
            key = find_scope(connection, scope)
            found = [] if key is None else self._rank(connection, key, queries, when, limit)
        return tuple(tuple(Ranked(entry.id, entry.score) for entry in each) for each in found or [()] * len(queries))

    def _rank(
        self, connection: Connection, key: int, queries: Sequence[str], when: datetime | None, limit: int
    ) -> list[list[Found]]:
        if limit < 1:
            return [[] for _ in queries]
        index, most = self._database.dialect.index, limit if when is None else limit * _DEEPER
        searches = [index.search(connection, key, query, most) for query in queries]
        found = filter_hits(connection, key, searches, when, limit)
        for query, hits, kept in zip(queries, searches, found, strict=True):
            if len(kept) < limit and len(hits) == most:
                # What no longer holds is among the best: look deeper only where that leaves too few.
                rest = index.search(connection, key, query, _ALL)[most:]
                kept += filter_hits(connection, key, [rest], when, limit - len(kept))[0]
        return found

    def find_fingerprints(self, scope: Scope, fingerprints: Collection[str]) -> tuple[FingerprintMatch, ...]:
        wanted = sorted(set(fingerprints))
        found: set[FingerprintMatch] = set()
        with self._database.reading() as connection:
            for start in range(0, len(wanted), _AT_ONCE):
                parameters = name_scope(scope, wanted=wanted[start : start + _AT_ONCE])
                found |= {FingerprintMatch(f, memory_id=id) for f, id in connection.execute(_BY_MEMORY, parameters)}
                found |= {FingerprintMatch(f, queue_id=id) for f, id in connection.execute(_BY_REVIEW, parameters)}
        return tuple(sorted(found, key=lambda match: (match.fingerprint, match.memory_id or "", match.queue_id or "")))

    def find_marked(self, scope: Scope, fingerprints: Collection[str], *, each: int = 8) -> tuple[Marked, ...]:
        with self._database.reading() as connection:
            key = find_scope(connection, scope)
            return () if key is None else find_marked(connection, scope, key, list(fingerprints), each)

    def list(self, scope: Scope, *, limit: int | None = None) -> tuple[Memory, ...]:
        parameters = name_scope(scope, most=_ALL if limit is None else limit)
        with self._database.reading() as connection:
            return tuple(row_to_memory(row, scope) for row in connection.execute(_LIST, parameters).mappings())

    def history(self, scope: Scope, id: str) -> tuple[Memory | Tombstone, ...]:
        with self._database.reading() as connection:
            here = _find_either(connection, scope, id)
            if here is None:
                return ()
            line, seen = [here], {here.id}
            while (before := line[0].supersedes) and before not in seen:
                earlier = _find_either(connection, scope, before)
                if earlier is None:
                    break
                line.insert(0, earlier)
                seen.add(before)
            while (after := line[-1].superseded_by) and after not in seen:
                later = _find_either(connection, scope, after)
                if later is None:
                    break
                line.append(later)
                seen.add(after)
        return tuple(line)

    def tombstones(self, scope: Scope) -> tuple[Tombstone, ...]:
        table = schema.tombstones
        query = select(table).where(of_scope(table, scope)).order_by(table.c.forgotten_at, table.c.id)
        with self._database.reading() as connection:
            return tuple(row_to_tombstone(row, scope) for row in connection.execute(query).mappings())


def insert_memories(
    writer: Writer,
    database: Database,
    memories: Sequence[Memory],
    act: Act,
    fingerprints: Sequence[Sequence[str]],
    action: str = "add",
) -> None:
    """Complete memories with evidence, index entries, fingerprints and audit entries, one scope after the other."""
    marked = list(zip(memories, fingerprints or [()] * len(memories), strict=True))
    for scope, group in itertools.groupby(marked, key=lambda pair: pair[0].scope):
        members = list(group)
        key = writer.scope_key(scope)
        _refuse_known(writer, scope, key, [memory.id for memory, _ in members])
        keys = _insert_rows(writer, [memory_to_row(memory, key) for memory, _ in members])
        described = [
            {"memory": keys[memory.id], **evidence_to_row(memory.evidence, database.options.metadata_bytes)}
            for memory, _ in members
            if memory.evidence is not None
        ]
        if described:
            writer.connection.execute(_ADD_EVIDENCE, described)
        prints = [
            {"scope": key, "fingerprint": check_text("fingerprint", mark, 512), "memory": keys[memory.id]}
            for memory, marks in members
            for mark in dict.fromkeys(marks)
        ]
        if prints:
            writer.connection.execute(_ADD_FINGERPRINT, prints)
        texts = [IndexedText(keys[memory.id], key, memory.text) for memory, _ in members]
        database.dialect.index.insert(writer.connection, texts)
        insert_vectors(writer.connection, database.embedder, texts)
        writer.note(*(Note(scope, action, memory.id, act, details=_describe(memory)) for memory, _ in members))
        writer.touch(key)


def _insert_rows(writer: Writer, rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Keys by id. Only one transaction writes at a time, so the new rows are those above the highest key."""
    if len(rows) == 1:
        primary = writer.connection.execute(_ADD_MEMORY, rows[0]).inserted_primary_key
        assert primary is not None
        return {rows[0]["id"]: primary[0]}
    highest = writer.connection.execute(_HIGHEST).scalar_one()
    writer.connection.execute(_ADD_MEMORY, rows)
    return {row.id: row.key for row in writer.connection.execute(_ABOVE, {"highest": highest})}


def _refuse_known(writer: Writer, scope: Scope, key: int, ids: Sequence[str]) -> None:
    if len(set(ids)) != len(ids):
        raise InvalidInput("id", "two memories of the call have the same id")
    for start in range(0, len(ids), _AT_ONCE):
        parameters = {"confined_to": key, "ids": list(ids[start : start + _AT_ONCE])}
        known = writer.connection.execute(_KNOWN, parameters).first()
        if known is not None:
            raise InvalidInput("id", f"memory {known.id!r} of {scope.owner!r} {known.what}")


def _describe(memory: Memory) -> dict[str, object]:
    """What the audit trail keeps of a memory: not its words."""
    return {"kind": memory.kind, "memory_type": memory.memory_type, "source": memory.source, "status": memory.status}


def _fetch(writer: Writer, scope: Scope, id: str) -> Memory:
    found = fetch_memory(writer.connection, scope, id)
    if found is None:
        raise NotFound("memory", id)
    return found


def _find_either(connection: Connection, scope: Scope, id: str) -> Memory | Tombstone | None:
    memory = fetch_memory(connection, scope, id)
    if memory is not None:
        return memory
    query = select(schema.tombstones).where(of_scope(schema.tombstones, scope), schema.tombstones.c.id == id)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else row_to_tombstone(row, scope)


def _update(writer: Writer, old: Memory, **changes: object) -> None:
    named = name_scope(old.scope, old_id=old.id, **{f"new_{name}": value for name, value in changes.items()})
    writer.connection.execute(_change(tuple(changes)), named)


@cache
def _change(names: tuple[str, ...]) -> Update:
    """One for each choice of columns: making a statement takes longer than running it."""
    values: dict[str, Any] = {name: bindparam(f"new_{name}") for name in names}
    mine = (of_scope(schema.memories), schema.memories.c.id == bindparam("old_id"))
    return update(schema.memories).where(*mine).values(values)


def _find_replaceable(writer: Writer, new: Memory, id: str) -> Memory:
    old = _fetch(writer, new.scope, id)
    if not old.status.may_become(MemoryStatus.SUPERSEDED):
        raise IllegalChange(f"memory {id!r} is {old.status} and cannot be superseded")
    assert new.valid_from is not None and old.valid_from is not None
    if new.valid_from < old.valid_from:
        raise InvalidInput("valid_from", f"the memory begins before {id!r}, which it is to supersede")
    return old


def _end(writer: Writer, old: Memory, new: Memory, why: str, act: Act) -> None:
    assert new.valid_from is not None
    _update(
        writer,
        old,
        status=MemoryStatus.SUPERSEDED.value,
        valid_to=to_micros("valid_to", min(filter(None, (old.valid_to, new.valid_from)))),
        superseded_by=new.id,
        why=why,
    )
    writer.note(Note(old.scope, "supersede", old.id, act, details={"by": new.id}))


def _scores(trust: float | None, confidence: float | None) -> dict[str, Any]:
    scores = {"trust": trust, "confidence": confidence}
    return {name: check_score(name, score) for name, score in scores.items() if score is not None}


def _finish(writer: Writer, old: Memory, action: str, act: Act, details: dict[str, Any]) -> Memory:
    """The memory as it is now; the audit trail gets what it was before."""
    new = _fetch(writer, old.scope, old.id)
    for name in ("trust", "confidence", "mentions", "status"):
        if getattr(old, name) != getattr(new, name):
            details = {**details, name: [getattr(old, name), getattr(new, name)]}
    writer.note(Note(old.scope, action, old.id, act, details=details))
    writer.touch(writer.scope_key(old.scope))
    return new
