"""The iterators over the stream gate: verification beside generation, halts that close the source, no leaks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, closing
from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.errors import Unreachable
from groundwire.guard.branching import Branching, Request
from groundwire.guard.edges import guard_stream, guard_stream_async
from groundwire.guard.events import Abstain, Branch, Halt, Release, StreamEvent, tell_text
from groundwire.guard.policy import GuardOptions
from groundwire.guard.protocols import Regeneration
from groundwire.guard.stream import StreamGuard
from streams import RulesCheck, cut, open_guard

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TRUE = "You live in Berlin. Alice is a nurse. Clara was born in 1987."
FALSE = "You live in Berlin. Alice works at Globex. Clara was born in 1987."
LONG = 10


def branches(check: RulesCheck | None = None) -> Callable[[StreamGuard, str], Branching]:
    def open_branches(guard: StreamGuard, shown: str) -> Branching:
        assert guard.halted is not None
        assert guard.report is not None
        return Branching(
            check or RulesCheck(), guard.halted, guard.report, Request("r1", "Where?"), GuardOptions(),
            released=shown, now=lambda: NOW,
        )  # fmt: skip

    return open_branches


class Source:
    """A generator of tokens that knows what was read of it and whether it was closed."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self.read: list[str] = []
        self.is_closed = False

    def __iter__(self) -> Iterator[str]:
        return self._generate()

    def _generate(self) -> Iterator[str]:
        try:
            for token in self._tokens:
                self.read.append(token)
                yield token
        finally:
            self.is_closed = True

    async def stream(self) -> AsyncIterator[str]:
        try:
            for token in self._tokens:
                self.read.append(token)
                yield token
        finally:
            self.is_closed = True


def drain(tokens: Any, guard: StreamGuard | None = None, **options: Any) -> list[StreamEvent]:
    return list(guard_stream(tokens, guard or open_guard(), branches(), **options))


async def drain_async(tokens: Any, guard: StreamGuard | None = None, **options: Any) -> list[StreamEvent]:
    return [event async for event in guard_stream_async(tokens, guard or open_guard(), branches(), **options)]


def guards_left() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith("groundwire-guard")]


@pytest.mark.requirement("ACT-021")
@pytest.mark.parametrize("size", [1, 4, 50, 1_000])
def test_both_iterators_tell_the_same(size: int):
    tokens = list(cut(TRUE, size))
    assert tell_text(drain(tokens)) == tell_text(asyncio.run(drain_async(tokens))) == TRUE


@pytest.mark.requirement("ACT-013")
def test_a_sentence_is_judged_while_the_next_is_read():
    started, was_read = threading.Event(), threading.Event()

    def wait_for_the_reader(text: str) -> None:
        started.set()
        assert was_read.wait(LONG), "the next token was not read while this sentence was judged"

    def tokens() -> Iterator[str]:
        yield "You live in Berlin. "
        assert started.wait(LONG), "the sentence was not judged while the next token was waited for"
        was_read.set()
        yield "Alice is a nurse."

    guard = open_guard(RulesCheck(on_call=wait_for_the_reader))
    assert tell_text(drain(tokens(), guard, patience=0)) == "You live in Berlin. Alice is a nurse."


@pytest.mark.requirement("ACT-013")
def test_a_sentence_is_judged_while_the_next_is_awaited():
    started, was_read = threading.Event(), threading.Event()

    def wait_for_the_reader(text: str) -> None:
        started.set()
        assert was_read.wait(LONG)

    async def tokens() -> AsyncIterator[str]:
        yield "You live in Berlin. "
        assert await asyncio.to_thread(started.wait, LONG)
        was_read.set()
        yield "Alice is a nurse."

    guard = open_guard(RulesCheck(on_call=wait_for_the_reader))
    assert tell_text(asyncio.run(drain_async(tokens(), guard))) == "You live in Berlin. Alice is a nurse."


def test_a_release_does_not_wait_for_the_next_token():
    """The generator pauses after the sentence until its release has been seen."""
    seen = asyncio.Event()

    async def tokens() -> AsyncIterator[str]:
        yield "You live in Berlin. "
        await asyncio.wait_for(seen.wait(), LONG)
        yield "Alice is a nurse."

    async def consume() -> str:
        events: list[StreamEvent] = []
        async with aclosing(guard_stream_async(tokens(), open_guard(), branches())) as stream:
            async for event in stream:
                events.append(event)
                seen.set()
        return tell_text(events)

    assert asyncio.run(consume()) == "You live in Berlin. Alice is a nurse."


@pytest.mark.requirement("ACT-014")
def test_a_halt_stops_reading_and_closes_the_source_before_it_is_told():
    source = Source([*cut(FALSE, 4), *["more "] * 1_000])
    events: list[StreamEvent] = []
    for event in guard_stream(source, open_guard(), branches()):
        events.append(event)
        if isinstance(event, Halt):
            assert source.is_closed
    assert len(source.read) < 40
    assert [type(event) for event in events][-2:] == [Halt, Abstain]
    assert "Globex" not in tell_text(e for e in events if not isinstance(e, Abstain))
    assert guards_left() == []


