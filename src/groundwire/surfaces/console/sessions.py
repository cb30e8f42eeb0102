"""Who is signed in. The browser holds a random name; the key itself is never kept, neither here nor there."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

IDLE_SECONDS = 8 * 3_600.0
_MOST = 10_000
_LONGEST_NAME = 128
_OPENED = "s."
"""In front of the names of those who signed in, so that whoever comes back too late can be told."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What became of the last thing that was done, told once."""

    text: str
    is_good: bool = True


@dataclass(frozen=True, slots=True)
class Session:
    """`owner` is whose memories were looked at last."""

    credential_id: str
    used: float
    owner: str | None = None
    notice: Notice | None = None


class Sessions:
    """Of this process; they end with it, after hours without use, on signing out, or when the key is revoked."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._secret = secrets.token_bytes(32)
        self._kept: dict[str, Session] = {}
        self._lock = threading.Lock()

    def make_name(self) -> str:
        return secrets.token_urlsafe(32)

    def token_for(self, name: str) -> str:
        """What a form has to carry to be accepted from whoever holds this name."""
        return hmac.new(self._secret, f"form:{name}".encode(), hashlib.sha256).hexdigest()

    def is_token_of(self, name: str, token: str) -> bool:
        return bool(name) and hmac.compare_digest(self.token_for(name).encode(), token.encode())

    def open(self, credential_id: str) -> str:
        """A new name for somebody who has just been recognised; an old one is never promoted."""
        name = _OPENED + self.make_name()
        with self._lock:
            while len(self._kept) >= _MOST:
                del self._kept[next(iter(self._kept))]
            self._kept[_hide(name)] = Session(credential_id, self._clock())
        return name

    def was_opened(self, name: str) -> bool:
        """Whether somebody signed in under this name once; it opens nothing."""
        return name.startswith(_OPENED)

    def find(self, name: str) -> Session | None:
        if not name or len(name) > _LONGEST_NAME:
            return None
        place, now = _hide(name), self._clock()
        with self._lock:
            session = self._kept.pop(place, None)
            if session is None or now - session.used > IDLE_SECONDS:
                return None
            self._kept[place] = replace(session, used=now)
            return session

    def close(self, name: str) -> None:
        with self._lock:
            self._kept.pop(_hide(name), None)

    def choose_owner(self, name: str, owner: str) -> None:
        self._change(name, lambda session: replace(session, owner=owner))

    def tell(self, name: str, notice: Notice) -> None:
        self._change(name, lambda session: replace(session, notice=notice))

    def take_notice(self, name: str) -> Notice | None:
        with self._lock:
            session = self._kept.get(_hide(name))
            if session is None or session.notice is None:
                return None
            self._kept[_hide(name)] = replace(session, notice=None)
            return session.notice

    def _change(self, name: str, change: Callable[[Session], Session]) -> None:
        with self._lock:
            session = self._kept.get(_hide(name))
            if session is not None:
                self._kept[_hide(name)] = change(session)


def _hide(name: str) -> str:
    """Looked up by digest, so that how long it takes tells nothing about the names that are kept."""
    return hashlib.sha256(name.encode()).hexdigest()
