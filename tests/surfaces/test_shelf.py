"""The commands about models: what is listed, what is installed, and what is refused without a trace."""

from __future__ import annotations

import json
import socket
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces.cli import main
from tiny_model import write_model


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network must not be used")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def run(home: Path, *arguments: str) -> Result:
    env = {"GROUNDWIRE_CONFIG": None, "GROUNDWIRE_JUDGE": None, "GROUNDWIRE_MODELS_FOLDER": str(home)}
    return CliRunner(env=env).invoke(main, ["models", *arguments])


def listed(home: Path) -> dict[str, dict[str, Any]]:
    found = json.loads(run(home, "--json").stdout)
    assert found["folder"] == str(home)
    return {model["name"]: model for model in found["models"]}


def pack(folder: Path, form: str) -> Path:
    files = sorted(folder.iterdir())
    if form == "folder":
        return folder
    if form == "zip":
        path = folder.with_suffix(".zip")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files:
                archive.write(file, f"base/{file.name}")
        return path
    path = folder.with_suffix(".tar.gz")
    with tarfile.open(path, "w:gz") as archive:
        for file in files:
            archive.add(file, file.name)
    return path


def refused(home: Path, result: Result, *words: str) -> None:
    """One line that says why and what to do, and nothing of the model left behind."""
    assert (result.exit_code, result.stdout) == (1, ""), result.output
    line = " ".join(result.stderr.split())
    assert all(word in line for word in words), line
    assert "Traceback" not in line and "; " in line
    assert not home.exists() or list(home.iterdir()) == []


# ── listing ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("SEC-016")
def test_the_packaged_model_is_listed_and_whole(home: Path):
    result = run(home)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    for name in ("mini", "embedder"):
        model = listed(home)[name]
        at = next(i for i, line in enumerate(lines) if line.startswith(f"{name}.v"))
        assert "whole" in lines[at] and model["fingerprint"] in lines[at]
        assert lines[at + 1].strip() == model["folder"]
    assert result.stdout.endswith(f"models are installed under {home}\n")
    assert not home.exists(), "looking makes no folder"


def test_the_object_has_the_shape_of_the_contract(home: Path):
    found = json.loads(run(home, "--json").stdout)
    assert list(found) == ["folder", "models"]
    for model in found["models"]:
        assert list(model) == ["name", "version", "folder", "bytes", "fingerprint", "problem"]
    mini = listed(home)["mini"]
    assert mini["problem"] is None
    assert len(mini["fingerprint"]) == 16 and mini["bytes"] > 1_000_000


@pytest.mark.requirement("SEC-014")
@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json", "calibration.json", "manifest.json"])
def test_a_damaged_model_is_listed_with_its_problem_and_ends_with_1(home: Path, file: str):
    path = write_model(home / "base") / file
    path.write_bytes(path.read_bytes()[:-2])
    result = run(home)
    assert result.exit_code == 1
    assert str(path) in result.stdout and "groundwire models install base PATH" in result.stdout
    assert run(home, "--json").exit_code == 1
    problems = {name: model["problem"] for name, model in listed(home).items()}
    assert problems["mini"] is None
    assert file in problems["base"]


def test_a_model_of_the_user_takes_the_place_of_the_packaged_one(home: Path):
    write_model(home / "mini", version="77")
    assert listed(home)["mini"]["version"] == "77"
    assert listed(home)["mini"]["folder"] == str(home / "mini")


# ── installing ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("SEC-014", "SEC-016")
@pytest.mark.parametrize("form", ["folder", "zip", "tar"])
def test_a_model_is_installed_from_every_form_and_then_listed(tmp_path: Path, home: Path, form: str):
    source = pack(write_model(tmp_path / "source" / "base"), form)
    result = run(home, "install", "base", str(source))
    assert (result.exit_code, result.stdout) == (0, f"installed base.v1 in {home / 'base'}\n"), result.output
    assert listed(home)["base"]["problem"] is None
    assert [path.name for path in home.iterdir()] == ["base"]


def test_without_a_source_the_checkout_s_own_weights_are_taken(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
):
    write_model(tmp_path / "weights" / "base")
    monkeypatch.chdir(tmp_path)
    assert run(home, "install", "base").exit_code == 0
    refused(home / "none", run(home / "none", "install", "other"), "there is no 'weights/other'", "give the folder")


def test_a_newer_version_takes_the_place_of_the_older(tmp_path: Path, home: Path):
    run(home, "install", "base", str(write_model(tmp_path / "one" / "base")))
    run(home, "install", "base", str(write_model(tmp_path / "two" / "base", version="2")))
    assert listed(home)["base"]["version"] == "2"


def test_a_path_that_is_not_there_is_refused(home: Path):
    refused(
        home, run(home, "install", "base", "/no/such/base.zip"), "there is no '/no/such/base.zip'", "give the folder"
    )


@pytest.mark.parametrize("form", ["zip", "tar"])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.9])
def test_a_damaged_archive_is_refused(tmp_path: Path, home: Path, form: str, part: float):
    source = pack(write_model(tmp_path / "source" / "base"), form)
    content = source.read_bytes()
    source.write_bytes(content[: int(len(content) * part)])
    refused(home, run(home, "install", "base", str(source)), str(source), "get the model again")


@pytest.mark.requirement("SEC-014")
@pytest.mark.parametrize("form", ["folder", "zip", "tar"])
def test_a_file_that_is_not_what_the_manifest_says_is_refused(tmp_path: Path, home: Path, form: str):
    folder = write_model(tmp_path / "source" / "base")
    content = bytearray((folder / "model.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (folder / "model.onnx").write_bytes(content)
    refused(home, run(home, "install", "base", str(pack(folder, form))), "model.onnx is not the file")


def test_a_damaged_model_leaves_the_installed_one_in_its_place(tmp_path: Path, home: Path):
    run(home, "install", "base", str(write_model(tmp_path / "one" / "base")))
    broken = write_model(tmp_path / "two" / "base", version="2")
    (broken / "tokenizer.json").unlink()
    assert run(home, "install", "base", str(broken)).exit_code == 1
    assert (listed(home)["base"]["version"], listed(home)["base"]["problem"]) == ("1", None)
    assert [path.name for path in home.iterdir()] == ["base"]


@pytest.mark.parametrize("name", ["mini", "Base", "../base", ""])
def test_another_name_than_the_model_s_own_is_refused(tmp_path: Path, home: Path, name: str):
    source = str(write_model(tmp_path / "source" / "base"))
    refused(home, run(home, "install", name, source), "holds the model 'base'", f"not {name!r}")


@pytest.mark.requirement("SEC-016")
def test_an_address_without_encryption_is_refused_and_nothing_is_fetched(home: Path):
    refused(home, run(home, "install", "base", "http://example.org/base.zip"), "is not fetched", "use an https address")


def test_a_folder_that_cannot_hold_models_is_one_line(tmp_path: Path):
    source = write_model(tmp_path / "source" / "base")
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    result = run(blocked, "install", "base", str(source))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "cannot be installed in" in result.stderr and "models_folder" in result.stderr
    assert blocked.read_text() == "in the way"
