"""A whole answer without input and output: the upstream's in, the client's out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import cast

from groundwire.guard.events import Abstain, StreamEvent, tell_text
from groundwire.guard.guarding import Opened
from groundwire.surfaces.proxy.account import Account, ChoiceAccount
from groundwire.surfaces.proxy.choices import FILTERED, refuse_parts
from groundwire.surfaces.proxy.injection import join_halves
from groundwire.surfaces.responses import JsonObject


@dataclass(slots=True)
class WholeChoice:
    """One choice: what it said, and what was decided about it."""

    choice: JsonObject
    text: str
    opened: Opened
    account: ChoiceAccount
    events: list[StreamEvent] = field(default_factory=list[StreamEvent])

    @property
    def is_halted(self) -> bool:
        return self.opened.guard.halted is not None

    def check(self) -> None:
        guard = self.opened.guard
        self.add(*guard.feed(self.text), *guard.flush())

    def add(self, *events: StreamEvent) -> None:
        self.events += events
        for event in events:
            self.account.add(event)

    def write(self) -> JsonObject:
        """As it came where nothing was changed. Where it was halted, nothing that it led to is passed on either."""
        last = self.events[-1] if self.events else None
        text = last.text if isinstance(last, Abstain) else tell_text(self.events)
        self.account.released = len(text)
        if not self.is_halted and text == self.text:
            return self.choice
        message = {**cast("JsonObject", self.choice["message"]), "content": text}
        written: JsonObject = {**self.choice, "message": message}
        if self.choice.get("logprobs") is not None:
            written["logprobs"] = None
        if self.is_halted:
            message.pop("tool_calls", None)
            message.pop("function_call", None)
            written["finish_reason"] = FILTERED if isinstance(last, Abstain) else "stop"
        return written


class Completion:
    """A chat completion, each of its choices with a guard of its own; what is no text goes through."""

    def __init__(self, body: JsonObject, open_guard: Callable[[], Opened], account: Account) -> None:
        self._body = body
        self._account = account
        found = body.get("choices")
        self._choices = cast("list[object]", found) if isinstance(found, list) else []
        self.texts: dict[int, WholeChoice] = {}
        for place, choice in enumerate(self._choices):
            given = cast("JsonObject", choice) if isinstance(choice, dict) else {}
            message = given.get("message")
            text = cast("JsonObject", message).get("content") if isinstance(message, dict) else None
            refuse_parts(text)
            if isinstance(text, str) and text:
                said = ChoiceAccount(place)
                account.choices.append(said)
                self.texts[place] = WholeChoice(given, join_halves(text), open_guard(), said)

    def unread(self) -> Iterable[WholeChoice]:
        return self.texts.values()

    def write(self) -> JsonObject:
        choices = [
            self.texts[place].write() if place in self.texts else choice for place, choice in enumerate(self._choices)
        ]
        return {**self._body, "choices": choices, "groundwire": self._account.as_json()}
