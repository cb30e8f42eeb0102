"""Reads the tables that ship beside the code; each is read once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from groundwire.errors import DataFileError


@cache
def read_table(name: str) -> dict[str, Any]:
    """The TOML table `text/data/<name>.toml`."""
    file = resources.files("groundwire.text").joinpath(f"data/{name}.toml")
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"the table {name}.toml cannot be read ({error}): reinstall groundwire") from error
