"""Credentials in SQL: of each only the digest of its secret."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, insert, select, update

from groundwire.errors import NotFound
from groundwire.store import schema
from groundwire.store.admission import NAME_LENGTH
from groundwire.store.chain import Note
from groundwire.store.database import Database
from groundwire.store.rows import credential_to_row, row_to_credential
from groundwire.store.values import check_text, to_micros
from groundwire.types.access import EVERYBODY, Credential
from groundwire.types.memories import Scope
from groundwire.types.records import Act

_ONE = select(schema.credentials).where(schema.credentials.c.id == bindparam("wanted"))


class SqlCredentials:
    """Of every tenant. A credential is never deleted, so that whoever it signed for can be named."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, credential: Credential, digest: str, act: Act) -> None:
        for name, text in (("name", credential.name), ("tenant", credential.tenant), ("owner", credential.owner)):
            if text is not None:
                check_text(name, text, NAME_LENGTH, may_be_empty=False)
        with self._database.writing() as writer:
            writer.connection.execute(insert(schema.credentials).values(credential_to_row(credential, digest)))
            details = {"name": credential.name, "roles": sorted(credential.roles)}
            writer.note(Note(_scope_of(credential), "create_key", credential.id, act, details=details))

    def find(self, id: str) -> tuple[Credential, str] | None:
        """A credential with the digest of its secret."""
        with self._database.reading() as connection:
            row = connection.execute(_ONE, {"wanted": id}).mappings().one_or_none()
        return None if row is None else (row_to_credential(row), row["digest"])

    def list(self, tenant: str | None = None) -> tuple[Credential, ...]:
        table = schema.credentials
        query = select(table).order_by(table.c.created_at, table.c.id)
        if tenant is not None:
            query = query.where(table.c.tenant == tenant)
        with self._database.reading() as connection:
            return tuple(row_to_credential(row) for row in connection.execute(query).mappings())

    def count(self) -> int:
        with self._database.reading() as connection:
            return connection.execute(select(func.count()).select_from(schema.credentials)).scalar_one()

    def revoke(self, id: str, act: Act) -> Credential:
        with self._database.writing() as writer:
            credential = _fetch(writer.connection, id)
            if not credential.is_revoked:
                _set(writer.connection, id, revoked_at=to_micros("now", act.now))
                writer.note(Note(_scope_of(credential), "revoke_key", id, act))
                credential = replace(credential, revoked_at=act.now)
        return credential

    def touch(self, id: str, when: datetime) -> None:
        """That it was used; kept roughly, and not in the audit trail."""
        if not self._database.dialect.is_read_only:
            with self._database.writing() as writer:
                _set(writer.connection, id, last_used=to_micros("when", when))


def _fetch(connection: Connection, id: str) -> Credential:
    row = connection.execute(_ONE, {"wanted": id}).mappings().one_or_none()
    if row is None:
        raise NotFound("key", id)
    return row_to_credential(row)


def _set(connection: Connection, id: str, **changes: int) -> None:
    connection.execute(update(schema.credentials).where(schema.credentials.c.id == id).values(**changes))


def _scope_of(credential: Credential) -> Scope:
    return Scope(credential.owner or EVERYBODY, credential.tenant)
