"""Whose memories a request is grounded on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from starlette.types import Scope

from groundwire.surfaces.proxy.asking import name_user
from groundwire.surfaces.proxy.failures import Refused
from groundwire.surfaces.proxy.headers import USER, Headers, find
from groundwire.surfaces.responses import JsonObject
from groundwire.types import Scope as Owner

if TYPE_CHECKING:
    from groundwire.surfaces.rest.service import Service

FindOwner = Callable[[Scope, Headers, JsonObject], Owner]
"""From the connection, its headers and the body of a request."""


def find_named(headers: Headers, request: JsonObject) -> tuple[str | None, bool]:
    """Who is named, and whether by the header, which says it on purpose; `user` may be there for the upstream."""
    in_header = find(headers, USER)
    if in_header:
        return name_user(_decode(in_header), USER), True
    in_body = request.get("user")
    return (None if in_body is None else name_user(in_body, "user")), False


def _decode(value: str) -> str:
    """Headers are read as Latin-1; a name that was sent as UTF-8 is put together again."""
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def name_owner(default: Owner) -> FindOwner:
    """As the request says, else as the operator did. Whoever can reach the proxy is trusted with that."""

    def find_owner(_: Scope, headers: Headers, request: JsonObject) -> Owner:
        named, _is_meant = find_named(headers, request)
        return default if named is None else Owner(named, default.tenant)

    return find_owner


def recognise_owner(service: Service) -> FindOwner:
    """As the key says, which the doorkeeper has recognised; a key for everybody has to be told who is meant."""
    from groundwire.surfaces.rest.callers import Caller
    from groundwire.types.access import Credential, Role

    def find_owner(scope: Scope, headers: Headers, request: JsonObject) -> Owner:
        credential = cast("Credential", scope["state"]["credential"])
        caller = Caller(service, credential)
        caller.require(Role.READ)
        named, is_meant = find_named(headers, request)
        if credential.owner is not None and not is_meant:
            return caller.scope()
        if named is None:
            raise Refused("this key covers everybody, so say who is meant", code="missing_user", param="user")
        return caller.scope(named)

    return find_owner
