"""Lines of the journal: together where requests are answered together, at once where something is wrong."""

from __future__ import annotations

import asyncio
import io
import json
import logging

from groundwire.surfaces.rest.journal import JsonLines, Lines


class Counted(io.StringIO):
    """A stream that knows how often it was written to."""

    writes = 0

    def write(self, text: str, /) -> int:
        self.writes += 1
        return super().write(text)


def listen() -> tuple[logging.Logger, Counted]:
    stream, logger = Counted(), logging.Logger("journal of a test")
    handler = Lines(stream)
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
    return logger, stream


def read(stream: Counted) -> list[str]:
    return [json.loads(line)["message"] for line in stream.getvalue().splitlines()]


def test_lines_of_one_turn_of_the_loop_are_written_together_and_in_order():
    logger, stream = listen()

    async def answer() -> None:
        for number in range(5):
            logger.info("request %d", number)
        assert stream.writes == 0
        await asyncio.sleep(0)
        assert stream.writes == 1

    asyncio.run(answer())
    assert read(stream) == [f"request {number}" for number in range(5)]


def test_a_warning_is_written_at_once_and_after_what_came_before_it():
    logger, stream = listen()

    async def answer() -> None:
        logger.info("first")
        logger.error("second")
        assert read(stream) == ["first", "second"]
        logger.info("third")

    asyncio.run(answer())
    assert read(stream) == ["first", "second", "third"]


def test_where_no_loop_runs_every_line_is_written_as_it_comes():
    logger, stream = listen()
    for number in range(3):
        logger.info("line %d", number)
        assert len(read(stream)) == number + 1


def test_no_more_than_so_many_lines_wait():
    logger, stream = listen()

    async def answer() -> None:
        for number in range(1_000):
            logger.info("request %d", number)
        assert len(read(stream)) > 500

    asyncio.run(answer())
    assert len(read(stream)) == 1_000


def test_what_waits_is_written_when_the_program_ends():
    """Which flushes every handler, whether or not the loop comes round once more."""
    logger, stream = listen()
    (handler,) = logger.handlers

    async def answer() -> None:
        logger.info("last")
        handler.flush()
        assert read(stream) == ["last"]

    asyncio.run(answer())
    assert read(stream) == ["last"]


def test_a_broken_stream_stops_nobody():
    logger, stream = listen()
    stream.close()
    logger.error("nobody hears this")
