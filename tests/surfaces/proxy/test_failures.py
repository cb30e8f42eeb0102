"""What goes wrong between a client and the upstream: a clear end, nothing leaked, nothing said to the wrong ears."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from scripted import (
    FALSE,
    STREAM,
    TRUE,
    Reply,
    Start,
    answer_stream,
    as_json,
    as_stream,
    chunk,
    completion,
    raw,
    read_events,
    run_proxy,
    say,
    text_of,
)

from groundwire.surfaces.proxy.headers import forward, give_back
from groundwire.surfaces.proxy.options import ProxyOptions

BODY = {"model": "m", "messages": [{"role": "user", "content": "Where do I live?"}]}
SECRET = "sk-very-secret-7391"


def ask(base: str, *, stream: bool = True, **options: Any) -> httpx.Response:
    return httpx.post(f"{base}/chat/completions", json={**BODY, "stream": stream}, timeout=60, **options)


def read_error(got: httpx.Response) -> tuple[list[Any], dict[str, Any]]:
    """The chunks before, and the error that ends a stream."""
    *chunks, last = read_events(got.content)
    return chunks, last["error"]


# ── the upstream ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stream", [True, False])
def test_a_dead_upstream_is_a_bad_gateway(tmp_path: Path, stream: bool):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with run_proxy(tmp_path, f"http://127.0.0.1:{free.getsockname()[1]}/v1") as base:
            got = ask(base, stream=stream)
    assert got.status_code == 502
    assert got.json()["error"] == {
        "message": "the upstream cannot be reached; is it running, and is its address right?",
        "type": "upstream_error",
        "param": None,
        "code": "unreachable",
    }


def test_an_upstream_that_never_answers_is_given_up(start: Start):
    pieces: list[Any] = []
    upstream, base = start(lambda asked: Reply(200, STREAM, pieces), seconds=0.3)
    pieces.append(upstream.stall)
    got = ask(base, stream=False)
    assert got.status_code == 504 and got.json()["error"]["code"] == "timeout"
    assert upstream.left.wait(30)


def test_a_stream_that_stalls_shows_what_was_verified_and_ends_with_an_error(start: Start):
    pieces: list[Any] = []
    upstream, base = start(lambda asked: as_stream(*pieces), seconds=0.5)
    pieces += [raw(*say(f"{TRUE} Your sister is cal")), upstream.stall]
    chunks, error = read_error(ask(base))
    assert text_of(chunks) == f"{TRUE} " and error["code"] == "timeout"
    assert upstream.left.wait(30)


@pytest.mark.parametrize(
    ("tail", "code"),
    [
        (b'data: {"id": "chatcmpl-7", "choi', "invalid_chunk"),
        (b"data: {not json}\n\n", "invalid_chunk"),
        (b"data: [1, 2]\n\n", "invalid_chunk"),
        (b"data: " + b"[" * 100_000 + b"\n\n", "invalid_chunk"),
        (b"", "broken_off"),
        (b": only a comment\n\n", "broken_off"),
        (b'data: {"id": "\xf0\x9f', "invalid_chunk"),
    ],
)
def test_half_a_chunk_nonsense_or_an_early_end_is_a_clear_error(start: Start, tail: bytes, code: str):
    _, base = start(as_stream(raw(*say(f"{TRUE} And")), tail))
    chunks, error = read_error(ask(base))
    assert text_of(chunks) == f"{TRUE} " and error["code"] == code and error["type"] == "upstream_error"


def test_a_connection_that_is_cut_is_a_clear_error(start: Start):
    _, base = start(as_stream(raw(*say(f"{TRUE} And")), is_broken_off=True))
    chunks, error = read_error(ask(base))
    assert text_of(chunks) == f"{TRUE} " and error["code"] == "broken_off"


def test_ten_megabytes_without_a_newline_are_given_up(start: Start):
    pieces: list[Any] = [raw(*say(f"{TRUE} And")), b"data: ", *[b"x" * 65_536] * 160]
    upstream, base = start(lambda asked: as_stream(*pieces))
    pieces.append(upstream.stall)
    chunks, error = read_error(ask(base))
    assert text_of(chunks) == f"{TRUE} " and error["code"] == "event_too_large"
    assert upstream.left.wait(30)


def test_an_error_in_the_middle_of_a_stream_is_passed_on(start: Start):
    said = {"error": {"message": "overloaded", "type": "server_error", "code": 503, "own": True}}
    _, base = start(as_stream(raw(*say(f"{TRUE} And"), said)))
    chunks, error = read_error(ask(base))
    assert text_of(chunks) == f"{TRUE} " and error == said["error"]


def test_a_stream_that_ends_without_the_mark_after_its_last_word_is_whole(start: Start):
    _, base = start(as_stream(raw(*say(TRUE), chunk(finish="stop"))))
    out = read_events(ask(base).content)
    assert text_of(out) == TRUE and out[-1]["groundwire"]["grounded"] is True


def test_utf_8_cut_anywhere_is_whole_and_broken_utf_8_is_marked(start: Start):
    data = answer_stream("Olá, Zoë 🙂! You live in Berlin.", size=3)
    _, base = start(as_stream(*(data[at : at + 7] for at in range(0, len(data), 7))))
    assert text_of(read_events(ask(base).content)) == "Olá, Zoë 🙂! You live in Berlin."
    broken = raw(chunk("Hello XX!"), chunk(finish="stop"), "[DONE]").replace(b"XX", b"\xff\xc3")
    _, base = start(as_stream(broken))
    assert text_of(read_events(ask(base).content)) == "Hello \ufffd\ufffd!"


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"[]", b"\xff", b"[" * 100_000, b""])
def test_an_answer_that_is_none_is_a_bad_gateway(start: Start, body: bytes):
    _, base = start(Reply(200, {"content-type": "application/json"}, [body]))
    got = ask(base, stream=False)
    assert got.status_code == 502 and got.json()["error"]["code"] == "invalid_json"


def test_a_whole_answer_to_a_request_for_a_stream_is_refused(start: Start):
    _, base = start(as_json(completion(FALSE)))
    got = ask(base)
    assert got.status_code == 502 and got.json()["error"]["code"] == "no_stream"


def test_an_answer_that_is_passed_on_and_cut_is_cut_here_too(start: Start):
    _, base = start(Reply(200, {"content-type": "text/plain"}, [b"half of it"], is_broken_off=True))
    with pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"{base}/files/1/content")


def test_a_defect_lets_nothing_out_and_tells_nothing(start: Start, monkeypatch: pytest.MonkeyPatch):
    from groundwire.guard.stream import StreamGuard

    def fail(self: StreamGuard) -> object:
        raise ZeroDivisionError(FALSE)

    _, base = start(as_stream(answer_stream(TRUE)))
    monkeypatch.setattr(StreamGuard, "settle", fail)
    chunks, error = read_error(ask(base))
    assert text_of(chunks) == "" and error["code"] == "defect" and FALSE not in json.dumps(error)


# ── the client ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stream", [True, False])
def test_a_client_that_hangs_up_ends_the_upstreams_request(start: Start, stream: bool):
    pieces: list[Any] = []
    upstream, base = start(lambda asked: as_stream(*pieces) if stream else Reply(pieces=pieces))
    pieces += [raw(*say(f"{TRUE} And")), upstream.stall]
    place = httpx.URL(base)
    with socket.create_connection((place.host, place.port or 80)) as connection:
        body = json.dumps({**BODY, "stream": stream}).encode()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)
        assert upstream.waiting.wait(30)
    assert upstream.left.wait(30), "the upstream was left waiting"


def test_a_client_that_hangs_up_while_it_asks_is_let_go(start: Start):
    upstream, base = start(as_json(completion(TRUE)))
    place = httpx.URL(base)
    with socket.create_connection((place.host, place.port or 80)) as connection:
        connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
    assert ask(base, stream=False).status_code == 200
    assert len(upstream.asked) == 1


def test_nothing_is_left_behind_by_clients_that_hang_up(start: Start):
    """After many of them, the proxy answers as before and no thread has been added for any."""
    pieces: list[Any] = []
    upstream, base = start(lambda asked: as_stream(*pieces))
    pieces += [raw(*say(f"{TRUE} And")), upstream.stall]
    place = httpx.URL(base)
    body = json.dumps({**BODY, "stream": True}).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    counts: list[int] = []
    for _ in range(12):
        upstream.left.clear()
        with socket.create_connection((place.host, place.port or 80)) as connection:
            connection.sendall(head + body)
            assert b"200 OK" in connection.recv(65_536)
        assert upstream.left.wait(30)
        counts.append(threading.active_count())
    assert counts[-1] <= counts[4] + 1


def test_a_slow_client_keeps_the_upstream_waiting(start: Start):
    """What the upstream could send is far more than anybody may hold for a client that does not read."""
    sentence = raw(*[chunk(f"{TRUE} ")] * 50)
    sent: list[int] = []
    stuck = threading.Event()

    async def count() -> None:
        sent.append(1)

    pieces: list[bytes | Callable[[], Any]] = [piece for _ in range(20_000) for piece in (sentence, count)]
    upstream, base = start(as_stream(*pieces))
    place = httpx.URL(base)
    body = json.dumps({**BODY, "stream": True}).encode()
    head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect((place.host, place.port or 80))
        connection.sendall(head + body)
        assert connection.recv(10)
        before = -1
        while before != len(sent):  # until it moves no more
            before = len(sent)
            stuck.wait(1.0)
        assert len(sent) < 2_000, "the upstream was read although nobody takes it"
    assert upstream.left.wait(30)


# ── secrets ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("SEC-015")
def test_credentials_go_upstream_and_into_no_log_and_no_answer(start: Start, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    upstream, base = start(
        as_stream(answer_stream(TRUE)), as_json(completion(FALSE)), as_json({"error": {"message": "no"}}, 401),
        as_json({}), Reply(200, STREAM, [b"data: {\n\n"]),
    )  # fmt: skip
    headers = {"Authorization": f"Bearer {SECRET}", "api-key": SECRET, "Cookie": f"s={SECRET}", "X-Own": "1"}
    answers = [ask(base, stream=stream, headers=headers) for stream in (True, False)]
    answers.append(httpx.get(f"{base}/models?key={SECRET}", headers=headers))
    answers.append(ask(base, headers=headers, params={"api-key": SECRET}))
    assert all(SECRET in asked.headers["authorization"] for asked in upstream.asked)
    assert upstream.asked[0].headers["api-key"] == SECRET and upstream.asked[0].headers["x-own"] == "1"
    own = [record for record in caplog.records if record.threadName != "MainThread"]
    assert own, "the proxy and its server did log something"
    logged = "\n".join(f"{record.getMessage()} {record.__dict__}" for record in own)
    assert SECRET not in logged
    assert all(SECRET not in answer.text and SECRET not in str(answer.headers) for answer in answers)


def test_the_operators_key_goes_upstream_only_where_the_client_has_none(start: Start):
    options = ProxyOptions(upstream_key=SECRET)
    upstream, base = start(as_json(completion(TRUE)), options=options)
    assert SECRET not in repr(options)
    ask(base, stream=False)
    ask(base, stream=False, headers={"Authorization": "Bearer own"})
    assert [asked.headers["authorization"] for asked in upstream.asked] == [f"Bearer {SECRET}", "Bearer own"]


def test_headers_of_one_connection_end_there():
    given = [("Connection", "keep-alive, X-Hop"), ("X-Hop", "1"), ("TE", "trailers"), ("Host", "here"), ("X-On", "1"),
             ("Transfer-Encoding", "chunked"), ("Proxy-Authorization", "x"), ("X-Groundwire-User", "ada"),
             ("Content-Length", "7"), ("Upgrade", "h2c"), ("Authorization", "Bearer a")]  # fmt: skip
    assert forward(given) == [("x-on", "1"), ("authorization", "Bearer a")]
    assert forward(given, has_own_keys=True) == [("x-on", "1")]
    assert forward(given, has_own_keys=True, key="k") == [("x-on", "1"), ("authorization", "Bearer k")]
    sent = [*given, ("X-Upstream-Authorization", "Bearer u"), ("X-API-Key", "gwk")]
    assert forward(sent, has_own_keys=True, key="k") == [("x-on", "1"), ("authorization", "Bearer u")]
    back = [("Connection", "close"), ("Content-Length", "7"), ("Content-Encoding", "gzip"), ("X-On", "1"),
            ("X-Groundwire-Mode", "x"), ("Server", "s"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]  # fmt: skip
    kept = [("x-on", "1"), ("set-cookie", "a=1"), ("set-cookie", "b=2")]
    assert give_back(back, is_rewritten=True) == kept
    passed = [("content-length", "7"), ("content-encoding", "gzip"), *kept]
    assert give_back(back, is_rewritten=False) == passed


# ── many at once ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
def test_two_hundred_streams_at_once_do_not_mix_a_byte(start: Start):
    """All are open before any goes on: the upstream waits for the last of them."""
    number = 200
    arrived = 0
    everybody = asyncio.Event()

    async def wait_for_all() -> None:
        nonlocal arrived
        arrived += 1
        if arrived == number:
            everybody.set()
        await everybody.wait()

    def reply(asked: Any) -> Reply:
        name = asked.json["messages"][0]["content"]
        text = f"This is for {name}, hello! {TRUE} Have a good day, {name}!"
        data = answer_stream(text)
        return as_stream(data[:300], wait_for_all, *(data[at : at + 61] for at in range(300, len(data), 61)))

    _, base = start(reply)

    async def one(client: httpx.AsyncClient, name: str) -> tuple[str, bytes]:
        body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": name}]}
        return name, (await client.post(f"{base}/chat/completions", json=body)).content

    async def everyone() -> list[tuple[str, bytes]]:
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(limits=limits, timeout=300) as client:
            return await asyncio.gather(*(one(client, f"N{place:03}X") for place in range(number)))

    for name, content in asyncio.run(everyone()):
        text = text_of(read_events(content))
        assert text.replace(" (not verified)", "") == f"This is for {name}, hello! {TRUE} Have a good day, {name}!"
