"""Whether everything that is kept, and what judges it, is in order."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from groundwire.errors import StoreUnavailable
from groundwire.memory.outcomes import Finding
from groundwire.memory.policy import find_leniencies
from groundwire.memory.protocols import Store
from groundwire.settings import Settings
from groundwire.types.places import is_address, show_place

_LITTLE = 100_000_000


def examine(
    open_store: Callable[[], Store],
    place: str | Path | None,
    settings: Settings,
    models: Mapping[str, Any],
    judging: Sequence[tuple[str, bool, str, str]] = (),
) -> list[Finding]:
    """Every finding, the good ones as well; a store that cannot be opened is one. `judging` is what others found."""
    findings = [*_examine_store(open_store, place), _examine_settings(settings), *_examine_models(settings, models)]
    findings += [Finding(name, ok, detail, "" if ok else remedy) for name, ok, detail, remedy in judging]
    if place is None or is_address(str(place)):
        return findings
    return [*findings, *_examine_place(Path(place).expanduser())]


def _examine_store(open_store: Callable[[], Store], place: str | Path | None) -> list[Finding]:
    shown = show_place(str(place)) if place is not None else "in memory"
    try:
        store = open_store()
        breaks = store.audit.verify()
        problems = [problem for problem in store.check() if problem not in breaks]
    except StoreUnavailable as error:
        return [Finding("store", False, error.problem, error.remedy)]
    note = ", read-only" if store.is_read_only else ""
    return [
        Finding("store", True, f"{shown}{note}"),
        _conclude("schema", problems, "tables, index and references are whole", "restore a copy, or export and import"),
        _conclude("audit", breaks, "the chain is whole", "find out who changed it; restore a copy"),
    ]


def _conclude(name: str, problems: Sequence[str], fine: str, remedy: str) -> Finding:
    return Finding(name, False, "; ".join(problems), remedy) if problems else Finding(name, True, fine)


def _examine_settings(settings: Settings) -> Finding:
    """They were checked when they were read; what is left is what they switch off."""
    return Finding("settings", True, "; ".join(find_leniencies(settings)) or "no defence is switched off")


def _examine_models(settings: Settings, models: Mapping[str, Any]) -> list[Finding]:
    wanted = settings.judge.removesuffix("-alone")
    found: list[Mapping[str, Any]] = list(models["models"])
    findings = [
        Finding(
            f"model {model['name']}",
            model["problem"] is None,
            model["problem"] or f"whole, {model['bytes'] / 1e6:.1f} MB",
            "" if model["problem"] is None else f"run: groundwire models install {model['name']} PATH",
        )
        for model in found
    ]
    if wanted != "rules" and wanted not in {model["name"] for model in found}:
        remedy = f"run: groundwire models install {wanted} PATH; until then rules judge alone"
        findings.append(Finding(f"model {wanted}", False, f"the judge {wanted} is not installed", remedy))
    return findings


def _examine_place(place: Path) -> list[Finding]:
    home = place.parent
    if not home.is_dir():
        return [Finding("disk", False, f"the folder {home} does not exist", "create it")]
    free = shutil.disk_usage(home).free
    room = f"{free / 1e9:.1f} GB free"
    disk = (
        Finding("disk", True, room)
        if free >= _LITTLE
        else Finding("disk", False, room, "make room: nothing can be remembered on a full disk")
    )
    return [disk, *([_examine_mode(place)] if place.exists() else [])]


def _examine_mode(place: Path) -> Finding:
    mode = place.stat().st_mode
    shown = stat.filemode(mode)
    if mode & stat.S_IWOTH:
        return Finding("permissions", False, f"{shown}: anybody may change it", f"run: chmod o-w {place}")
    if not os.access(place, os.R_OK):
        return Finding("permissions", False, f"{shown}: it cannot be read", f"run: chmod u+r {place}")
    if not os.access(place, os.W_OK) or not mode & 0o222:
        return Finding("permissions", True, f"{shown}: read-only, so nothing can be remembered")
    return Finding("permissions", True, shown)
