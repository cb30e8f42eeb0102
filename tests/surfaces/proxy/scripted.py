"""An upstream that says what it is told to, over a real socket, and a proxy in front of it; neither ever sleeps."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn

from groundwire import Groundwire, Settings
from groundwire.guard.branching import Branching, Request
from groundwire.guard.events import StreamEvent
from groundwire.guard.guarding import Opened
from groundwire.guard.policy import GuardOptions
from groundwire.guard.stream import StreamGuard
from groundwire.surfaces.proxy.choices import Choice
from groundwire.surfaces.proxy.options import ProxyOptions
from groundwire.surfaces.proxy.serving import create_proxy
from groundwire.types import Scope
from streams import RulesCheck

TRUE = "You live in Berlin."
FALSE = "You live in Rome."
ANSWER = "Hello! You live in Berlin. Alice works at Acme. Your sister Clara was born in 1987. Thank you for asking!"
LIE = "Hello! You live in Berlin. Alice works at Globex. More of this."
ENVELOPE = {"id": "chatcmpl-7", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "small-1"}
STREAM = {"content-type": "text/event-stream; charset=utf-8", "x-request-id": "req-1"}


def chunk(text: str | None = None, *, index: int = 0, finish: str | None = None, **others: Any) -> dict[str, Any]:
    delta: dict[str, Any] = {} if text is None else {"content": text}
    return {**ENVELOPE, "choices": [{"index": index, "delta": delta, "finish_reason": finish, **others}]}


def raw(*chunks: Mapping[str, Any] | str) -> bytes:
    """As it goes over the wire."""
    return b"".join(
        b"data: " + (one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)).encode() + b"\n\n"
        for one in chunks
    )


def say(text: str, *, size: int = 5, index: int = 0) -> list[dict[str, Any]]:
    return [chunk(text[at : at + size], index=index) for at in range(0, len(text), size)]


def answer_stream(text: str, *, size: int = 5) -> bytes:
    first = chunk("")
    first["choices"][0]["delta"]["role"] = "assistant"
    return raw(first, *say(text, size=size), chunk(finish="stop"), "[DONE]")


def completion(*texts: str | None, finish: str = "stop", **others: Any) -> dict[str, Any]:
    choices = [
        {"index": place, "message": {"role": "assistant", "content": text}, "finish_reason": finish, "logprobs": None}
        for place, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    return {**ENVELOPE, "object": "chat.completion", "choices": choices, "usage": usage, **others}


@dataclass
class Asked:
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    port: int
    """Of the connection at the other side."""

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """What to answer. `pieces` are sent one by one; a callable among them is waited for."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    pieces: Sequence[bytes | Callable[[], Awaitable[Any]]] = ()
    is_broken_off: bool = False
    """Whether the connection is cut before the answer is whole."""


def as_json(body: object, status: int = 200, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"content-type": "application/json", **named}, [json.dumps(body).encode()])


def as_stream(*pieces: bytes | Callable[[], Awaitable[Any]], is_broken_off: bool = False) -> Reply:
    return Reply(200, STREAM, pieces, is_broken_off)


Start = Callable[..., tuple["Upstream", str]]
"""The fixture that starts an upstream and a proxy."""


