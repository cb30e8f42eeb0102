"""Deleting for good: the words, every index entry, every log entry that quotes them, and what they left in the file.

What stays is that there was a memory, who had it deleted, and the names of what rested on it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Table, delete, func, insert, or_, select, update

from groundwire.errors import NotFound
from groundwire.store import schema
from groundwire.store.chain import Note
from groundwire.store.database import Database, Writer, find_scope
from groundwire.store.dialect import IndexedText
from groundwire.store.keys import log_key
from groundwire.store.redaction import Quotation
from groundwire.store.rows import tombstone_to_row
from groundwire.store.values import to_json
from groundwire.types.memories import Scope
from groundwire.types.records import Act, Forgotten, ReviewState, Tombstone

COUNTED = "verdicts"
_SOURCE = "source_id"
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class _Doomed:
    """A memory that is going to be deleted."""

    key: int
    id: str
    text: str
    supersedes: str | None
    superseded_by: str | None


def forget(database: Database, scope: Scope, ids: Collection[str], act: Act) -> Forgotten:
    """Delete these memories of one owner; an id that is unknown leaves everything as it was."""
    with database.writing() as writer:
        key = find_scope(writer.connection, scope)
        doomed = [_find(writer, key, id) for id in dict.fromkeys(ids)]
        if key is None or not doomed:
            return Forgotten(())
        quotations = [Quotation(memory.text, log_key(writer.connection)) for memory in doomed]
        names = [memory.id for memory in doomed]
        dependents = _find_dependents(writer, key, names)
        waiting = _find_waiting_reviews(writer, key, names, quotations)
        decided = _delete_reviews(writer, key, names, quotations)
        verdicts = _delete_verdicts(writer, key, names, quotations)
        rejections = _delete_quoting(
            writer, schema.rejections, key, quotations, ("extracted_text",), "validation_details"
        )
        _delete_quoting(writer, schema.values, key, quotations, (), "value")
        _delete_traces(writer, key, names)
        tombstones = _delete_memories(writer, database, scope, key, doomed, act)
        _erase_details(writer, scope, [*names, *decided])
        _erase_replies(writer, key)
        writer.note(*(Note(scope, "forget", name, act) for name in names))
        writer.touch(key)
    is_purged = database.options.purge_when_forgetting and database.purge()
    return Forgotten(tombstones, dependents, waiting, verdicts, rejections, is_purged)


def forget_owner(database: Database, scope: Scope, act: Act) -> Forgotten:
    """Delete everything of one owner; the audit trail keeps that it happened and how much it was."""
    tables = (schema.rejections, schema.outcomes, schema.sessions, schema.values, schema.reviews)
    with database.writing() as writer:
        key = writer.scope_key(scope)
        doomed = _find_all(writer, key)
        tombstones = _delete_memories(writer, database, scope, key, doomed, act)
        verdicts = writer.connection.execute(delete(schema.verdicts).where(schema.verdicts.c.scope == key)).rowcount
        _discount(writer, verdicts)
        counts = {
            table.name: writer.connection.execute(delete(table).where(table.c.scope == key)).rowcount
            for table in tables
        }
        _erase_replies(writer, key)
        audit = schema.audit
        writer.connection.execute(
            update(audit)
            .where(audit.c.tenant == scope.tenant, audit.c.owner == scope.owner, audit.c.details.is_not(None))
            .values(details=None, salt=None)
        )
        counts |= {"memories": len(doomed), "verdicts": verdicts}
        writer.note(Note(scope, "forget_owner", "", act, details=counts))
        writer.touch(key)
    is_purged = database.options.purge_when_forgetting and database.purge()
    return Forgotten(tombstones, verdicts=verdicts, rejections=counts["rejections"], is_purged=is_purged)


def _find(writer: Writer, scope: int | None, id: str) -> _Doomed:
    columns = schema.memories.c
    query = select(columns.key, columns.id, columns.text, columns.supersedes, columns.superseded_by)
    row = writer.connection.execute(query.where(columns.scope == scope, columns.id == id)).one_or_none()
    if row is None:
        raise NotFound("memory", id)
    return _Doomed(*row)


def _find_all(writer: Writer, scope: int) -> list[_Doomed]:
    columns = schema.memories.c
    query = select(columns.key, columns.id, columns.text, columns.supersedes, columns.superseded_by)
    return [_Doomed(*row) for row in writer.connection.execute(query.where(columns.scope == scope))]


def _find_dependents(writer: Writer, scope: int, names: Sequence[str]) -> tuple[str, ...]:
    """Memories whose evidence is one of these, or that took their place."""
    memory, evidence = schema.memories, schema.evidence
    found: set[str] = set()
    for part in _batched(names):
        sources = [form for name in part for form in (name, f"memory:{name}")]
        query = (
            select(memory.c.id)
            .outerjoin(evidence)
            .where(memory.c.scope == scope, or_(evidence.c.source_id.in_(sources), memory.c.supersedes.in_(part)))
        )
        found.update(writer.connection.execute(query).scalars())
    return tuple(sorted(found - set(names)))


def _find_waiting_reviews(
    writer: Writer, scope: int, names: Sequence[str], quotations: Sequence[Quotation]
) -> tuple[str, ...]:
    """Undecided items that name one of these or say the same: a person has to look at them again."""
    columns = schema.reviews.c
    query = select(columns.id, columns.content, columns.evidence, columns.validation_result)
    rows = writer.connection.execute(query.where(columns.scope == scope, columns.state == ReviewState.PENDING.value))
    named = [Quotation(name, b"") for name in names]
    return tuple(
        row.id
        for row in rows
        if any(quotation.is_in(row.content) for quotation in quotations)
        or any(name.is_in_json(row.evidence, row.validation_result) for name in named)
    )


def _delete_reviews(writer: Writer, scope: int, names: Sequence[str], quotations: Sequence[Quotation]) -> list[str]:
    """Decided items that became one of these memories or say the same."""
    columns = schema.reviews.c
    rows = writer.connection.execute(
        select(schema.reviews).where(columns.scope == scope, columns.state != ReviewState.PENDING.value)
    )
    gone = [
        row
        for row in rows
        if row.memory_id in names
        or any(
            quotation.is_in(row.content, row.edited, row.reason)
            or quotation.is_in_json(row.evidence, row.validation_result)
            for quotation in quotations
        )
    ]
    _delete_keys(writer, schema.reviews, [row.key for row in gone])
    return [row.id for row in gone]


def _delete_verdicts(writer: Writer, scope: int, names: Sequence[str], quotations: Sequence[Quotation]) -> int:
    """Verdicts that were given on one of these memories, or quote it."""
    cited, columns = schema.verdict_evidence.c, schema.verdicts.c
    keys: set[int] = set()
    for part in _batched(names):
        query = select(cited.verdict).where(cited.scope == scope, cited.memory_id.in_(part))
        keys.update(writer.connection.execute(query).scalars())
    rows = writer.connection.execute(
        select(columns.key, columns.claim, columns.explanation).where(columns.scope == scope)
    )
    keys.update(row.key for row in rows if any(quotation.is_in(row.claim, row.explanation) for quotation in quotations))
    _delete_keys(writer, schema.verdicts, sorted(keys))
    _discount(writer, len(keys))
    return len(keys)


def _delete_quoting(
    writer: Writer, table: Table, scope: int, quotations: Sequence[Quotation], texts: Sequence[str], document: str
) -> int:
    """Rows of a log whose texts or JSON quote what is to be forgotten."""
    primary = list(table.primary_key.columns)
    rows = writer.connection.execute(select(table).where(table.c.scope == scope)).mappings()
    gone = [
        [row[column.name] for column in primary]
        for row in rows
        if any(
            quotation.is_in(*(row[name] for name in texts)) or quotation.is_in_json(row[document])
            for quotation in quotations
        )
    ]
    for values in gone:
        conditions = [column == value for column, value in zip(primary, values, strict=True)]
        writer.connection.execute(delete(table).where(*conditions))
    return len(gone)


def _delete_traces(writer: Writer, scope: int, names: Sequence[str]) -> None:
    """Whatever was kept by path because of one of these memories: where its name stands, all beside it goes."""
    columns = schema.values.c
    wanted = {to_json("id", name) for name in names}
    query = select(columns.path, columns.value).where(columns.scope == scope, columns.path.endswith(f"/{_SOURCE}"))
    for path, value in writer.connection.execute(query).all():
        if value in wanted:
            place = path.removesuffix(_SOURCE)
            within = (columns.path >= place, columns.path <= place + chr(0x10FFFF))
            writer.connection.execute(delete(schema.values).where(columns.scope == scope, *within))


def _delete_memories(
    writer: Writer, database: Database, scope: Scope, key: int, doomed: Sequence[_Doomed], act: Act
) -> tuple[Tombstone, ...]:
    if not doomed:
        return ()
    texts = [IndexedText(memory.key, key, memory.text) for memory in doomed]
    database.dialect.index.delete(writer.connection, texts)
    _delete_keys(writer, schema.memories, [memory.key for memory in doomed])
    columns = schema.memories.c
    for part in _batched([memory.id for memory in doomed]):
        # Why something was replaced may quote what replaced it.
        writer.connection.execute(
            update(schema.memories).where(columns.scope == key, columns.superseded_by.in_(part)).values(why="")
        )
    blank = Tombstone("", scope.owner, act.now, act.actor, tenant=scope.tenant)
    tombstones = tuple(
        replace(blank, id=memory.id, supersedes=memory.supersedes, superseded_by=memory.superseded_by)
        for memory in doomed
    )
    writer.connection.execute(insert(schema.tombstones), [tombstone_to_row(stone, key) for stone in tombstones])
    return tombstones


def _erase_details(writer: Writer, scope: Scope, targets: Sequence[str]) -> None:
    audit = schema.audit
    for part in _batched(targets):
        writer.connection.execute(
            update(audit)
            .where(audit.c.tenant == scope.tenant, audit.c.owner == scope.owner, audit.c.target.in_(part))
            .values(details=None, salt=None)
        )


def _erase_replies(writer: Writer, scope: int) -> None:
    """Answers to requests quote memories. That a request was carried out stays: it must not be carried out again."""
    replies = schema.replies
    writer.connection.execute(update(replies).where(replies.c.scope == scope).values(body=None))


def _delete_keys(writer: Writer, table: Any, keys: Sequence[int]) -> None:
    for part in _batched(keys):
        writer.connection.execute(delete(table).where(table.c.key.in_(part)))


def _discount(writer: Writer, number: int) -> None:
    counters = schema.counters
    if number:
        writer.connection.execute(
            update(counters)
            .where(counters.c.name == COUNTED)
            .values(value=select(func.count()).select_from(schema.verdicts).scalar_subquery())
        )


def _batched(items: Sequence[Any]) -> list[list[Any]]:
    return [list(items[start : start + _AT_ONCE]) for start in range(0, len(items), _AT_ONCE)]
