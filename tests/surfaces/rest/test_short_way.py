"""The short way to an endpoint answers as FastAPI itself does, to the byte."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from service_samples import Desk
from starlette.types import Message

from groundwire.surfaces.rest.bodies import VerifyBody
from groundwire.surfaces.rest.routes import memories, verify
from groundwire.surfaces.rest.short_way import ShortRoute, read_plain
from groundwire.types.access import Role

_SENT = {
    "as documented": b'{"text": "I am tall.", "memories": ["I am tall."]}',
    "not an object": b"[]",
    "nothing": b"",
    "no JSON": b'{"text": ',
    "no UTF-8": b'{"text": "\xff"}',
    "a lone surrogate": b'{"text": "\\ud800", "memories": []}',
    "NUL": b'{"text": "\\u0000", "memories": []}',
    "a field that nobody reads": b'{"text": "I am tall.", "txet": "x"}',
    "another type": b'{"text": 5}',
    "NaN": b'{"text": "I am tall.", "memories": [{"id": "a", "text": "b", "trust": NaN}]}',
    "twice": b'{"text": "You are small.", "text": "I am tall.", "memories": []}',
    "deep": b'{"text": ' + b"[" * 100_000,
    "a number without end": b'{"text": ' + b"1" * 10_000 + b"}",
    "somebody else": b'{"text": "I am tall.", "user": "bob"}',
}


_VALUES = st.none() | st.booleans() | st.floats() | st.text()


def _nest(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(["text", "memories", "id", "trust", "mode"]) | st.text()
    return st.lists(inner) | st.dictionaries(names, inner)


def _without_its_own(told: Any) -> tuple[int, dict[str, Any], str]:
    body = told.json()
    return (
        told.status_code,
        {n: v for n, v in body.items() if n not in ("request_id", "latency_ms")},
        told.headers["content-type"],
    )


def test_the_routes_that_are_asked_most_have_it():
    short = {
        (route.path, method)
        for module in (verify, memories)
        for route in module.router.routes
        if isinstance(route, ShortRoute) and route.is_short
        for method in route.methods or ()
    }
    assert short == {("/v1/verify", "POST"), ("/v1/memories", "POST"), ("/v1/conversations", "POST")}


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "text/plain", ""]
)
@pytest.mark.parametrize("sent", _SENT.values(), ids=_SENT)
def test_it_answers_as_the_long_way_does(desk: Desk, sent: bytes, content_type: str, monkeypatch: pytest.MonkeyPatch):
    headers, key = {"Content-Type": content_type}, desk.key(Role.READ)
    short = desk.call("POST", "/v1/verify", key, content=sent, headers=headers)
    monkeypatch.setattr("groundwire.surfaces.rest.short_way._PLAIN", frozenset[str]())  # nothing is plain
    long = desk.call("POST", "/v1/verify", key, content=sent, headers=headers)
    assert short.status_code < 500
    assert _without_its_own(short) == _without_its_own(long)


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "text/plain", ""])
def test_a_body_that_is_not_said_to_be_json_is_told_how_to_send_it(desk: Desk, content_type: str):
    """As curl sends it where nobody says otherwise."""
    headers = {"Content-Type": content_type}
    told = desk.call("POST", "/v1/verify", desk.key(), content=_SENT["as documented"], headers=headers)
    assert (told.status_code, told.json()["errors"][0]["field"]) == (422, "body")
    assert "Content-Type: application/json" in told.json()["detail"]


def test_a_role_is_asked_for_before_what_is_wrong_with_a_body_is_told(desk: Desk):
    key = desk.key(Role.REVIEW)
    for body in (b'{"text": "I am tall."}', b'{"txet": 1}'):
        assert desk.call("POST", "/v1/verify", key, content=body).status_code == 403


@given(st.binary() | st.recursive(_VALUES, _nest, max_leaves=8).map(json.dumps).map(str.encode))
def test_whatever_is_sent_is_a_body_or_is_left_to_the_long_way(content: bytes):
    scope = {"type": "http", "headers": [(b"content-type", b"application/json")]}
    body = read_plain(VerifyBody, scope, content)
    assert body is None or isinstance(body, VerifyBody)


def test_a_client_that_goes_away_in_the_middle_is_no_defect(desk: Desk, caplog: pytest.LogCaptureFixture):
    parts: list[Message] = [{"type": "http.request", "body": b'{"te', "more_body": True}, {"type": "http.disconnect"}]
    sent: list[Message] = []

    async def receive() -> Message:
        return parts.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    key = desk.introduce(desk.key(Role.READ))
    headers = [(b"authorization", f"Bearer {key.token}".encode()), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/v1/verify", "query_string": b"", "headers": headers}
    asyncio.run(cast(Any, desk.client.app)(scope, receive, send))
    assert sent[0]["status"] == 400
    assert "defect" not in caplog.text
