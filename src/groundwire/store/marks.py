"""Who carries a fingerprint, with its text: the newest few of each, so that a common one costs no more than a rare."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Connection, Text, bindparam, select, union_all

from groundwire.store import schema
from groundwire.store.queries import select_memories
from groundwire.store.rows import row_to_memory, row_to_review
from groundwire.types.memories import Memory, MemoryStatus, Scope
from groundwire.types.records import Marked, PendingMemory, ReviewState

_AT_ONCE = 64
_PRINTS = schema.fingerprints.c
_MEMORIES = select_memories().where(
    schema.memories.c.scope + 0 == bindparam("confined_to"),
    schema.memories.c.key.in_(bindparam("keys", expanding=True)),
)
_REVIEWS = select(schema.reviews).where(
    schema.reviews.c.scope + 0 == bindparam("confined_to"),
    schema.reviews.c.key.in_(bindparam("keys", expanding=True)),
)


def find_marked(
    connection: Connection, scope: Scope, key: int, fingerprints: Sequence[str], each: int
) -> tuple[Marked, ...]:
    """Newest first within each fingerprint; what waits for review is pending."""
    wanted = list(dict.fromkeys(fingerprints))
    found: list[tuple[str, int | None, int | None]] = []
    for start in range(0, len(wanted), _AT_ONCE):
        part = wanted[start : start + _AT_ONCE]
        places = 1 << (len(part) - 1).bit_length()  # few different statements: making one takes longer than running it
        names = {f"mark{number}": part[number] if number < len(part) else None for number in range(places)}
        parameters = {"confined_to": key, "each": each, **names}
        found += [tuple(row) for row in connection.execute(_holders(places), parameters)]
    memories = _read(connection, _MEMORIES, key, [memory for _, memory, _ in found if memory is not None])
    reviews = _read(connection, _REVIEWS, key, [review for _, _, review in found if review is not None])
    marked: list[Marked] = []
    for mark, memory, review in found:
        if memory is not None:
            marked.append(Marked(mark, row_to_memory(memories[memory], scope)))
        elif review is not None:
            marked.append(Marked(mark, _as_memory(row_to_review(reviews[review], scope))))
    return tuple(marked)


@cache
def _holders(count: int) -> Any:
    """One bounded look-up in the index for each fingerprint, in one statement; nothing has the fingerprint NULL."""
    memory, review = schema.memories.c, schema.reviews.c
    parts: list[Any] = []
    for number in range(count):
        mark = (
            _PRINTS.scope == bindparam("confined_to"),
            _PRINTS.fingerprint == bindparam(f"mark{number}", type_=Text),
        )
        kept = (
            select(_PRINTS.fingerprint, _PRINTS.memory, _PRINTS.review)
            .join(schema.memories, memory.key == _PRINTS.memory)
            .where(*mark, memory.status != MemoryStatus.SUPERSEDED.value)
        )
        waiting = (
            select(_PRINTS.fingerprint, _PRINTS.memory, _PRINTS.review)
            .join(schema.reviews, review.key == _PRINTS.review)
            .where(*mark, review.state == ReviewState.PENDING.value)
        )
        for query in (kept, waiting):
            newest = query.order_by(_PRINTS.key.desc()).limit(bindparam("each", type_=BigInteger)).subquery()
            parts.append(select(newest))
    return union_all(*parts)


def _read(connection: Connection, query: Any, scope: int, keys: Sequence[int]) -> dict[int, Any]:
    found: dict[int, Any] = {}
    distinct = list(dict.fromkeys(keys))
    for start in range(0, len(distinct), _AT_ONCE):
        parameters = {"confined_to": scope, "keys": distinct[start : start + _AT_ONCE]}
        found |= {row["key"]: row for row in connection.execute(query, parameters).mappings()}
    return found


def _as_memory(item: PendingMemory) -> Memory:
    return Memory(
        id=item.queue_id,
        text=item.content,
        source=item.source,
        kind=item.kind,
        status=MemoryStatus.PENDING,
        owner=item.user_id,
        tenant=item.tenant_id,
        memory_type=item.memory_type,
        evidence=item.evidence,
        created_at=item.submitted_at,
    )
