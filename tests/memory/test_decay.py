"""Memories in time; the clock is a number that the test chooses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.memory.decay import (
    ARCHIVE_AFTER,
    WINDOWS,
    Origin,
    Stage,
    Vitality,
    confirm,
    find_stage,
    read_confidence,
    windows_of,
)
from groundwire.memory.kinds import DAY
from groundwire.settings import Settings
from groundwire.types import MemoryKind

START = 1_700_000_000
FACT = Vitality(MemoryKind.USER_FACT, 0.8, START)


@pytest.mark.requirement("EXT-038")
@pytest.mark.parametrize(
    ("kind", "days"), [(MemoryKind.USER_FACT, 30), (MemoryKind.USER_PATTERN, 14), (MemoryKind.SHARED_NARRATIVE, 7)]
)
def test_confidence_halves_over_the_window_of_its_kind(kind: MemoryKind, days: int):
    memory = Vitality(kind, 0.8, START)
    assert read_confidence(memory, START) == 0.8
    assert read_confidence(memory, START + days * DAY) == pytest.approx(0.4)
    assert read_confidence(memory, START + 2 * days * DAY) == pytest.approx(0.2)
    assert read_confidence(memory, START - 99 * DAY) == 0.8, "the age is never negative"
    assert memory.confidence == 0.8, "what is stored stays"


@given(st.sampled_from(list(MemoryKind)), st.integers(0, 10**9), st.integers(0, 10**9))
def test_confidence_only_falls_with_time(kind: MemoryKind, earlier: int, more: int):
    memory = Vitality(kind, 0.9, START)
    assert 0.0 <= read_confidence(memory, START + earlier + more) <= read_confidence(memory, START + earlier) <= 0.9


@pytest.mark.requirement("EXT-039")
def test_a_memory_sleeps_after_its_window_is_archived_later_and_wakes_when_confirmed():
    window = WINDOWS[MemoryKind.USER_FACT]
    assert find_stage(FACT, START + window - 1) is Stage.ACTIVE
    assert find_stage(FACT, START + window) is Stage.INACTIVE
    assert find_stage(FACT, START + window + ARCHIVE_AFTER - 1) is Stage.INACTIVE
    assert find_stage(FACT, START + window + 90 * DAY) is Stage.ARCHIVED
    later = START + 400 * DAY
    assert find_stage(FACT, later) is Stage.ARCHIVED, "never deleted"
    assert find_stage(confirm(FACT, later), later) is Stage.ACTIVE


@pytest.mark.requirement("EXT-039")
@pytest.mark.parametrize("origin", [Origin.APPROVED, Origin.TRUSTED])
def test_what_a_person_or_a_trusted_source_vouched_for_lives_until_its_horizon(origin: Origin):
    lasting = Vitality(MemoryKind.USER_FACT, 0.85, START, origin=origin)
    bounded = Vitality(MemoryKind.USER_FACT, 0.85, START, origin=origin, validity_horizon=START + 100 * DAY)
    assert find_stage(lasting, START + 5_000 * DAY) is Stage.ACTIVE
    assert read_confidence(lasting, START + 5_000 * DAY) == 0.85
    assert find_stage(bounded, START + 99 * DAY) is Stage.ACTIVE
    assert find_stage(bounded, START + 100 * DAY) is Stage.INACTIVE


@pytest.mark.requirement("EXT-039")
def test_windows_are_a_setting():
    assert windows_of(Settings()) == WINDOWS
    week = windows_of(Settings(fact_window=7))
    assert find_stage(FACT, START + 8 * DAY, week) is Stage.INACTIVE
    assert read_confidence(FACT, START + 7 * DAY, week) == pytest.approx(0.4)


def test_saying_it_again_confirms():
    again = confirm(FACT, START + 5 * DAY)
    assert (again.mentions, again.last_confirmed, again.confidence) == (2, START + 5 * DAY, 0.8)
    assert confirm(again, START).last_confirmed == START + 5 * DAY, "an older report does not make it older"
