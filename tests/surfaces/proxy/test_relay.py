"""The loop between reading and writing, without sockets: any pieces, a consumer that waits, one that leaves."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import ANSWER, LIE, answer_stream, chunk, conclude, open_guard, raw, read_events, say, text_of

from groundwire.guard.events import StreamEvent
from groundwire.surfaces.proxy.account import Account
from groundwire.surfaces.proxy.chat import ChatStream
from groundwire.surfaces.proxy.choices import Choice
from groundwire.surfaces.proxy.relay import read_chunks, relay

Result = TypeVar("Result")


class Source:
    """Pieces of bytes, with how many were taken and whether it was closed."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces
        self.taken = 0
        self.is_closed = False

    async def read(self) -> AsyncGenerator[bytes]:
        try:
            for piece in self._pieces:
                self.taken += 1
                yield piece
        finally:
            self.is_closed = True


async def run_here(action: Callable[[], Result]) -> Result:
    await asyncio.sleep(0)
    return action()


async def run_in_a_thread(action: Callable[[], Result]) -> Result:
    return await asyncio.to_thread(action)


async def finish(choice: Choice, may_ask: bool) -> StreamEvent:
    return conclude(choice)


def open_relay(source: Source, run: Any = run_here, **options: Any) -> AsyncGenerator[bytes]:
    chat = ChatStream(lambda: open_guard(**options), Account("r", "ada", "strict"))
    return relay(read_chunks(source.read()), chat, run, finish)


def pass_through(pieces: list[bytes], run: Any = run_here) -> list[Any]:
    async def collect() -> bytes:
        return b"".join([piece async for piece in open_relay(Source(pieces), run)])

    return read_events(asyncio.run(collect()))


@settings(max_examples=40)
@given(st.lists(st.integers(0, 20_000), max_size=20), st.sampled_from([ANSWER, LIE, "Zoë 🙂 lives. " + ANSWER]))
def test_whatever_the_bytes_come_in_the_answer_is_the_same(cuts: list[int], answer: str):
    data = answer_stream(answer)
    edges = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
    pieces = [data[a:b] for a, b in itertools.pairwise(edges)]
    one, other = pass_through(pieces), pass_through([data])
    assert text_of(one) == text_of(other)
    assert one[-1] == other[-1]


def test_a_judge_in_another_thread_decides_the_same():
    pieces = [raw(piece) for piece in [*say(ANSWER, size=3), chunk(finish="stop")]]
    assert text_of(pass_through(pieces, run_in_a_thread)) == ANSWER


def test_nothing_is_read_while_the_consumer_waits_but_one_piece_ahead():
    pieces = [raw(chunk(f"Sentence {place} is a question, is it? ")) for place in range(200)]

    async def take_one() -> None:
        source = Source(pieces)
        answer = open_relay(source)
        await anext(answer)
        taken = source.taken
        for _ in range(50):
            await asyncio.sleep(0)
        assert source.taken <= taken + 1 < 10
        await answer.aclose()
        assert source.is_closed

    asyncio.run(take_one())


def test_reading_stops_while_the_judge_is_behind():
    pieces = [raw(chunk(f"Sentence {place} is a question, is it? ")) for place in range(2_000)]

    async def wait_for_the_judge() -> None:
        source, may_go_on = Source(pieces), asyncio.Event()

        async def run(action: Callable[[], Result]) -> Result:
            await may_go_on.wait()
            return action()

        first = asyncio.ensure_future(anext(open_relay(source, run)))
        before = -1
        while before != source.taken:
            before = source.taken
            for _ in range(20):
                await asyncio.sleep(0)
        assert 10 < source.taken < 300
        may_go_on.set()
        assert await first

    asyncio.run(wait_for_the_judge())


@pytest.mark.parametrize("answer", [LIE, "Alice works at Globex. " + "More of it. " * 50])
def test_a_halt_closes_the_source_before_anything_is_asked_again(answer: str):
    pieces = [raw(piece) for piece in say(answer + " And on it goes." * 100)]

    async def run() -> None:
        source = Source(pieces)
        closed: list[bool] = []

        async def note(choice: Choice, may_ask: bool) -> StreamEvent:
            closed.append(source.is_closed)
            return conclude(choice)

        chat = ChatStream(open_guard, Account("r", "ada", "strict"))
        out = [piece async for piece in relay(read_chunks(source.read()), chat, run_here, note)]
        assert closed == [True] and source.taken < len(pieces) / 2
        assert out[-1] == b"data: [DONE]\n\n"

    asyncio.run(run())


def test_a_consumer_that_is_cancelled_closes_the_source_once_the_judge_is_done():
    async def cancel() -> None:
        source, is_judging, may_end = Source([raw(chunk("Hello there! "))] * 3), asyncio.Event(), asyncio.Event()

        async def judge(action: Callable[[], Result]) -> Result:
            is_judging.set()
            await may_end.wait()
            return action()

        async def consume() -> None:
            async with aclosing(open_relay(source, judge)) as answer:
                async for _ in answer:
                    pass

        task = asyncio.ensure_future(consume())
        await is_judging.wait()
        task.cancel()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert source.is_closed
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(cancel())