class Upstream:
    """Answers with the next of its replies; the last one stays. `left` is set when a client has gone before the end."""

    def __init__(self, *replies: Reply | Callable[[Asked], Reply]) -> None:
        self.replies = list(replies)
        self.asked: list[Asked] = []
        self.left = threading.Event()
        self.waiting = threading.Event()
        self.address = ""

    async def stall(self) -> None:
        """Says nothing until the other side has gone."""
        self.waiting.set()
        await asyncio.Event().wait()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = {name.decode().lower(): value.decode("latin-1") for name, value in scope["headers"]}
        asked = Asked(scope["method"], scope["path"], scope["query_string"].decode(), headers, body, scope["client"][1])
        self.asked.append(asked)
        reply = self.replies[min(len(self.asked), len(self.replies)) - 1]
        reply = reply(asked) if callable(reply) else reply
        work = asyncio.ensure_future(self._send(reply, send))
        gone = asyncio.ensure_future(self._wait_until_gone(receive))
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            work.cancel()
            self.left.set()
        gone.cancel()
        await asyncio.gather(work, gone, return_exceptions=True)
        if reply.is_broken_off:
            raise ConnectionResetError("cut on purpose")

    async def _send(self, reply: Reply, send: Any) -> None:
        named = [(name.encode(), value.encode("latin-1")) for name, value in reply.headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": named})
        for piece in reply.pieces:
            if callable(piece):
                await piece()
            else:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                await asyncio.sleep(0)  # so that a client that has gone is noticed
        if not reply.is_broken_off:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait_until_gone(self, receive: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass


@contextmanager
def run_app(app: Any, *, lifespan: str = "off") -> Iterator[str]:
    """A server of its own in a thread; its address without a path."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan=lifespan, timeout_graceful_shutdown=5  # pyright: ignore
    )  # fmt: skip
    server = _Server(config)
    thread = threading.Thread(target=lambda: server.run(sockets=[listener]), daemon=True)
    thread.start()
    try:
        assert server.is_ready.wait(60), "the server did not start"
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        listener.close()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_ready.set()


@contextmanager
def run_upstream(*replies: Reply | Callable[[Asked], Reply]) -> Iterator[Upstream]:
    upstream = Upstream(*replies)
    with run_app(upstream) as address:
        upstream.address = f"{address}/v1"
        yield upstream


def open_memory(folder: Path, **settings: Any) -> Groundwire:
    chosen = {"judge": "rules", "slow_verification_ms": 600_000, **settings}  # a busy machine is not what is tested
    gw = Groundwire(folder / "memory.db", settings=Settings(**chosen))
    for user, city in (("ada", "Berlin"), ("bob", "Lisbon")):
        assert gw.remember(f"I live in {city}.", user=user).memory is not None
    assert gw.remember("My sister is called Clara.", user="ada").memory is not None
    return gw


@contextmanager
def run_proxy(
    folder: Path,
    upstream: str,
    *,
    options: ProxyOptions | None = None,
    seconds: float = 60.0,
    user: str = "ada",
) -> Iterator[str]:
    """The base address of a proxy over a store of its own."""
    app = create_proxy(
        open_memory(folder), upstream, owner=Scope(user, "default"), options=options, seconds=seconds
    )  # fmt: skip
    with run_app(app, lifespan="on") as address:
        yield f"{address}/v1"


def read_events(body: bytes) -> list[Any]:
    """What a strict reader makes of a stream: every event is one line of data, the last one is the mark."""
    *events, rest = body.decode().split("\n\n")
    assert rest == ""
    read = [event.removeprefix("data: ") for event in events]
    assert read[-1] == "[DONE]"
    return [json.loads(event) for event in read[:-1]]


def text_of(chunks: Sequence[Any], index: int = 0) -> str:
    return "".join(
        choice["delta"].get("content") or ""
        for one in chunks
        for choice in one.get("choices", [])
        if choice["index"] == index
    )


def finish_of(chunks: Sequence[Any], index: int = 0) -> list[str]:
    found = [choice for one in chunks for choice in one.get("choices", []) if choice["index"] == index]
    return [choice["finish_reason"] for choice in found if choice["finish_reason"] is not None]


def open_guard(**options: Any) -> Opened:
    check, chosen = RulesCheck(), GuardOptions(**options)

    def open_branches(guard: StreamGuard, shown: str) -> Branching:
        assert guard.halted is not None and guard.report is not None
        request = Request("r", "", Scope("ada", "default"), 0)
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        return Branching(check, guard.halted, guard.report, request, chosen, released=shown, now=lambda: moment)

    return Opened(StreamGuard(check, chosen), open_branches, chosen)


def conclude(choice: Choice) -> StreamEvent:
    return choice.opened.open_branches(choice.guard, "").conclude()
