"""Knowledge while it is read, and the fields it is read from; what cannot be read is refused with the field's path."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from groundwire.errors import InvalidInput
from groundwire.evidence.knowledge import Knowledge, KnownEntity, Link
from groundwire.evidence.lookups import AttributeValue
from groundwire.evidence.names import name_key
from groundwire.types.memories import Memory

DEEPEST = 4
"""How deep a value may be nested."""


@dataclass(slots=True)
class Draft:
    name: str
    type: str = ""
    aliases: list[str] = field(default_factory=list[str])
    attributes: dict[str, list[AttributeValue]] = field(default_factory=dict[str, list[AttributeValue]])
    relations: list[Link] = field(default_factory=list[Link])
    listed: set[str] = field(default_factory=set[str])

    def add(self, attribute: str, value: AttributeValue) -> None:
        held = self.attributes.setdefault(attribute, [])
        if value not in held:
            held.append(value)


class Gathering:
    """Entities while they are read: the same name in two places is one entity with the values of both."""

    def __init__(self) -> None:
        self._drafts: dict[tuple[str, str], Draft] = {}
        self._untyped: dict[str, Draft] = {}

    def entity(self, name: str, kind: str = "") -> Draft:
        key = name_key(name) or name.casefold()
        if not kind and key in self._untyped:
            return self._untyped[key]
        draft = self._drafts.get((key, kind.casefold())) or self._drafts.get((key, ""))
        if draft is None:
            draft = self._drafts[key, kind.casefold()] = Draft(name, kind)
            self._untyped.setdefault(key, draft)
        draft.type = draft.type or kind
        return draft

    def finish(self, statements: Sequence[Memory] = (), complete: Iterable[str] = ()) -> Knowledge:
        entities = [
            KnownEntity(
                d.name, d.type, tuple(dict.fromkeys(d.aliases)), {n: _ranked(v) for n, v in d.attributes.items()},
                tuple(dict.fromkeys(d.relations)), frozenset(d.listed),
            )
            for d in self._drafts.values()
        ]  # fmt: skip
        return Knowledge(entities, statements, complete)


def _ranked(values: list[AttributeValue]) -> tuple[AttributeValue, ...]:
    """The most trusted first, the newest first among equals; the order given decides the rest."""
    newest = -math.inf
    return tuple(sorted(values, key=lambda v: (-v.trust, -(v.timestamp if v.timestamp is not None else newest))))


# ── fields ──────────────────────────────────────────────────────────────────────────────────────


def need_mapping(value: object, field: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise InvalidInput(field, f"it is {_name(value)}, not an object")
    data = cast("Mapping[object, object]", value)
    for key in data:
        if not isinstance(key, str):
            raise InvalidInput(field, f"its key {key!r} is not a text")
    return cast("Mapping[str, object]", value)


def need_sequence(value: object, field: str) -> Sequence[object]:
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)):
        raise InvalidInput(field, f"it is {_name(value)}, not a list")
    return cast("Sequence[object]", value)


def need_text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(field, f"it is {_name(value)}, not a text")
    return value


_NAMED: tuple[tuple[type[Any], str], ...] = (
    (bool, "a boolean"), (int, "a number"), (float, "a number"), (str, "a text"), (Mapping, "an object"),
    (list, "a list"),
)  # fmt: skip


def _name(value: object) -> str:
    return (
        "nothing" if value is None else next((n for kind, n in _NAMED if isinstance(value, kind)), type(value).__name__)
    )


def write_value(value: object, field: str) -> str:
    """A value as text; empty for nothing."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float() if not math.isfinite(value):
            raise InvalidInput(field, f"{value} is not a number that can be stored")
        case float():
            return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        case int():
            return str(value)
        case str():
            return value.strip()
        case _:
            raise InvalidInput(
                field, f"it is {_name(value)}; a value is a text, a number, a boolean, a list or an object"
            )


def read_trust(value: object, field: str) -> float:
    number = _number(value)
    if number is None or not 0.0 <= number <= 1.0:
        raise InvalidInput(field, f"{value!r} is not a number from 0 to 1")
    return number


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def read_timestamp(value: object, field: str) -> int | None:
    """Unix seconds or ISO 8601; without a zone it is UTC."""
    if value is None or value == "":
        return None
    number = _number(value)
    if number is not None and math.isfinite(number):
        return int(number)
    moment: datetime | None = None
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            moment = datetime.fromisoformat(value.strip())
    if moment is None:
        raise InvalidInput(field, f"{value!r} is neither Unix seconds nor an ISO 8601 date")
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
