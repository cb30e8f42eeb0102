"""The commands `export` and `import`: a store as JSON lines, and back."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, cast

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces.calls import Call, open_binary, progress_over
from groundwire.surfaces.cards import render_rows
from groundwire.surfaces.fields import check_name, read_name
from groundwire.surfaces.layout import Sign, Tone, View, flatten, join
from groundwire.surfaces.options import record_options
from groundwire.surfaces.requests import Fields, check_text, decode_utf8, refuse_unknown
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import DEFAULT_TENANT, can_ask, confirm, open_keeper, store_option

if TYPE_CHECKING:
    from groundwire.app import Groundwire

EXPORT_FIELDS = ("id", "path", "user", "tenant", "overwrite")
IMPORT_FIELDS = ("id", "path", "credential")
LONGEST_LINE = 16 * 1024 * 1024
_PATH_CHARACTERS = 4096
_DONE = Sign("✓", Tone.GOOD)


# ── export ──────────────────────────────────────────────────────────────────────────────────────


@click.command("export")
@click.argument("target", metavar="[TARGET]", required=False)
@record_options
@store_option
@click.option("--user", metavar="NAME", help="Only this user's; everybody's if left out.")
@click.option("--tenant", metavar="NAME", default=DEFAULT_TENANT, help="The user's tenant.")
@click.option("--yes", is_flag=True, help="Replace TARGET without asking.")
def export(call: Call, target: str | None, user: str | None, tenant: str, yes: bool) -> None:
    """Write what is remembered as JSON lines.

    Memories, what waits for review, and that something was forgotten. Goes to
    TARGET, or to standard output if it is left out or -. A file is there whole
    or not at all.

    \b
    In:   TARGET; with --jsonl {"path", "user"?, "tenant"?, "overwrite"?}
    Out:  one JSON object a record; 'groundwire import' reads them back.
          With --json or --jsonl {"path", "counts": {"memories", ...}}

    \b
    Examples:
      groundwire export backup.jsonl --store memory.db
      groundwire export --store memory.db --user ada | jq -r .text
    """
    keeper = open_keeper(call)
    if call.as_jsonl:
        if target is not None or user is not None:
            raise click.UsageError("TARGET and --user cannot be used with --jsonl: each line carries its own.")
        call.filter(lambda fields: _export_line(keeper, fields))
    owner = None if user is None else check_name(user, "user")
    if target is None or target == "-":
        if call.as_json:
            raise click.UsageError("--json tells about a file: give TARGET a name, or leave --json out.")
        with _standard_output() as stream:
            keeper.export(stream, user=owner, tenant=tenant)
        return
    if Path(target).exists():
        confirm(f"'{flatten(target)}' exists. Replace it?", yes=yes)
    counts = _export_to(keeper, target, owner, tenant, show=True)
    call.show({"path": target, "counts": dict(counts)}, lambda view: render_counts("exported", counts, view))


def _export_line(keeper: Groundwire, fields: Fields) -> JsonObject:
    refuse_unknown(fields, EXPORT_FIELDS)
    path = _read_path(fields)
    if Path(path).exists() and fields.get("overwrite") is not True:
        raise InvalidInput("path", f"'{path}' exists; say \"overwrite\": true to replace it")
    user = None if fields.get("user") is None else check_name(fields["user"], "user")
    counts = _export_to(keeper, path, user, read_name(fields, "tenant", DEFAULT_TENANT), show=False)
    return {"path": path, "counts": dict(counts)}


def _export_to(keeper: Groundwire, path: str, user: str | None, tenant: str, *, show: bool) -> Mapping[str, int]:
    """Written beside the target and put in its place when it is whole."""
    place = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{place.name[:100]}.", dir=place.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                counts = keeper.export(
                    cast(IO[str], _Counted(file)) if show and can_ask() else file, user=user, tenant=tenant
                )
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InvalidInput("path", f"'{path}' cannot be written: {error.strerror or error}") from None
    return counts


@contextmanager
def _standard_output() -> Generator[IO[str]]:
    stream = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
    try:
        yield stream
        stream.flush()
    finally:
        stream.detach()


class _Counted:
    """Passes lines on and tells on standard error how many they are."""

    def __init__(self, file: IO[str]) -> None:
        self._file, self._lines = file, 0

    def write(self, text: str) -> int:
        before, self._lines = self._lines, self._lines + text.count("\n")
        if before // 1000 != self._lines // 1000:
            click.echo(f"\r{self._lines:,} records", err=True, nl=False)
        return self._file.write(text)

    def flush(self) -> None:
        if self._lines >= 1000:
            click.echo("\r" + " " * 30 + "\r", err=True, nl=False)
        self._file.flush()


# ── import ──────────────────────────────────────────────────────────────────────────────────────


@click.command("import")
@click.argument("origin", metavar="[FILE]", required=False)
@record_options
@store_option
@click.option("--credential", metavar="NAME", help="Who does it: operator unless given.")
def import_(call: Call, origin: str | None, credential: str | None) -> None:
    """Take in what 'groundwire export' wrote: all of it or nothing.

    What is in the store already stays as it is, and what was forgotten there
    stays forgotten. Words that never passed the write gate are no export: give
    those to 'groundwire remember --jsonl'.

    \b
    In:   FILE or -; with --jsonl {"path", "credential"?}
    Out:  {"path", "counts": {"memories added", "memories skipped", ...}}

    \b
    Examples:
      groundwire import backup.jsonl --store memory.db
      groundwire export --store a.db | groundwire import - --store b.db
    """
    keeper = open_keeper(call, may_be_new=True)
    who = "operator" if credential is None else check_name(credential, "credential")
    if call.as_jsonl:
        if origin is not None:
            raise click.UsageError("FILE cannot be used with --jsonl: each line names its own.")
        call.filter(lambda fields: _import_line(keeper, fields, who))
    if origin is None and sys.stdin.isatty():
        raise click.UsageError("Nothing to read. Give the exported FILE, or - for standard input.")
    counts = _import_from(keeper, origin or "-", who)
    call.show({"path": origin or "-", "counts": dict(counts)}, lambda view: render_counts("imported", counts, view))


def _import_line(keeper: Groundwire, fields: Fields, who: str) -> JsonObject:
    refuse_unknown(fields, IMPORT_FIELDS)
    path = _read_path(fields)
    if not Path(path).is_file():
        raise InvalidInput("path", f"there is no file '{path}'")
    counts = _import_from(keeper, path, read_name(fields, "credential", who))
    return {"path": path, "counts": dict(counts)}


def _import_from(keeper: Groundwire, path: str, who: str) -> Mapping[str, int]:
    with open_binary(path) as lines, progress_over(lines, beside_output=True) as advance:
        stream = _Decoded(lines, advance)
        return keeper.import_(cast(IO[str], stream), credential=who)


class _Decoded(io.TextIOBase):
    """Lines as text, one at a time, so that what is wrong can be pointed at and nothing is read that is not needed."""

    def __init__(self, lines: BinaryIO, advance: Callable[[int], None] | None) -> None:
        self._lines, self._advance, self._number = lines, advance, 0

    def readable(self) -> bool:
        return True

    def readline(self, size: int = -1, /) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        data = self._lines.readline(LONGEST_LINE + 1)
        self._number += 1
        where = f"line {self._number}"
        if len(data) > LONGEST_LINE:
            raise InvalidInput(where, "is too long to be a record; is this an export of groundwire?")
        if self._advance is not None:
            self._advance(len(data))
        return decode_utf8(data, where)

    def read(self, size: int | None = -1, /) -> str:
        return "".join(self)


def _read_path(fields: Fields) -> str:
    if fields.get("path") is None:
        raise InvalidInput("path", "is required")
    return check_text(fields["path"], "path", _PATH_CHARACTERS)


def render_counts(verb: str, counts: Mapping[str, int], view: View) -> str:
    total = sum(counts.values())
    headline = view.paint(f"{view.sign(_DONE)} {verb}", _DONE.tone) if total else f"nothing to be {verb}"
    rows = [(f"{number:,}", name) for name, number in counts.items() if number]
    return join([headline, *render_rows(rows, view, max((len(row[0]) for row in rows), default=1))])
