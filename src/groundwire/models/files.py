"""A model on disk: a folder with a manifest that names every file, its size and its SHA-256.

Nothing is used before it has been compared with the manifest, and what is compared is what is used.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO, cast

from groundwire.errors import ModelCorrupt, ModelMissing
from groundwire.types import Verdict

MANIFEST = "manifest.json"
GRAPH = "model.onnx"
TOKENIZER = "tokenizer.json"
CALIBRATION = "calibration.json"
WEIGHTS = "weights.gwq"
TABLE = "table.npz"
REQUIRED = (GRAPH, TOKENIZER, CALIBRATION)
PACKAGED = ("mini", "embedder")
LARGEST_MANIFEST = 1 << 20
_CHUNK = 1 << 20
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,31}")
_FILE = re.compile(r"[0-9A-Za-z_][0-9A-Za-z._-]{0,99}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_FINGERPRINT = 16


class ModelKind(StrEnum):
    """What a model does; a manifest that does not say so is a verifier's."""

    VERIFIER = "verifier"
    EMBEDDER = "embedder"

    @property
    def required(self) -> tuple[str, ...]:
        return REQUIRED if self is ModelKind.VERIFIER else (TABLE,)


@dataclass(frozen=True, slots=True)
class StoredFile:
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a model says of itself; `details` keeps the whole document for whoever prints it.

    An embedder has no labels.
    """

    name: str
    version: str
    labels: tuple[Verdict, ...]
    max_tokens: int
    files: Mapping[str, StoredFile]
    details: Mapping[str, Any]
    kind: ModelKind = ModelKind.VERIFIER

    @property
    def full_name(self) -> str:
        return f"{self.name}.v{self.version}"

    @property
    def fingerprint(self) -> str:
        """Of all files together: two models that answer differently differ in it."""
        lines = "".join(f"{name} {self.files[name].sha256}\n" for name in sorted(self.files))
        return hashlib.sha256(lines.encode()).hexdigest()[:_FINGERPRINT]


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model's folder whose manifest has been read; its files are checked as they are read."""

    folder: Path
    manifest: Manifest
    remedy: str

    def has(self, name: str) -> bool:
        return name in self.manifest.files

    def read(self, name: str) -> bytes:
        """The bytes of one file, exactly those that the manifest promises."""
        expected = self.manifest.files.get(name)
        if expected is None:
            raise ModelCorrupt(f"{self.folder / name} is not in the manifest", self.remedy)
        try:
            with (self.folder / name).open("rb") as file:
                found = file.read(expected.size + 1)
        except FileNotFoundError as error:
            raise ModelMissing(f"{self.folder / name} is missing", self.remedy) from error
        except OSError as error:
            raise ModelCorrupt(f"{self.folder / name} cannot be read ({error})", self.remedy) from error
        if len(found) != expected.size or hashlib.sha256(found).hexdigest() != expected.sha256:
            raise ModelCorrupt(f"{self.folder / name} is not the file that the manifest names", self.remedy)
        return found

    def read_json(self, name: str) -> dict[str, Any]:
        return parse_json(self.read(name), str(self.folder / name), self.remedy)

    def verify(self) -> None:
        """Compare every file with the manifest, without holding any of them in memory."""
        for name, expected in self.manifest.files.items():
            path = self.folder / name
            try:
                with path.open("rb") as file:
                    for _ in check_stream(file, expected, str(path), self.remedy):
                        pass
            except FileNotFoundError as error:
                raise ModelMissing(f"{path} is missing", self.remedy) from error
            except OSError as error:
                raise ModelCorrupt(f"{path} cannot be read ({error})", self.remedy) from error


def find_model(name: str, home: Path | None = None) -> ModelFiles:
    """The model called `name`: installed by the user under `home`, or else packaged. Only its manifest is read."""
    packaged = packaged_models() / name
    if not _NAME.fullmatch(name):
        raise ModelMissing(f"{name!r} is no name of a model", "run: groundwire models")
    if home is not None and (home / name / MANIFEST).is_file():
        return open_model(home / name, f"run: groundwire models install {name} PATH")
    if (packaged / MANIFEST).is_file():
        return open_model(packaged, "reinstall the package: pip install --force-reinstall groundwire")
    if packaged.is_dir() or name in PACKAGED:
        raise ModelMissing(
            f"the model {name!r} is not in the package", "reinstall it: pip install --force-reinstall groundwire"
        )
    raise ModelMissing(f"the model {name!r} is not installed", f"run: groundwire models install {name} PATH")


