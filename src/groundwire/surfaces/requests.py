"""JSON objects become vocabulary values, or one error that names the field at fault.

Nothing is coerced: a trust of "0.9" or an id of 7 is a mistake upstream, and guessing would hide it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol, TypeVar, cast

from groundwire.errors import InvalidInput
from groundwire.types import Memory, MemoryKind, MemoryStatus, Passage, VerifyMode

TEXT_FIELDS = ("id", "text")
JUDGE_FIELDS = ("id", "claim", "evidence", "context", "mode", "user")
VERIFY_FIELDS = ("id", "text", "query", "memories", "passages", "mode", "user", "flags")
MEMORY_FIELDS = ("id", "text", "trust", "timestamp", "source", "kind", "status")
PASSAGE_FIELDS = ("id", "text", "trust", "timestamp")

EARLIEST_TIMESTAMP = -62_135_596_800  # 0001-01-01T00:00:00Z
LATEST_TIMESTAMP = 253_402_300_799  # 9999-12-31T23:59:59Z

Fields = Mapping[str, object]
Member = TypeVar("Member", bound=StrEnum)
Item = TypeVar("Item", Memory, Passage)


class Limits(Protocol):
    """The part of the settings that bounds what is read."""

    @property
    def max_answer_characters(self) -> int: ...
    @property
    def max_memory_characters(self) -> int: ...
    @property
    def max_memories(self) -> int: ...


@dataclass(frozen=True, slots=True)
class TextRequest:
    text: str


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    claim: str
    evidence: tuple[Passage, ...]
    context: str | None = None
    mode: VerifyMode = VerifyMode.POSTHOC
    user: str | None = None


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    text: str
    memories: tuple[Memory, ...] = ()
    passages: tuple[Passage, ...] = ()
    query: str | None = None
    mode: VerifyMode = VerifyMode.POSTHOC
    user: str | None = None
    flags: bool = False


# ── bytes and JSON ──────────────────────────────────────────────────────────────────────────────


def decode_utf8(data: bytes, field: str) -> str:
    """Text of `data`; a byte order mark is dropped."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The codec drops a leading mark before it counts, so the offset is taken from the plain decoder.
        raise InvalidInput(field, _describe_bad_bytes(data, error)) from None


def _describe_bad_bytes(data: bytes, error: UnicodeDecodeError) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as plain:
        error = plain
    return f"is not UTF-8 (byte 0x{data[error.start]:02x} at offset {error.start}); save it as UTF-8 and try again"


def parse_json(text: str, field: str) -> object:
    """The JSON value; NaN and infinities are let through here so that the field which holds them can be named."""
    try:
        return json.loads(text, object_pairs_hook=_collect_fields)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} column {error.colno}"
        raise InvalidInput(field, f"is not valid JSON: {error.msg} at {where}") from None
    except RecursionError:
        raise InvalidInput(field, "is nested too deeply to be read") from None
    except ValueError:
        raise InvalidInput(field, "holds a number with too many digits to be read") from None


def _collect_fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise InvalidInput(_printable(name), "is given twice in one object")
            seen.add(name)
    return fields


# ── requests ────────────────────────────────────────────────────────────────────────────────────


def read_text_request(fields: Fields, limits: Limits) -> TextRequest:
    refuse_unknown(fields, TEXT_FIELDS)
    return TextRequest(_read_text(fields, "text", "text", limits.max_answer_characters))


def read_judge_request(fields: Fields, limits: Limits, *, has_store: bool = False) -> JudgeRequest:
    """With a store, evidence that is left out is looked up there."""
    refuse_unknown(fields, JUDGE_FIELDS)
    if "evidence" not in fields and not has_store:
        raise InvalidInput("evidence", "is required: a list of texts or of objects with id and text, or a store")
    return JudgeRequest(
        claim=_read_text(fields, "claim", "claim", limits.max_answer_characters),
        evidence=read_passages(fields.get("evidence", []), limits, "evidence"),
        context=_read_optional_text(fields, "context", "context", limits.max_answer_characters),
        mode=_read_mode(fields),
        user=_read_optional_text(fields, "user", "user", limits.max_memory_characters),
    )


