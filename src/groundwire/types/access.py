"""Who may do what over the network: credentials, the roles they carry, and pages of what they may read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from groundwire.types.memories import Scope

Item = TypeVar("Item", covariant=True)

EVERYBODY = "*"
"""The owner under which the audit trail keeps what was done to a credential that covers a whole tenant."""


class Role(StrEnum):
    """Separate permissions: none of them includes another, and a credential carries a set of them."""

    PROPOSE = "propose"
    READ = "read"
    REVIEW = "review"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Credential:
    """A key without its secret. `owner` is None where it covers everybody of its tenant; `sources` are those that it
    may claim for a memory, None for any."""

    id: str
    name: str
    tenant: str
    owner: str | None
    roles: frozenset[Role]
    created_at: datetime
    sources: frozenset[str] | None = frozenset()
    revoked_at: datetime | None = None
    last_used: datetime | None = None

    @property
    def is_revoked(self) -> bool:
        return self.revoked_at is not None

    def covers(self, scope: Scope) -> bool:
        return scope.tenant == self.tenant and self.owner in (None, scope.owner)

    def has_any(self, roles: Collection[Role]) -> bool:
        return not self.roles.isdisjoint(roles)


class Issued(NamedTuple):
    """A new credential with its secret, which is shown once and kept nowhere."""

    credential: Credential
    token: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a request was answered with; `body` is None where it has been erased since."""

    fingerprint: str
    status: int
    body: str | None


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Some of many, in an order that later arrivals do not disturb; `next` is where to go on, None at the end."""

    items: tuple[Item, ...]
    next: int | None = None


class OwnerSummary(NamedTuple):
    """Somebody whose memories are kept, and how much there is."""

    owner: str
    memories: int
    waiting: int
