"""The two forms in which an answer can be asked for: chat completions and responses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, cast

from groundwire.guard.guarding import Opened
from groundwire.guard.protocols import Regeneration
from groundwire.surfaces.proxy import asking, injection
from groundwire.surfaces.proxy.account import Account
from groundwire.surfaces.proxy.chat import ChatStream
from groundwire.surfaces.proxy.completion import Completion, WholeChoice
from groundwire.surfaces.proxy.failures import UpstreamFailed
from groundwire.surfaces.proxy.relay import GuardedStream
from groundwire.surfaces.proxy.response_body import ResponseBody
from groundwire.surfaces.proxy.response_parts import as_list, as_object, is_structured, join_texts
from groundwire.surfaces.proxy.response_stream import ResponseStream
from groundwire.surfaces.responses import JsonObject

_OF_RESPONSES = ("temperature", "top_p")
"""What of the sampling this API knows; anything else it refuses."""
_NOT_AGAIN = ("stream", "stream_options", "background", "top_logprobs", "include")


class GuardedWhole(Protocol):
    """An answer that has come whole."""

    def unread(self) -> Iterable[WholeChoice]: ...
    def write(self) -> JsonObject: ...


OpenGuard = Callable[[], Opened]


class Dialect(Protocol):
    """How a request is read and changed, and what guards its answer."""

    def find_query(self, request: Mapping[str, Any], /) -> str: ...
    def inject(self, request: JsonObject, words: str, /) -> JsonObject: ...
    def is_structured(self, asked: Mapping[str, Any], /) -> bool: ...
    def ask_again(self, request: JsonObject, wanted: Regeneration, /, *, has_sampling: bool) -> JsonObject: ...
    def read_answer(self, body: JsonObject, /) -> str: ...
    def open_stream(self, open_guard: OpenGuard, account: Account, /) -> GuardedStream: ...
    def open_whole(self, body: JsonObject, open_guard: OpenGuard, account: Account, /) -> GuardedWhole: ...


class ChatDialect:
    """Chat completions: messages in, choices out."""

    def find_query(self, request: Mapping[str, Any], /) -> str:
        return injection.find_query(request.get("messages"))

    def inject(self, request: JsonObject, words: str, /) -> JsonObject:
        messages = request.get("messages")
        if not isinstance(messages, list):
            return request
        return {**request, "messages": injection.inject(cast("list[object]", messages), words)}

    def is_structured(self, asked: Mapping[str, Any], /) -> bool:
        return asking.is_structured(asked)

    def ask_again(self, request: JsonObject, wanted: Regeneration, /, *, has_sampling: bool) -> JsonObject:
        return asking.ask_again(request, wanted, has_sampling=has_sampling)

    def read_answer(self, body: JsonObject, /) -> str:
        return asking.read_answer(body)

    def open_stream(self, open_guard: OpenGuard, account: Account, /) -> GuardedStream:
        return ChatStream(open_guard, account)

    def open_whole(self, body: JsonObject, open_guard: OpenGuard, account: Account, /) -> GuardedWhole:
        return Completion(body, open_guard, account)


class ResponsesDialect:
    """Responses: instructions and input in, output items out."""

    def find_query(self, request: Mapping[str, Any], /) -> str:
        given = request.get("input")
        return injection.join_halves(given) if isinstance(given, str) else injection.find_query(given)

    def inject(self, request: JsonObject, words: str, /) -> JsonObject:
        own = request.get("instructions")
        if isinstance(own, list):
            return {**request, "instructions": [*cast("list[object]", own), {"role": "developer", "content": words}]}
        return {**request, "instructions": f"{own}\n\n{words}" if isinstance(own, str) and own else words}

    def is_structured(self, asked: Mapping[str, Any], /) -> bool:
        return is_structured(asked)

    def ask_again(self, request: JsonObject, wanted: Regeneration, /, *, has_sampling: bool) -> JsonObject:
        kept: JsonObject = {name: value for name, value in request.items() if name not in _NOT_AGAIN}
        kept["store"] = False
        if kept.get("tools"):
            kept["tool_choice"] = "none"
        if has_sampling:
            kept |= {name: value for name, value in wanted.sampling.items() if name in _OF_RESPONSES}
        given, words = kept.get("input"), asking.word_guidance(wanted.guidance)
        if isinstance(given, str):
            return {**kept, "input": f"{words}\n{given}"}
        longer = injection.add_to_question(as_list(given), words, "input_text")
        return {**kept, "input": longer} if longer else self.inject(kept, words)

    def read_answer(self, body: JsonObject, /) -> str:
        text = "".join(join_texts(as_object(item)) for item in as_list(body.get("output")))
        if not text.strip():
            raise UpstreamFailed("the upstream answered without a text", code="no_text")
        return injection.join_halves(text)

    def open_stream(self, open_guard: OpenGuard, account: Account, /) -> GuardedStream:
        return ResponseStream(open_guard, account)

    def open_whole(self, body: JsonObject, open_guard: OpenGuard, account: Account, /) -> GuardedWhole:
        return ResponseBody(body, open_guard, account)


CHAT: Dialect = ChatDialect()
RESPONSES: Dialect = ResponsesDialect()
