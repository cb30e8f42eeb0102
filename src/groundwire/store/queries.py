"""Selections that several parts of the store share. Each is confined to one scope by its own condition.

What is asked often is built once, with names in place of values: building a statement costs more than running it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Connection, Select, Text, and_, bindparam, or_, select

from groundwire.store import schema
from groundwire.store.dialect import Hit
from groundwire.store.rows import EVIDENCE, row_to_memory
from groundwire.store.values import to_micros
from groundwire.types.memories import Memory, MemoryStatus, Scope
from groundwire.types.records import Match

_AT_ONCE = 500
_SPARE = 8
_TENANT, _OWNER, _MOMENT, _ID = "in_tenant", "in_owner", "at_moment", "with_id"
_EVIDENCE = [column.label(EVIDENCE + column.name) for column in schema.evidence.c if column.name != "memory"]


def of_scope(table: Any, scope: Scope | None = None) -> ColumnElement[bool]:
    """The condition that a row belongs to this owner of this tenant; without a scope, to the one in `name_scope`."""
    columns = schema.scopes.c
    tenant, owner = (
        (bindparam(_TENANT, type_=Text), bindparam(_OWNER, type_=Text))
        if scope is None
        else (scope.tenant, scope.owner)
    )
    key = select(columns.key).where(columns.tenant == tenant, columns.owner == owner).scalar_subquery()
    return table.c.scope == key


def name_scope(scope: Scope, **others: object) -> dict[str, object]:
    """What a statement with `of_scope` needs to be told."""
    return {_TENANT: scope.tenant, _OWNER: scope.owner, **others}


def select_memories() -> Select[Any]:
    """Memories with their evidence beside them."""
    return select(schema.memories, *_EVIDENCE).select_from(schema.memories.outerjoin(schema.evidence))


def held() -> ColumnElement[bool]:
    """At the moment in `name_moment`: begun, not ended, within the horizon of its evidence, more than a proposal.

    Leaving the active status always ends a memory, so this is also what is active where the moment is now.
    """
    memory, horizon, moment = (
        schema.memories.c,
        schema.evidence.c.validity_horizon,
        bindparam(_MOMENT, type_=BigInteger),
    )
    return and_(
        memory.valid_from <= moment,
        or_(memory.valid_to.is_(None), memory.valid_to > moment),
        or_(horizon.is_(None), horizon > moment),
        memory.status != MemoryStatus.PROPOSAL.value,
    )


def name_moment(when: datetime) -> dict[str, object]:
    return {_MOMENT: to_micros("when", when)}


_ONE_MEMORY = select_memories().where(of_scope(schema.memories), schema.memories.c.id == bindparam(_ID))


def fetch_memory(connection: Connection, scope: Scope, id: str) -> Memory | None:
    row = connection.execute(_ONE_MEMORY, name_scope(scope, **{_ID: id})).mappings().one_or_none()
    return None if row is None else row_to_memory(row, scope)


_AMONG = (
    schema.memories.c.scope + 0 == bindparam("confined_to"),  # the keys are found by key, not among all of the scope
    schema.memories.c.key.in_(bindparam("keys", expanding=True)),
)
_BY_KEYS = select_memories().where(*_AMONG)
_NAMES = select(schema.memories.c.key, schema.memories.c.id).where(*_AMONG)
_NAMES_HELD = _NAMES.select_from(schema.memories.outerjoin(schema.evidence)).where(held())


class Found(NamedTuple):
    """A hit that belongs to the scope and holds."""

    key: int
    id: str
    score: float


def filter_hits(
    connection: Connection, key: int, searches: Sequence[Sequence[Hit]], when: datetime | None, most: int
) -> list[list[Found]]:
    """The hits of each search in their order, as far as they hold. Reading a memory costs far more than finding out.

    What all searches found first is asked for at once, and what comes after it only where that leaves too few.
    """
    first = most + _SPARE
    names = _find_names(connection, key, [hit.key for hits in searches for hit in hits[:first]], when)
    found: list[list[Found]] = []
    for hits in searches:
        held = _name(hits[:first], names)
        for start in range(first, len(hits), _AT_ONCE):
            if len(held) >= most:
                break
            part = hits[start : start + _AT_ONCE]
            held += _name(part, _find_names(connection, key, [hit.key for hit in part], when))
        found.append(held[:most])
    return found


def _find_names(connection: Connection, key: int, keys: Sequence[int], when: datetime | None) -> dict[int, str]:
    """The ids of those that hold, by their keys."""
    wanted = list(dict.fromkeys(keys))
    names: dict[int, str] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        parameters: dict[str, object] = {"confined_to": key, "keys": wanted[start : start + _AT_ONCE]}
        if when is None:
            rows = connection.execute(_NAMES, parameters)
        else:
            rows = connection.execute(_NAMES_HELD, parameters | name_moment(when))
        names |= {row[0]: row[1] for row in rows}
    return names


def _name(hits: Sequence[Hit], names: Mapping[int, str]) -> list[Found]:
    return [Found(hit.key, names[hit.key], hit.score) for hit in hits if hit.key in names]


def read_found(connection: Connection, scope: Scope, key: int, found: Sequence[Found]) -> list[Match]:
    """The memories themselves, in the same order."""
    rows: dict[int, Any] = {}
    for start in range(0, len(found), _AT_ONCE):
        keys = [entry.key for entry in found[start : start + _AT_ONCE]]
        read = connection.execute(_BY_KEYS, {"confined_to": key, "keys": keys}).mappings()
        rows |= {row["key"]: row for row in read}
    return [Match(row_to_memory(rows[entry.key], scope), entry.score) for entry in found]
