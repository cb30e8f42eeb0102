"""Whether a cited address exists: asked with HEAD, and with a short GET where a server does not know HEAD.

Every hop of a redirect is checked like the first. A redirect to the front page or to a login says nothing about the
page that was cited, so it does not verify it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from groundwire.errors import Unreachable
from groundwire.memory.fetching import Answer, Fetcher, Target, parse_target
from groundwire.memory.rates import RateLimit
from groundwire.memory.receipts import CitationCheck, CitationStatus
from groundwire.types import Citation

TIMEOUT_S = 5.0
MAX_REDIRECTS = 3
_RANGE = {"Range": "bytes=0-65535"}
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HEAD_UNKNOWN = frozenset({405, 501})
_GONE = frozenset({404, 410})
_LOGIN = re.compile(
    r"(?:^|[/._-])(?:log-?in|sign-?in|sign_in|sso|oauth2?|authorize|auth|accounts?|session/new)(?:$|[/._?-])", re.I
)


@dataclass(frozen=True, slots=True)
class UrlOptions:
    """`hosts` are the only ones asked, with their subdomains; empty means any."""

    timeout_s: float = TIMEOUT_S
    max_redirects: int = MAX_REDIRECTS
    hosts: frozenset[str] = frozenset()
    per_host_a_minute: int = 30
    per_user_a_minute: int = 60


class UrlChecker:
    """Made only where URL checks are switched on; without it an address stays unverified."""

    scope = ""

    def __init__(self, fetcher: Fetcher, clock: Callable[[], float], options: UrlOptions | None = None) -> None:
        self._fetcher = fetcher
        self._clock = clock
        self._options = options or UrlOptions()
        self._hosts = RateLimit(self._options.per_host_a_minute, clock)
        self._users = RateLimit(self._options.per_user_a_minute, clock)

    def check(self, citation: Citation, user_id: str, *, with_content: bool = False) -> CitationCheck:
        deadline = self._clock() + self._options.timeout_s
        try:
            if not self._users.take(user_id):
                raise Unreachable("too many addresses were checked for this user; try again in a minute")
            target, answer = self._follow(parse_target(citation.id), deadline)
        except Unreachable as error:
            return CitationCheck(citation, CitationStatus.UNREACHABLE, str(error))
        reason = f"HTTP {answer.status}"
        if answer.status in _GONE:
            return CitationCheck(citation, CitationStatus.NOT_FOUND, reason)
        if answer.status not in (200, 206):
            return CitationCheck(citation, CitationStatus.UNREACHABLE, reason)
        content = self._read(target, answer, deadline) if with_content else None
        return CitationCheck(citation, CitationStatus.VERIFIED, reason, content)

    def _follow(self, target: Target, deadline: float) -> tuple[Target, Answer]:
        """The last target of a chain of redirects, with its answer."""
        first = target
        for _ in range(self._options.max_redirects + 1):
            answer = self._ask(target, deadline)
            if answer.status not in _REDIRECTS or not answer.location:
                return target, answer
            following = parse_target(urljoin(target.url, answer.location.strip()))
            if target.scheme == "https" and following.scheme == "http":
                raise Unreachable(f"HTTP {answer.status}: it leads from https to http")
            if _leads_astray(first, following):
                raise Unreachable(f"HTTP {answer.status}: it leads to the front page or a login, not to what was cited")
            target = following
        raise Unreachable(f"it is redirected more than {self._options.max_redirects} times")

    def _ask(self, target: Target, deadline: float) -> Answer:
        allowed = self._options.hosts
        if allowed and not any(target.host == host or target.host.endswith(f".{host}") for host in allowed):
            raise Unreachable("the host is not on the list of those that may be asked")
        if not self._hosts.take(target.host):
            raise Unreachable("the host was asked too often; try again in a minute")
        answer = self._fetcher.fetch("HEAD", target, deadline)
        return self._fetcher.fetch("GET", target, deadline, _RANGE) if answer.status in _HEAD_UNKNOWN else answer

    def _read(self, target: Target, answer: Answer, deadline: float) -> str | None:
        """What the page says; a page that cannot be read still exists."""
        try:
            answer = answer if answer.body else self._fetcher.fetch("GET", target, deadline)
        except Unreachable:
            return None
        return read_page(answer.body, answer.content_type) if answer.status in (200, 206) else None


def _leads_astray(first: Target, following: Target) -> bool:
    asked, reached = urlsplit(first.url), urlsplit(following.url)
    to_root = reached.path in ("", "/") and not reached.query and asked.path not in ("", "/")
    place = f"{reached.hostname}{reached.path}"
    return to_root or bool(_LOGIN.search(place) and not _LOGIN.search(f"{asked.hostname}{asked.path}"))


# ── what a page says ────────────────────────────────────────────────────────────────────────────


class _Text(HTMLParser):
    """Collects what a reader sees."""

    _hidden = frozenset({"script", "style", "template", "noscript", "svg"})
    _breaks = frozenset({"p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "title", "td"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._depth += tag in self._hidden
        if tag in self._breaks:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag in self._hidden and self._depth > 0
        if tag in self._breaks:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._depth:
            self.pieces.append(data)


def read_page(body: bytes, content_type: str) -> str:
    """The text of a page, one line a block."""
    found = re.search(r"charset=[\"']?([\w-]{1,40})", content_type)
    try:
        text = body.decode(found.group(1) if found else "utf-8", "replace")
    except LookupError:
        text = body.decode("utf-8", "replace")
    if "html" in content_type.lower() or re.match(r"\s{0,100}<(?:!doctype|html)", text, re.I):
        parser = _Text()
        parser.feed(text)
        text = "".join(parser.pieces)
    lines = (" ".join(line.split()) for line in text.splitlines())
    return "\n".join(line for line in lines if line)