def list_models(home: Path | None = None) -> tuple[str, ...]:
    """Names of the models that can be found."""
    folders = [packaged_models(), *([home] if home is not None else [])]
    return tuple(sorted({path.parent.name for folder in folders for path in folder.glob(f"*/{MANIFEST}")}))


def packaged_models() -> Path:
    """The folder of the models that ship with the package."""
    return Path(str(resources.files("groundwire.models")))


def open_model(folder: Path, remedy: str) -> ModelFiles:
    """A model's folder, by its manifest."""
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            found = file.read(LARGEST_MANIFEST + 1)
    except FileNotFoundError as error:
        raise ModelMissing(f"{path} is missing", remedy) from error
    except OSError as error:
        raise ModelCorrupt(f"{path} cannot be read ({error})", remedy) from error
    return ModelFiles(folder, read_manifest(found, str(path), remedy), remedy)


def read_manifest(document: bytes, source: str, remedy: str) -> Manifest:
    """A manifest in which every name is plain and every file has its size and hash."""
    if len(document) > LARGEST_MANIFEST:
        raise ModelCorrupt(f"{source} is too large for a manifest", remedy)
    details = parse_json(document, source, remedy)
    name, version, maximum = details.get("name"), details.get("version"), details.get("max_tokens")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ModelCorrupt(f"{source} has {name!r} as the model's name", remedy)
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise ModelCorrupt(f"{source} has {version!r} as the model's version", remedy)
    if not isinstance(maximum, int) or not 16 <= maximum <= 8192:
        raise ModelCorrupt(f"{source} has {maximum!r} as max_tokens", remedy)
    kind = details.get("kind", ModelKind.VERIFIER)
    if kind not in list(ModelKind):
        raise ModelCorrupt(f"{source} has {kind!r} as the kind of the model", remedy)
    labels = _read_labels(details.get("labels"), source, remedy) if kind == ModelKind.VERIFIER else ()
    files = _read_files(details.get("files"), ModelKind(kind).required, source, remedy)
    return Manifest(name, version, labels, maximum, files, details, ModelKind(kind))


def _read_labels(labels: object, source: str, remedy: str) -> tuple[Verdict, ...]:
    if not isinstance(labels, list) or sorted(map(str, cast(list[object], labels))) != sorted(Verdict):
        raise ModelCorrupt(f"{source} has the labels {labels!r}", remedy)
    return tuple(Verdict(str(label)) for label in cast(list[object], labels))


def _read_files(listed: object, required: Sequence[str], source: str, remedy: str) -> dict[str, StoredFile]:
    if not isinstance(listed, dict):
        raise ModelCorrupt(f"{source} lists no files", remedy)
    files: dict[str, StoredFile] = {}
    for name, entry in cast(dict[str, object], listed).items():
        described = cast(dict[str, object], entry) if isinstance(entry, dict) else {}
        digest, size = described.get("sha256"), described.get("bytes")
        if not _FILE.fullmatch(name) or name == MANIFEST:
            raise ModelCorrupt(f"{source} lists {name!r}, which is no plain file name", remedy)
        if not isinstance(digest, str) or not _SHA256.fullmatch(digest) or not isinstance(size, int) or size < 0:
            raise ModelCorrupt(f"{source} lists {name!r} without its size and SHA-256", remedy)
        files[name] = StoredFile(digest, size)
    absent = [name for name in required if name not in files]
    if absent:
        raise ModelCorrupt(f"{source} does not list {', '.join(absent)}", remedy)
    return files


def parse_json(document: bytes, source: str, remedy: str) -> dict[str, Any]:
    try:
        found: object = json.loads(document)
    except ValueError as error:
        raise ModelCorrupt(f"{source} is not JSON ({error})", remedy) from error
    if not isinstance(found, dict):
        raise ModelCorrupt(f"{source} does not hold an object", remedy)
    return cast(dict[str, Any], found)


def check_stream(file: BinaryIO, expected: StoredFile, source: str, remedy: str) -> Iterator[bytes]:
    """The file in pieces; raises at the end, or as soon as it grows too long, unless it is what was promised."""
    digest, left = hashlib.sha256(), expected.size
    while piece := file.read(min(_CHUNK, left + 1)):
        left -= len(piece)
        if left < 0:
            break
        digest.update(piece)
        yield piece
    if left != 0 or digest.hexdigest() != expected.sha256:
        raise ModelCorrupt(f"{source} is not the file that the manifest names", remedy)
