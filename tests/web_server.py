"""A real HTTP server for tests: answers what it is told to, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    status: int = 200
    body: bytes = b"ok"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    wait: Callable[[], object] | None = None
    """Called before anything is sent."""


@dataclass
class WebServer:
    base: str
    port: int
    replies: dict[str, Reply]
    asked: list[tuple[str, str, dict[str, str]]]
    """Method, path and headers of every request."""

    def methods(self) -> list[str]:
        return [method for method, _, _ in self.asked]


@contextmanager
def serve(replies: Mapping[str, Reply] | None = None) -> Iterator[WebServer]:
    """`replies` by path, or by "METHOD path"; what is not listed is 404."""
    asked: list[tuple[str, str, dict[str, str]]] = []
    known = dict(replies or {})

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            asked.append((self.command, self.path, dict(self.headers.items())))
            reply = known.get(f"{self.command} {self.path}") or known.get(self.path) or Reply(404, b"")
            if reply.wait is not None:
                reply.wait()
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(reply.body)

        do_GET = do_HEAD = _answer  # noqa: N815

        def handle(self) -> None:
            try:
                super().handle()
            except (ConnectionError, BrokenPipeError):
                return  # a client that gave up

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    port = int(server.server_address[1])
    try:
        yield WebServer(f"http://127.0.0.1:{port}", port, known, asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
