"""Right answers in words of their own, and wrong ones that used to slip through."""

from __future__ import annotations

from typing import Any

import pytest
from kb_examining import CONTRADICTS, FABRICATED, NONEXISTENT, WRONG, detect, examine

from groundwire.detect.records.status import agree, exclude_each_other
from groundwire.detect.records.values import find_values
from groundwire.evidence.knowledge_import import read_knowledge

CLINIC: dict[str, Any] = {
    "entities": [
        {
            "name": "Lakeview Dental",
            "type": "organization",
            "attributes": {"opening_hours": "Mon-Fri 8:00-18:00", "founder": "Royal Dental Board", "dentists": 4},
        },
        {
            "name": "Mia Torres",
            "type": "person",
            "attributes": {"role": "orthodontist", "joined": "2016-03-01", "surgery": "first Tuesday of the month"},
        },
        {
            "name": "Appointment A-77",
            "type": "booking",
            "attributes": {"date": "2026-04-09", "window": "2026-04-09 14:00-16:00", "status": "pending approval"},
        },
        {
            "name": "Ward room 3",
            "type": "place",
            "attributes": {"capacity": 12, "storage": "256 GB", "accent": "slate grey", "first_call": "04:52"},
        },
        {"name": "Line 12", "type": "tram line", "attributes": {"stops": 27}},
    ],
    "statements": [
        "Flowers are not allowed on Ward room 3.",
        "Children under 12 may not visit the ward.",
        "Lost property is kept for six weeks.",
        "Flex fares can be rebooked free of charge.",
    ],
}


def find(text: str) -> dict[str, int]:
    examined = examine(text, CLINIC)
    kinds = (FABRICATED, NONEXISTENT, WRONG, CONTRADICTS)
    return {kind.value: len(found) for kind in kinds if (found := detect(examined, kind))}


@pytest.mark.requirement("DET-015", "DET-018")
@pytest.mark.parametrize(
    "text",
    [
        "Lakeview Dental shuts at six on weekdays.",
        "Mia Torres has led the team for ten years.",
        "Mia Torres holds her next surgery on Tuesday 7 April.",
        "Mia Torres has to sign it off first.",
        "Appointment A-77 hasn't been approved yet.",
        "The first call for Ward room 3 comes shortly before five in the morning.",
        "Children under twelve aren't permitted on the ward.",
        "Visitors can come to Ward room 3 between two and seven.",
        "We hold lost items for a month and a half.",
        "Flex fares are free to rebook.",
        "Please ring the US office or write to HR.",
    ],
)
def test_a_right_answer_in_other_words_is_left_alone(text: str) -> None:
    assert find(text) == {}


@pytest.mark.requirement("DET-001", "DET-015")
@pytest.mark.parametrize("text", ["Line 47 has 31 stops.", "Ottilie Brandvold heads the works council."])
def test_a_claim_on_somebody_unknown_is_made_up(text: str) -> None:
    assert FABRICATED.value in find(text)


def test_a_state_and_its_denial() -> None:
    assert agree("it hasn't been approved", "pending approval")
    assert exclude_each_other("it has been approved", "under review")
    assert exclude_each_other("entries are closed", "open for entries")
    assert (
        exclude_each_other("it was closed yesterday", "open") is exclude_each_other("it was resolved", "open") is True
    )


def test_half_a_unit_more_is_one_amount() -> None:
    (value,) = find_values("The battery lasts a year and a half.")
    assert (value.text, value.dimension) == ("a year and a half", "duration")


def test_a_date_with_hours_is_no_telephone_number() -> None:
    assert [value.kind for value in find_values("2026-05-24 01:00-03:00")] == ["date", "clock", "clock"]


def test_most_words_begin_no_name() -> None:
    known = read_knowledge(CLINIC)
    assert known.may_begin_name("Mia")
    assert known.may_begin_name("Mai")  # a slip
    assert known.may_begin_name("Lake")  # "Lake View Dental"
    assert not known.may_begin_name("weekdays")
