"""Server-sent events without input and output: bytes in any pieces in, events out; and back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from groundwire.surfaces.proxy.failures import UpstreamFailed

DONE = "[DONE]"
TERMINAL = frozenset({"response.completed", "response.incomplete", "response.failed"})
"""Events of the responses API after which nothing comes; its streams have no mark of their own for that."""
MOST_BYTES = 4 * 1024 * 1024
"""Of one event; an upstream that goes on without ending it is given up."""
_END_OF_LINE = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """`name` is empty where the event has none."""

    data: str
    name: str = ""


class EventDecoder:
    """Reads the event stream of the HTML standard. What cannot be decoded is replaced, as the standard says; what
    was cut in two between pieces is whole again, because lines are put together before they are read."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._line: list[bytes] = []
        self._size = 0
        self._data: list[str] = []
        self._name = ""
        self._is_after_return = False
        self._is_first = True
        self._failure: UpstreamFailed | None = None

    def feed(self, piece: bytes) -> list[ServerEvent]:
        """The events that this piece ends. What was whole before it grew too large is given first."""
        events: list[ServerEvent] = []
        if self._failure is None:
            try:
                self._feed(piece, events)
            except UpstreamFailed as failure:
                self._failure = failure
        if self._failure is not None and not events:
            raise self._failure
        return events

    def _feed(self, piece: bytes, events: list[ServerEvent]) -> None:
        if self._is_after_return and piece.startswith(b"\n"):
            piece = piece[1:]
            self._is_after_return = False
        if not piece:
            return
        self._is_after_return = piece.endswith(b"\r")
        *ended, rest = _END_OF_LINE.split(piece)
        for part in ended:
            self._add(part)
            line, self._line = b"".join(self._line), []
            event = self._end_line(line)
            if event is not None:
                events.append(event)
        self._add(rest)

    def finish(self) -> list[ServerEvent]:
        """The upstream is over: what has no blank line behind it is given as it stands."""
        if self._failure is not None:
            raise self._failure
        line, self._line = b"".join(self._line), []
        if line:
            self._end_line(line)
        event = self._dispatch()
        return [] if event is None else [event]

    def _add(self, part: bytes) -> None:
        if part:
            self._size += len(part)
            if self._size > self._most:
                self._line, self._data = [], []
                raise UpstreamFailed(
                    f"the upstream sent more than {self._most:,} bytes without ending an event", code="event_too_large"
                )
            self._line.append(part)

    def _end_line(self, line: bytes) -> ServerEvent | None:
        if self._is_first:
            line = line.removeprefix(_BOM)
            self._is_first = False
        if not line:
            return self._dispatch()
        field, _, value = line.partition(b":")
        text = value.removeprefix(b" ").decode("utf-8", "replace")
        if field == b"data":
            self._data.append(text)
        elif field == b"event":
            self._name = text
        elif not self._data:
            self._size = 0  # a comment: any number of them may keep a line alive
        return None

    def _dispatch(self) -> ServerEvent | None:
        data, name = self._data, self._name
        self._data, self._name, self._size = [], "", 0
        return ServerEvent("\n".join(data), name) if data else None


def encode_event(data: Mapping[str, object] | str, *, name: str = "") -> bytes:
    """One event; JSON has no line breaks of its own, and other text gets one field a line."""
    if not isinstance(data, str):
        head = f"event: {name}\n".encode("utf-8", "replace") if name and name.isprintable() else b""
        return head + b"data: " + write_compact(data) + b"\n\n"
    return "".join(f"data: {line}\n" for line in re.split(r"\r\n|\n|\r", data)).encode("utf-8", "replace") + b"\n"


def write_compact(data: object) -> bytes:
    """ASCII, so that half of a surrogate pair comes out as it came in."""
    return json.dumps(data, separators=(",", ":")).encode("ascii")
