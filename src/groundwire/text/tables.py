"""Reads the tables that ship beside the code; each is read once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from groundwire.errors import DataFileError


@cache
def read_table(name: str, room: str = "text") -> dict[str, Any]:
    """The TOML table `data/<name>.toml` of a room."""
    file = resources.files(f"groundwire.{room}").joinpath(f"data/{name}.toml")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"the table {name}.toml cannot be read ({error}): reinstall groundwire") from error


def join_phrases(phrases: Iterable[str]) -> str:
    """An alternation, longest first, with blanks standing for any white space."""
    return "|".join(re.escape(phrase).replace("\\ ", r"\s+") for phrase in sorted(phrases, key=len, reverse=True))


def join_stems(stems: Iterable[str]) -> str:
    """A pattern for any of `stems`, wherever they stand; a shared beginning is tried once, so that many cost little."""
    rests: dict[str, list[str]] = {}
    for stem in stems:
        rests.setdefault(stem[:1], []).append(stem[1:])
    if "" in rests:
        return ""
    branches = [re.escape(first) + join_stems(rest) for first, rest in rests.items()]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
