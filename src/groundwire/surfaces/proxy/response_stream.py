"""The responses API as a stream, without input and output: events of the upstream in, events for the client out.

Events keep their order. Text goes to a guard, one for each text of the answer, and what comes behind it waits until it
has been judged. What repeats the text at its end (`done`, `completed`) is told with what was let out in its place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from groundwire.guard.events import Abstain, StreamEvent
from groundwire.guard.guarding import Opened
from groundwire.surfaces.proxy.account import Account
from groundwire.surfaces.proxy.chat import Settled
from groundwire.surfaces.proxy.choices import MOST_HELD, Choice
from groundwire.surfaces.proxy.failures import BROKEN_OFF, UpstreamFailed, describe_failure
from groundwire.surfaces.proxy.response_parts import (
    TEXT,
    Part,
    Place,
    as_list,
    as_object,
    close_response,
    is_structured,
    list_texts,
    rewrite_item,
    rewrite_part,
    rewrite_response,
)
from groundwire.surfaces.proxy.sse import TERMINAL, encode_event
from groundwire.surfaces.responses import JsonObject

MOST_TEXTS = 128
_PART_ADDED = "response.content_part.added"
_ITEM_ADDED = "response.output_item.added"


@dataclass(slots=True)
class _Text:
    """Until so much of a text has been judged, nothing behind it goes out."""

    part: Part
    end: int

    @property
    def is_passed(self) -> bool:
        choice = self.part.choice
        return choice.is_closed or (choice.settled >= self.end and not choice.is_halted)


@dataclass(slots=True)
class _Event:
    """Goes out when it is its turn and the texts that it repeats are closed."""

    event: JsonObject
    texts: Sequence[Part]
    size: int = 0

    @property
    def is_passed(self) -> bool:
        return all(part.choice.is_closed for part in self.texts)


class ResponseStream:
    """One streamed response; the same face as `ChatStream`."""

    mark = b""

    def __init__(self, open_guard: Callable[[], Opened], account: Account) -> None:
        self._open = open_guard
        self._account = account
        self._parts: dict[Place, Part] = {}
        self._queue: deque[_Text | _Event] = deque()
        self._held = 0
        self._items: dict[int, JsonObject] = {}
        self._envelope: JsonObject = {"object": "response"}
        self._next = -1
        self._abstained = False
        self.is_complete = False

    @property
    def backlog(self) -> int:
        """Characters that have come and are not judged."""
        return sum(part.choice.guard.backlog for part in self._parts.values())

    @property
    def is_idle(self) -> bool:
        """Whether all that comes is dropped, and there is more of it than the end."""
        return any(part.choice.is_halted and not part.choice.is_over for part in self._parts.values())

    @property
    def halted(self) -> list[Choice]:
        """The text that waits for another answer, or for the one in its place; there is one answer, so there is one."""
        part = self._halted
        return [] if part is None or part.choice.is_closed else [part.choice]

    @property
    def is_on_record(self) -> bool:
        return all(part.choice.guard.is_on_record for part in self._parts.values())

    @property
    def _halted(self) -> Part | None:
        return next((part for part in self._parts.values() if part.choice.is_halted), None)

    def may_ask_again(self, _: Choice) -> bool:
        """What was shown cannot be replaced by another answer."""
        return not any(part.choice.shown for part in self._parts.values())

    # ── in ──────────────────────────────────────────────────────────────────────────────────────

    def take(self, event: Mapping[str, Any]) -> list[JsonObject]:
        kind, given = event.get("type"), cast("JsonObject", dict(event))
        if not isinstance(kind, str):
            raise UpstreamFailed("the upstream sent an event that does not say its type", code="invalid_chunk")
        if self._next < 0:
            number = given.get("sequence_number")
            self._next = number if isinstance(number, int) and number >= 0 else 0
        if isinstance(given.get("response"), dict):
            self._envelope = {name: value for name, value in as_object(given["response"]).items() if name != "output"}
            if is_structured(self._envelope):
                raise UpstreamFailed("an answer in JSON cannot be guarded as a stream", code="not_guarded")
        if self._halted is None and not self.is_complete:
            self._place(kind, given)
        self.is_complete |= kind in TERMINAL
        return self._drain()

    def _place(self, kind: str, event: JsonObject) -> None:
        """Text to its guard, and everything else behind it."""
        match kind:
            case "response.output_text.delta":
                self._feed(self._find(event), event.get("delta"), event.get("logprobs"))
            case "response.output_text.done":
                part = self._find(event)
                self._finish(part, event.get("text"))
                self._wait(event, [part])
            case "response.content_part.added" | "response.content_part.done":
                self._place_part(kind, event)
            case "response.output_item.added" | "response.output_item.done":
                self._place_item(kind, event)
            case _ if isinstance(event.get("response"), dict):
                self._place_response(kind, event)
            case _:
                self._wait(event, [])

    def _place_part(self, kind: str, event: JsonObject) -> None:
        given = as_object(event.get("part"))
        if given.get("type") != TEXT:
            self._wait(event, [])
        elif kind == _PART_ADDED:
            part = self._find(event)
            self._wait(event, [])
            self._feed(part, given.get("text"))
        else:
            part = self._find(event)
            self._finish(part, given.get("text"))
            self._wait(event, [part])

    def _place_item(self, kind: str, event: JsonObject) -> None:
        item, index = as_object(event.get("item")), read_number(event.get("output_index"))
        if kind == _ITEM_ADDED:
            self._wait({**event, "item": {**item, "content": []}} if list_texts(item) else event, [])
            self._meet(item, index, is_whole=False)
        else:
            self._meet(item, index)
            self._wait(event, [part for place, part in self._parts.items() if place[0] == index])

    def _place_response(self, kind: str, event: JsonObject) -> None:
        response = as_object(event["response"])
        if kind not in TERMINAL:
            self._wait({**event, "response": {**response, "output": []}} if response.get("output") else event, [])
            return
        for index, item in enumerate(as_list(response.get("output"))):
            self._meet(as_object(item), index)
        for part in self._parts.values():
            self._finish(part, None)
        self._wait(event, list(self._parts.values()))

    def _meet(self, item: JsonObject, index: int, *, is_whole: bool = True) -> None:
        """Texts that are told in passing are guarded as well; one that no event announced is never told as deltas."""
        for place, given in list_texts(item):
            known = self._parts.get((index, place))
            part = known or self._open_part((index, place), item.get("id"), is_silent=is_whole)
            if is_whole:
                self._finish(part, given.get("text"))
            else:
                self._feed(part, given.get("text"))

    def _find(self, event: JsonObject) -> Part:
        place = read_number(event.get("output_index")), read_number(event.get("content_index"))
        return self._parts.get(place) or self._open_part(place, event.get("item_id"))

    def _open_part(self, place: Place, item_id: object, *, is_silent: bool = False) -> Part:
        if len(self._parts) >= MOST_TEXTS:
            raise UpstreamFailed(f"the upstream sent more than {MOST_TEXTS} texts", code="invalid_chunk")
        part = self._parts[place] = Part(place, item_id, Choice(len(self._parts), self._open()), is_silent=is_silent)
        self._account.choices.append(part.choice.account)
        return part

    def _feed(self, part: Part, text: object, logprobs: object = None) -> None:
        part.feed(text, logprobs)
        last = self._queue[-1] if self._queue else None
        if isinstance(last, _Text) and last.part is part:
            last.end = part.choice.taken
        else:
            self._queue.append(_Text(part, part.choice.taken))

    def _finish(self, part: Part, text: object) -> None:
        if not part.choice.taken and text:
            self._feed(part, text)
        part.finish()

    def _wait(self, event: JsonObject, texts: Sequence[Part]) -> None:
        size = len(str(event)) if self._queue else 0
        self._held += size
        if self._held > MOST_HELD:
            raise UpstreamFailed(
                f"more than {MOST_HELD:,} characters wait for a sentence to be finished", code="held_too_much"
            )
        self._queue.append(_Event(event, texts, size))

    # ── out ─────────────────────────────────────────────────────────────────────────────────────

    def due(self) -> list[tuple[Choice, bool]]:
        choices = [part.choice for part in self._parts.values()]
        return [(choice, choice.is_over) for choice in choices if choice.is_due]

    def tell(self, settled: Sequence[Settled]) -> list[JsonObject]:
        for choice, events, is_last in settled:
            pieces = choice.tell(events, is_last=is_last and not choice.guard.is_due)
            self._part_of(choice).ready += pieces
        return self._drain()

    def conclude(self, choice: Choice, event: StreamEvent) -> list[JsonObject]:
        self._abstained = isinstance(event, Abstain)
        part = self._part_of(choice)
        part.ready += choice.conclude(event)
        return self._number(part.tell())

    def finish(self) -> list[JsonObject]:
        """The upstream is over; without a word about it, so is nothing else."""
        if not self.is_complete and self._halted is None:
            raise UpstreamFailed("the upstream ended before the answer was over", code=BROKEN_OFF)
        return self._drain()

    def leave(self) -> None:
        """Nobody reads on: what was judged goes on record."""
        for part in self._parts.values():
            part.choice.guard.leave()

    def end(self) -> list[JsonObject]:
        """Of a halted answer, what closes it; any other has been closed by what the upstream said."""
        part = self._halted
        if part is None:
            return []
        closing = close_response(part, self._items, self._envelope, self._account.as_json(), abstained=self._abstained)
        return self._number(closing)

    def encode(self, event: Mapping[str, Any]) -> bytes:
        return encode_event(event, name=str(event.get("type", "")))

    def fail(self, error: UpstreamFailed) -> bytes:
        """As the API's own event, and in the form that its clients raise."""
        said = describe_failure(error)
        known = as_object(said.get("error"))
        event = {"type": "error", "code": known.get("code"), "message": known.get("message"), "param": None, **said}
        return b"".join(self.encode(one) for one in self._number([event]))

    def _part_of(self, choice: Choice) -> Part:
        return next(part for part in self._parts.values() if part.choice is choice)

    def _drain(self) -> list[JsonObject]:
        out: list[JsonObject] = []
        while self._queue:
            entry = self._queue[0]
            if isinstance(entry, _Text):
                out += entry.part.tell()
            if not entry.is_passed:
                break
            if isinstance(entry, _Event):
                self._held -= entry.size
                out += [event for part in entry.texts for event in part.tell()]  # what was added when it was closed
                out += self._rewrite(entry.event)
            self._queue.popleft()
        return self._number(out)

    def _rewrite(self, event: JsonObject) -> list[JsonObject]:
        kind, item = event.get("type"), as_object(event.get("item"))
        match kind:
            case "response.output_text.done":
                return [rewrite_part(event, self._find(event))]
            case "response.output_text.annotation.added":
                return [] if self._find(event).is_changed else [event]
            case "response.content_part.added" if as_object(event.get("part")).get("type") == TEXT:
                return [{**event, "part": {**as_object(event["part"]), "text": ""}}]
            case "response.content_part.done" if as_object(event.get("part")).get("type") == TEXT:
                return [{**event, "part": rewrite_part(as_object(event["part"]), self._find(event))}]
            case "response.output_item.added" | "response.output_item.done":
                index = read_number(event.get("output_index"))
                self._items[index] = rewrite_item(item, index, self._parts)
                return [{**event, "item": self._items[index]}]
            case _ if kind in TERMINAL:
                told = rewrite_response(as_object(event["response"]), self._parts)
                return [{**event, "response": {**told, "groundwire": self._account.as_json()}}]
            case _:
                return [event]

    def _number(self, events: Sequence[JsonObject]) -> list[JsonObject]:
        first, self._next = self._next, self._next + len(events)
        return [{**event, "sequence_number": first + place} for place, event in enumerate(events)]


def read_number(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise UpstreamFailed("the upstream sent a text without its place", code="invalid_chunk")
    return value
