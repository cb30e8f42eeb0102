"""A console to test with: rules judge, two owners and a stranger of another tenant, browsers that keep cookies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from groundwire import Groundwire, Settings
from groundwire.surfaces.rest.app import create_app
from groundwire.types.access import Issued, Role

ALL = tuple(Role)
SECRET = "Zanzibar"
"""A word of somebody else's memories, which nobody else may ever see."""
HOSTILE = '<script>alert("gw")</script>"><img src=x onerror=alert(1)> {{ 7919 * 7907 }} שלום'
UNSEEN = "\u202eevil\u202c\u2066"
"""Characters that turn the direction of what follows; the write gate keeps them out of memories."""


@dataclass
class Parsed(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def parse(page: str) -> Parsed:
    parsed = Parsed()
    parsed.feed(page)
    parsed.close()
    return parsed


class Browser:
    """Somebody's browser at the console."""

    def __init__(self, app: Any) -> None:
        self.client = TestClient(app, raise_server_exceptions=True)

    def get(self, path: str, **options: Any) -> Any:
        return self.client.get(f"/console/{path}", **options)

    def token(self, path: str = "sign-in") -> str:
        found = re.search(r'name="token" value="(\w+)"', self.get(path).text)
        assert found is not None
        return found[1]

    def post(self, path: str, *, token: str | None = None, **fields: str) -> Any:
        given = self.token("sign-in") if token is None else token
        return self.client.post(f"/console/{path}", data={"token": given, **fields})

    def sign_in(self, key: Issued) -> Browser:
        response = self.post("sign-in", key=key.token)
        assert response.status_code == 200, response.text
        return self


@dataclass(frozen=True)
class House:
    """A running service, the library behind it, and the time it goes by."""

    gw: Groundwire
    app: Any
    time: list[float]

    def key(
        self, *roles: Role, owner: str | None = "ada", tenant: str = "default", sources: Sequence[str] | None = None
    ) -> Issued:
        return self.gw.keys().create("a key", roles=roles or ALL, owner=owner, tenant=tenant, sources=sources)

    def browser(self, *roles: Role, **options: Any) -> Browser:
        return Browser(self.app).sign_in(self.key(*roles, **options))

    def propose(self, content: str, proposer: str = "agent", **options: Any) -> str:
        done = self.gw.remember(content, user="ada", source="ai_synthesis", credential=proposer, **options)
        assert done.review_id is not None, done.receipt
        return done.review_id

    def keep(self, content: str, **options: Any) -> str:
        done = self.gw.remember(content, **{"user": "ada", **options})
        assert done.memory is not None, done.receipt
        return done.memory.id


@contextmanager
def open_house(path: Path | None = None, **settings: Any) -> Iterator[House]:
    gw = Groundwire(path, settings=Settings(**{"judge": "rules", "serve_rate": 0.0, **settings}))
    time = [1_000.0]
    app = create_app(gw, clock=lambda: time[0])
    with TestClient(app):
        yield House(gw, app, time)
