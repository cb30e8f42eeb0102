"""What goes wrong is told as RFC 9457 has it, without repeating what was sent or telling what is nobody's business."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service_samples import Desk, open_desk, problem

from groundwire import errors
from groundwire.errors import GroundwireError, InvalidInput, StoreReadOnly
from groundwire.surfaces.rest import problems
from groundwire.surfaces.rest.problems import STATUSES, describe, status_of

BIG = 200_000


def every_error(root: type[GroundwireError] = GroundwireError) -> Iterator[type[GroundwireError]]:
    yield root
    for kind in root.__subclasses__():
        yield from every_error(kind)


def test_every_error_of_the_tree_has_a_status_of_its_own():
    ours = {kind for kind in every_error() if kind.__module__ in (errors.__name__, problems.__name__)}
    assert ours == set(STATUSES)
    assert all(400 <= status < 600 for status in STATUSES.values())


def test_an_error_that_is_not_in_the_table_has_its_parents_status():
    class Odd(StoreReadOnly):
        pass

    assert status_of(Odd("x", "y")) == STATUSES[StoreReadOnly]


def test_what_fails_inside_names_no_file_and_what_the_caller_did_is_told():
    hidden = describe(StoreReadOnly("/srv/secret/memory.db is read-only", "make it writable"))
    assert (hidden.status, "secret" in hidden.detail) == (503, False)
    defect = describe(RuntimeError("password=hunter2"))
    assert (defect.status, "hunter2" in defect.detail) == (500, False)
    told = describe(InvalidInput("limit", "must be smaller"))
    assert (told.status, told.errors) == (422, (("limit", "must be smaller"),))


def post_raw(desk: Desk, content: bytes, path: str = "/v1/verify", **headers: str) -> Any:
    sent = {"content-type": "application/json", **headers}
    return desk.call("POST", path, desk.key(), content=content, headers=sent)


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b'{"text": "\\ud800"}',
        b'{"text": NaN}',
        b'{"text": ' + b"[" * 100_000,
        b'{"text": "x", "max": ' + b"9" * 10_000 + b"}",
        b'{"text": "x", "surprise": 1}',
        b'{"text": 7}',
        b'{"text": ""}',
        b'{"text": " "}',
        b'{"text": "x", "mode": "sometimes"}',
        b'{"text": "x", "memories": [{"id": 1, "text": "y"}]}',
        b'{"text": "x", "memories": [{"id": "1", "text": "y", "trust": 2}]}',
        b'{"text": "x", "memories": [{"id": "1", "text": "y"}, {"id": "1", "text": "z"}]}',
        b'{"text": "x", "memories": [{"id": "1", "text": "y", "timestamp": 1e300}]}',
    ],
)
def test_what_cannot_be_read_is_a_problem_and_nothing_else(desk: Desk, content: bytes):
    assert problem(post_raw(desk, content))["status"] in (400, 422)


def test_a_body_has_to_be_json(desk: Desk):
    body = json.dumps({"text": "You live in Paris."}).encode()
    assert problem(post_raw(desk, body, **{"content-type": "text/plain"}))["status"] == 422
    assert post_raw(desk, body, **{"content-type": "application/json; charset=utf-8"}).status_code == 200


def test_problems_do_not_repeat_what_was_sent(desk: Desk):
    answer = post_raw(desk, json.dumps({"text": 1, "secret-" * 100: "s3cret"}).encode())
    assert "s3cret" not in answer.text
    assert len(answer.content) < 2_000


@pytest.mark.parametrize(
    "text",
    [
        "x" * BIG,
        "[" * BIG,
        "\u202e" * 1_000,
        "\x00",
        "a\u0000b",
        "💥" * 5_000,
        "Ich wohne in Köln. " * 100,
        "\r\n" * 99,
    ],
)
def test_hostile_texts_are_answered(desk: Desk, text: str):
    key = desk.key()
    for path, body in (
        ("/v1/verify", {"text": text, "memories": ["I live in Berlin."]}),
        ("/v1/memories", {"content": text, "source": "user"}),
        ("/v1/search", {"query": text}),
    ):
        answer = desk.post(path, key, body)
        assert answer.status_code in (200, 201, 202, 422), answer.text
        if answer.status_code == 422:
            problem(answer)


@pytest.mark.requirement("SEC-018")
@pytest.mark.parametrize(
    "id",
    ["'; DROP TABLE memories; --", "%00", "%2e%2e%2fetc", "..", "%", "*", "a" * 4_000, "💥", "%ff", "{id}", "0x00"],
)
@pytest.mark.parametrize("noun", ["memories", "reviews", "sessions"])
def test_hostile_ids_name_nothing(desk: Desk, noun: str, id: str):
    answer = desk.get(f"/v1/{noun}/{id}", desk.key())
    assert answer.status_code in (404, 422, 200)
    if answer.status_code == 200:
        assert id == "..", "which a client resolves by itself, to the list"


def test_unknown_places_and_methods_are_problems(desk: Desk):
    key = desk.key()
    assert problem(desk.get("/v1/nowhere", key))["title"] == "Not found"
    assert problem(desk.call("PATCH", "/v1/memories", key))["title"] == "Method not allowed"
    assert problem(desk.client.get("/elsewhere"))["status"] == 404


# ── limits ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("SEC-012")
def test_a_request_that_is_too_large_is_refused_unread():
    with open_desk(serve_bytes=2_000) as desk:
        announced = post_raw(desk, json.dumps({"text": "x" * 3_000}).encode())
        assert problem(announced)["status"] == 413
        key = desk.key()
        parts = (b'{"text": "' if number == 0 else b"x" * 500 for number in range(10))
        streamed = desk.call("POST", "/v1/verify", key, content=parts, headers={"content-type": "application/json"})
        assert problem(streamed)["status"] == 413
        huge = post_raw(desk, b"{}", **{"content-length": "9" * 30})
        assert problem(huge)["status"] == 413
        assert desk.post("/v1/verify", key, {"text": "x", "memories": []}).status_code == 200


def test_a_request_that_does_not_arrive_is_not_waited_for():
    """The application itself, because a client of the tests always sends everything."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(3_600)
        return {}

    async def send(message: Any) -> None:
        sent.append(message)

    with open_desk(serve_seconds=0.5) as desk:
        key = desk.introduce(desk.key())
        app: Any = desk.client.app
        asyncio.run(app(_scope(key.token), receive, send))
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["title"] == "Too slow"


