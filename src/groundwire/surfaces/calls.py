"""One call of one command: where its text comes from, how the library is opened, how the result goes out."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

import click

from groundwire.errors import InvalidInput, ModelUnavailable
from groundwire.surfaces import requests, responses
from groundwire.surfaces.jsonl import Answer, filter_lines
from groundwire.surfaces.layout import View
from groundwire.surfaces.responses import JsonObject
from groundwire.types import (
    Claim,
    ExtractedFact,
    Memory,
    Passage,
    VerificationReport,
    VerifierInput,
    VerifierOutput,
    VerifyMode,
)

if TYPE_CHECKING:
    from datetime import datetime

    from groundwire.memory.checks import Candidate
    from groundwire.memory.receipts import ValidationResult
    from groundwire.settings import Settings

EXIT_LINES_FAILED = 1

TEXT_FILE_SUFFIXES = (".txt", ".md", ".rst", ".html", ".json", ".jsonl", ".log")


class Library(Protocol):
    """What the commands call: the public face of groundwire."""

    def claims(self, text: str) -> tuple[Claim, ...]: ...
    def facts(self, text: str) -> tuple[ExtractedFact, ...]: ...
    def judge(
        self,
        claim: str,
        evidence: Sequence[Passage | str],
        *,
        context: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
    ) -> VerifierOutput: ...
    def judge_all(self, questions: Sequence[VerifierInput]) -> Sequence[VerifierOutput]: ...
    def calibration(self) -> Mapping[str, object] | None: ...
    @property
    def model_problem(self) -> ModelUnavailable | None: ...
    def verify(
        self,
        text: str,
        *,
        memories: Sequence[Memory] = (),
        passages: Sequence[Passage | str] = (),
        query: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
        user: str | None = None,
    ) -> VerificationReport: ...
    def gate(
        self,
        candidate: Candidate,
        *,
        existing: Sequence[Memory] | None = None,
        repository: str | None = None,
        tenant: str = "default",
        now: datetime | None = None,
    ) -> ValidationResult: ...


OpenLibrary = Callable[["Settings"], Library]


def open_groundwire(settings: Settings) -> Library:
    from groundwire.app import Groundwire  # imported late so that --help does not wait for it

    return Groundwire(settings.store or None, settings=settings)


def choose_judge(settings: Settings, judge: str | None) -> Settings:
    """The settings with the judge that the command line names, if it names one."""
    return settings if judge is None else replace(settings, judge=judge)


# ── one call of one command ─────────────────────────────────────────────────────────────────────


@dataclass
class Setup:
    """Where the settings come from and how the library is opened; both wait until a command needs them."""

    config: Path | None = None
    open_library: OpenLibrary = field(default=open_groundwire)
    judge: str | None = None
    store: str | None = None
    uses_store: bool = False
    user: str | None = None
    tenant: str | None = None

    @cached_property
    def settings(self) -> Settings:
        from groundwire.settings import Settings

        return Settings.load(self.config, os.environ)

    @property
    def store_path(self) -> str:
        """The store of the command line, or else that of the settings; empty where neither names one."""
        return self.settings.store if self.store is None else self.store

    @cached_property
    def library(self) -> Library:
        """Opened once and closed when the command is done; a store is opened only for a command that works on one."""
        settings = replace(choose_judge(self.settings, self.judge), store=self.store_path if self.uses_store else "")
        library = self.open_library(settings)
        context, close = click.get_current_context(silent=True), getattr(library, "close", None)
        if context is not None and close is not None:
            context.find_root().call_on_close(close)
        return library


@dataclass(frozen=True)
class Call:
    """What every command shares: where its text comes from and how its result goes out."""

    setup: Setup
    argument: str | None
    text: str | None
    file: str | None
    as_json: bool
    as_jsonl: bool
    color: str

    @property
    def settings(self) -> Settings:
        return self.setup.settings

    @property
    def library(self) -> Library:
        return self.setup.library

    def reads_stdin(self) -> bool:
        return "-" in (self.argument, self.file) or (self.argument is self.text is self.file is None)

    def read_text(self, name: str) -> str:
        """The text to work on: words given as such, the content of a file, or standard input."""
        self._check_sources(name)
        if self.text is not None:
            return _check_argument(self.text, name)
        path = self.file or self.argument
        limit = self.settings.max_answer_characters
        if path is None or path == "-":
            return _refuse_blank(read_document("-", name, limit), name, "-")
        if self.file is not None or _is_file(path):
            return _refuse_blank(read_document(path, name, limit), name, path)
        if _is_folder(path):
            raise click.UsageError(
                f"'{path}' is a folder. Give a file in it; if this is the {name} itself, give --text '{path}'."
            )
        if path.lower().endswith(TEXT_FILE_SUFFIXES) and not any(map(str.isspace, path)):
            raise click.UsageError(f"There is no file '{path}'. If these are the words to check, give --text '{path}'.")
        return _check_argument(path, name)

    def _check_sources(self, name: str) -> None:
        given = [source for source in (self.argument, self.text, self.file) if source is not None]
        if len(given) > 1:
            raise click.UsageError("Give one of an argument, --text and --file, not several.")
        if not given and sys.stdin.isatty():
            raise click.UsageError(f"Nothing to read. Give the {name}, the path of a file, or - for standard input.")

    def filter(self, answer: Answer, given: Mapping[str, object] | None = None, *, judging: bool = False) -> None:
        """Answer standard input or a file line by line, and leave with the filter's exit status."""
        for option, value in {"--text": self.text, "--json": self.as_json, **(given or {})}.items():
            if value:
                raise click.UsageError(f"{option} cannot be used with --jsonl: each line carries its own fields.")
        if self.argument is not None and self.file is not None:
            raise click.UsageError("Give one of an argument and --file, not both.")
        path = self.file or self.argument or "-"
        _ = self.library  # a broken set-up is one error and not one a line
        with open_binary(path) as lines, progress_over(lines) as advance:
            failed = filter_lines(lines, sys.stdout.buffer, answer, advance=advance)
        if judging:
            self.warn_of_model()
        click.get_current_context().exit(EXIT_LINES_FAILED if failed else 0)

    def warn_of_model(self) -> None:
        """Verdicts by rules alone are marked as such; the reason goes where people look."""
        if self.library.model_problem is not None:
            click.echo(f"groundwire: judged by rules alone: {self.library.model_problem}", err=True)

    def show(self, result: JsonObject, render: Callable[[View], str]) -> None:
        write_output(responses.write_json(result) + "\n" if self.as_json else render(make_view(self.color)))


