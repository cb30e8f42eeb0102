"""Who is calling: the operator of a local server, or whoever a key stands for. Nothing of it comes from a request."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from groundwire.memory.receipts import TRUSTED_SOURCES, Source
from groundwire.types import Scope


class Ability(StrEnum):
    """What a caller may do. Approving is not among them: no agent decides on what it proposed."""

    READ = "read"
    PROPOSE = "propose"
    FORGET = "forget"


AGENT_SOURCES = frozenset(source.value for source in Source if source not in TRUSTED_SOURCES)
"""An agent speaks for itself and quotes the conversation; it is neither the user nor a document."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose memory a call is about, under which credential, what it may claim as its source and what it may do."""

    scope: Scope
    credential: str
    sources: frozenset[str] = AGENT_SOURCES
    abilities: frozenset[Ability] = frozenset(Ability)


Authenticate = Callable[[str], Caller | None]
"""The caller that a key stands for, or None. It may block."""


def accept_key(key: str, caller: Caller) -> Authenticate:
    """One key for one caller, compared in constant time."""
    expected = key.encode()

    def authenticate(given: str) -> Caller | None:
        return caller if hmac.compare_digest(given.encode("utf-8", "surrogatepass"), expected) else None

    return authenticate
