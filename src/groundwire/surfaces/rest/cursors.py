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
Cursor = Annotated[str | None, Query(max_length=64, description="The `next` of the page before.")]
DEFAULT = 50
_LARGEST = 2**63 - 1


def read_cursor(cursor: str | None, listing: str) -> int | None:
    """The number behind a cursor; somebody's invention is refused, not guessed at."""
    if cursor is None:
        return None
    try:
        name, _, number = base64.b64decode(cursor, altchars=b"-_", validate=True).decode("ascii").rpartition(":")
        if name == listing and number.isdecimal() and len(number) <= 19 and int(number) <= _LARGEST:
            return int(number)
    except (binascii.Error, ValueError):
        pass  # refused below like any other text that is no cursor
    raise InvalidInput("cursor", "is none of this list; give the next of the page before, or leave it out")


def write_cursor(listing: str, number: int | None) -> str | None:
    return None if number is None else base64.urlsafe_b64encode(f"{listing}:{number}".encode()).decode()


def describe_page(listing: str, name: str, items: list[JsonObject], page: Page[object]) -> JsonObject:
    return {name: items, "next": write_cursor(listing, page.next)}
