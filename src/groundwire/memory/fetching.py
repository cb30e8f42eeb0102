"""One HTTP request to one checked address, within limits of time and size.

The host is resolved once, every address it resolves to is checked, and the connection goes to one of exactly those:
a name that points elsewhere a moment later changes nothing. The standard library's client is used because it lets
the connection be made by hand; it knows no proxies, follows no redirects and sends no credentials by itself.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote, urlsplit

from groundwire.errors import Unreachable
from groundwire.memory.addresses import AddressPolicy

AGENT = "groundwire-citation-check"
MAX_BYTES = 1_000_000
_MOST_ADDRESSES = 3
_PATH_CHARACTERS = "/%:@!$&'()*+,;=~-._?"

Resolve = Callable[[str, int], Sequence[str]]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Target:
    """An address taken apart; never holds a user name, a password or a fragment."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_default_port(self) -> bool:
        return self.port == (443 if self.scheme == "https" else 80)

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}{'' if self.is_default_port else f':{self.port}'}{self.path}"


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    location: str | None
    content_type: str
    body: bytes


def parse_target(url: str) -> Target:
    """The parts of an http(s) address; anything else, and credentials, are refused."""
    try:
        parts = urlsplit(url)
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode("ascii") if parts.hostname else ""
    except (ValueError, UnicodeError):
        raise Unreachable("the address cannot be read") from None
    if parts.scheme.lower() not in ("http", "https"):
        raise Unreachable("only http and https are asked")
    if "@" in parts.netloc:
        raise Unreachable("the address holds credentials")
    if not host or any(ord(character) <= 32 for character in url):
        raise Unreachable("the address cannot be read")
    scheme = parts.scheme.lower()
    path = quote(parts.path or "/", safe=_PATH_CHARACTERS)
    if parts.query:
        path += "?" + quote(parts.query, safe=_PATH_CHARACTERS)
    return Target(scheme, host.lower(), port if port is not None else (443 if scheme == "https" else 80), path)


def resolve_host(host: str, port: int) -> Sequence[str]:
    """Every address of a host, as numbers."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Fetcher:
    """Makes single requests; redirects are the caller's, who has to check where they lead."""

    def __init__(
        self,
        policy: AddressPolicy,
        clock: Clock,
        *,
        resolve: Resolve = resolve_host,
        tls: ssl.SSLContext | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._policy = policy
        self._clock = clock
        self._resolve = resolve
        self._tls = tls
        self._max_bytes = max_bytes

    def fetch(self, method: str, target: Target, deadline: float, headers: Mapping[str, str] | None = None) -> Answer:
        """The answer to one request, made and read before `deadline`; raises Unreachable for whatever goes wrong."""
        addresses = self._check_host(target)
        problem = "no address answered"
        for address in addresses[:_MOST_ADDRESSES]:
            connection = self._open(target, address, deadline)
            watchdog = threading.Timer(max(0.0, deadline - self._clock()), connection.abort)
            watchdog.daemon = True
            watchdog.start()
            try:
                connection.connect()
            except (OSError, ValueError) as error:  # ValueError: a host name that TLS cannot carry
                problem = _describe(error)
                watchdog.cancel()
                connection.close()
                continue
            try:
                return self._ask(connection, method, target, headers or {})
            except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
                raise Unreachable(_describe(error)) from error
            finally:
                watchdog.cancel()
                connection.close()
        raise Unreachable(problem)

    def _check_host(self, target: Target) -> Sequence[str]:
        try:
            addresses = self._resolve(target.host, target.port)
        except (OSError, UnicodeError):
            raise Unreachable("the host name does not resolve") from None
        if not addresses:
            raise Unreachable("the host name does not resolve")
        for address in addresses:
            if (refusal := self._policy.refuse(address, target.port)) is not None:
                raise Unreachable(refusal)
        return addresses

    def _open(self, target: Target, address: str, deadline: float) -> _PinnedConnection:
        remaining = deadline - self._clock()
        if remaining <= 0:
            raise Unreachable("it took too long")
        tls = (self._tls or ssl.create_default_context()) if target.scheme == "https" else None
        return _PinnedConnection(target, address, remaining, tls)

    def _ask(self, connection: _PinnedConnection, method: str, target: Target, headers: Mapping[str, str]) -> Answer:
        connection.request(method, target.path, headers={"User-Agent": AGENT, "Accept": "*/*", **headers})
        response = connection.getresponse()
        body = b"" if method == "HEAD" else self._read(response)
        return Answer(response.status, response.getheader("Location"), response.getheader("Content-Type") or "", body)

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        """No more than the limit, before and after decompression."""
        body = response.read(self._max_bytes)
        if (response.getheader("Content-Encoding") or "").strip().lower() in ("gzip", "x-gzip", "deflate"):
            body = zlib.decompressobj(wbits=47).decompress(body, self._max_bytes)
        return body


class _PinnedConnection(http.client.HTTPConnection):
    """Connects to an address that was checked, and speaks to the host that was named."""

    def __init__(self, target: Target, address: str, timeout: float, tls: ssl.SSLContext | None) -> None:
        super().__init__(target.host, target.port, timeout=timeout)
        self.default_port = 443 if target.scheme == "https" else 80
        self._address = address
        self._context = tls
        self._aborted = False

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._context is not None:
            # The handshake is made by hand so that `abort` can end it as well.
            self.sock = self._context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock.do_handshake()
        if self._aborted:
            raise TimeoutError("it took too long")

    def abort(self) -> None:
        """Ends whatever is going on: a server that sends one byte a second never runs into a socket's timeout."""
        self._aborted = True
        current = cast(socket.socket | None, self.sock)
        if current is not None:
            try:
                current.shutdown(socket.SHUT_RDWR)
            except OSError:
                return


def _describe(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "it took too long"
    if isinstance(error, ssl.SSLError):
        return "the secure connection could not be made"
    if isinstance(error, http.client.HTTPException | zlib.error | ValueError):
        return "the answer is not valid HTTP"
    return "no connection could be made"
