"""Who asks: what their key lets them do, for whom, and how their calls are made and answered."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, cast

from fastapi import Depends, Query, Request
from starlette.responses import Response

from groundwire.errors import InvalidInput, NotPermitted
from groundwire.surfaces.fields import check_name
from groundwire.surfaces.responses import JsonObject, write_json
from groundwire.surfaces.rest.headers import read_header
from groundwire.surfaces.rest.service import Service
from groundwire.types import Scope
from groundwire.types.access import Credential, Role

if TYPE_CHECKING:
    from groundwire.memory.ledger import Ledger
    from groundwire.memory.review import Reviews

IDEMPOTENCY = "Idempotency-Key"
_MUCH = 16_384
"""Bytes of a request beyond which it is worked on apart from the small ones."""
_LONG = frozenset({"contradictions", "remember_conversation", "extract"})
_TYPE = (b"content-type", b"application/json")
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call came to: a status, an object, and headers."""

    body: JsonObject
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def respond(answer: Answer) -> Response:
    return _write(answer.status, write_json(answer.body), answer.headers)


def _write(status: int, text: str, headers: Mapping[str, str]) -> Response:
    return _Json(text.encode(), status, headers)


class _Json(Response):
    """A body that is ready to go out; what Starlette would find out about it is known."""

    media_type = "application/json"

    def __init__(self, content: bytes, status: int, headers: Mapping[str, str]) -> None:
        self.status_code = status
        self.body = content
        self.background = None
        self.raw_headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()
        ]
        self.raw_headers += [(b"content-length", b"%d" % len(content)), _TYPE]


@dataclass(frozen=True, slots=True)
class Caller:
    """A recognised key at work."""

    service: Service
    credential: Credential
    is_long: bool = False
    """Whether what was sent is so much that working on it takes long."""

    @property
    def name(self) -> str:
        """Under which name decisions are on record: the owner's for a key of theirs, else the key's, which others may
        bear as well, with its id."""
        return self.credential.owner or f"{self.credential.name} [{self.credential.id}]"

    @property
    def allowed_sources(self) -> frozenset[str] | None:
        """Which sources this key may claim; None for any."""
        return self.credential.sources

    def require(self, *roles: Role) -> None:
        if not self.credential.has_any(roles):
            raise NotPermitted(f"this key lacks the role {' or '.join(roles)}")

    def scope(self, user: str | None = None, tenant: str | None = None) -> Scope:
        """Whose memories are meant. What a request names only ever narrows what the key covers."""
        if user is None and self.credential.owner is None:
            raise InvalidInput("user", "is missing; this key covers everybody of its tenant, so say who is meant")
        owner = self.credential.owner if user is None else check_name(user, "user")
        scope = Scope(owner or "", self.credential.tenant if tenant is None else check_name(tenant, "tenant"))
        if not self.credential.covers(scope):
            raise NotPermitted("this key does not cover that user")
        return scope

    def ledger(self, scope: Scope) -> Ledger:
        return self.service.gw.ledger(scope.owner, scope.tenant)

    def reviews(self, scope: Scope) -> Reviews:
        """The queue of one owner, with whoever asks as a reviewer of it."""
        return self.service.gw.reviews(scope.owner, scope.tenant, reviewers=(self.name,))

    async def ask(self, operation: str, action: Callable[[], Answer]) -> Response:
        """Call the facade and answer; `operation` is what the time that it takes is counted under."""
        is_long = self.is_long or operation in _LONG
        return await self.service.run(lambda: respond(self.service.time(operation, action)), is_long=is_long)

    async def write(
        self,
        operation: str,
        request: Request,
        scope: Scope,
        action: Callable[[], Answer],
        afterwards: Callable[[JsonObject], JsonObject] | None = None,
    ) -> Response:
        """Call the facade and answer; with an idempotency key at most once, however often it is asked."""
        key = read_header(request.scope, IDEMPOTENCY.lower().encode())
        if key is None:
            return await self.ask(operation, action)
        if not _KEY.fullmatch(key):
            raise InvalidInput(IDEMPOTENCY, "must be 1 to 255 visible ASCII characters")
        fingerprint = _fingerprint(request, await request.body())

        def act() -> Answer:
            return self.service.time(operation, action)

        is_long = self.is_long or operation in _LONG
        return await self.service.run(
            lambda: self._write_once(key, fingerprint, scope, act, afterwards), is_long=is_long
        )

    def _write_once(
        self,
        key: str,
        fingerprint: str,
        scope: Scope,
        action: Callable[[], Answer],
        afterwards: Callable[[JsonObject], JsonObject] | None,
    ) -> Response:
        made: list[Answer] = []

        def act() -> tuple[int, str]:
            made[:] = [action()]
            return made[0].status, write_json(made[0].body)

        reply, is_old = self.service.gw.once().answer(scope, self.credential.id, key, fingerprint, act)
        if is_old:
            return _write(reply.status, reply.body or "", {"Idempotency-Replayed": "true"})
        answer = made[0]
        if afterwards is None:
            return respond(answer)
        return respond(Answer(afterwards(answer.body), answer.status, answer.headers))


def _fingerprint(request: Request, body: bytes) -> str:
    """Of what is asked; the same bytes to the same place are the same request."""
    target = f"{request.method} {request.url.path}?{request.url.query}\n"
    return hashlib.sha256(target.encode() + body).hexdigest()


def allow(*roles: Role) -> Callable[..., Awaitable[Caller]]:
    """A dependency: the caller, whose key the doorkeeper has recognised, if it has any of these roles."""

    async def find(request: Request) -> Caller:
        asked = request.scope
        length = read_header(asked, b"content-length") or ""
        caller = Caller(
            cast(Service, asked["app"].state.service),
            cast(Credential, asked["state"]["credential"]),
            is_long=not length.isdecimal() or int(length) > _MUCH if asked["method"] == "POST" else False,
        )
        caller.require(*roles)
        return caller

    return find


Reader = Annotated[Caller, Depends(allow(Role.READ))]
Proposer = Annotated[Caller, Depends(allow(Role.PROPOSE))]
Reviewer = Annotated[Caller, Depends(allow(Role.REVIEW))]
Overseer = Annotated[Caller, Depends(allow(Role.REVIEW, Role.ADMIN))]
"""Whoever may decide what is kept: reviewers and administrators."""
Owner = Annotated[
    str | None, Query(min_length=1, max_length=256, description="Whose memories; the key's own if left out.")
]
