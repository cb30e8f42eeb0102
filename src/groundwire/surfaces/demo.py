"""A tenant to look around in: made-up memories, some of which wait for review, and two that disagree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from groundwire.text.tables import read_table
from groundwire.types.access import Issued, Role

if TYPE_CHECKING:
    from groundwire.app import Groundwire

AGENT, PERSON = "demo agent", "demo reviewer"
_SEEDED_BY, _APPROVED_BY = "demo setup", "demo setup reviewer"


@dataclass(frozen=True, slots=True)
class Demo:
    """Where it is, and the keys to it, which are new at every start."""

    tenant: str
    user: str
    keys: tuple[Issued, ...]


def set_up(gw: Groundwire) -> Demo:
    """Make the tenant if it is not there; old keys to it end, because nobody could be told them again."""
    table = read_table("demo", "surfaces")
    tenant, user = str(table["tenant"]), str(table["user"])
    ledger = gw.ledger(user, tenant)
    with ledger.together():
        if not ledger.memories(limit=1).items:
            for step in table["step"]:
                _carry_out(gw, user, tenant, step)
    keyring = gw.keys()
    for credential in keyring.list(tenant):
        if credential.name in (AGENT, PERSON) and not credential.is_revoked:
            keyring.revoke(credential.id, by=_SEEDED_BY)
    agent = keyring.create(AGENT, roles=[Role.PROPOSE, Role.READ], tenant=tenant, sources=gw.settings.serve_sources)
    person = keyring.create(PERSON, roles=list(Role), tenant=tenant, sources=None)
    return Demo(tenant, user, (person, agent))


def _carry_out(gw: Groundwire, user: str, tenant: str, step: Mapping[str, Any]) -> None:
    moment = datetime.combine(step["on"], time(9), UTC)
    is_own = "say" in step
    done = gw.remember(
        str(step.get("say") or step.get("propose") or step["approve"]),
        user=user,
        tenant=tenant,
        source="user" if is_own else "ai_synthesis",
        memory_type=str(step.get("type", "fact")),
        credential=_SEEDED_BY,
        now=moment,
    )
    if "approve" in step and done.review_id is not None:
        gw.reviews(user, tenant).approve(done.review_id, credential=_APPROVED_BY, now=moment)