def _scope(token: str) -> dict[str, Any]:
    headers = [(b"authorization", f"Bearer {token}".encode()), (b"content-type", b"application/json")]
    return {
        "type": "http",
        "method": "POST",
        "path": "/v1/verify",
        "raw_path": b"/v1/verify",
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }


@pytest.mark.requirement("SEC-012")
def test_an_answer_that_is_too_long_is_refused_with_its_limit(desk: Desk):
    answer = desk.post("/v1/verify", desk.key(), {"text": "x" * (BIG + 1), "memories": []})
    assert "limit" in problem(answer)["detail"]


def test_a_call_that_takes_too_long_is_a_problem(monkeypatch: pytest.MonkeyPatch):
    release = threading.Event()
    with open_desk(serve_seconds=0.5) as desk:
        key = desk.introduce(desk.key())
        monkeypatch.setattr(desk.gw, "verify", lambda *_, **__: release.wait(30))
        late = desk.post("/v1/verify", key, {"text": "You live in Paris."})
        release.set()
        assert problem(late)["title"] == "Timed out"
        assert desk.client.get("/healthz").status_code == 200


def test_a_defect_is_logged_answered_and_survived(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("/srv/path of the server")

    key = desk.key()
    monkeypatch.setattr(desk.gw, "verify", fail)
    answer = desk.post("/v1/verify", key, {"text": "You live in Paris."})
    assert problem(answer)["status"] == 500
    assert "/srv/path" not in answer.text
    assert "/srv/path" in caplog.text
    assert desk.get("/v1/memories", key).status_code == 200


def test_a_key_that_asks_too_often_is_told_when_to_come_back():
    with open_desk(serve_rate=0.5, serve_burst=3) as desk:
        eager, patient = desk.key(), desk.key()
        answers = [desk.get("/v1/memories", eager) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert problem(answers[-1])["title"] == "Too many requests"
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 2
        assert desk.get("/v1/memories", patient).status_code == 200
        assert desk.client.get("/healthz").status_code == 200


def test_a_store_that_cannot_be_written_is_not_the_callers_fault(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    path = tmp_path / "memory.db"
    with open_desk(path) as desk:
        key = desk.key()
    path.chmod(0o444)
    with open_desk(path) as desk:
        refused = desk.post("/v1/memories", key, {"content": "I live in Berlin.", "source": "user"})
        assert problem(refused)["status"] == 503
        assert str(tmp_path) not in refused.text
        assert str(tmp_path) in caplog.text, "whoever runs it is told"
        assert desk.get("/v1/memories", key).status_code == 200
        assert desk.client.get("/readyz").status_code == 200
