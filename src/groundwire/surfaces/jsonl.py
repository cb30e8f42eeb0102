"""The filter: one JSON object a line in, one a line out, in order; a broken line never stops the run."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from typing import Protocol, cast

from groundwire.errors import GroundwireError, InvalidInput
from groundwire.surfaces.requests import Fields, decode_utf8, parse_json, wrong_type
from groundwire.surfaces.responses import JsonObject, describe_error, write_json

logger = logging.getLogger(__name__)

Answer = Callable[[Fields], JsonObject]


class ByteSink(Protocol):
    """Where the output lines go."""

    def write(self, data: bytes, /) -> object: ...
    def flush(self) -> None: ...


def filter_lines(
    lines: Iterable[bytes], output: ByteSink, answer: Answer, *, advance: Callable[[int], None] | None = None
) -> int:
    """Answer every line, flushing after each, and return how many failed. Blank lines are passed over."""
    failed = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            response, succeeded = answer_line(line, number, answer)
            failed += not succeeded
            output.write(response.encode() + b"\n")
            output.flush()
        if advance is not None:
            advance(len(line))
    return failed


def answer_line(line: bytes, number: int, answer: Answer) -> tuple[str, bool]:
    """The response to one line as JSON, and whether it is an answer and not an error."""
    try:
        fields = read_object(line)
        response = answer(fields)
        if "id" in fields:
            response = {"id": fields["id"], **response}
        return write_json(response), True
    except GroundwireError as error:
        failure = error
    except Exception as error:  # the outermost edge: one defect must not take the rest of the batch along
        logger.exception("line %d could not be processed", number)
        failure = error
    return write_json({"id": _recover_id(line), "error": describe_error(failure), "line": number}), False


def read_object(line: bytes) -> Fields:
    """The JSON object of a line, with an id that can be written back."""
    value = parse_json(decode_utf8(line, "line").rstrip(), "line")
    if not isinstance(value, dict):
        raise wrong_type("line", "a JSON object", value)
    fields = cast(Fields, value)
    if not _is_writable(fields.get("id")):
        raise InvalidInput("id", "holds NaN or an infinite number, which JSON cannot carry")
    return fields


def _recover_id(line: bytes) -> object:
    """The id of a line that failed, where one can still be made out, so that the caller can match the two up."""
    try:
        value: object = json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    identifier = cast(Fields, value).get("id")
    return identifier if _is_writable(identifier) else None


def _is_writable(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    return True
