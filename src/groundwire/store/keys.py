"""The secret under which logged texts are hashed: made with the store, kept in it."""

from __future__ import annotations

from sqlalchemy import Connection, select

from groundwire.store import schema

LOG_KEY = ("log_key_high", "log_key_low")


def log_key(connection: Connection) -> bytes:
    """Two numbers of 62 bits, because counters hold numbers."""
    columns = schema.counters.c
    rows = connection.execute(select(columns.name, columns.value).where(columns.name.in_(LOG_KEY)))
    found = {row.name: row.value for row in rows}
    return b"".join(int(found[name]).to_bytes(8, "big") for name in LOG_KEY)
