"""The models that there are, whether they are whole, and how one more is added."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from groundwire.errors import ModelMissing, ModelUnavailable
from groundwire.models.files import ModelFiles, find_model, list_models
from groundwire.models.installation import download, install


def describe_installed(home: Path) -> dict[str, Any]:
    """Every model that can be found, compared with its manifest."""
    found: list[dict[str, Any]] = []
    for name in list_models(home):
        try:
            files = find_model(name, home)
            problem = _check_files(files)
            manifest = files.manifest
            size = sum(file.size for file in manifest.files.values())
            entry = {"version": manifest.version, "folder": str(files.folder), "bytes": size}
            found.append({"name": name, **entry, "fingerprint": manifest.fingerprint, "problem": problem})
        except ModelUnavailable as error:
            unknown = {"version": "?", "folder": str(home / name), "bytes": 0, "fingerprint": ""}
            found.append({"name": name, **unknown, "problem": str(error)})
    return {"folder": str(home), "models": found}


def _check_files(files: ModelFiles) -> str | None:
    try:
        files.verify()
    except ModelUnavailable as error:
        return str(error)
    return None


def install_from(name: str, source: str, home: Path) -> str:
    """Put a model where it is found by its name; returns its full name and folder."""
    try:
        if source.startswith(("http://", "https://")):
            with tempfile.TemporaryDirectory() as folder:
                installed = install(download(source, Path(folder)), home, expected_name=name)
        else:
            path = Path(source).expanduser()
            if not path.exists():
                raise ModelMissing(f"there is no {source!r}", "give the folder or archive that holds the model")
            installed = install(path, home, expected_name=name)
    except OSError as error:
        raise ModelMissing(
            f"{name} cannot be installed in {home} ({error.strerror or error})",
            "make room there, or set models_folder to a folder that can be written",
        ) from error
    return f"{installed.manifest.full_name} in {installed.folder}"
