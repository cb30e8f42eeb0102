"""The manifest of a model's folder: every file with its size and hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groundwire.models.files import CALIBRATION, GRAPH, MANIFEST, TABLE, TOKENIZER, WEIGHTS


def write_manifest(folder: Path, details: Mapping[str, Any]) -> None:
    """Written last and whole: a folder without a manifest is no model."""
    paths = [folder / name for name in (GRAPH, WEIGHTS, TOKENIZER, CALIBRATION, TABLE) if (folder / name).exists()]
    files = {
        path.name: {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}
        for path in paths
    }
    partial = folder / ("partial-" + MANIFEST)
    partial.write_text(json.dumps({**details, "files": files}, indent=1) + "\n", encoding="utf-8")
    partial.replace(folder / MANIFEST)
