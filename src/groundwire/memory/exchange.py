"""A store as JSON Lines and back: everything or nothing in both directions."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, cast

from groundwire.errors import InvalidInput
from groundwire.memory.protocols import Store
from groundwire.memory.stored import marks_of
from groundwire.types import Scope
from groundwire.types.records import Act

_PLURALS = {"memory": "memories", "review": "reviews", "tombstone": "tombstones"}


def write_records(store: Store, target: str | Path | IO[str], scope: Scope | None) -> Mapping[str, int]:
    """How many records of which kind; a file appears under its name only when it is whole."""
    if not isinstance(target, str | Path):
        return _write(store, target, scope)
    path = Path(target).expanduser()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise InvalidInput("export", f"{path} cannot be written ({error.strerror or error})") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            counts = _write(store, file, scope)
        Path(name).replace(path)
    except OSError as error:
        raise InvalidInput("export", f"{path} cannot be written ({error.strerror or error})") from error
    finally:
        Path(name).unlink(missing_ok=True)
    return counts


def _write(store: Store, target: IO[str], scope: Scope | None) -> Mapping[str, int]:
    counts: Counter[str] = Counter()
    for record in store.export(scope):
        target.write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        counts[_PLURALS.get(str(record["record"]), str(record["record"]))] += 1
    return counts


def read_records(store: Store, source: str | Path | IO[str], act: Act) -> Mapping[str, int]:
    """Counts by outcome; a line that is no record leaves the store as it was."""
    if not isinstance(source, str | Path):
        return store.restore(_parse(source), act, fingerprint=marks_of)
    path = Path(source).expanduser()
    try:
        with path.open(encoding="utf-8") as file:
            return store.restore(_parse(file), act, fingerprint=marks_of)
    except OSError as error:
        raise InvalidInput("import", f"{path} cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise InvalidInput("import", f"{path} is not UTF-8 text") from error


def _parse(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record: object = json.loads(line)
        except (ValueError, RecursionError):
            remedy = "give what 'groundwire export' wrote, and words of your own to 'groundwire remember'"
            raise InvalidInput(f"line {number}", f"is not JSON; {remedy}") from None
        if not isinstance(record, dict):
            raise InvalidInput(f"line {number}", "is no JSON object")
        yield cast(Mapping[str, Any], record)