@pytest.mark.requirement("ACT-014")
def test_a_halt_closes_an_asynchronous_source():
    source = Source([*cut(FALSE, 4), *["more "] * 1_000])
    events = asyncio.run(drain_async(source.stream()))
    assert source.is_closed
    assert len(source.read) < 1_000
    assert "Globex" not in tell_text(e for e in events if not isinstance(e, Abstain))


@pytest.mark.requirement("ACT-021")
def test_a_consumer_that_leaves_closes_the_source():
    source = Source(list(cut(TRUE * 50, 5)))
    with closing(guard_stream(source, open_guard(), branches())) as events:
        assert isinstance(next(events), Release)
    assert source.is_closed
    assert len(source.read) < 20
    assert guards_left() == []


@pytest.mark.requirement("ACT-021")
def test_cancelling_the_consumer_cancels_the_source():
    waiting, cancelled = asyncio.Event(), asyncio.Event()

    async def tokens() -> AsyncIterator[str]:
        try:
            yield "You live in Berlin. "
            waiting.set()
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async def consume() -> None:
        task = asyncio.ensure_future(drain_async(tokens()))
        await asyncio.wait_for(waiting.wait(), LONG)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(cancelled.wait(), LONG)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(consume())


def test_a_source_that_fails_ends_the_stream_and_what_was_held_stays_held():
    def tokens() -> Iterator[str]:
        yield "You live in Berlin. You own"
        raise ConnectionError("gone")

    events: list[StreamEvent] = []
    with pytest.raises(ConnectionError, match="gone"):
        events.extend(guard_stream(tokens(), open_guard(), branches()))
    assert guards_left() == []

    async def stream() -> AsyncIterator[str]:
        for token in tokens():
            yield token

    with pytest.raises(ConnectionError, match="gone"):
        asyncio.run(drain_async(stream()))


def test_reading_stops_while_the_judge_is_behind():
    """No more than the limit is read ahead of a judge that does not come back."""
    source = Source(["You live in Berlin. "] * 2_000)
    may_judge = threading.Event()
    counts: list[int] = []

    async def consume() -> None:
        def hold(text: str) -> None:
            assert may_judge.wait(LONG)

        task = asyncio.ensure_future(drain_async(source.stream(), open_guard(RulesCheck(on_call=hold))))
        while not counts or len(source.read) > counts[-1]:
            counts.append(len(source.read))
            for _ in range(50):
                await asyncio.sleep(0)
        may_judge.set()
        await task

    asyncio.run(consume())
    assert counts[-1] * len("You live in Berlin. ") < 6_000


def test_many_streams_in_one_loop_do_not_mix():
    async def one(number: int) -> str:
        text = f"You live in Berlin. Clara was born in 1987. Alice is a nurse. This is stream number {number}."

        async def tokens() -> AsyncIterator[str]:
            for token in cut(text, 7):
                await asyncio.sleep(0)
                yield token

        events = await drain_async(tokens(), open_guard(unverified=None))
        return tell_text(events)

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(one(i) for i in range(60)))

    for number, text in enumerate(asyncio.run(all_of_them())):
        assert f"number {number}" in text


# ── asking again ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ACT-008")
def test_a_halted_stream_is_asked_for_again_with_guidance():
    requests: list[Regeneration] = []

    def regenerate(request: Regeneration) -> str:
        requests.append(request)
        return "You live in Berlin. Alice works at Acme."

    events = drain(cut(FALSE, 5), regenerate=regenerate)
    assert [type(event) for event in events][-3:] == [Halt, Branch, Branch]
    assert tell_text(events) == "You live in Berlin. Alice works at Acme."
    (request,) = requests
    assert request.released == "You live in Berlin. "
    assert "Say “Acme”, not “Globex”" in request.guidance
    assert "says “Acme”" in request.guidance
    accepted = events[-1]
    assert isinstance(accepted, Branch)
    assert accepted.text == "Alice works at Acme."
    assert accepted.span.start == len("You live in Berlin. ")


@pytest.mark.requirement("ACT-008")
def test_an_asynchronous_generator_is_asked_again_too():
    async def regenerate(request: Regeneration) -> str:
        await asyncio.sleep(0)
        return "Alice works at Acme." if request.number == 2 else "Alice works at Initech."

    events = asyncio.run(drain_async(list(cut(FALSE, 5)), regenerate=regenerate))
    assert tell_text(events) == "Alice works at Acme."
    assert [event.number for event in events if isinstance(event, Branch)] == [1, 2, 2]


def test_a_generator_that_cannot_be_reached_costs_a_branch_and_not_the_request():
    def regenerate(request: Regeneration) -> str:
        if request.number < 3:
            raise Unreachable("no route")
        return "Alice works at Acme."

    events = drain(cut(FALSE, 5), regenerate=regenerate)
    assert tell_text(events) == "Alice works at Acme."
    assert [e.reason for e in events if isinstance(e, Branch)][:2] == ["no answer came: no route"] * 2


def test_without_a_generator_a_halt_is_followed_by_the_abstention():
    events = drain(cut(FALSE, 5))
    last = events[-1]
    assert isinstance(last, Abstain)
    assert last.text.startswith("I cannot provide a verified answer to this question. [Reason: ")
    assert tell_text(events).startswith("You live in Berlin. \n\nI cannot")
