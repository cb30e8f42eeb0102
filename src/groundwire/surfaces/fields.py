"""Single fields that requests about stored memories share: whose they are, when, and how many."""

from __future__ import annotations

from datetime import UTC, datetime

from groundwire.errors import InvalidInput
from groundwire.surfaces.requests import Fields, check_text, read_timestamp, wrong_type

NAME_CHARACTERS = 256
MOST_RECALLED = 1_000


def read_user(fields: Fields, default: str) -> str:
    """Whose memory it is: `user`, or `user_id` as the write gate calls it."""
    if fields.get("user") is not None and fields.get("user_id") is not None:
        raise InvalidInput("user", "is given as user and as user_id; give one of them")
    name = "user" if fields.get("user_id") is None else "user_id"
    value = fields.get(name)
    return check_name(default if value is None else value, name)


def check_name(value: object, path: str) -> str:
    """A name of a person, a tenant or a thing; surrounding space would make two of one."""
    name = check_text(value, path, NAME_CHARACTERS)
    if name != name.strip():
        raise InvalidInput(path, "begins or ends with space")
    return name


def read_name(fields: Fields, name: str, default: str) -> str:
    value = fields.get(name)
    return default if value is None else check_name(value, name)


def read_required_name(fields: Fields, name: str) -> str:
    if fields.get(name) is None:
        raise InvalidInput(name, "is required")
    return check_name(fields[name], name)


def read_moment(fields: Fields, name: str) -> datetime | None:
    """A time as ISO 8601 or Unix seconds; a day alone is its first instant, UTC."""
    stamp = read_timestamp(fields.get(name), name)
    return None if stamp is None else datetime.fromtimestamp(stamp, UTC)


def read_limit(fields: Fields, default: int) -> int:
    value = fields.get("limit")
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type("limit", "a whole number", value)
    if not 1 <= value <= MOST_RECALLED:
        raise InvalidInput("limit", f"must be in [1, {MOST_RECALLED:,}]")
    return value


def read_share(fields: Fields, name: str) -> float | None:
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(name, "must be a number in [0, 1]")
    return float(value)
