"""A streamed answer without input and output: chunks of the upstream in, chunks for the client out.

take      a chunk has come; what need not be judged goes out at once
due       the choices that have something to judge, for `settle_choices`, which may run in another thread
tell      what was found goes out
finish    the upstream is over
end       the last chunk, with what was done
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from groundwire.guard.events import StreamEvent
from groundwire.guard.guarding import Opened
from groundwire.surfaces.proxy.account import Account
from groundwire.surfaces.proxy.choices import Choice
from groundwire.surfaces.proxy.failures import UpstreamFailed, describe_failure
from groundwire.surfaces.proxy.sse import DONE, encode_event
from groundwire.surfaces.responses import JsonObject

MOST_CHOICES = 128
Settled = tuple[Choice, tuple[StreamEvent, ...], bool]
"""A choice, what its guard decided, and whether that was the last of it."""


class ChatStream:
    """The choices of one streamed answer, each with its own guard."""

    mark = encode_event(DONE)

    def __init__(self, open_guard: Callable[[], Opened], account: Account) -> None:
        self._open = open_guard
        self._account = account
        self._choices: dict[int, Choice] = {}
        self._envelope: JsonObject = {"object": "chat.completion.chunk"}
        self._usage: object = None
        self._tail: JsonObject | None = None
        self._after: list[JsonObject] = []

    @property
    def backlog(self) -> int:
        """Characters that have come and are not judged."""
        return sum(choice.guard.backlog for choice in self._choices.values())

    @property
    def is_idle(self) -> bool:
        """Whether all that comes is dropped: every choice was halted, and not because it had come to its end."""
        choices = self._choices.values()
        return bool(choices) and all(choice.is_halted and not choice.is_over for choice in choices)

    @property
    def is_complete(self) -> bool:
        """Whether the upstream said of every choice that it is over."""
        return bool(self._choices) and all(choice.is_over for choice in self._choices.values())

    @property
    def halted(self) -> list[Choice]:
        """The choices that wait for another answer, or for the one in its place."""
        return [choice for choice in self._choices.values() if choice.is_halted and not choice.is_closed]

    def may_ask_again(self, choice: Choice) -> bool:
        """What was shown cannot be replaced by another answer."""
        return not choice.shown

    def encode(self, chunk: Mapping[str, Any]) -> bytes:
        return encode_event(chunk)

    def fail(self, error: UpstreamFailed) -> bytes:
        return encode_event(describe_failure(error))

    def take(self, chunk: Mapping[str, Any]) -> list[JsonObject]:
        found: object = chunk.get("choices")
        pieces = cast("list[object]", found) if isinstance(found, list) else []
        usage: object = chunk.get("usage")
        if not pieces:
            return self._take_empty({**chunk, "choices": []})
        told = {"choices"} if usage is None else {"choices", "usage"}
        self._envelope = {name: value for name, value in chunk.items() if name not in told}
        self._usage = usage or self._usage
        out: list[JsonObject] = []
        for piece in pieces:
            if isinstance(piece, dict):
                out += self._take_piece(cast("JsonObject", piece))
        return out

    def _take_empty(self, chunk: JsonObject) -> list[JsonObject]:
        """A chunk about the answer as a whole, as its usage is, comes after all of the answer."""
        if chunk.get("usage") is None and not self.is_complete:
            return [chunk]
        if len(self._after) >= MOST_CHOICES:
            raise UpstreamFailed("the upstream goes on after the answer was over", code="invalid_chunk")
        self._after.append(chunk)
        return []

    def _take_piece(self, piece: JsonObject) -> list[JsonObject]:
        index: object = piece.get("index", 0)
        if not isinstance(index, int):
            raise UpstreamFailed("the upstream sent a choice whose index is no number", code="invalid_chunk")
        choice = self._choices.get(index)
        if choice is None:
            if len(self._choices) >= MOST_CHOICES:
                raise UpstreamFailed(f"the upstream sent more than {MOST_CHOICES} choices", code="invalid_chunk")
            choice = self._choices[index] = Choice(index, self._open())
            self._account.choices.append(choice.account)
        return self._wrap(choice.take(piece))

    def due(self) -> list[tuple[Choice, bool]]:
        return [(choice, choice.is_over) for choice in self._choices.values() if choice.is_due]

    def tell(self, settled: Sequence[Settled]) -> list[JsonObject]:
        return [
            chunk
            for choice, events, is_last in settled
            for chunk in self._wrap(choice.tell(events, is_last=is_last and not choice.guard.is_due))
        ]

    def conclude(self, choice: Choice, event: StreamEvent) -> list[JsonObject]:
        return self._wrap(choice.conclude(event))

    def finish(self) -> list[JsonObject]:
        """The upstream is over; a choice that it did not end itself is ended."""
        return [chunk for choice in self._choices.values() for chunk in self._wrap(choice.finish())]

    @property
    def is_on_record(self) -> bool:
        return all(choice.guard.is_on_record for choice in self._choices.values())

    def leave(self) -> None:
        """Nobody reads on: what was judged goes on record."""
        for choice in self._choices.values():
            choice.guard.leave()

    def end(self) -> list[JsonObject]:
        """The chunk that was kept back, with the account of it all."""
        chunks = [*([self._tail] if self._tail else []), *self._after]
        self._tail, self._after = None, []
        *before, last = chunks or [{**self._envelope, "choices": []}]
        if self._usage is not None:
            last = {"usage": self._usage, **last}
        return [*before, {**last, "groundwire": self._account.as_json()}]

    def _wrap(self, pieces: Iterable[JsonObject]) -> list[JsonObject]:
        out: list[JsonObject] = []
        for piece in pieces:
            chunk: JsonObject = {**self._envelope, "choices": [piece]}
            told = piece.pop("groundwire", None)
            if told is not None:
                chunk["groundwire"] = told
            if piece.get("finish_reason") is not None:
                out += self._keep_last(chunk)
            else:
                out.append(chunk)
        return out

    def _keep_last(self, chunk: JsonObject) -> list[JsonObject]:
        """Until another one comes, it may be the last."""
        before, self._tail = self._tail, chunk
        return [] if before is None else [before]


def settle_choices(due: Iterable[tuple[Choice, bool]]) -> list[Settled]:
    """Judge what is finished. Touches the guards and nothing else."""
    return [(choice, choice.guard.settle(), is_over) for choice, is_over in due]