def read_verify_request(fields: Fields, limits: Limits) -> VerifyRequest:
    refuse_unknown(fields, VERIFY_FIELDS)
    memories = fields.get("memories")
    passages = fields.get("passages")
    return VerifyRequest(
        text=_read_text(fields, "text", "text", limits.max_answer_characters),
        memories=() if memories is None else read_memories(memories, limits),
        passages=() if passages is None else read_passages(passages, limits, "passages"),
        query=_read_optional_text(fields, "query", "query", limits.max_answer_characters),
        mode=_read_mode(fields),
        user=_read_optional_text(fields, "user", "user", limits.max_memory_characters),
        flags=_read_switch(fields, "flags"),
    )


def refuse_unknown(fields: Fields, known: Sequence[str], where: str = "") -> None:
    """A field that nobody reads is most often a misspelt one that somebody relies on."""
    for name in fields:
        if name not in known:
            path = f"{where}.{_printable(name)}" if where else _printable(name)
            raise InvalidInput(path, f"unknown field '{_printable(name)}'; known: {', '.join(known)}")


# ── memories and passages ───────────────────────────────────────────────────────────────────────


def read_memories(value: object, limits: Limits, where: str = "memories") -> tuple[Memory, ...]:
    """Memories from a list of objects or plain texts; a plain text gets an id from its place (m1, m2, …)."""

    def read(entry: Fields, path: str) -> Memory:
        refuse_unknown(entry, MEMORY_FIELDS, path)
        return Memory(
            id=_read_text(entry, "id", f"{path}.id", limits.max_memory_characters),
            text=_read_text(entry, "text", f"{path}.text", limits.max_memory_characters),
            trust=_read_trust(entry, path),
            timestamp=read_timestamp(entry.get("timestamp"), f"{path}.timestamp"),
            source=_read_optional_text(entry, "source", f"{path}.source", limits.max_memory_characters),
            kind=_read_member(entry, "kind", f"{path}.kind", MemoryKind.USER_FACT),
            status=_read_member(entry, "status", f"{path}.status", MemoryStatus.ACTIVE),
        )

    return _read_entries(value, where, "m", limits, read)


def read_passages(value: object, limits: Limits, where: str) -> tuple[Passage, ...]:
    """Passages from a list of objects or plain texts; a plain text gets an id from its place (e1, e2, …)."""

    def read(entry: Fields, path: str) -> Passage:
        refuse_unknown(entry, PASSAGE_FIELDS, path)
        return Passage(
            id=_read_text(entry, "id", f"{path}.id", limits.max_memory_characters),
            text=_read_text(entry, "text", f"{path}.text", limits.max_answer_characters),
            trust=_read_trust(entry, path),
            timestamp=read_timestamp(entry.get("timestamp"), f"{path}.timestamp"),
        )

    return _read_entries(value, where, "e", limits, read)


def read_memory_document(text: str, field: str) -> list[object]:
    """The entries of a memory file: a JSON list, an object with "memories", or one JSON value a line."""
    if not text.strip():
        raise InvalidInput(field, "is empty; write [] for no memories")
    try:
        document = parse_json(text, field)
    except InvalidInput as error:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        # A broken first line of several would otherwise be reported as JSONL although it is broken JSON.
        if len(lines) < 2 or not _is_json(lines[0][1]):
            raise error from None
        return [parse_json(line, f"{field} line {number}") for number, line in lines]
    if isinstance(document, dict):
        fields = cast(dict[str, object], document)
        if "memories" not in fields:
            return [fields]
        document = fields["memories"]
    if isinstance(document, str):
        return [document]
    if not isinstance(document, list):
        raise wrong_type(field, "a list of memories, or an object with one in 'memories'", document)
    return cast(list[object], document)


def _is_json(text: str) -> bool:
    try:
        parse_json(text, "line")
    except InvalidInput:
        return False
    return True


def _read_entries(
    value: object, where: str, prefix: str, limits: Limits, read: Callable[[Fields, str], Item]
) -> tuple[Item, ...]:
    if not isinstance(value, list):
        raise wrong_type(where, "a list of texts or of objects with id and text", value)
    entries = cast(list[object], value)
    if len(entries) > limits.max_memories:
        raise InvalidInput(where, f"has {len(entries):,} entries; at most {limits.max_memories:,} are taken a call")
    taken = {cast(Fields, entry).get("id") for entry in entries if _has_text_id(entry)}
    items: list[Item] = []
    first_use: dict[str, int] = {}
    for index, entry in enumerate(entries):
        path = f"{where}[{index}]"
        if isinstance(entry, str):
            entry = {"id": _name_entry(prefix, index + 1, taken), "text": entry}
        if not isinstance(entry, dict):
            raise wrong_type(path, "a text or an object with id and text", entry)
        item = read(cast(Fields, entry), path)
        earlier = first_use.setdefault(item.id, index)
        if earlier != index:
            raise InvalidInput(f"{path}.id", f"duplicate id {_quote(item.id)}, already used by {where}[{earlier}]")
        items.append(item)
    return tuple(items)


