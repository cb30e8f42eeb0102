"""Attributes with units, gapped verbs, families of names, deeds by grammar, and what was asked to be made up."""

from __future__ import annotations

from typing import Any

import pytest
from tests.detect.kb_examining import detect as find
from tests.detect.kb_examining import examine, packaged_judge

from groundwire.evidence.dialogue import read_dialogue
from groundwire.types.detection import HallucinationType

FABRICATED, NONEXISTENT = HallucinationType.FABRICATED_FACT, HallucinationType.NONEXISTENT_ENTITY
WRONG, CONTRADICTS = HallucinationType.WRONG_ATTRIBUTE, HallucinationType.CONTRADICTS_FACT


def entity(name: str, kind: str, relations: dict[str, str] | None = None, **attributes: Any) -> dict[str, Any]:
    links = [{"predicate": predicate, "object": other} for predicate, other in (relations or {}).items()]
    return {"name": name, "type": kind, "attributes": attributes, "relations": links}


def kinds_of(text: str, *entities: dict[str, Any], asked: str = "") -> list[HallucinationType]:
    dialogue = read_dialogue([{"turn_id": 1, "speaker": "user", "text": asked}] if asked else [])
    found = find(examine(text, {"entities": list(entities)}, dialogue=dialogue, judge=packaged_judge()))
    return [flag.hallucination_type for flag in found]


CABLE = entity(
    "Skyline Cable Car", "cable car", length_m=1850, summit_elevation_m=2140, ride_min=9, cabins=14, platform="C2"
)
GONDOLA = entity("Moss Gondola", "cable car", length_m=900, ride_min=6, cabins=8, platform="A1")
OVEN = entity(
    "Brandt oven", "oven", max_load_kg=12, price_eur=640, advice="The Brandt oven must not be cleaned with sand."
)
FILM = entity("Low Tide", "film", {"directed_by": "Ada Reyl", "edited_by": "Bo Marsh"}, runtime_min=95)
ADA, BO = entity("Ada Reyl", "person"), entity("Bo Marsh", "person")
FETCH = entity("queue.fetch", "function", purpose="takes one item")
PUSH = entity("queue.push", "function", purpose="adds one item")
ABBEY = entity("Marl Abbey", "abbey", founded=1190, monks=12)


@pytest.mark.parametrize(
    "text",
    [
        "The Skyline Cable Car takes 19 minutes.",
        "The Skyline Cable Car is 1,580 metres long.",
        "The Skyline Cable Car leaves from platform B2.",
        "The Skyline Cable Car takes 9 minutes, the Moss Gondola 16.",
    ],
)
def test_another_figure_than_the_measured_one_is_wrong(text: str) -> None:
    assert kinds_of(text, CABLE, GONDOLA) == [WRONG]


@pytest.mark.parametrize(
    "text",
    [
        "The Skyline Cable Car takes nine minutes and is 1.85 kilometres long.",
        "The Moss Gondola is 950 metres shorter than the Skyline Cable Car.",
        "The Skyline Cable Car takes 9 minutes, the Moss Gondola 6.",
        "The Skyline Cable Car leaves from platform C2.",
    ],
)
def test_the_measured_figure_in_other_words_is_right(text: str) -> None:
    assert kinds_of(text, CABLE, GONDOLA) == []


def test_a_limit_and_a_budget_are_no_values_of_a_thing() -> None:
    assert kinds_of("Your dish of 4 kilos is fine for the Brandt oven.", OVEN) == []
    assert kinds_of("The Brandt oven is within your 700 euros.", OVEN) == []
    assert kinds_of("The Brandt oven costs 460 euros.", OVEN) == [WRONG]


def test_a_sentence_on_record_is_contradicted_as_a_fact() -> None:
    assert kinds_of("You can clean the Brandt oven with sand.", OVEN) == [CONTRADICTS]
    assert kinds_of("Never clean the Brandt oven with sand.", OVEN) == []


def test_deeds_are_compared_by_who_does_them() -> None:
    assert kinds_of("Low Tide was directed by Bo Marsh.", FILM, ADA, BO) == [CONTRADICTS]
    assert kinds_of("Bo Marsh edited Low Tide.", FILM, ADA, BO) == []


def test_a_member_of_a_known_family_that_is_none_does_not_exist() -> None:
    assert kinds_of("Call queue.drain() to empty it.", FETCH, PUSH) == [NONEXISTENT]
    assert kinds_of("Call queue.push() and then queue.fetch().", FETCH, PUSH) == []


@pytest.mark.parametrize(
    "text", ["The planet Ombra has two moons.", "Vitamin M9 is in cabbage.", "The country of Drelland is small."]
)
def test_what_a_closed_class_does_not_have_does_not_exist(text: str) -> None:
    assert kinds_of(text) == [NONEXISTENT]


@pytest.mark.parametrize(
    "text", ["The planet Saturn has rings.", "Vitamin K2 is in cheese.", "Tess is a country singer."]
)
def test_members_of_a_closed_class_and_other_senses_are_let_stand(text: str) -> None:
    assert kinds_of(text) == []


def test_what_happened_once_at_a_known_place_may_be_made_up() -> None:
    text = "Marl Abbey has twelve monks. In 1611 a fire destroyed the library, and a duke paid for a new one."
    assert FABRICATED in kinds_of(text, ABBEY)


def test_what_was_asked_to_be_made_up_is_held_against_nothing() -> None:
    tale = "Marl Abbey flew to the moon with its three hundred monks."
    assert kinds_of(tale, ABBEY, asked="Write me a silly story about Marl Abbey.") == []
    assert kinds_of(tale, ABBEY, asked="Tell me about Marl Abbey.") != []


def test_what_others_are_said_to_have_done_without_anybody_telling_is_made_up() -> None:
    asked = "My parcel is late, and the shop does not answer."
    assert FABRICATED in kinds_of("The shop has already refunded your money.", asked=asked)
    assert kinds_of("Your parcel is late, so write to the shop once more.", asked=asked) == []
