"""Labelled pairs from JSON lines; a row that cannot be read is named and never guessed at."""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import PurePath
from typing import cast

from groundwire.errors import InvalidInput

_GZIP = b"\x1f\x8b"


class Truth(StrEnum):
    """What a label says about a pair; UNSUPPORTED leaves open whether the evidence denies it or is silent."""

    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    INSUFFICIENT = "INSUFFICIENT"
    UNSUPPORTED = "UNSUPPORTED"


class Task(StrEnum):
    """What the labels of a file allow to be asked of a judge."""

    THREE_WAY = "three-way"
    TWO_CLASS = "two-class"

    @property
    def classes(self) -> tuple[Truth, ...]:
        if self is Task.TWO_CLASS:
            return (Truth.SUPPORTED, Truth.UNSUPPORTED)
        return (Truth.SUPPORTED, Truth.REFUTED, Truth.INSUFFICIENT)


LABELS = {
    "entail": Truth.SUPPORTED,
    "entailment": Truth.SUPPORTED,
    "supported": Truth.SUPPORTED,
    "contradict": Truth.REFUTED,
    "contradiction": Truth.REFUTED,
    "refuted": Truth.REFUTED,
    "neutral": Truth.INSUFFICIENT,
    "insufficient": Truth.INSUFFICIENT,
    "unsupported": Truth.UNSUPPORTED,
}


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Evidence, a claim and what is known of the two; `file` and `line` say where it was read."""

    premise: str
    hypothesis: str
    label: str
    file: str = ""
    line: int = 0
    source: str | None = None
    meta: object = field(default=None, hash=False)

    @property
    def truth(self) -> Truth:
        return read_label(self.label)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row that takes no part in the figures, and why."""

    file: str
    line: int
    why: str

    def to_dict(self) -> dict[str, object]:
        return {"file": self.file, "line": self.line, "why": self.why}


@dataclass(frozen=True, slots=True)
class PairFile:
    """The readable rows of one file, and those that are not."""

    name: str
    pairs: tuple[LabelledPair, ...]
    refused: tuple[Refusal, ...] = ()
    task: Task = Task.THREE_WAY

    def limit(self, most: int) -> PairFile:
        """The first rows; the task stays that of the whole file."""
        return replace(self, pairs=self.pairs[:most])

    def sample(self, size: int, seed: int) -> PairFile:
        """Rows drawn at random, in the order of the file, the same for the same seed."""
        if size >= len(self.pairs):
            return self
        chosen = sorted(random.Random(seed).sample(range(len(self.pairs)), size))
        return replace(self, pairs=tuple(self.pairs[index] for index in chosen))


def read_label(label: str) -> Truth:
    """What a label means, in any casing."""
    truth = LABELS.get(label.strip().lower())
    if truth is None:
        raise InvalidInput("label", f"{label[:40]!r} is none of {', '.join(LABELS)}")
    return truth


def find_task(labels: Iterable[str]) -> Task:
    """Three classes need labels that tell denial from silence; one "unsupported" in a file makes it two."""
    words = {label.strip().lower() for label in labels}
    return Task.TWO_CLASS if "unsupported" in words or words == {"supported"} else Task.THREE_WAY


def read_pairs(data: bytes, name: str) -> PairFile:
    """The pairs of a file of JSON lines, packed with gzip or plain; a file without rows is refused."""
    pairs: list[LabelledPair] = []
    refused: list[Refusal] = []
    for number, line in enumerate(_unpack(data, name).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            pairs.append(_read_row(line, name, number))
        except InvalidInput as error:
            refused.append(Refusal(name, number, str(error)))
    if not pairs and not refused:
        raise InvalidInput(
            name, 'holds no rows; expected one JSON object a line with "premise", "hypothesis" and "label"'
        )
    return PairFile(name, tuple(pairs), tuple(refused), find_task(pair.label for pair in pairs))


def name_files(paths: Sequence[str]) -> list[str]:
    """A short name for each path, or the whole path where two would be called the same."""
    stems = ["stdin" if path == "-" else PurePath(path).name for path in paths]
    stems = [stem.removesuffix(".gz").removesuffix(".jsonl") or stem for stem in stems]
    return [path if stems.count(stem) > 1 else stem for path, stem in zip(paths, stems, strict=True)]


def _unpack(data: bytes, name: str) -> bytes:
    if not data.startswith(_GZIP):
        return data.removeprefix(b"\xef\xbb\xbf")
    try:
        return gzip.decompress(data).removeprefix(b"\xef\xbb\xbf")
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput(name, f"is a damaged gzip file ({error}); fetch or pack it again") from None


def _read_row(line: bytes, file: str, number: int) -> LabelledPair:
    fields = _read_object(line)
    pair = LabelledPair(
        premise=_read_text(fields, "premise"),
        hypothesis=_read_text(fields, "hypothesis"),
        label=_read_text(fields, "label"),
        file=file,
        line=number,
        source=_read_optional_text(fields, "source"),
        meta=fields.get("meta"),
    )
    read_label(pair.label)
    return pair


def _read_object(line: bytes) -> dict[str, object]:
    try:
        value: object = json.loads(line.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise InvalidInput("line", "is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise InvalidInput("line", f"is not valid JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise InvalidInput("line", "is nested too deeply to be read") from None
    except ValueError:
        raise InvalidInput("line", "holds a number that cannot be read") from None
    if not isinstance(value, dict):
        raise InvalidInput("line", "is not a JSON object")
    return cast(dict[str, object], value)


def _refuse_constant(_: str) -> object:
    raise ValueError  # NaN and infinities: what is read here has to be written again


def _read_text(fields: dict[str, object], name: str) -> str:
    text = _read_optional_text(fields, name)
    if text is None:
        raise InvalidInput(name, "is required")
    if not text.strip():
        raise InvalidInput(name, "is empty")
    return text


def _read_optional_text(fields: dict[str, object], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(name, f"must be a text, not {type(value).__name__}")
    return value
