"""Which headers go on, and which end here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Headers = list[tuple[str, str]]
HOP_BY_HOP = frozenset(
    (
        "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
        "trailers", "transfer-encoding", "upgrade",
    )
)  # fmt: skip
OWN = "x-groundwire-"
USER = "x-groundwire-user"
UPSTREAM_KEY = "x-upstream-authorization"
"""Where the service has a key of its own in Authorization, the upstream's comes in this one."""
_NOT_FORWARDED = frozenset({"host", "content-length", "expect"})
_OWN_CREDENTIALS = frozenset({"authorization", "x-api-key", "api-key", "cookie", UPSTREAM_KEY})
_NOT_RETURNED = frozenset({"date", "server", "content-length"})


def forward(headers: Sequence[tuple[str, str]], *, has_own_keys: bool = False, key: str = "") -> Headers:
    """The headers for the upstream. Where the service has keys of its own, none of them goes on: the upstream's is the
    one that was sent for it, or else the operator's `key`."""
    kept = [
        (name, value)
        for name, value in _end_to_end(headers)
        if name not in _NOT_FORWARDED
        and not name.startswith(OWN)
        and name != UPSTREAM_KEY
        and not (has_own_keys and name in _OWN_CREDENTIALS)
    ]
    if not has_own_keys and any(name in ("authorization", "api-key", "x-api-key") for name, _ in kept):
        return kept
    sent = find(headers, UPSTREAM_KEY) if has_own_keys else ""
    credential = sent or (f"Bearer {key}" if key else "")
    return [*kept, ("authorization", credential)] if credential else kept


def give_back(headers: Sequence[tuple[str, str]], *, is_rewritten: bool) -> Headers:
    """The headers for the client; those that describe a body which is no longer the same are left out."""
    changed = frozenset({"content-encoding", "etag", "digest", "content-digest", "content-md5"})
    return [
        (name, value)
        for name, value in _end_to_end(headers)
        if (name not in _NOT_RETURNED or (name == "content-length" and not is_rewritten))
        and not name.startswith(OWN)
        and not (is_rewritten and name in changed)
    ]


def find(headers: Iterable[tuple[str, str]], wanted: str) -> str:
    return next((value for name, value in headers if name.lower() == wanted), "")


def _end_to_end(headers: Sequence[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Lower-cased, and without those that belong to one connection: the known ones and those that it names."""
    named = {
        word.strip().lower() for name, value in headers if name.lower() == "connection" for word in value.split(",")
    }
    return [(name.lower(), value) for name, value in headers if name.lower() not in HOP_BY_HOP | named]
