"""The model card: every figure in it was written by a stage of the run that made the models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundwire.models.files import CALIBRATION, open_model
from training.sources import read_sources

_USE = """Each model reads evidence and a claim and says how likely the evidence supports the claim, refutes it, or says
nothing of it. They are made for short English statements and passages, to check what a language model says against what
it was given. They are not made to say whether a claim is true in the world, and read no other language well.
"""


def write_card(root: Path, config: Mapping[str, Any]) -> str:
    """The card as Markdown."""
    parts = ["# Model card: the verifiers of Groundwire", "", _USE]
    measured = json.loads((root / "evaluate-metrics.json").read_text(encoding="utf-8"))
    for name in (n for n in ("mini", "base") if n in measured["models"]):
        parts += _write_model(root / "models" / name, measured["models"][name])
    parts += _write_data(root, config)
    return "\n".join(parts).rstrip() + "\n"


def _write_model(folder: Path, sets: Mapping[str, Any]) -> list[str]:
    manifest = open_model(folder, "run: python -m training export").manifest
    calibration = json.loads((folder / CALIBRATION).read_text(encoding="utf-8"))
    size = sum(file.size for file in manifest.files.values())
    lines = [
        f"## `{manifest.name}` {manifest.version}",
        "",
        f"- {manifest.details['parameters']:,} parameters, {manifest.details['precision']}, {size / 1e6:.1f} MB,"
        f" {manifest.max_tokens} tokens",
        f"- fingerprint `{manifest.fingerprint}`, calibration `{calibration['version']}`",
        f"- calibrated on {calibration.get('n', 0):,} pairs that no training has seen; ECE there"
        f" {calibration.get('ece')}, cross-validated"
        f" {calibration.get('cross_validated', {}).get(calibration['method'], {}).get('ece')}",
        "",
        "| development set | pairs | accuracy | balanced | ECE |",
        "|---|---|---|---|---|",
    ]
    lines += [f"| {name} | {entry['n']:,} | {_figures(entry['figures'])} |" for name, entry in sorted(sets.items())]
    return [*lines, ""]


def _figures(figures: Mapping[str, Mapping[str, Any]]) -> str:
    return " | ".join(_figure(figures.get(key, {})) for key in ("accuracy", "balanced_accuracy", "ece"))


def _figure(entry: Mapping[str, Any]) -> str:
    if entry.get("value") is None:
        return "–"
    low, high = entry.get("low"), entry.get("high")
    interval = "" if low is None or high is None else f" ({low:.3f}–{high:.3f})"
    return f"{entry['value']:.3f}{interval}"


def _write_data(root: Path, config: Mapping[str, Any]) -> list[str]:
    path = root / "prepare-metrics.json"
    used = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    counts = used.get("train", {}).get("sources", {})
    extra = used.get("extra", {}).get("sources", {})
    listed = read_sources()["sources"]
    lines = ["## Data", "", "| source | labelled | unlabelled | licence | home |", "|---|---|---|---|---|"]
    for name in sorted({*counts, *extra}):
        entry = listed.get(name, {"licence": "our own rules or grammar", "home": "`training/`"})
        row = f"{counts.get(name, 0):,} | {extra.get(name, 0):,} | {entry['licence']} | {entry['home']}"
        lines.append(f"| {name} | {row} |")
    held = float(config["held_out"])
    return [*lines, "", f"{held:.1%} of the premises were kept back for calibration. Seed {config['seed']}.", ""]
