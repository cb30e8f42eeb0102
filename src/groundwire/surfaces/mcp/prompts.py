"""The prompt that teaches an agent to disclose changes, with what memory holds on a topic where one is named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from groundwire.errors import InvalidInput
from groundwire.surfaces.mcp.callers import Caller
from groundwire.surfaces.mcp.tools import Desk, find_contradictions, memory_history
from groundwire.surfaces.requests import refuse_unknown
from groundwire.surfaces.responses import JsonObject, write_json
from groundwire.text.tables import read_table

NAME = "disclose_changes"
_SHOWN = 20
_KEPT = ("id", "text", "status", "valid_from", "valid_to", "superseded_by", "why", "forgotten_at")


def read_texts() -> Mapping[str, Mapping[str, str]]:
    return read_table("prompts", "surfaces.mcp")


def write_prompt(desk: Desk, caller: Caller, name: str, arguments: Mapping[str, object]) -> str:
    if name != NAME:
        raise InvalidInput("name", f"there is no prompt of this name; there is {NAME}")
    refuse_unknown(arguments, ("topic",))
    words = read_texts()[NAME]
    topic = arguments.get("topic")
    if not topic:
        return words["text"].strip()
    material = write_json(_collect(desk, caller, topic))
    return words["text"].strip() + "\n\n" + words["with_topic"].strip().replace("{material}", material)


def _collect(desk: Desk, caller: Caller, topic: object) -> JsonObject:
    history = cast(list[JsonObject], memory_history(desk, caller, {"query": topic})["history"])
    entries = [{name: entry[name] for name in _KEPT if entry.get(name) is not None} for entry in history[-_SHOWN:]]
    return {"topic": topic, "history": entries, **find_contradictions(desk, caller, {"about": topic})}
