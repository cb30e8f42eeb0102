"""A date that is worked out from a recorded one is not held against it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types.detection import HallucinationType


@pytest.mark.requirement("DET-009")
def test_a_date_so_many_weeks_before_a_recorded_one_is_left_alone() -> None:
    wire = Groundwire(settings=Settings(judge="rules"))
    report = wire.detect(
        "A14 leaves from Stansted on 6 June. The balance had to be paid eight weeks earlier, that is by 11 April.",
        knowledge={"statements": ["Departure A14 is on 6 June 2026.", "The balance is due 8 weeks before departure."]},
        now=datetime(2026, 4, 20, 12, tzinfo=UTC),
    )
    assert not any(flag.hallucination_type is HallucinationType.CONTRADICTS_FACT for flag in report.flags)
