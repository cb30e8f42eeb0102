"""Attributes in words that no record has, told wrong and told right; and how records are told to a judge."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from groundwire.app import Groundwire
from groundwire.detect.records.facets import list_facets
from groundwire.detect.records.listed import find_listing
from groundwire.evidence.knowledge_import import read_knowledge
from groundwire.evidence.phrasing import tell_plainly
from groundwire.settings import Settings
from groundwire.types.detection import HallucinationType

NOW = datetime(2026, 4, 22, tzinfo=UTC)
KNOWN: dict[str, Any] = {
    "entities": [
        {
            "name": "Harbour Gym",
            "type": "gym",
            "attributes": {
                "monthly_fee_eur": 34,
                "pool": False,
                "cancellation_notice_weeks": 4,
                "towels_included": False,
                "max_class_size": 14,
            },
        },
        {
            "name": "Lumen Router",
            "type": "device",
            "attributes": {"colours": ["white", "black", "grey"], "warranty_months": 36, "max_devices": 60},
        },
    ]
}


@cache
def _wire() -> Groundwire:
    return Groundwire(settings=Settings(judge="mini"))


def find_wrong(text: str) -> list[str]:
    flags = _wire().detect(text, knowledge=KNOWN, now=NOW).flags
    return [f.content for f in flags if f.hallucination_type is HallucinationType.WRONG_ATTRIBUTE]


@pytest.mark.parametrize(
    "text",
    [
        "At Harbour Gym you pay 44 euros each month.",
        "You can quit Harbour Gym with two weeks' warning.",
        "A class at Harbour Gym is capped at 20 people.",
        "Swim a few lengths in Harbour Gym's own pool after your workout.",
        "You can hook up as many as 100 gadgets to the Lumen Router.",
        "The Lumen Router is covered for five years if it breaks.",
        "The Lumen Router is sold in white, black and blue.",
    ],
)
def test_an_attribute_told_in_other_words_is_held_against_its_record(text: str) -> None:
    assert find_wrong(text)


@pytest.mark.parametrize(
    "text",
    [
        "At Harbour Gym you pay 34 euros each month.",
        "You can quit Harbour Gym with four weeks' warning.",
        "Bring your own towel to Harbour Gym.",
        "A year at Harbour Gym comes to 408 euros.",
        "Arrive 10 minutes early for your first class at Harbour Gym.",
        "For your 20 devices the Lumen Router is more than enough.",
        "The Lumen Router comes with three years of warranty.",
        "You can get the Lumen Router in white, black or grey.",
        "Place the Lumen Router about 1.5 metres above the floor.",
        "Restart the Lumen Router and wait 30 seconds.",
    ],
)
def test_other_figures_and_right_values_in_other_words_are_let_stand(text: str) -> None:
    assert find_wrong(text) == []


@pytest.mark.parametrize(
    ("attribute", "value", "told"),
    [
        ("max_users", "5", "Pim allows up to 5 users."),
        ("visitors_per_week", "350", "Pim has 350 visitors per week."),
        ("late_fee_per_day_pence", "15", "Pim's late fee per day is 15 pence."),
        ("accepts_walk_ins", "false", "Pim does not accept walk ins."),
        ("can_borrow_dvds", "false", "Pim cannot borrow dvds."),
        ("parents_may_watch", "true", "Parents may watch at Pim."),
        ("in_stock", "false", "Pim is not in stock."),
        ("open_on_sundays", "false", "Pim is not open on sundays."),
        ("accepting_new_patients", "false", "Pim is not accepting new patients."),
        ("balcony", "false", "Pim has no balcony."),
        ("vegan", "true", "Pim is vegan."),
        ("wireless_charging", "true", "Pim has wireless charging."),
        ("spots_left", "0", "Pim has no spots left."),
        ("journey_minutes", "25", "Pim's journey time is 25 minutes."),
        ("weekly_hours", "32", "Pim has 32 weekly hours."),
        ("storage_gb", "10", "Pim's storage is 10 gigabytes."),
        ("check_in_from", "15:00", "Pim: check in from 15:00."),
    ],
)
def test_a_record_is_told_as_the_name_of_its_attribute_wants_it(attribute: str, value: str, told: str) -> None:
    assert tell_plainly("Pim", "product", attribute, value) == told


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("You can get it in white, black and blue", "blue"),
        ("It comes in white, black or grey", None),
        ("It comes in white and black", None),
        ("It is black", None),
    ],
)
def test_a_list_is_strange_where_it_has_another_member_in_place_of_one(text: str, strange: str | None) -> None:
    router = read_knowledge(KNOWN).find_entity("Lumen Router")
    assert router is not None
    facet = next(f for f in list_facets(router) if f.attribute == "colours")
    found = find_listing(facet, text, 0)
    assert (found.strange if found is not None else None) == strange
