"""Knowledge from JSON-LD, without fetching anything: names of a context are shortened to their last part."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from groundwire.errors import InvalidInput
from groundwire.evidence.gathering import DEEPEST, Gathering, need_mapping, need_sequence, need_text, write_value
from groundwire.evidence.knowledge import Knowledge, Link
from groundwire.evidence.lookups import AttributeValue

_NAMES = ("name", "label", "prefLabel", "title")
_ALIASES = ("alternateName", "altLabel", "alias", "aliases")


def read_json_ld(data: object, field: str = "knowledge") -> Knowledge:
    """From a JSON-LD document or graph, without fetching its context: names are shortened to their last part."""
    if isinstance(data, str):
        try:
            data = cast("object", json.loads(data))
        except (json.JSONDecodeError, RecursionError) as error:
            raise InvalidInput(field, f"it is not JSON ({error})") from error
    nodes = _graph_nodes(data, field)
    labels = {need_text(n["@id"], f"{field}[{i}].@id"): label for i, n in enumerate(nodes)
              if "@id" in n and (label := _label(n))}  # fmt: skip
    gathering = Gathering()
    for i, node in enumerate(nodes):
        _read_node(node, f"{field}[{i}]", labels, gathering)
    return gathering.finish()


def _graph_nodes(data: object, field: str) -> list[Mapping[str, object]]:
    """All nodes, nested ones too; a node without a name of its own stays a value of the one that holds it."""
    top: list[object] = list(cast("Sequence[object]", data)) if isinstance(data, (list, tuple)) else [data]
    found: list[Mapping[str, object]] = []
    waiting: list[tuple[object, int]] = [(entry, 0) for entry in reversed(top)]
    while waiting:
        entry, depth = waiting.pop()
        if isinstance(entry, (list, tuple)):
            waiting.extend((item, depth) for item in reversed(cast("Sequence[object]", entry)))
            continue
        if depth == 0 or isinstance(entry, Mapping):
            node = need_mapping(cast("object", entry), field)
            if "@graph" in node:
                waiting.extend((item, 0) for item in reversed(need_sequence(node["@graph"], f"{field}.@graph")))
            if _label(node):
                found.append(node)
            if depth < DEEPEST * 2:
                waiting.extend((inner, depth + 1) for inner in _held(node))
    return found


def _held(node: Mapping[str, object]) -> list[object]:
    """The objects and lists that a node holds."""
    inner = (value for key, value in node.items() if key not in ("@context", "@graph"))
    return [value for value in inner if isinstance(value, (Mapping, list, tuple))]


def _label(node: Mapping[str, object]) -> str:
    for key, value in node.items():
        if _shorten(key) in _NAMES and (text := _literal(value)):
            return text
    identity = node.get("@id")
    typed = any(key != "@id" and not key.startswith("@context") for key in node)
    return _shorten(identity).replace("_", " ") if isinstance(identity, str) and typed else ""


def _shorten(name: str) -> str:
    """ "https://schema.org/worksFor", "schema:worksFor" → worksFor."""
    return name.rstrip("/#").rpartition("#")[2].rpartition("/")[2].rpartition(":")[2]


def _literal(value: object) -> str:
    """The text of a literal, the first of several; empty where it is none."""
    if isinstance(value, (list, tuple)):
        return next((text for item in cast("Sequence[object]", value) if (text := _literal(item))), "")
    if isinstance(value, Mapping):
        inner = cast("Mapping[str, object]", value)
        return _literal(inner.get("@value")) if "@value" in inner else ""
    return value if isinstance(value, str) else ""


def _read_node(node: Mapping[str, object], field: str, labels: Mapping[str, str], gathering: Gathering) -> None:
    kinds = node.get("@type")
    many = cast("Sequence[object]", kinds) if isinstance(kinds, (list, tuple)) else (kinds,)
    first = many[0] if many else None
    draft = gathering.entity(_label(node), _shorten(first) if isinstance(first, str) else "")
    named = False
    for key, value in node.items():
        short = _shorten(key)
        if key.startswith("@"):
            continue
        if short in _NAMES and not named:
            named = True
            continue
        items = cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else (value,)
        if short in _ALIASES:
            draft.aliases.extend(text for item in items if (text := _literal(item)))
            continue
        if len(items) > 1:
            draft.listed.add(short)
        for i, item in enumerate(items):
            for name, one in _read_property(short, item, labels, f"{field}.{key}[{i}]"):
                draft.add(name, one)
                if isinstance(item, Mapping) and "@id" in item:
                    draft.relations.append(Link(name, one.value))


def _read_property(
    name: str, value: object, labels: Mapping[str, str], field: str, depth: int = 0
) -> Iterable[tuple[str, AttributeValue]]:
    if not isinstance(value, Mapping):
        text = write_value(value, field)
        if text:
            yield name, AttributeValue(labels.get(text, text))
        return
    data = cast("Mapping[str, object]", value)
    if "@value" in data:
        yield name, AttributeValue(write_value(data["@value"], field))
    elif label := labels.get(str(data.get("@id"))) or _label(data):
        yield name, AttributeValue(label)
    elif depth < DEEPEST:
        inner = {_shorten(k): v for k, v in data.items() if not k.startswith("@")}
        for key, part in inner.items():
            items = cast("Sequence[object]", part) if isinstance(part, (list, tuple)) else (part,)
            for item in items:
                yield from _read_property(f"{name} {key}", item, labels, field, depth + 1)
