"""Where a store is: a file, or an address on a server, which may hold a password."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit

_SECRETS = frozenset({"password", "sslpassword"})


def is_address(place: str) -> bool:
    return "://" in place


def show_place(place: str) -> str:
    """What may be printed: an address without its password, and of one that is not clear nothing but its kind."""
    if not is_address(place):
        return place
    hidden = f"{place.partition('://')[0]}://…"
    try:
        parts = urlsplit(place)
        _ = parts.port
    except ValueError:
        return hidden
    if parts.fragment or "@" in parts.path + parts.query:
        return hidden  # a password with a / or a ? in it, of which the rest would be shown
    user, at, host = parts.netloc.rpartition("@")
    query = parse_qsl(parts.query, keep_blank_values=True)
    kept = urlencode([(name, value) for name, value in query if name not in _SECRETS], safe="/")
    return parts._replace(netloc=f"{user.partition(':')[0]}{at}{host}", query=kept).geturl()
