"""Installing a model: everything is checked before it counts, and then it counts all at once."""

from __future__ import annotations

import gzip
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Protocol, cast

from groundwire.errors import ModelCorrupt, ModelMissing
from groundwire.models.files import (
    LARGEST_MANIFEST,
    MANIFEST,
    ModelFiles,
    check_stream,
    open_model,
    read_manifest,
)

LARGEST_DOWNLOAD = 256 << 20
_REMEDY = "get the model again from where it is published"
_CHUNK = 1 << 20
_TIMEOUT = 30.0

Opener = Callable[[str], IO[bytes]]


class _Source(Protocol):
    """Where files are copied from, by their plain names."""

    def open(self, name: str) -> BinaryIO: ...


def install(source: Path, destination: Path, *, expected_name: str | None = None) -> ModelFiles:
    """Copy a model from a folder, a .zip or a .tar.gz to `destination/<its name>`, in place of an older one.

    Only what the manifest lists is copied, and only if every hash is right. Whoever looks meanwhile finds the old
    model or the new one.
    """
    with ExitStack() as stack, _reading(source):
        opened = _open_source(source, stack)
        with opened.open(MANIFEST) as file:
            document = file.read(LARGEST_MANIFEST + 1)
        manifest = read_manifest(document, f"{source}: {MANIFEST}", _REMEDY)
        if expected_name is not None and manifest.name != expected_name:
            raise ModelCorrupt(f"{source} holds the model {manifest.name!r}, not {expected_name!r}", _REMEDY)
        destination.mkdir(parents=True, exist_ok=True)
        staging = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=".install-", dir=destination)))
        fresh = staging / "new"
        fresh.mkdir()
        (fresh / MANIFEST).write_bytes(document)
        for name, expected in manifest.files.items():
            with opened.open(name) as incoming, (fresh / name).open("wb") as outgoing:
                for piece in check_stream(incoming, expected, f"{source}: {name}", _REMEDY):
                    outgoing.write(piece)
        final = destination / manifest.name
        _swap(fresh, final, staging / "old")
    return open_model(final, f"run: groundwire models install {manifest.name} PATH")


def download(
    url: str, folder: Path, *, opener: Opener | None = None, limit: int = LARGEST_DOWNLOAD, timeout: float = _TIMEOUT
) -> Path:
    """Fetch an archive into `folder`, for `install`. Only over https, because the manifest comes by the same way."""
    _require_https(url)
    kind = ".zip" if url.partition("?")[0].endswith(".zip") else ".tar.gz"
    target = folder / f"model{kind}"
    try:
        with (opener or _open_url(timeout))(url) as response:
            _require_https(str(getattr(response, "url", url)))
            with target.open("wb") as file:
                while piece := response.read(_CHUNK):
                    limit -= len(piece)
                    if limit < 0:
                        raise ModelCorrupt(f"{url} is larger than a model may be", _REMEDY)
                    file.write(piece)
    except OSError as error:
        raise ModelMissing(f"{url} cannot be fetched ({error})", "check the address and the network") from error
    return target


def _require_https(url: str) -> None:
    if not url.startswith("https://"):
        raise ModelMissing(f"{url} is not fetched", "use an https address, or a file that you have fetched yourself")


def _open_url(timeout: float) -> Opener:
    def open_url(url: str) -> IO[bytes]:
        import urllib.request

        return cast(IO[bytes], urllib.request.urlopen(url, timeout=timeout))

    return open_url


@contextmanager
def _reading(source: Path) -> Generator[None]:
    """What an archive's own reader reports is damage to the archive."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile, tarfile.TarError, zipfile.BadZipFile) as error:
        problem = f"{source} cannot be read as a folder, a .zip or a .tar.gz ({error})"
        raise ModelCorrupt(problem, _REMEDY) from error


def _swap(fresh: Path, final: Path, aside: Path) -> None:
    """Two renames; if the second fails, the first is taken back."""
    if not final.exists():
        fresh.rename(final)
        return
    final.rename(aside)
    try:
        fresh.rename(final)
    except OSError:
        aside.rename(final)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _open_source(source: Path, stack: ExitStack) -> _Source:
    if source.is_dir():
        return _Folder(source)
    if zipfile.is_zipfile(source):
        return _Zip(source, stack.enter_context(zipfile.ZipFile(source)))
    if source.is_file():
        return _Tar(source, stack.enter_context(tarfile.open(source, "r:gz")))
    raise ModelMissing(f"{source} does not exist", "give the path of a folder, a .zip or a .tar.gz")


class _Folder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, name: str) -> BinaryIO:
        try:
            return (self._folder / name).open("rb")
        except OSError as error:
            raise ModelMissing(f"{self._folder / name} cannot be read ({error.strerror})", _REMEDY) from error


class _Zip:
    def __init__(self, source: Path, archive: zipfile.ZipFile) -> None:
        self._source = source
        self._archive = archive
        self._members = _place_members(source, [i.filename for i in archive.infolist() if not i.is_dir()])

    def open(self, name: str) -> BinaryIO:
        member = _require_member(self._members, name, self._source)
        try:
            return cast(BinaryIO, self._archive.open(member))
        except (NotImplementedError, RuntimeError) as error:  # packed in a way of its own, or encrypted
            raise ModelCorrupt(f"{self._source}: {name} cannot be read ({error})", _REMEDY) from error


class _Tar:
    def __init__(self, source: Path, archive: tarfile.TarFile) -> None:
        self._source = source
        self._archive = archive
        members = archive.getmembers()
        strange = [member.name for member in members if not member.isfile() and not member.isdir()]
        if strange:
            raise ModelCorrupt(f"{source} holds {strange[0]!r}, which is no plain file", _REMEDY)
        self._members = _place_members(source, [member.name for member in members if member.isfile()])

    def open(self, name: str) -> BinaryIO:
        found = self._archive.extractfile(_require_member(self._members, name, self._source))
        assert found is not None, "links and devices have been refused"
        return cast(BinaryIO, found)


def _place_members(source: Path, names: list[str]) -> dict[str, str]:
    """Plain name → member, for the files beside the manifest; one that would leave the folder is refused."""
    for name in names:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
            raise ModelCorrupt(f"{source} holds {name!r}, which points outside the archive", _REMEDY)
    manifests = sorted(
        (PurePosixPath(n) for n in names if PurePosixPath(n).name == MANIFEST), key=lambda p: len(p.parts)
    )
    if not manifests:
        raise ModelCorrupt(f"{source} holds no {MANIFEST}", _REMEDY)
    return {PurePosixPath(n).name: n for n in names if PurePosixPath(n).parent == manifests[0].parent}


def _require_member(members: dict[str, str], name: str, source: Path) -> str:
    if name not in members:
        raise ModelCorrupt(f"{source} does not hold {name}", _REMEDY)
    return members[name]
