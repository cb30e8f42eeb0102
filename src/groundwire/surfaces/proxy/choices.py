"""One choice of an answer on its way: what waits behind its guard, and what may go on.

`take` and `tell` belong to whoever reads the stream. Only `guard.settle` may run beside them, in another thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, cast

from groundwire.guard.events import Abstain, Branch, Release, Repair, StreamEvent
from groundwire.guard.guarding import Opened
from groundwire.surfaces.proxy.account import ChoiceAccount
from groundwire.surfaces.proxy.failures import UpstreamFailed
from groundwire.surfaces.proxy.injection import join_halves
from groundwire.surfaces.responses import JsonObject
from groundwire.types import Span

FILTERED = "content_filter"
MOST_HELD = 4 * 1024 * 1024
"""Characters of what is no text (arguments of tools, probabilities) that may wait behind a sentence."""
_OWN_KEYS = frozenset({"index", "delta", "logprobs", "finish_reason"})
_CORRECTION = "\n\n[Correction: {text}]"
_TAKEN_BACK = "\n\n[Taken back: {reason}]"


class Choice:
    """Goes out in the order in which it came; what is no text waits for the text before it."""

    def __init__(self, index: int, opened: Opened) -> None:
        self.index = index
        self.opened = opened
        self.guard = opened.guard
        self.account = ChoiceAccount(index)
        self.finish_reason: str | None = None
        self.is_over = False
        self.is_settled = False
        self.is_closed = False
        self.shown = 0
        self._taken = 0
        self._settled = 0
        self._half = ""
        self._held = 0
        self._waiting: deque[tuple[int, JsonObject, int]] = deque()
        self._logprobs: deque[tuple[int, JsonObject]] = deque()
        self._corrections: list[str] = []
        self._last_words: JsonObject = {}

    @property
    def taken(self) -> int:
        """Characters that have come."""
        return self._taken

    @property
    def settled(self) -> int:
        """How far of them the guard has decided."""
        return self._settled

    @property
    def is_due(self) -> bool:
        return self.guard.is_due or (self.is_over and not self.is_settled)

    @property
    def is_halted(self) -> bool:
        return self.guard.halted is not None

    def take(self, piece: Mapping[str, Any]) -> list[JsonObject]:
        """What of a piece may go out at once; its text is with the guard then."""
        if self.is_over or self.is_halted:
            return []
        delta = _as_object(piece.get("delta"))
        found: object = delta.get("content")
        refuse_parts(found)
        text = self._join(found) if isinstance(found, str) and found else ""
        out = self._pass_on(piece, delta)
        if text:
            self._keep_logprobs(piece.get("logprobs"), self._taken + len(text))
            self._taken += len(text)
            out += self.tell(self.guard.take(text))
        reason = piece.get("finish_reason")
        if reason is not None:
            out += self.finish(str(reason))
        return out

    def finish(self, reason: str | None = None) -> list[JsonObject]:
        """Nothing more comes of this choice."""
        if self.is_over:
            return []
        out: list[JsonObject] = []
        if self._half:
            self._half, rest = "", "\ufffd"
            self._taken += 1
            out = self.tell(self.guard.take(rest))
        self.finish_reason = reason
        self.is_over = True
        self.guard.finish()
        return out

    def tell(self, events: Iterable[StreamEvent], *, is_last: bool = False) -> list[JsonObject]:
        """What the guard decided, as pieces; after the last of it, the choice is closed unless it was halted."""
        out: list[JsonObject] = []
        for event in events:
            self.account.add(event)
            match event:
                case Release() | Repair(takes_back=False):
                    out += self._show(event.text, event.span)
                case Repair():
                    out.append(self._take_back(event))
                case _:
                    pass
        if is_last or self.is_halted:
            self.is_settled = True
        if is_last and not self.is_halted:
            out += self._close()
        return out

    def conclude(self, event: StreamEvent) -> list[JsonObject]:
        """The end of a halted choice: another answer, or none."""
        self.account.add(event)
        match event:
            case Branch():
                text, reason = event.text, "stop"
            case Abstain():
                text, reason = (f"\n\n{event.text}" if self.shown else event.text), FILTERED
            case _:
                text, reason = "", FILTERED
        self.finish_reason, self.is_closed = reason, True
        return [*([self._write({"content": text})] if text else []), self._end(reason)]

    # ── in ──────────────────────────────────────────────────────────────────────────────────────

    def _join(self, text: str) -> str:
        """Halves of a character that came in two pieces; half of one that stays alone is replaced."""
        text = self._half + text
        self._half = ""
        if "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return join_halves(text)

    def _pass_on(self, piece: Mapping[str, Any], delta: Mapping[str, Any]) -> list[JsonObject]:
        """Everything that is no text: roles, tool calls, refusals, whatever else there is."""
        rest = {name: value for name, value in delta.items() if name != "content" or not value}
        others = {name: value for name, value in piece.items() if name not in _OWN_KEYS}
        if piece.get("finish_reason") is not None:
            self._last_words, others = others, {}
        has_text = len(rest) < len(delta)
        if not rest and not others and (has_text or piece.get("finish_reason") is not None):
            return []
        if has_text and "role" in rest:
            rest["content"] = ""
        written: JsonObject = {"index": self.index, "delta": rest, "finish_reason": None, **others}
        if "logprobs" in piece:
            written["logprobs"] = None if has_text else piece["logprobs"]
        if self._settled == self._taken:
            return [written]
        size = len(str(written))
        self._hold(size)
        self._waiting.append((self._taken, written, size))
        return []

    def _keep_logprobs(self, given: object, end: int) -> None:
        probabilities = _as_object(given)
        if probabilities:
            self._hold(len(str(probabilities)))
            self._logprobs.append((end, probabilities))

    def _hold(self, size: int) -> None:
        self._held += size
        if self._held > MOST_HELD:
            raise UpstreamFailed(
                f"more than {MOST_HELD:,} characters wait for a sentence to be finished", code="held_too_much"
            )

    # ── out ─────────────────────────────────────────────────────────────────────────────────────

    def _show(self, text: str, span: Span) -> list[JsonObject]:
        self._settled = max(self._settled, span.end)
        out: list[JsonObject] = []
        probabilities = self._gather_logprobs()
        if text:
            self.shown += len(text)
            out.append(self._write({"content": text}, probabilities))
        return out + self._drain()

    def _gather_logprobs(self) -> JsonObject:
        """Those of the tokens that end within what has been let out; nothing of them is lost or told twice."""
        gathered: JsonObject = {}
        while self._logprobs and self._logprobs[0][0] <= self._settled:
            _, given = self._logprobs.popleft()
            self._held -= len(str(given))
            for name, value in given.items():
                before = gathered.get(name)
                if isinstance(before, list) and isinstance(value, list):
                    cast("list[object]", before).extend(cast("list[object]", value))
                else:
                    gathered[name] = list(cast("list[object]", value)) if isinstance(value, list) else value
        return gathered

    def _drain(self, *, is_all: bool = False) -> list[JsonObject]:
        out: list[JsonObject] = []
        while self._waiting and (is_all or self._waiting[0][0] <= self._settled):
            _, piece, size = self._waiting.popleft()
            self._held -= size
            out.append(piece)
        return out

    def _take_back(self, repair: Repair) -> JsonObject:
        """The protocol cannot unsay: whoever knows the `groundwire` object replaces, all others read it at the end."""
        words = _CORRECTION if repair.text.strip() else _TAKEN_BACK
        self._corrections.append(words.format(text=repair.text.strip(), reason=repair.reason))
        told = {"kind": "repair", "span": list(repair.span), "text": repair.text, "reason": repair.reason}
        return {"index": self.index, "delta": {}, "finish_reason": None, "groundwire": told}

    def _close(self) -> list[JsonObject]:
        self.is_closed = True
        tally = self.guard.tally
        if not self.opened.options.is_strict:
            self.account.finish(is_unsupported=bool(tally.refuted or tally.insufficient or tally.skipped))
        out = self._drain(is_all=True)
        if self._corrections:
            out.append(self._write({"content": "".join(self._corrections)}))
        return [*out, {**self._end(self.finish_reason or "stop"), **self._last_words}]

    def _write(self, delta: JsonObject, probabilities: JsonObject | None = None) -> JsonObject:
        written: JsonObject = {"index": self.index, "delta": delta, "finish_reason": None}
        return {**written, "logprobs": probabilities} if probabilities else written

    def _end(self, reason: str) -> JsonObject:
        return {"index": self.index, "delta": {}, "finish_reason": reason}


def _as_object(value: object) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, dict) else {}


def refuse_parts(content: object) -> None:
    """What cannot be read cannot be guarded."""
    if content is not None and not isinstance(content, str):
        raise UpstreamFailed("the upstream sent content that is no text, which cannot be checked", code="no_text")
