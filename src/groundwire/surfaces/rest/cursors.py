"""Where a page ends and the next begins: opaque to clients, worthless outside the list that it belongs to."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from fastapi import Query

from groundwire.errors import InvalidInput
from groundwire.surfaces.responses import JsonObject
from groundwire.types.access import Page

MOST = 200
Limit = Annotated[int, Query(ge=1, le=MOST, description="At most so many on this page.")]
Cursor = Annotated[str | None, Query(max_length=4_096, description="The `next` of the page before.")]
DEFAULT = 50
_LARGEST = 2**63 - 1


def read_cursor(cursor: str | None, listing: str) -> int | None:
    """The number behind a cursor; somebody's invention is refused, not guessed at."""
    if cursor is None:
        return None
    number = read_place(cursor, listing)
    if number.isascii() and number.isdecimal() and len(number) <= 19 and int(number) <= _LARGEST:
        return int(number)
    raise _unknown()


def read_place(cursor: str | None, listing: str) -> str:
    """The name that a page ended with, for lists that are ordered by name; empty at the beginning."""
    if cursor is None:
        return ""
    try:
        name, colon, place = base64.b64decode(cursor, altchars=b"-_", validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        raise _unknown() from None
    if name != listing or not colon or "\x00" in place:
        raise _unknown()
    return place


def write_cursor(listing: str, place: int | str | None) -> str | None:
    return None if place is None else base64.urlsafe_b64encode(f"{listing}:{place}".encode()).decode()


def _unknown() -> InvalidInput:
    return InvalidInput("cursor", "is none of this list; give the next of the page before, or leave it out")


def describe_page(listing: str, name: str, items: list[JsonObject], page: Page[object]) -> JsonObject:
    return {name: items, "next": write_cursor(listing, page.next)}
