"""Credentials for the network: made here, recognised by their secret, revoked for good."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from groundwire.errors import InvalidInput, NotRecognised
from groundwire.memory.protocols import Store
from groundwire.types.access import EVERYBODY, Credential, Issued, OwnerSummary, Role
from groundwire.types.records import Act

_TOKEN = re.compile(r"gwk_([0-9a-f]{16})_([0-9a-f]{64})")
_NOBODY = hashlib.sha256(b"").hexdigest()
_ROUGHLY = timedelta(minutes=1)
_UNKNOWN = "the key is unknown, incomplete or revoked; ask whoever runs the service for another"


class Keyring:
    """A secret has 256 random bits, so that a plain digest of it cannot be searched; it is compared in constant time.

    Which of the ways in which a key can be wrong it was is nobody's business.
    """

    def __init__(self, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    def create(
        self,
        name: str,
        *,
        roles: Collection[Role],
        tenant: str = "default",
        owner: str | None = None,
        sources: Collection[str] | None = (),
        by: str = "operator",
    ) -> Issued:
        """A new credential with its token; without an owner it covers everybody of the tenant."""
        if not roles:
            raise InvalidInput("roles", f"give at least one of {', '.join(Role)}")
        if owner == EVERYBODY:
            raise InvalidInput("owner", f"{EVERYBODY!r} is nobody's name; leave the owner out to cover everybody")
        now, id, secret = self._now(), secrets.token_hex(8), secrets.token_hex(32)
        credential = Credential(
            id=f"key_{id}",
            name=name,
            tenant=tenant,
            owner=owner,
            roles=frozenset(roles),
            sources=None if sources is None else frozenset(sources),
            created_at=now,
        )
        self._store.credentials.add(credential, _digest(secret), Act(by, now, by))
        return Issued(credential, f"gwk_{id}_{secret}")

    def recognise(self, token: str) -> Credential:
        """Whose token this is; NotRecognised in the same words whatever is wrong with it."""
        match = _TOKEN.fullmatch(token)
        found = None if match is None else self._store.credentials.find(f"key_{match[1]}")
        secret = "" if match is None else match[2]
        known = _NOBODY if found is None else found[1]
        is_right = hmac.compare_digest(_digest(secret), known)
        if found is None or not is_right or found[0].is_revoked:
            raise NotRecognised(_UNKNOWN)
        return found[0]

    def look_up(self, id: str) -> Credential:
        """A credential that was recognised before, if it still holds: for sessions that do not keep the token."""
        found = self._store.credentials.find(id)
        if found is None or found[0].is_revoked:
            raise NotRecognised(_UNKNOWN)
        return found[0]

    def is_due(self, credential: Credential) -> bool:
        """Whether its use is to be noted; to the minute is enough."""
        return credential.last_used is None or self._now() - credential.last_used >= _ROUGHLY

    def note_use(self, credential: Credential) -> None:
        self._store.credentials.touch(credential.id, self._now())

    def revoke(self, id: str, *, by: str = "operator") -> Credential:
        return self._store.credentials.revoke(id, Act(by, self._now(), by))

    def list(self, tenant: str | None = None) -> tuple[Credential, ...]:
        return self._store.credentials.list(tenant)

    def list_owners(
        self, tenant: str, *, after: str = "", limit: int = 1_000, only: str | None = None
    ) -> tuple[OwnerSummary, ...]:
        """Those of whom anything is kept and whose names come after `after`, by name; `only` this one if named."""
        return self._store.pages.owners(tenant, after=after, limit=limit, only=only)

    @property
    def is_empty(self) -> bool:
        return self._store.credentials.count() == 0


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
