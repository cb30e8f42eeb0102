"""What `groundwire serve` has besides `/v1`: each is a function that adds itself to the application."""

from __future__ import annotations

from groundwire.surfaces.rest.app import Extension


def list_extensions() -> list[Extension]:
    """In the order in which they are installed; a page for people or a proxy is one line here."""
    return []
