"""The texts of a response: what was let out of each, and what tells of it again in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from groundwire.surfaces.proxy.choices import Choice, refuse_parts
from groundwire.surfaces.responses import JsonObject

TEXT = "output_text"
FILTERED: JsonObject = {"reason": "content_filter"}
Place = tuple[int, int]
"""Of an item in the output, and of a part in its content."""


class Part:
    """One text behind its guard. `ready` waits for its turn among the other events."""

    def __init__(self, place: Place, item_id: object, choice: Choice, *, is_silent: bool = False) -> None:
        self.place = place
        self.item_id = item_id if isinstance(item_id, str) else ""
        self.choice = choice
        self.is_silent = is_silent
        self.ready: list[JsonObject] = []
        self.text = ""
        self._came: list[str] = []

    @property
    def is_changed(self) -> bool:
        """Whether places in the text that came are places in the text that went out."""
        return not "".join(self._came).startswith(self.text) or (self.choice.is_closed and self.is_rewritten)

    @property
    def is_rewritten(self) -> bool:
        return "".join(self._came) != self.text

    def feed(self, text: object, logprobs: object = None) -> None:
        refuse_parts(text)
        if not isinstance(text, str) or not text or self.choice.is_over:
            return
        self._came.append(text)
        piece: JsonObject = {"delta": {"content": text}}
        if isinstance(logprobs, list) and logprobs:
            piece["logprobs"] = {"content": logprobs}
        self.ready += self.choice.take(piece)

    def finish(self) -> None:
        self.ready += self.choice.finish("stop")

    def tell(self) -> list[JsonObject]:
        """What was let out and not told, as events."""
        ready, self.ready = self.ready, []
        out: list[JsonObject] = []
        for piece in ready:
            text, note = as_object(piece.get("delta")).get("content"), piece.get("groundwire")
            if not isinstance(text, str) and note is None:
                continue
            event: JsonObject = {
                "type": "response.output_text.delta",
                "item_id": self.item_id,
                "output_index": self.place[0],
                "content_index": self.place[1],
                "delta": text if isinstance(text, str) else "",
                "logprobs": as_list(as_object(piece.get("logprobs")).get("content")),
            }
            self.text += cast("str", event["delta"])
            out.append(event if note is None else {**event, "groundwire": note})
        return [] if self.is_silent else out


# ── what is told again ──────────────────────────────────────────────────────────────────────────


def rewrite_part(given: JsonObject, part: Part) -> JsonObject:
    """With what was let out; what counts places or tokens of another text is left out."""
    if not part.is_rewritten:
        return given
    told: JsonObject = {**given, "text": part.text}
    for name in ("annotations", "logprobs"):
        if name in told:
            told[name] = []
    return told


def rewrite_item(item: JsonObject, index: int, parts: Mapping[Place, Part]) -> JsonObject:
    texts = dict(list_texts(item))
    if not texts:
        return item
    content = [
        rewrite_part(texts[place], parts[index, place]) if place in texts and (index, place) in parts else given
        for place, given in enumerate(as_list(item.get("content")))
    ]
    return {**item, "content": content}


def rewrite_response(response: JsonObject, parts: Mapping[Place, Part]) -> JsonObject:
    output = [rewrite_item(as_object(item), index, parts) for index, item in enumerate(as_list(response.get("output")))]
    told: JsonObject = {**response, "output": output}
    if isinstance(response.get("output_text"), str):
        told["output_text"] = "".join(join_texts(item) for item in output)
    return told


def close_response(
    part: Part, items: Mapping[int, JsonObject], envelope: JsonObject, account: JsonObject, *, abstained: bool
) -> list[JsonObject]:
    """What ends a response whose text was halted: that text, its item, and the response as far as it went."""
    index, place = part.place
    where: JsonObject = {"item_id": part.item_id, "output_index": index, "content_index": place}
    status = "incomplete" if abstained else "completed"
    told: JsonObject = {"type": TEXT, "text": part.text, "annotations": []}
    blank: JsonObject = {"type": "message", "id": part.item_id, "role": "assistant", "content": []}
    known = items.get(index)
    item = {**(known or blank), "status": status, "content": [told]}
    out: list[JsonObject] = []
    if known is None:
        out.append({"type": "response.output_item.added", "output_index": index, "item": {**item, "content": []}})
    elif not part.is_silent:
        out.append({"type": "response.output_text.done", **where, "text": part.text, "logprobs": []})
        out.append({"type": "response.content_part.done", **where, "part": told})
    out.append({"type": "response.output_item.done", "output_index": index, "item": item})
    output = [item if place == index else one for place, one in sorted({**items, index: item}.items())]
    response = write_end({**envelope, "output": output, "groundwire": account}, abstained=abstained)
    return [*out, {"type": f"response.{status}", "response": response}]


def write_end(response: JsonObject, *, abstained: bool) -> JsonObject:
    """An abstention is an answer that the filter kept back, as the API has it."""
    if not abstained:
        return {**response, "status": "completed", "incomplete_details": None}
    return {**response, "status": "incomplete", "incomplete_details": FILTERED}


def keeps_quiet(item: JsonObject) -> bool:
    """Whether an item leads to nothing that somebody would do, or say, on the word of an answer that was halted."""
    return item.get("type") == "reasoning"


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def list_texts(item: JsonObject) -> list[tuple[int, JsonObject]]:
    """The texts of a message with their places."""
    if item.get("type") != "message":
        return []
    parts = [as_object(part) for part in as_list(item.get("content"))]
    return [(place, part) for place, part in enumerate(parts) if part.get("type") == TEXT]


def join_texts(item: JsonObject) -> str:
    return "".join(text for _, part in list_texts(item) if isinstance(text := part.get("text"), str))


def is_structured(wanted: Mapping[str, object]) -> bool:
    """Whether a request asks for JSON, or a response was asked for it."""
    form = as_object(as_object(wanted.get("text")).get("format"))
    return form.get("type") not in (None, "text")


def as_object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []
