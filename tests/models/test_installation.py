"""Installing a model: all of it or nothing, and never outside its folder."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import IO

import pytest

from groundwire.errors import ModelCorrupt, ModelMissing, ModelUnavailable
from groundwire.models.installation import download, install
from tiny_model import write_model


def as_zip(folder: Path, prefix: str = "", extra: str | None = None) -> Path:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, prefix + file.name)
        if extra is not None:
            archive.writestr(extra, "out")
    return path


def as_tar(folder: Path, prefix: str = "", extra: str | None = None) -> Path:
    path = folder.with_suffix(".tar.gz")
    with tarfile.open(path, "w:gz") as archive:
        for file in sorted(folder.iterdir()):
            archive.add(file, prefix + file.name)
        if extra is not None:
            entry = tarfile.TarInfo(extra)
            entry.size = 3
            archive.addfile(entry, io.BytesIO(b"out"))
    return path


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("form", ["folder", "zip", "zip inside", "tar", "tar inside"])
def test_a_model_is_installed_from_a_folder_or_an_archive(tmp_path: Path, form: str):
    folder = write_model(tmp_path / "base")
    (folder / "notes.txt").write_text("not listed, not copied")
    prefix = "base/" if "inside" in form else ""
    source = folder if form == "folder" else as_zip(folder, prefix) if "zip" in form else as_tar(folder, prefix)
    found = install(source, tmp_path / "home", expected_name="base")
    assert found.folder == tmp_path / "home" / "base"
    found.verify()
    names = ["calibration.json", "manifest.json", "model.onnx", "tokenizer.json"]
    assert listing(tmp_path / "home") == ["base", *(f"base/{name}" for name in names)]


def test_a_newer_model_takes_the_place_of_the_older(tmp_path: Path):
    install(write_model(tmp_path / "one" / "base"), tmp_path / "home")
    found = install(write_model(tmp_path / "two" / "base", version="2"), tmp_path / "home")
    assert found.manifest.full_name == "base.v2"
    assert len(listing(tmp_path / "home")) == 5


def test_a_damaged_model_leaves_the_installed_one_alone(tmp_path: Path):
    install(write_model(tmp_path / "one" / "base"), tmp_path / "home")
    damaged = write_model(tmp_path / "two" / "base", version="2")
    (damaged / "tokenizer.json").write_bytes(b"{}")
    for source in (damaged, as_zip(damaged), as_tar(damaged)):
        with pytest.raises(ModelCorrupt, match=r"tokenizer\.json is not the file"):
            install(source, tmp_path / "home")
        assert install(tmp_path / "home" / "base", tmp_path / "copy").manifest.full_name == "base.v1"
        assert len(listing(tmp_path / "home")) == 5, "nothing is left behind"


def test_a_rename_that_fails_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    install(write_model(tmp_path / "one" / "base"), tmp_path / "home")
    rename = Path.rename

    def fail(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError("no")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="no"):
        install(write_model(tmp_path / "two" / "base", version="2"), tmp_path / "home")
    assert json.loads((tmp_path / "home" / "base" / "manifest.json").read_text())["version"] == "1"


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "base/../../evil", "C:evil", "a\\..\\evil"])
def test_an_archive_that_points_outside_itself_is_refused(tmp_path: Path, name: str):
    folder = write_model(tmp_path / "base")
    for source in (as_zip(folder, extra=name), as_tar(folder, extra=name)):
        with pytest.raises(ModelCorrupt, match="points outside"):
            install(source, tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_an_archive_with_a_link_is_refused(tmp_path: Path):
    folder = write_model(tmp_path / "base")
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.json").symlink_to("/etc/hostname")
    with pytest.raises(ModelCorrupt, match="no plain file"):
        install(as_tar(folder), tmp_path / "home")


def test_a_file_that_is_larger_than_promised_is_not_read_to_its_end(tmp_path: Path):
    folder = write_model(tmp_path / "base")
    with (folder / "model.onnx").open("ab") as file:
        file.write(bytes(10_000_000))
    with pytest.raises(ModelCorrupt, match=r"model\.onnx"):
        install(as_zip(folder), tmp_path / "home")


def test_what_is_no_model_is_refused_with_a_reason(tmp_path: Path):
    text = tmp_path / "notes.txt"
    text.write_text("hello")
    empty = as_zip(write_model(tmp_path / "empty"))
    with zipfile.ZipFile(empty, "w"):
        pass
    good = as_zip(write_model(tmp_path / "base")).read_bytes()
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(as_tar(tmp_path / "base").read_bytes()[:-200])
    broken = tmp_path / "broken.zip"
    broken.write_bytes(good[:100] + bytes(40) + good[140:])
    for source in (text, empty, cut, broken):
        with pytest.raises(ModelCorrupt, match=source.name):
            install(source, tmp_path / "home")
    with pytest.raises(ModelMissing, match="does not exist"):
        install(tmp_path / "nowhere", tmp_path / "home")
    with pytest.raises(ModelCorrupt, match="not 'mini'"):
        install(tmp_path / "base", tmp_path / "home", expected_name="mini")


def test_a_download_is_an_archive_to_install(tmp_path: Path):
    content = as_zip(write_model(tmp_path / "base")).read_bytes()
    asked: list[str] = []

    def opener(url: str) -> IO[bytes]:
        asked.append(url)
        return io.BytesIO(content)

    fetched = download("https://example.org/base.zip?x=1", tmp_path, opener=opener)
    assert asked == ["https://example.org/base.zip?x=1"]
    assert install(fetched, tmp_path / "home").manifest.name == "base"


def test_a_download_stops_at_its_limit(tmp_path: Path):
    with pytest.raises(ModelCorrupt, match="larger"):
        download("https://example.org/m.zip", tmp_path, opener=lambda _: io.BytesIO(bytes(5_000_000)), limit=1_000_000)
    assert (tmp_path / "model.zip").stat().st_size <= 1_000_000


@pytest.mark.parametrize("url", ["http://example.org/m.zip", "file:///etc/passwd", "ftp://example.org/m.zip"])
def test_only_https_is_fetched(tmp_path: Path, url: str):
    with pytest.raises(ModelMissing, match="https"):
        download(url, tmp_path, opener=lambda _: io.BytesIO(b""))


def test_a_redirect_away_from_https_is_refused(tmp_path: Path):
    class Redirected(io.BytesIO):
        url = "http://example.org/m.zip"

    with pytest.raises(ModelMissing, match="https"):
        download("https://example.org/m.zip", tmp_path, opener=lambda _: Redirected(b"x"))


def test_a_failed_download_says_so(tmp_path: Path):
    def opener(_: str) -> IO[bytes]:
        raise TimeoutError("timed out")

    with pytest.raises(ModelUnavailable, match=r"timed out.*check the address"):
        download("https://example.org/m.zip", tmp_path, opener=opener)
