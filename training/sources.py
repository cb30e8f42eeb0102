"""Where the data come from: what is there, what is missing, and where a stranger gets it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LISTED = Path(__file__).with_name("sources.toml")
_FORM = 'JSON lines, gzipped: {"premise": ..., "hypothesis": ..., "label": ..., "source": ...}'


def read_sources(path: Path = LISTED) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def list_files(settings: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """(needed, helpful): training files, and development sets that are measured where they are there."""
    return list(settings["files"]), [f"dev/{name}.jsonl.gz" for name in settings.get("dev", [])]


def check(data: Path, settings: Mapping[str, Any]) -> dict[str, list[str]]:
    """Which of the files are there."""
    needed, helpful = list_files(settings)
    return {
        "found": [name for name in needed + helpful if (data / name).is_file()],
        "missing": [name for name in needed if not (data / name).is_file()],
        "missing_dev": [name for name in helpful if not (data / name).is_file()],
    }


def explain(names: Sequence[str], data: Path) -> list[str]:
    """For each missing file, the sets it is made of and where they are published."""
    if not names:
        return []
    listed = read_sources()
    lines = [f"not found under {data}; each file is {_FORM}"]
    for name in names:
        lines.append(f"  {name}")
        sets = [(key, entry) for key, entry in listed["sources"].items() if name in entry["files"]]
        if not sets:
            lines.append("    not listed in training/sources.toml")
        for key, entry in sets:
            lines.append(f"    {key}: {entry['project']}, {entry['home']} ({entry['licence']})")
    return lines
