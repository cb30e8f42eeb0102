"""Units in the names of attributes, and attributes that are whole sentences."""

from __future__ import annotations

import pytest

from groundwire.evidence.knowledge_import import read_knowledge
from groundwire.evidence.measures import read_measure
from groundwire.evidence.phrasing import tell_plainly
from groundwire.evidence.sentences import is_sentence, tell_sentence


@pytest.mark.parametrize(
    ("attribute", "value", "told"),
    [
        ("wall_thickness_cm", "40", ("wall thickness", "40 centimetres")),
        ("max_load_kg", "750", ("maximum load", "750 kilograms")),
        ("rent_eur_month", "820", ("rent", "820 euros per month")),
        ("chargingTimeMin", "35", ("charging time", "35 minutes")),
        ("notice_weeks", "1", ("notice", "1 week")),
    ],
)
def test_a_unit_in_the_name_belongs_to_the_value(attribute: str, value: str, told: tuple[str, str]) -> None:
    assert read_measure(attribute, value) == told


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("temperature_min", "4"), ("built_year", "1931"), ("rooms", "6"), ("class_c", "yes"), ("m", "12")],
)
def test_what_is_no_unit_stays_in_the_name(attribute: str, value: str) -> None:
    assert read_measure(attribute, value) == (attribute, value)


def test_a_measured_attribute_is_told_with_its_unit() -> None:
    assert tell_plainly("Quarry Tarn", "lake", "elevation_m", "540") == "Quarry Tarn lies 540 metres above sea level."
    assert tell_plainly("Dune varnish", "varnish", "drying_hours", "6") == "Dune varnish's drying time is 6 hours."


@pytest.mark.parametrize(
    "value",
    [
        "Visitors must leave large bags at the desk.",
        "It may not be stored below zero.",
        "Guests under 12 eat for free.",
    ],
)
def test_a_value_with_a_subject_and_a_verb_is_a_sentence(value: str) -> None:
    assert is_sentence("rule", value)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("hours", "opens at 12:00"),
        ("colour", "red and white"),
        ("title", "The Sea Was Never Blue."),
        ("note", "Closed."),
    ],
)
def test_phrases_and_titles_are_no_sentences(attribute: str, value: str) -> None:
    assert not is_sentence(attribute, value)


def test_a_sentence_on_record_is_told_once_and_names_its_bearer() -> None:
    lamp = {"name": "Ember lamp", "type": "product", "attributes": {"care": "It must not get wet.", "watts": 7}}
    known = read_knowledge({"entities": [lamp], "statements": ["The shop is closed on Sundays."]})
    assert [memory.text for memory in known.told] == ["The shop is closed on Sundays.", "Ember lamp must not get wet."]
    assert sum("get wet" in memory.text for memory in known.statements) == 1
    assert tell_sentence("Rose Hall", "hotel", "Breakfast is included.") == "Rose Hall: Breakfast is included."
