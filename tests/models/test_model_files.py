"""A model's files: used only if they are what the manifest promises."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ModelCorrupt, ModelMissing, ModelUnavailable
from groundwire.models import files
from groundwire.models.files import find_model, list_models, open_model, read_manifest
from groundwire.types import Verdict
from tiny_model import write_model


def change_manifest(folder: Path, **changes: Any) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}), encoding="utf-8")


@pytest.fixture
def no_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A package that ships no model, whatever the real one ships."""
    folder = tmp_path / "package"
    folder.mkdir()
    monkeypatch.setattr(files, "packaged_models", lambda: folder)
    return folder


def test_an_installed_model_is_found_by_its_name(tmp_path: Path, no_package: Path):
    write_model(tmp_path / "home" / "base", parameters=51)
    found = find_model("base", tmp_path / "home")
    assert found.manifest.full_name == "base.v1"
    assert found.manifest.labels == (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT)
    assert found.manifest.details["parameters"] == 51
    found.verify()
    assert list_models(tmp_path / "home") == ("base",)
    assert list_models() == ()


def test_what_the_user_installed_comes_before_what_the_package_ships(tmp_path: Path, no_package: Path):
    write_model(no_package / "mini")
    assert find_model("mini", tmp_path / "home").folder == no_package / "mini"
    write_model(tmp_path / "home" / "mini", version="2")
    assert find_model("mini", tmp_path / "home").manifest.full_name == "mini.v2"


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("base", "groundwire models install base PATH"), ("mini", "reinstall"), ("../etc", "no name of a model")],
)
def test_a_missing_model_says_what_to_do(tmp_path: Path, no_package: Path, name: str, remedy: str):
    with pytest.raises(ModelMissing, match=remedy):
        find_model(name, tmp_path)


def test_the_fingerprint_tells_models_apart_by_their_files(tmp_path: Path):
    one = open_model(write_model(tmp_path / "a"), "").manifest
    same = open_model(write_model(tmp_path / "b"), "").manifest
    other = open_model(write_model(tmp_path / "c", files={"extra.txt": b"x"}), "").manifest
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert len(one.fingerprint) == 16


@given(st.sampled_from(["model.onnx", "tokenizer.json", "calibration.json"]), st.integers(0, 10_000), st.booleans())
def test_a_changed_or_shortened_file_is_never_used(
    tmp_path_factory: pytest.TempPathFactory, name: str, position: int, cut: bool
):
    folder = write_model(tmp_path_factory.mktemp("models") / "mini")
    path = folder / name
    content = bytearray(path.read_bytes())
    at = position % len(content)
    if cut:
        del content[at:]
    else:
        content[at] ^= 1
    path.write_bytes(content)
    opened = open_model(folder, "reinstall")
    for use in (opened.verify, lambda: opened.read(name)):
        with pytest.raises(ModelCorrupt, match=f"{name} is not the file that the manifest names; reinstall"):
            use()


def test_a_file_that_is_gone_is_missing(tmp_path: Path):
    folder = write_model(tmp_path / "mini")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelMissing, match=r"tokenizer\.json is missing; reinstall"):
        open_model(folder, "reinstall").verify()
    with pytest.raises(ModelMissing):
        open_model(folder, "reinstall").read("tokenizer.json")
    with pytest.raises(ModelMissing):
        open_model(tmp_path / "nowhere", "reinstall")


ENTRY = {"sha256": hashlib.sha256(b"").hexdigest(), "bytes": 0}
FILES = dict.fromkeys(("model.onnx", "tokenizer.json", "calibration.json"), ENTRY)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "../mini"},
        {"name": ""},
        {"version": 1},
        {"version": "1/2"},
        {"labels": ["SUPPORTED", "REFUTED"]},
        {"labels": ["SUPPORTED", "REFUTED", "REFUTED"]},
        {"max_tokens": 0},
        {"max_tokens": "512"},
        {"files": []},
        {"files": {}},
        {"files": FILES | {"../../x": ENTRY}},
        {"files": FILES | {"/etc/passwd": ENTRY}},
        {"files": FILES | {"a\\b": ENTRY}},
        {"files": FILES | {"..": ENTRY}},
        {"files": FILES | {"x": {"sha256": "00", "bytes": 1}}},
        {"files": FILES | {"x": {"sha256": ENTRY["sha256"]}}},
        {"files": FILES | {"x": None}},
    ],
)
def test_a_manifest_that_makes_no_sense_is_refused(tmp_path: Path, changes: dict[str, Any]):
    folder = write_model(tmp_path / "mini")
    change_manifest(folder, **changes)
    with pytest.raises(ModelCorrupt, match=r"manifest\.json"):
        open_model(folder, "reinstall")


@given(st.binary(max_size=60))
def test_any_bytes_are_a_manifest_or_an_error(document: bytes):
    with pytest.raises(ModelUnavailable):
        read_manifest(document, "manifest.json", "reinstall")
