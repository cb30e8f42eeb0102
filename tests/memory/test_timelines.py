"""What was true when, read from memories and the times they hold for."""

from __future__ import annotations

from datetime import UTC, datetime

from groundwire import Groundwire, Settings
from groundwire.memory.timelines import tell_timelines
from groundwire.types import Memory, MemoryStatus


def at(year: int, month: int = 1) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)


def test_a_slot_tells_its_values_oldest_first_with_their_times():
    told = tell_timelines(
        [
            Memory("b", "I moved to Porto.", valid_from=at(2025, 5)),
            Memory("a", "I live in Lisbon.", valid_from=at(2024), valid_to=at(2025, 5), status=MemoryStatus.SUPERSEDED),
        ]
    )
    (location,) = told
    assert (location.subject, location.slot, location.is_exclusive) == ("user", "location", True)
    assert [(p.value, p.begin, p.end) for p in location.periods] == [
        ("Lisbon", at(2024), at(2025, 5)),
        ("Porto", at(2025, 5), None),
    ]
    assert location.has_changed


def test_slots_that_exclude_and_changed_come_first():
    told = tell_timelines(
        [
            Memory("a", "I have two cats.", valid_from=at(2024)),
            Memory("b", "I work at Initech.", valid_from=at(2024)),
            Memory("c", "I live in Lisbon.", valid_from=at(2024)),
            Memory("d", "I live in Porto.", valid_from=at(2025)),
        ]
    )
    assert [one.slot for one in told] == ["location", "employer", "pet"]


def test_somebody_else_has_a_timeline_of_their_own():
    told = tell_timelines([Memory("a", "I live in Lisbon."), Memory("b", "My sister Clara lives in Rome.")])
    subjects = {one.subject for one in told if one.slot == "location"}
    assert "user" in subjects and len(subjects) == 2


def test_what_never_held_is_in_no_timeline():
    assert tell_timelines([Memory("a", "I live in Lisbon.", status=MemoryStatus.PROPOSAL)]) == ()


def test_words_without_a_slot_make_no_timeline():
    assert tell_timelines([Memory("a", "\x00 <>[[[[ ((( 🦜"), Memory("b", "Why not?")]) == ()


def test_the_ledger_tells_them_of_one_user_alone():
    gw = Groundwire(settings=Settings(judge="rules"))
    gw.remember("I live in Lisbon.", user="ada", now=at(2024))
    gw.remember("I moved to Porto.", user="ada", now=at(2025))
    gw.remember("I live in Rome.", user="bob", now=at(2025))
    (location,) = gw.ledger("ada").timelines()
    assert [(p.value, p.end) for p in location.periods] == [("Lisbon", at(2025)), ("Porto", None)]
