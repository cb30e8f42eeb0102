"""A whole response without input and output: the upstream's in, the client's out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from groundwire.guard.events import Abstain
from groundwire.guard.guarding import Opened
from groundwire.surfaces.proxy.account import Account, ChoiceAccount
from groundwire.surfaces.proxy.choices import refuse_parts
from groundwire.surfaces.proxy.completion import WholeChoice
from groundwire.surfaces.proxy.injection import join_halves
from groundwire.surfaces.proxy.response_parts import (
    Place,
    as_list,
    as_object,
    join_texts,
    keeps_quiet,
    list_texts,
    write_end,
)
from groundwire.surfaces.responses import JsonObject


class ResponseBody:
    """A response, each of its texts with a guard of its own; what is no text goes through."""

    def __init__(self, body: JsonObject, open_guard: Callable[[], Opened], account: Account) -> None:
        self._body = body
        self._account = account
        self._output = [as_object(item) for item in as_list(body.get("output"))]
        self._texts: dict[Place, WholeChoice] = {}
        for index, item in enumerate(self._output):
            for place, part in list_texts(item):
                text = part.get("text")
                refuse_parts(text)
                if isinstance(text, str) and text:
                    said = ChoiceAccount(len(self._texts))
                    account.choices.append(said)
                    whole = WholeChoice({"message": {"content": text}}, join_halves(text), open_guard(), said)
                    self._texts[index, place] = whole

    def unread(self) -> Iterator[WholeChoice]:
        """Text by text; after one that was halted there is no more of this answer."""
        for text in self._texts.values():
            yield text
            if text.is_halted:
                return

    def write(self) -> JsonObject:
        halted = next(((place, text) for place, text in self._texts.items() if text.is_halted), None)
        body = self._write_all() if halted is None else self._write_halted(*halted)
        told: JsonObject = {**body, "groundwire": self._account.as_json()}
        if isinstance(self._body.get("output_text"), str):
            told["output_text"] = "".join(join_texts(as_object(item)) for item in as_list(told["output"]))
        return told

    def _write_all(self) -> JsonObject:
        output: list[JsonObject] = []
        for index, item in enumerate(self._output):
            content = as_list(item.get("content"))
            told = [self._write_part(as_object(part), (index, place)) for place, part in enumerate(content)]
            output.append({**item, "content": told} if list_texts(item) else item)
        return {**self._body, "output": output}

    def _write_halted(self, place: Place, text: WholeChoice) -> JsonObject:
        """What somebody would do on the word of the halted answer goes with it."""
        message = {**self._output[place[0]]}
        part = as_object(as_list(message.get("content"))[place[1]])
        message["content"] = [self._write_part(part, place)]
        abstained = bool(text.events) and isinstance(text.events[-1], Abstain)
        message["status"] = "incomplete" if abstained else "completed"
        output = [
            message if index == place[0] else item
            for index, item in enumerate(self._output)
            if index == place[0] or keeps_quiet(item)
        ]
        return write_end({**self._body, "output": output}, abstained=abstained)

    def _write_part(self, part: JsonObject, place: Place) -> JsonObject:
        text = self._texts.get(place)
        if text is None:
            return part
        told = as_object(text.write()["message"]).get("content")
        if told == part.get("text"):
            return part
        without: JsonObject = {name: [] for name in ("annotations", "logprobs") if name in part}
        return {**part, "text": told, **without}
