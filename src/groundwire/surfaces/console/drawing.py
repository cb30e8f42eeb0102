"""Templates become pages here: everything that is put into one is escaped, unless it was drawn as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from groundwire.surfaces.cards import format_day, format_moment

TEMPLATES = Path(__file__).parent / "templates"
ASSETS = Path(__file__).parent / "assets"
_SHORT = 240


@cache
def open_templates() -> Environment:
    """Escaping is on for every template whatever its name; a name that is not given is an error, not nothing."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    filters: dict[str, Callable[..., str]] = cast(Any, templates).filters
    filters.update(day=format_day, moment=_format, percent=_percent, short=shorten, words=_to_words, path=_as_part)
    return templates


def draw_page(name: str, values: Mapping[str, object]) -> str:
    return open_templates().get_template(name).render(values)


def shorten(text: str, most: int = _SHORT) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _format(moment: datetime | None) -> str:
    return "" if moment is None else format_moment(moment)


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{share:.0%}" if share in (0, 1) or share >= 0.1 else f"{share:.1%}"


def _to_words(name: str) -> str:
    return str(name).replace("_", " ").lower()


def _as_part(text: str) -> str:
    """As one part of an address, slashes included."""
    return quote(text, safe="")
