"""A store as JSON objects, one for each thing that it keeps, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Select, insert, select

from groundwire.errors import InvalidInput
from groundwire.store import schema
from groundwire.store.admission import check_item, complete
from groundwire.store.database import Database, Writer
from groundwire.store.memories import insert_memories
from groundwire.store.queries import of_scope, select_memories
from groundwire.store.reviews import insert_review
from groundwire.store.rows import Row, row_to_memory, row_to_review, row_to_tombstone, tombstone_to_row
from groundwire.types.memories import Confidence, EvidenceObject, Memory, MemoryKind, MemoryStatus, Scope
from groundwire.types.records import Act, PendingMemory, ReviewState, Tombstone

Fingerprinter = Callable[[str], Sequence[str]]
_AT_ONCE = 1_000
_PLURALS = {"memory": "memories", "review": "reviews", "tombstone": "tombstones"}
_TIMES = frozenset(
    {"created_at", "last_confirmed", "valid_from", "valid_to", "capture_time", "validity_horizon"}
    | {"submitted_at", "decided_at", "forgotten_at"}
)


def export(database: Database, scope: Scope | None) -> Iterator[dict[str, Any]]:
    """Page by page: a slow reader keeps nobody from writing."""
    for row in _pages(database, select_memories(), schema.memories, scope):
        yield {"record": "memory", **_plain(asdict(row_to_memory(row, _scope_of(row))))}
    pending = select(schema.reviews).where(schema.reviews.c.state == ReviewState.PENDING.value)
    for row in _pages(database, pending, schema.reviews, scope):
        yield {"record": "review", **_plain(asdict(row_to_review(row, _scope_of(row))))}
    scopes, stones = schema.scopes, schema.tombstones
    query = select(stones, scopes.c.owner, scopes.c.tenant).join(scopes).order_by(stones.c.scope, stones.c.id)
    with database.reading() as connection:
        rows = connection.execute(query if scope is None else query.where(of_scope(stones, scope))).mappings().all()
    for row in rows:
        yield {"record": "tombstone", **_plain(asdict(row_to_tombstone(row, _scope_of(row))))}


def _pages(database: Database, query: Select[Any], table: Any, scope: Scope | None) -> Iterator[Row]:
    scopes = schema.scopes
    query = query.add_columns(scopes.c.owner, scopes.c.tenant).join(scopes, scopes.c.key == table.c.scope)
    if scope is not None:
        query = query.where(of_scope(table, scope))
    last = 0
    while True:
        with database.reading() as connection:
            page = query.where(table.c.key > last).order_by(table.c.key).limit(_AT_ONCE)
            rows = connection.execute(page).mappings().all()
        yield from rows
        if len(rows) < _AT_ONCE:
            return
        last = rows[-1]["key"]


def _scope_of(row: Row) -> Scope:
    return Scope(row["owner"], row["tenant"])


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in cast(dict[str, Any], value).items()}
    return value


def restore(
    database: Database, lines: Iterable[Mapping[str, Any]], act: Act, fingerprint: Fingerprinter
) -> Mapping[str, int]:
    """All lines or none: a line that cannot be read leaves the store as it was."""
    counts: Counter[str] = Counter()
    with database.writing() as writer:
        for number, line in enumerate(lines, 1):
            try:
                is_new = _restore_line(database, writer, line, act, fingerprint)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise InvalidInput(f"line {number}", f"it is not an exported record ({error!r})") from error
            counts[f"{_PLURALS[line['record']]} {'added' if is_new else 'skipped'}"] += 1
    return counts


def _restore_line(
    database: Database, writer: Writer, line: Mapping[str, Any], act: Act, fingerprint: Fingerprinter
) -> bool:
    fields = {name: value for name, value in line.items() if name != "record"}
    match line["record"]:
        case "memory":
            return _restore_memory(database, writer, fields, act, fingerprint)
        case "review":
            return _restore_review(database, writer, fields, fingerprint)
        case "tombstone":
            stone = Tombstone(**_read_times(fields))
            key = writer.scope_key(stone.scope)
            if any(_is_known(writer, table, key, stone.id) for table in (schema.memories, schema.tombstones)):
                return False
            writer.connection.execute(insert(schema.tombstones).values(tombstone_to_row(stone, key)))
            return True
        case other:
            raise ValueError(f"unknown record {other!r}")


def _restore_memory(
    database: Database, writer: Writer, fields: dict[str, Any], act: Act, fingerprint: Fingerprinter
) -> bool:
    evidence = fields.pop("evidence")
    memory = Memory(**_read_times(fields))
    memory = replace(
        memory,
        kind=MemoryKind(memory.kind),
        status=MemoryStatus(memory.status),
        evidence=None if evidence is None else _read_evidence(evidence),
    )
    key = writer.scope_key(memory.scope)
    if any(_is_known(writer, table, key, memory.id) for table in (schema.memories, schema.tombstones)):
        return False
    memory = complete(memory, act, database.options)
    insert_memories(writer, database, [memory], act, [fingerprint(memory.text)], "restore")
    return True


def _restore_review(database: Database, writer: Writer, fields: dict[str, Any], fingerprint: Fingerprinter) -> bool:
    evidence = _read_evidence(fields.pop("evidence"))
    item = PendingMemory(**_read_times(fields), evidence=evidence)
    item = replace(item, kind=MemoryKind(item.kind), state=ReviewState(item.state))
    check_item(item, database.options)
    key = writer.scope_key(item.scope)
    if _is_known(writer, schema.reviews, key, item.queue_id):
        return False
    insert_review(writer, key, item, database.options.metadata_bytes, fingerprint(item.content))
    return True


def _is_known(writer: Writer, table: Any, scope: int, id: str) -> bool:
    query = select(table.c.id).where(table.c.scope == scope, table.c.id == id)
    return writer.connection.execute(query).scalar() is not None


def _read_evidence(fields: Mapping[str, Any]) -> EvidenceObject:
    evidence = EvidenceObject(**_read_times(fields))
    return replace(evidence, confidence=Confidence(evidence.confidence))


def _read_times(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: datetime.fromisoformat(value) if name in _TIMES and value is not None else value
        for name, value in fields.items()
    }
