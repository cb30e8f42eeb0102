"""The address of a store on a server: what the driver is told, and what may be shown of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from groundwire.errors import StoreUnavailable

SCHEME = re.compile(r"(?i)postgres(?:ql)?(?:\+psycopg)?://")
DRIVER = "postgresql+psycopg"
SCHEMA = "groundwire"
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_HOST = re.compile(r"[\w.:,%-]+")


@dataclass(frozen=True, slots=True)
class Address:
    """`url` holds the password and goes to the driver alone; `shown` is for people."""

    url: URL
    schema: str
    shown: str

    def has(self, option: str) -> bool:
        return option in self.url.query


def read_address(place: str) -> Address:
    """Nothing of an address that cannot be read is repeated: any part of it may be the password."""
    if not SCHEME.match(place):
        kind = place.partition("://")[0][:20]
        raise StoreUnavailable(
            f"{kind!r} is no kind of store", "name a file, such as memory.db, or an address, postgresql://…"
        )
    try:
        url = make_url(SCHEME.sub(f"{DRIVER}://", place, count=1))
    except (ArgumentError, ValueError):
        raise _unreadable() from None
    if url.host is not None and not _HOST.fullmatch(url.host):
        raise _unreadable()
    schema = url.query.get("schema", SCHEMA)
    if not isinstance(schema, str) or not _NAME.fullmatch(schema):
        raise StoreUnavailable(
            "the schema in the address of the store is no plain name", "use lower-case letters, digits and _"
        )
    url = url.difference_update_query(["schema"])
    return Address(url, schema, _show(url, schema))


def _show(url: URL, schema: str) -> str:
    host = {name: url.query[name] for name in ("host", "port") if name in url.query}
    query = host if schema == SCHEMA else {**host, "schema": schema}
    shown = URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database, query=query)
    return shown.render_as_string().replace("%2F", "/")


def _unreadable() -> StoreUnavailable:
    return StoreUnavailable(
        "the address of the store cannot be read",
        "write postgresql://user:password@host:5432/database, with special characters of the password as %-escapes",
    )