def _has_text_id(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(cast(Fields, entry).get("id"), str)


def _name_entry(prefix: str, number: int, taken: set[object]) -> str:
    name = f"{prefix}{number}"
    while name in taken:
        name = f"{name}_"
    return name


# ── single fields ───────────────────────────────────────────────────────────────────────────────


def check_text(value: object, path: str, limit: int) -> str:
    """`value` as text that is there, is Unicode and is within the limit."""
    if not isinstance(value, str):
        raise wrong_type(path, "a string", value)
    if not value.strip():
        raise InvalidInput(path, "is empty")
    if len(value) > limit:
        raise InvalidInput(path, f"has {len(value):,} characters; the limit is {limit:,}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        code = ord(value[error.start])
        raise InvalidInput(path, f"is not Unicode text: lone surrogate U+{code:04X} at {error.start}") from None
    return value


def read_timestamp(value: object, path: str) -> int | None:
    """Unix seconds from a number or an ISO 8601 text; a time without a zone is taken as UTC."""
    if value is None:
        return None
    if isinstance(value, str):
        return _read_iso_time(value, path)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type(path, "Unix seconds or an ISO 8601 text", value)
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(path, f"is {_name_number(value)}; give Unix seconds or an ISO 8601 text")
    if not EARLIEST_TIMESTAMP <= value <= LATEST_TIMESTAMP:
        hint = "; it looks like milliseconds, give seconds" if 1e11 < value < 1e14 else ""
        raise InvalidInput(path, f"is {_name_number(value)}, not a time between the years 1 and 9999{hint}")
    return math.floor(value)


def _read_iso_time(value: str, path: str) -> int:
    try:
        moment = datetime.fromisoformat(value.strip())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return math.floor(moment.timestamp())
    except (ValueError, OverflowError):
        expected = "an ISO 8601 time such as 2024-03-01 or 2024-03-01T09:30:00Z"
        raise InvalidInput(path, f"{_quote(value)} is not {expected}") from None


def _read_text(fields: Fields, name: str, path: str, limit: int) -> str:
    if name not in fields:
        raise InvalidInput(path, "is required")
    return check_text(fields[name], path, limit)


def _read_optional_text(fields: Fields, name: str, path: str, limit: int) -> str | None:
    value = fields.get(name)
    return None if value is None else check_text(value, path, limit)


def _read_trust(fields: Fields, path: str) -> float:
    value = fields.get("trust")
    if value is None:
        return 1.0
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type(f"{path}.trust", "a number in [0, 1]", value)
    if not 0 <= value <= 1:  # NaN fails every comparison
        raise InvalidInput(f"{path}.trust", f"is {_name_number(value)}; it must be a number in [0, 1]")
    return float(value)


def _read_switch(fields: Fields, name: str) -> bool:
    value = fields.get(name)
    if value is not None and not isinstance(value, bool):
        raise wrong_type(name, "true or false", value)
    return bool(value)


def _read_mode(fields: Fields) -> VerifyMode:
    return _read_member(fields, "mode", "mode", VerifyMode.POSTHOC)


def _read_member(fields: Fields, name: str, path: str, default: Member) -> Member:
    """A member of the default's enumeration, in any casing."""
    value = fields.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise wrong_type(path, "a string", value)
    for member in type(default):
        if member.value.casefold() == value.casefold():
            return member
    raise InvalidInput(path, f"{_quote(value)} is not one of {', '.join(type(default))}")


# ── wording ─────────────────────────────────────────────────────────────────────────────────────


def wrong_type(path: str, expected: str, value: object) -> InvalidInput:
    return InvalidInput(path, f"must be {expected}, not {_name_type(value)}")


def _name_type(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"


def _name_number(value: float) -> str:
    if abs(value) >= 1e15:
        return "infinite" if value in (math.inf, -math.inf) else "too large"
    return "NaN" if math.isnan(value) else f"{value:.15g}"


def _printable(text: str) -> str:
    """A name from outside, short and free of control characters, so that an error stays one readable line."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in text[:60])
    return shown + "…" if len(text) > 60 else shown


def _quote(text: str) -> str:
    return f"'{_printable(text)}'"
