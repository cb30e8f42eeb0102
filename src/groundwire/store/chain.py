"""The audit trail as a chain: every entry holds the hash of the one before, so that none can be changed unnoticed.

What an entry says in detail stands beside the chain under a salted digest. Erasing the detail and its salt leaves the
chain whole and nothing to guess the words from.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select

from groundwire.store import schema
from groundwire.store.redaction import clean, map_strings
from groundwire.store.values import to_json, to_micros
from groundwire.types.memories import Scope
from groundwire.types.records import Act

GENESIS = "0" * 64
FORGETTING = frozenset({"forget", "forget_owner"})
"""Actions that erase the details of earlier entries of the same owner."""
_HASHED = ("sequence", "recorded_at", "tenant", "owner", "actor", "action", "target", "outcome", "digest", "previous")
_LAST = select(schema.audit.c.sequence, schema.audit.c.hash).order_by(schema.audit.c.sequence.desc()).limit(1)
_APPEND = insert(schema.audit)


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened, before it has its place in the chain."""

    scope: Scope
    action: str
    target: str
    act: Act
    outcome: str = "ok"
    details: Mapping[str, Any] | None = None


def append(connection: Connection, notes: Sequence[Note]) -> None:
    """Add links; the caller's transaction is the only one that writes."""
    if not notes:
        return
    last = connection.execute(_LAST).one_or_none()
    sequence, previous = (0, GENESIS) if last is None else (last.sequence, last.hash)
    rows: list[dict[str, Any]] = []
    for note in notes:
        sequence += 1
        salt = secrets.token_hex(16)
        details = to_json("details", map_strings(note.details or {}, clean))
        row: dict[str, Any] = {
            "sequence": sequence,
            "recorded_at": to_micros("now", note.act.now),
            "tenant": note.scope.tenant,
            "owner": note.scope.owner,
            "actor": note.act.actor,
            "action": note.action,
            "target": note.target,
            "outcome": note.outcome,
            "digest": digest_details(salt, details),
            "previous": previous,
            "salt": salt,
            "details": details,
        }
        previous = row["hash"] = hash_entry(row)
        rows.append(row)
    connection.execute(_APPEND, rows)


def digest_details(salt: str, details: str) -> str:
    return hashlib.sha256(f"{salt}\n{details}".encode()).hexdigest()


def hash_entry(row: Mapping[Any, Any]) -> str:
    return hashlib.sha256(to_json("audit", [row[name] for name in _HASHED]).encode()).hexdigest()


def find_breaks(rows: Iterable[RowMapping], last_number: int | None) -> list[str]:
    """Where the chain does not hold. `last_number` is the highest number ever given, as the database knows it."""
    problems: list[str] = []
    erased: dict[tuple[str, str], int] = {}
    forgotten: dict[tuple[str, str], int] = {}
    previous, sequence = GENESIS, 0
    for row in rows:
        expected, sequence = sequence + 1, row["sequence"]
        owner = (row["tenant"], row["owner"])
        if sequence != expected:
            problems.append(f"audit entry {expected} is missing")
        elif row["previous"] != previous:
            problems.append(f"audit entry {sequence} does not follow the one before it")
        if row["hash"] != hash_entry(row):
            problems.append(f"audit entry {sequence} has been changed")
        if row["details"] is None:
            erased[owner] = sequence
        elif row["digest"] != digest_details(row["salt"] or "", row["details"]):
            problems.append(f"the details of audit entry {sequence} have been changed")
        if row["action"] in FORGETTING:
            forgotten[owner] = sequence
        previous = row["hash"]
    if last_number is not None and last_number > sequence:
        problems.append(f"audit entries {sequence + 1} to {last_number} are missing")
    for owner, last in erased.items():
        if forgotten.get(owner, 0) <= last:
            problems.append(f"the details of audit entry {last} were erased although nothing was forgotten")
    return problems
