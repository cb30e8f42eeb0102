"""Who is calling: the operator of a local server, or whoever a key stands for. Nothing of it comes from a request."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from groundwire.errors import NotRecognised
from groundwire.memory.receipts import Source
from groundwire.types import Scope
from groundwire.types.access import Credential, Role

if TYPE_CHECKING:
    from groundwire.app import Groundwire

log = logging.getLogger(__name__)


class Ability(StrEnum):
    """What a caller may do. Approving is not among them: no agent decides on what it proposed."""

    READ = "read"
    PROPOSE = "propose"
    FORGET = "forget"


AGENT_SOURCES = frozenset({Source.AI_SYNTHESIS.value})
"""An agent speaks for itself. It is neither the user nor a document, and the turns that it quotes are its own word."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whose memory a call is about, under which credential, what it may claim as its source (None for anything) and
    what it may do."""

    scope: Scope
    credential: str
    sources: frozenset[str] | None = AGENT_SOURCES
    abilities: frozenset[Ability] = frozenset(Ability)


Authenticate = Callable[[str], Caller | None]
"""The caller that a key stands for, or None. It may block."""


def recognise_keys(keeper: Groundwire, allowed: frozenset[Ability] = frozenset(Ability)) -> Authenticate:
    """The keys of the store. One that covers a whole tenant names nobody whose memory is meant, and is not taken."""
    keyring = keeper.keys()

    def authenticate(token: str) -> Caller | None:
        try:
            credential = keyring.recognise(token)
        except NotRecognised:
            return None
        if credential.owner is None:
            log.warning("the key %s covers everybody; agents need one with --user", credential.id)
            return None
        if keyring.is_due(credential):
            keyring.note_use(credential)
        scope = Scope(credential.owner, credential.tenant)
        return Caller(scope, credential.id, credential.sources, allowed & find_abilities(credential))

    return authenticate


def find_abilities(credential: Credential) -> frozenset[Ability]:
    """Forgetting is for whoever may decide what is kept, as everywhere else."""
    roles = {
        Ability.READ: (Role.READ,),
        Ability.PROPOSE: (Role.PROPOSE,),
        Ability.FORGET: (Role.REVIEW, Role.ADMIN),
    }
    return frozenset(ability for ability, needed in roles.items() if credential.has_any(needed))
