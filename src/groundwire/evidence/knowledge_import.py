"""Knowledge from JSON and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from groundwire.errors import InvalidInput
from groundwire.evidence.gathering import (
    DEEPEST,
    Draft,
    Gathering,
    need_mapping,
    need_sequence,
    need_text,
    read_timestamp,
    read_trust,
    write_value,
)
from groundwire.evidence.knowledge import Knowledge, Link
from groundwire.evidence.lookups import AttributeValue
from groundwire.types.memories import Memory

_VALUE_FIELDS = frozenset({"value", "source", "trust", "timestamp", "unit", "currency", "confidence"})
_COLUMNS = ("entity", "attribute", "value")


def read_knowledge(data: object, field: str = "knowledge") -> Knowledge:
    """From `{entities: […], statements?: […], complete?: […]}`."""
    whole = need_mapping(data, field)
    gathering = Gathering()
    for i, entry in enumerate(need_sequence(whole.get("entities"), f"{field}.entities")):
        _read_entity(entry, f"{field}.entities[{i}]", gathering)
    statements = [
        _read_statement(entry, i, f"{field}.statements[{i}]")
        for i, entry in enumerate(need_sequence(whole.get("statements"), f"{field}.statements"))
    ]
    complete = [
        need_text(kind, f"{field}.complete[{i}]")
        for i, kind in enumerate(need_sequence(whole.get("complete"), f"{field}.complete"))
    ]
    return gathering.finish(statements, complete)


def read_csv(text: str, field: str = "knowledge") -> Knowledge:
    """One value a row, in columns entity, attribute, value and perhaps type, source, trust, timestamp."""
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""), strict=True)
    gathering = Gathering()
    try:
        columns = [(name or "").strip().casefold() for name in rows.fieldnames or ()]
        missing = [name for name in _COLUMNS if name not in columns]
        if missing:
            raise InvalidInput(field, f"the table has no column {missing[0]!r}; it needs {', '.join(_COLUMNS)}")
        rows.fieldnames = columns
        for number, row in enumerate(rows, 2):
            _read_row(cast("dict[str | None, str | None]", row), f"{field} line {number}", gathering)
    except csv.Error as error:
        raise InvalidInput(field, f"line {rows.line_num} is not CSV ({error})") from error
    return gathering.finish()


def _read_row(row: Mapping[str | None, str | None], field: str, gathering: Gathering) -> None:
    if None in row:
        raise InvalidInput(field, "the row has more fields than the table has columns; quote values that hold commas")
    entity, attribute, value = ((row.get(column) or "").strip() for column in _COLUMNS)
    if not any((entity, attribute, value)):
        return
    if not entity:
        raise InvalidInput(f"{field}.entity", "it is empty; name whom the row is about")
    found = gathering.entity(entity, (row.get("type") or "").strip())
    if attribute.casefold() in ("alias", "aliases", "alternatename"):
        found.aliases.extend(part.strip() for part in value.split(";") if part.strip())
        return
    if not attribute or not value:
        return
    trust = read_trust(row.get("trust") or 1.0, f"{field}.trust")
    timestamp = read_timestamp(row.get("timestamp") or None, f"{field}.timestamp")
    found.add(attribute, AttributeValue(value, (row.get("source") or "").strip(), trust, timestamp))


def _read_entity(entry: object, field: str, gathering: Gathering) -> None:
    data = need_mapping(entry, field)
    if "name" not in data:
        raise InvalidInput(f"{field}.name", "it is missing; every entity needs a name")
    name = need_text(data["name"], f"{field}.name")
    if not name.strip():
        raise InvalidInput(f"{field}.name", "it is empty; every entity needs a name")
    kind = need_text(data.get("type") or "", f"{field}.type").strip()
    draft = gathering.entity(name.strip(), kind)
    for i, alias in enumerate(need_sequence(data.get("aliases"), f"{field}.aliases")):
        draft.aliases.append(need_text(alias, f"{field}.aliases[{i}]"))
    attributes = data.get("attributes")
    stored: Mapping[str, object] = {} if attributes is None else need_mapping(attributes, f"{field}.attributes")
    for attribute, value in stored.items():
        _read_attribute(draft, attribute, value, f"{field}.attributes.{attribute}")
    _read_relations(draft, data.get("relations"), f"{field}.relations")


def _read_attribute(draft: Draft, attribute: str, value: object, field: str) -> None:
    if isinstance(value, (list, tuple)):
        items = cast("Sequence[object]", value)
        if len(items) > 1 and not any(isinstance(item, Mapping) for item in items):
            draft.listed.add(attribute)  # each with its own trust, they compete
        for i, item in enumerate(items):
            for name, one in _read_values(attribute, item, f"{field}[{i}]"):
                draft.add(name, one)
        return
    for name, one in _read_values(attribute, value, field):
        draft.add(name, one)


def _read_values(attribute: str, value: object, field: str, depth: int = 0) -> Iterable[tuple[str, AttributeValue]]:
    """One stored value, or one for each part of a nested object: `address: {city: …}` is an address and its city."""
    if not isinstance(value, Mapping):
        text = write_value(value, field)
        if text:
            yield attribute, AttributeValue(text)
        return
    data = need_mapping(cast("object", value), field)
    if "value" in data and _VALUE_FIELDS.issuperset(data):
        yield from _read_sourced(attribute, data, field, depth)
        return
    if depth >= DEEPEST:
        raise InvalidInput(field, f"it is nested more than {DEEPEST} levels deep; flatten it")
    if {"amount", "currency"} == set(data):
        yield attribute, AttributeValue(f"{write_value(data['amount'], field)} {write_value(data['currency'], field)}")
        return
    parts: list[AttributeValue] = []
    for name, part in data.items():
        items = cast("Sequence[object]", part) if isinstance(part, (list, tuple)) else (part,)
        for item in items:
            for inner, one in _read_values(f"{attribute} {name}", item, f"{field}.{name}", depth + 1):
                parts.append(one)
                yield inner, one
    if parts:
        yield attribute, AttributeValue(", ".join(part.value for part in parts))


def _read_sourced(
    attribute: str, data: Mapping[str, object], field: str, depth: int
) -> Iterable[tuple[str, AttributeValue]]:
    source = need_text(data.get("source") or "", f"{field}.source")
    trust = read_trust(data.get("trust", data.get("confidence", 1.0)), f"{field}.trust")
    timestamp = read_timestamp(data.get("timestamp"), f"{field}.timestamp")
    unit = need_text(data.get("unit") or data.get("currency") or "", f"{field}.unit")
    value = data["value"]
    items = cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else (value,)
    for item in items:
        if isinstance(item, Mapping) and depth >= DEEPEST:
            raise InvalidInput(field, f"it is nested more than {DEEPEST} levels deep; flatten it")
        for name, one in _read_values(attribute, cast("object", item), f"{field}.value", depth + 1):
            yield name, AttributeValue(f"{one.value} {unit}".strip(), source, trust, timestamp)


def _read_relations(draft: Draft, relations: object, field: str) -> None:
    """Either `{kind: target or targets}` or a list of `{type, target}`; each is an attribute as well."""
    if relations is None:
        return
    if isinstance(relations, Mapping):
        for kind, targets in need_mapping(cast("object", relations), field).items():
            many = cast("Sequence[object]", targets) if isinstance(targets, (list, tuple)) else (targets,)
            if len(many) > 1:
                draft.listed.add(kind)
            for target in many:
                _relate(draft, kind, need_text(target, f"{field}.{kind}"))
        return
    for i, entry in enumerate(need_sequence(relations, field)):
        data = need_mapping(entry, f"{field}[{i}]")
        kind = _first(data, ("type", "relation", "predicate", "kind"), f"{field}[{i}]")
        target = _first(data, ("target", "to", "object", "entity", "name"), f"{field}[{i}]")
        _relate(draft, kind, target)


def _relate(draft: Draft, kind: str, target: str) -> None:
    draft.relations.append(Link(kind, target))
    draft.add(kind, AttributeValue(target))


def _first(data: Mapping[str, object], names: Sequence[str], field: str) -> str:
    for name in names:
        if name in data:
            return need_text(data[name], f"{field}.{name}")
    raise InvalidInput(f"{field}.{names[0]}", "it is missing")


def _read_statement(entry: object, number: int, field: str) -> Memory:
    if isinstance(entry, str):
        entry = {"text": entry}
    data = need_mapping(entry, field)
    if "text" not in data:
        raise InvalidInput(f"{field}.text", "it is missing")
    text = need_text(data["text"], f"{field}.text")
    if not text.strip():
        raise InvalidInput(f"{field}.text", "it is empty")
    identity = need_text(data.get("id") or f"s{number + 1}", f"{field}.id")
    trust, timestamp = (
        read_trust(data.get("trust", 1.0), f"{field}.trust"),
        read_timestamp(data.get("timestamp"), f"{field}.timestamp"),
    )
    source = data.get("source")
    return Memory(identity, text, trust, timestamp, None if source is None else need_text(source, f"{field}.source"))