def make_view(color: str) -> View:
    """What the terminal that standard output goes to can show."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    return View(shutil.get_terminal_size().columns, wants_color(color), encoding.startswith("utf"))


def wants_color(choice: str) -> bool:
    if choice != "auto":
        return choice == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _check_argument(text: str, name: str) -> str:
    """Bytes of an argument that are not in the locale's encoding arrive as lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(name, "is not UTF-8; put it into a UTF-8 file and give its path") from None
    return text


# ── input and output ────────────────────────────────────────────────────────────────────────────


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except OSError:  # words can be longer than a name may be
        return False


def _is_folder(path: str) -> bool:
    try:
        return bool(path) and not any(map(str.isspace, path)) and Path(path).is_dir()
    except OSError:
        return False


def open_binary(path: str) -> AbstractContextManager[BinaryIO]:
    if path == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise click.UsageError(f"'{path}' cannot be read: {error.strerror or error}.") from None


def read_document(path: str, name: str, limit: int | None = None) -> str:
    """The whole of a file or of standard input, read no further than a text within the limit can reach."""
    where = name_document(name, path)
    most = -1 if limit is None else limit * 4 + 4  # a character has four bytes at most
    try:
        with open_binary(path) as stream:
            data = stream.read(most)
    except OSError as error:
        raise click.UsageError(f"'{path}' cannot be read: {error.strerror or error}.") from None
    if limit is not None and len(data) == most:
        raise InvalidInput(where, f"has more than {limit:,} characters, which is the limit")
    return requests.decode_utf8(data, where)


def _refuse_blank(text: str, name: str, path: str) -> str:
    """Nothing to read is most often a mistake in what was typed before."""
    if not text.strip():
        raise InvalidInput(
            name_document(name, path), "is empty; give the words themselves, a file that holds some, or -"
        )
    return text


def name_document(name: str, path: str) -> str:
    return f"{name} (standard input)" if path == "-" else f"{name} ({path})"


def write_output(text: str) -> None:
    output = sys.stdout.buffer
    output.write(text.encode(getattr(sys.stdout, "encoding", None) or "utf-8", "replace"))
    output.flush()


def progress_over(
    lines: BinaryIO, *, beside_output: bool = False
) -> AbstractContextManager[Callable[[int], None] | None]:
    """A bar on standard error while a file goes through, where somebody watches and it cannot mix with the output.

    `beside_output` is for a command that prints only when it is done.
    """
    size = _regular_size(lines)
    if not size or not sys.stderr.isatty() or (sys.stdout.isatty() and not beside_output):
        return nullcontext(None)
    return _Progress(size)


class _Progress:
    """Hands out the bar's step function, so that the filter does not know what a bar is."""

    def __init__(self, size: int) -> None:
        self._bar = click.progressbar(length=size, file=sys.stderr, update_min_steps=max(1, size // 200))

    def __enter__(self) -> Callable[[int], None]:
        return self._bar.__enter__().update

    def __exit__(self, *failure: Any) -> None:
        self._bar.__exit__(*failure)


def _regular_size(stream: BinaryIO) -> int:
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0
