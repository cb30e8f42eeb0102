"""What a request says of itself, read where it stands: most requests are asked for four or five headers."""

from __future__ import annotations

from starlette.types import Scope


def read_header(scope: Scope, name: bytes) -> str | None:
    """The first header of that name, which is given in lower case as ASGI has it."""
    for given, value in scope["headers"]:
        if given == name:
            return value.decode("latin-1")
    return None
