"""What the judge reads of an answer and of what is known: one thing under one name, one statement at a time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.detect.kb_examining import WRONG, examine, packaged_judge
from tests.detect.kb_examining import detect as find

from groundwire.app import Groundwire
from groundwire.detect.dialogue.circumstances import are_apart
from groundwire.detect.dialogue.presuppositions import find_presuppositions
from groundwire.detect.mitigation import Correct
from groundwire.detect.records.schedules import exclude_days
from groundwire.detect.weighing.asides import find_aside
from groundwire.detect.weighing.naming import begin_alike, find_name, name_alike, name_topic
from groundwire.detect.weighing.units import shorten
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.knowledge_import import read_knowledge
from groundwire.evidence.phrasing import tell_plainly
from groundwire.types.detection import HallucinationType

NOW = datetime(2026, 3, 10, tzinfo=UTC)
FIRM: dict[str, Any] = {
    "entities": [
        {"name": "Fernley Veterinary Practice", "type": "organisation", "aliases": ["Fernley", "the practice"],
         "attributes": {"parking": "eight spaces in the yard"}},
        {"name": "Dr Rhea Okon", "type": "person", "aliases": ["Dr Okon"],
         "attributes": {"role": "senior partner", "former_job": "ranger"}},
        {"name": "Biscuit", "type": "pet", "aliases": [], "attributes": {"species": "dog", "breed": "whippet"}},
    ]
}  # fmt: skip


def flags_of(text: str, knowledge: dict[str, Any]) -> list[tuple[HallucinationType, str]]:
    found = find(examine(text, knowledge, judge=packaged_judge()))
    return [(flag.hallucination_type, flag.content) for flag in found]


def entity_of(name: str) -> Any:
    known = read_knowledge(FIRM)
    assert isinstance(known, Knowledge)
    return known.find_entity(name)


# ── names ───────────────────────────────────────────────────────────────────────────────────────


def test_an_entity_is_called_what_the_text_calls_it() -> None:
    practice = entity_of("Fernley")
    assert find_name("Fernley is closed", practice) == "Fernley"
    assert find_name("At the practice nobody answers", practice) == "the practice"
    assert find_name("Nobody answers", practice) == ""


def test_what_is_known_is_told_under_the_name_of_the_answer() -> None:
    practice = entity_of("Fernley")
    told = name_alike("The practice does not treat horses.", [(practice, "Fernley")])
    assert told == "Fernley does not treat horses."
    kept = name_alike("Fernley and the practice next door", [(practice, "Fernley")])
    assert kept == "Fernley and the practice next door"


def test_a_description_takes_the_name_that_question_and_record_share() -> None:
    asked, told = "Can I take Calmorin?", "Pregnant women must not take Calmorin."
    assert name_topic("The medicine is safe", "The medicine", told, asked) == "Calmorin is safe"
    assert name_topic("Ibuprofen is safe", "Ibuprofen", told, asked) == "Ibuprofen is safe"
    assert (
        name_topic("The medicine is safe", "The medicine", "Women must not take it.", asked) == "The medicine is safe"
    )


@pytest.mark.requirement("DET-005")
def test_a_wrong_attribute_is_found_under_another_name_of_its_bearer() -> None:
    assert (WRONG, "There's no parking at Fernley") in flags_of("There's no parking at Fernley.", FIRM)
    assert flags_of("There are eight parking spaces at Fernley.", FIRM) == []


# ── what is said in passing ─────────────────────────────────────────────────────────────────────


def test_an_apposition_and_a_relative_clause_are_statements_of_their_own() -> None:
    text = "Biscuit, a poodle, weighs nine kilos"
    aside = find_aside(text)
    assert aside is not None
    assert (aside.tell(text), aside.tell_main(text)) == ("Biscuit is a poodle", "Biscuit weighs nine kilos")
    text = "Bertil, who coaches on Mondays and Fridays, has a licence"
    aside = find_aside(text)
    assert aside is not None
    assert (aside.tell(text), aside.tell_main(text)) == (
        "Bertil coaches on Mondays and Fridays",
        "Bertil has a licence",
    )


@pytest.mark.parametrize(
    "text", ["Biscuit, a poodle, and Waffle are here", "The car, which he bought, is red", "On Monday, the shop opens"]
)
def test_what_is_no_statement_about_the_opening_words_is_left_alone(text: str) -> None:
    assert find_aside(text) is None


@pytest.mark.requirement("DET-005")
def test_a_wrong_value_said_in_passing_is_found() -> None:
    assert any(kind is WRONG for kind, _ in flags_of("Biscuit, a poodle, is doing well.", FIRM))
    assert flags_of("Biscuit, a whippet, is doing well.", FIRM) == []


def test_what_is_right_in_a_clause_is_not_judged_again() -> None:
    assert shorten("The brew is a pale ale of 5.8 percent", ["5.8 percent"]) == "The brew is a pale ale"
    assert shorten("It opens again in June", ["June"]) == "It opens again in June"


# ── no correction of a right answer ─────────────────────────────────────────────────────────────


@pytest.mark.requirement("MIT-002")
def test_a_role_that_may_stand_beside_another_is_not_corrected() -> None:
    report = Groundwire().detect("Dr Okon has been a vet for twenty years.", knowledge=FIRM, now=NOW)
    assert not any(isinstance(action, Correct) for action in report.actions)


# ── what is taken for granted, days and groups ──────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sentence", "taken"),
    [
        ("With your fixed-rate mortgage you need not worry.", "You have a fixed-rate mortgage"),
        ("I mentioned your six years as a cook.", "You have six years as a cook"),
        ("Good luck with your first marathon!", "It is your first marathon"),
    ],
)
def test_possessions_are_taken_for_granted(sentence: str, taken: str) -> None:
    assert taken in [found.text for found in find_presuppositions(sentence)]


def test_what_everybody_has_is_not_taken_for_granted() -> None:
    assert not any("question" in found.text for found in find_presuppositions("Thanks for your question."))


@pytest.mark.requirement("DET-007")
def test_kind_words_contradict_what_was_said() -> None:
    said = [{"turn_id": 1, "speaker": "user", "text": "We took out a variable-rate mortgage in 2023."}]
    answer = "With your fixed-rate mortgage you needn't worry about rising rates."
    report = Groundwire().detect(answer, dialogue=said, now=NOW)
    assert [flag.hallucination_type for flag in report.flags] == [HallucinationType.CONTRADICTS_PRIOR]
    right = "With your variable-rate mortgage you should keep an eye on the rates."
    assert not Groundwire().detect(right, dialogue=said, now=NOW).flags


def test_every_day_but_one_is_read_as_days() -> None:
    assert exclude_days("The museum is closed on Tuesdays", "The museum is open every day except Monday")
    assert exclude_days("The museum is open on Mondays", "The museum is open daily except Mondays")
    assert not exclude_days("The museum is closed on Mondays", "The museum is open every day except Monday")


def test_a_group_that_a_sentence_is_about_is_no_other_case() -> None:
    assert not are_apart("The workshop is free for members", "Members pay 15 euros for the workshop")
    assert are_apart("The workshop is free for children", "Members pay 15 euros for the workshop")


# ── attributes as people say them ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("attribute", "value", "told"),
    [
        ("breed", "Maine Coon", "Pim is a Maine Coon."),
        ("former_job", "accountant", "Pim used to be an accountant."),
        ("interval", "12 minutes", "Pim runs every 12 minutes."),
        ("frequency", "daily", "Pim's frequency is daily."),
        ("start", "19:30", "Pim starts at 19:30."),
        ("type", "public", "Pim is public."),
        ("style", "oatmeal stout", "Pim is an oatmeal stout."),
    ],
)
def test_more_attributes_are_told_as_people_say_them(attribute: str, value: str, told: str) -> None:
    assert tell_plainly("Pim", "product", attribute, value) == told


def test_the_team_of_a_person_is_told_and_that_of_a_thing_named() -> None:
    assert tell_plainly("Ada", "person", "team", "support") == "Ada is in the support team."
    assert tell_plainly("Ada", "person", "team", "the night team") == "Ada's team is the night team."


def test_an_attribute_is_told_in_the_words_of_the_answer() -> None:
    assert tell_plainly("Nordlys", "", "director", "Tom Reed") == "Nordlys's director is Tom Reed."
    told = tell_plainly("Nordlys", "", "director", "Tom Reed", "Nordlys is led by Ada Falk")
    assert told == "Nordlys is led by Tom Reed."


def test_statements_that_differ_in_the_value_alone_begin_alike() -> None:
    assert begin_alike("Nordlys is led by Ada Falk", "Nordlys is led by Tom Reed.")
    assert not begin_alike("Nordlys is led by Ada Falk", "Nordlys's director is Tom Reed.")
    assert not begin_alike("Nordlys is led by Ada Falk", "Nordlys is led by Ada Falk")
