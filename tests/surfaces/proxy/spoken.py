"""What an upstream with the responses API says: events of a stream, and whole bodies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

WHERE = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
USAGE = {
    "input_tokens": 3,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 4,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 7,
}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "c1",
    "name": "look",
    "arguments": "{}",
    "status": "completed",
}


def body(*output: Mapping[str, Any], status: str = "completed", **others: Any) -> dict[str, Any]:
    return {
        "id": "resp_7", "object": "response", "created_at": 1_700_000_000, "model": "small-1", "status": status,
        "error": None, "incomplete_details": None, "instructions": None, "metadata": {}, "output": list(output),
        "parallel_tool_calls": True, "temperature": 1.0, "tool_choice": "auto", "tools": [], "top_p": 1.0,
        "usage": USAGE if status == "completed" else None, "x_unknown": {"kept": True}, **others,
    }  # fmt: skip


def message(*texts: str, status: str = "completed", **others: Any) -> dict[str, Any]:
    parts = [{"type": "output_text", "text": text, "annotations": [], "logprobs": []} for text in texts]
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": status, "content": parts, **others}


def begin() -> list[dict[str, Any]]:
    blank = {**message(status="in_progress"), "content": []}
    part = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    return [
        {"type": "response.created", "response": body(status="in_progress")},
        {"type": "response.in_progress", "response": body(status="in_progress")},
        {"type": "response.output_item.added", "output_index": 0, "item": blank},
        {"type": "response.content_part.added", **WHERE, "part": part},
    ]


def delta(text: str, **others: Any) -> dict[str, Any]:
    return {"type": "response.output_text.delta", **WHERE, "delta": text, "logprobs": [], **others}


def close(text: str, *more: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What repeats a text at its end, with other items behind it."""
    item = message(text)
    return [
        {"type": "response.output_text.done", **WHERE, "text": text, "logprobs": []},
        {"type": "response.content_part.done", **WHERE, "part": item["content"][0]},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": body(item, *more)},
    ]


def speak(text: str, *, size: int = 5) -> list[dict[str, Any]]:
    return [*begin(), *(delta(text[at : at + size]) for at in range(0, len(text), size)), *close(text)]


def count_up(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def write(events: Sequence[Mapping[str, Any]]) -> bytes:
    """As it goes over the wire; there is no mark at the end."""
    return b"".join(
        f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
        for event in count_up(events)
    )


def call_events() -> list[dict[str, Any]]:
    """A function call behind the message."""
    return [
        {"type": "response.output_item.added", "output_index": 1, "item": {**CALL, "arguments": ""}},
        {"type": "response.function_call_arguments.delta", "item_id": "fc_1", "output_index": 1, "delta": "{}"},
        {"type": "response.function_call_arguments.done", "item_id": "fc_1", "output_index": 1, "arguments": "{}"},
        {"type": "response.output_item.done", "output_index": 1, "item": CALL},
    ]
