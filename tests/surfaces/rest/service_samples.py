"""A service to test with: rules judge, two owners of one tenant and a stranger of another, keys of every kind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from groundwire import Groundwire, Settings
from groundwire.surfaces.rest.app import create_app
from groundwire.types.access import Issued, Role

ALL = tuple(Role)
SECRET = "Zanzibar"
"""A word of somebody else's memories, which nobody else may ever see."""


@dataclass(frozen=True)
class Desk:
    """A running service and the library behind it."""

    gw: Groundwire
    client: TestClient

    def key(
        self,
        *roles: Role,
        owner: str | None = "ada",
        tenant: str = "default",
        sources: Sequence[str] | None = None,
        name: str = "key",
    ) -> Issued:
        return self.gw.keys().create(name, roles=roles or ALL, owner=owner, tenant=tenant, sources=sources)

    def introduce(self, key: Issued) -> Issued:
        """Let the service know a key for good, so that recognising it takes no time of a request."""
        service: Any = self.client.app.state.service  # type: ignore[attr-defined]
        service.recognised._seconds = 3_600.0
        service.recognised.keep(key.token, key.credential)
        return key

    def call(self, method: str, path: str, key: Issued | None, **options: Any) -> Any:
        headers = {**options.pop("headers", {})}
        if key is not None:
            headers["Authorization"] = f"Bearer {key.token}"
        return self.client.request(method, path, headers=headers, **options)

    def post(self, path: str, key: Issued | None, body: object, **headers: str) -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.call("POST", path, key, json=body, headers=named)

    def get(self, path: str, key: Issued | None, **options: Any) -> Any:
        return self.call("GET", path, key, **options)


@contextmanager
def open_desk(path: Path | None = None, **settings: Any) -> Iterator[Desk]:
    gw = Groundwire(path, settings=Settings(**{"judge": "rules", "serve_rate": 0.0, **settings}))
    with TestClient(create_app(gw), raise_server_exceptions=True) as client:
        yield Desk(gw, client)


def fill(gw: Groundwire) -> dict[str, str]:
    """Something of everything for ada, for bob beside her, and for a stranger of another tenant who is an ada too."""
    made: dict[str, str] = {}
    for owner, tenant, city in (("ada", "default", "Berlin"), ("bob", "default", SECRET), ("ada", "other", SECRET)):
        kept = gw.remember(f"I live in {city}.", user=owner, tenant=tenant, credential="operator")
        waiting = gw.remember(
            f"The {city} office uses PostgreSQL 15.",
            user=owner,
            tenant=tenant,
            source="ai_synthesis",
            credential="agent",
        )
        gw.remember(f"I think {city} may be nice.", user=owner, tenant=tenant, credential="operator")
        gw.verify(f"You live in {city}.", user=owner, tenant=tenant)
        ledger = gw.ledger(owner, tenant)
        ledger.begin_session(f"chat-{owner}-{tenant}", {"city": city})
        ledger.put_values({f"/city/{owner}": city})
        assert kept.memory is not None and waiting.review_id is not None
        made |= {f"memory {owner} {tenant}": kept.memory.id, f"review {owner} {tenant}": waiting.review_id}
        made[f"session {owner} {tenant}"] = f"chat-{owner}-{tenant}"
    return made


def problem(response: Any) -> dict[str, Any]:
    """The problem that a response holds."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    body = json.loads(response.content)
    assert body["status"] == response.status_code
    assert body["request_id"] == response.headers["x-request-id"]
    return body
