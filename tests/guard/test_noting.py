"""What a guarded stream judged by somebody's memories is in the verdict log, as what the read gate judged is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from groundwire import Groundwire, Settings
from groundwire.guard.events import Release
from groundwire.guard.noting import VerdictNotes
from groundwire.surfaces.mcp.reports import list_reports
from groundwire.types import Scope, Verdict, VerificationReport
from streams import RulesCheck

SCOPE = Scope("ada", "default")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Groundwire]:
    with Groundwire(tmp_path / "memory.db", settings=Settings(judge="rules", slow_verification_ms=600_000)) as house:
        for memory in ("I live in Berlin.", "My sister is called Clara."):
            assert house.remember(memory, user="ada").memory is not None
        yield house


def read_log(house: Groundwire) -> list[list[tuple[str, Verdict]]]:
    """Answer by answer, the newest first."""
    return [[(record.claim, record.verdict) for record in records] for _, records in list_reports(house, SCOPE)]


def test_the_claims_of_a_stream_are_in_the_verdict_log_as_one_answer_in_their_order(house: Groundwire):
    answer = ["You live in Ber", "lin. Your sister is ", "called Clara. You own a boat."]
    list(house.guard(answer, user="ada"))
    assert read_log(house) == [
        [
            ("You live in Berlin", Verdict.SUPPORTED),
            ("Your sister is called Clara", Verdict.SUPPORTED),
            ("You own a boat", Verdict.INSUFFICIENT),
        ]
    ]


def test_the_log_says_of_a_stream_what_it_says_of_the_same_answer_at_the_read_gate(house: Groundwire):
    text = "You live in Berlin. Your sister is called Clara."
    house.verify(text, user="ada")
    list(house.guard([text], user="ada"))
    stream, whole = (records for _, records in list_reports(house, SCOPE))
    assert [replace(one, recorded_at=whole[0].recorded_at) for one in stream] == whole


def test_every_branch_is_an_answer_of_its_own_in_the_log(house: Groundwire):
    answers = iter(["You live in Paris.", "You live in Berlin."])
    list(house.guard(["You live in Rome."], user="ada", regenerate=lambda _: next(answers)))
    assert read_log(house) == [
        [("You live in Berlin", Verdict.SUPPORTED)],
        [("You live in Paris", Verdict.REFUTED)],
        [("You live in Rome", Verdict.REFUTED)],
    ]


def test_what_was_judged_is_on_record_when_the_reader_stops_in_the_middle(house: Groundwire):
    stream = house.guard(["You live in Berlin. ", "Your sister is called Clara. ", "And so on."], user="ada")
    for event in stream:
        if isinstance(event, Release):
            break
    stream.close()
    assert ("You live in Berlin", Verdict.SUPPORTED) in read_log(house)[0]


def test_the_same_in_an_event_loop(house: Groundwire):
    async def tokens() -> AsyncIterator[str]:
        yield "You live in Berlin. Your"
        await asyncio.Event().wait()

    async def read() -> None:
        stream = house.aguard(tokens(), user="ada")
        async for event in stream:
            if isinstance(event, Release):
                break
        await stream.aclose()

    asyncio.run(read())
    assert read_log(house) == [[("You live in Berlin", Verdict.SUPPORTED)]]


def test_evidence_that_was_given_leaves_nothing_in_the_log_of_a_user(house: Groundwire):
    list(house.guard(["You live in Rome."], memories=["I live in Rome."], user="ada"))
    assert read_log(house) == []


def test_a_long_stream_is_written_in_parts_under_one_moment_and_by_judge():
    written: list[tuple[VerificationReport, datetime]] = []
    moments = iter(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=n) for n in range(9))
    notes = VerdictNotes(lambda report, moment: written.append((report, moment)), lambda: next(moments))
    report = RulesCheck()("You live in Berlin.").report
    for number in range(450):
        notes.add(replace(report, judge="model" if number % 450 == 449 else report.judge))
    notes.write_down()
    assert [len(one.claims) for one, _ in written] == [200, 200, 49, 1]
    assert len({moment for _, moment in written}) == 1
    assert notes.is_empty
