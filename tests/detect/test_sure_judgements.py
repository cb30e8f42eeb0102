"""Where the judge decides alone, what is read of a clause for it, and what is no fault however it is put."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.detect.kb_examining import CONTRADICTS, FABRICATED, NONEXISTENT, WRONG, detect, examine, packaged_judge

from groundwire.app import Groundwire
from groundwire.detect.appeals import is_sweeping
from groundwire.detect.dialogue.changes import tells_change
from groundwire.detect.dialogue.presuppositions import find_presuppositions
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.consulting import read_answer
from groundwire.detect.weighing.scale import Opinion, are_sure
from groundwire.detect.weighing.units import split_units

NOW = datetime(2026, 3, 14, tzinfo=UTC)


def find_kinds(text: str) -> list[str]:
    return [flag.hallucination_type.value for flag in Groundwire().detect(text, now=NOW).flags]


def split(text: str) -> list[str]:
    examined = examine(text, {"statements": ["Nothing of the kind."]})
    return [unit.text for unit in split_units(examined, meet(examined), read_answer(examined).claims)]


def presuppose(text: str) -> list[str]:
    return [found.text for found in find_presuppositions(text)]


# ── the judge alone ─────────────────────────────────────────────────────────────────────────────


def test_the_judge_must_be_sure_both_ways_by_one_pair_of_bars() -> None:
    sure, half, none = Opinion(0.01, 0.96), Opinion(0.1, 0.5), Opinion(0.5, 0.05)
    assert are_sure(sure, half, [(0.4, 0.9)])
    assert are_sure(half, sure, [(0.4, 0.9)])
    assert not are_sure(sure, none, [(0.4, 0.9)])
    assert not are_sure(sure, sure, [])


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
@settings(max_examples=50, deadline=None)
def test_more_refutation_never_makes_the_judge_less_sure(one: float, other: float, least: float, most: float) -> None:
    before = are_sure(Opinion(0.0, one), Opinion(0.0, other), [(least, most)])
    after = are_sure(Opinion(0.0, max(one, 0.99)), Opinion(0.0, other), [(least, most)])
    assert after or not before or one > 0.99


# ── clauses ─────────────────────────────────────────────────────────────────────────────────────


def test_two_sentences_with_a_comma_between_them_are_two_clauses() -> None:
    assert "Dogs are welcome in every cabin" in split("You can bring your dog along, dogs are welcome in every cabin.")


def test_a_clause_whose_beginning_was_not_read_stays_whole() -> None:
    (unit, *_) = split("The library's reading room is silent and closed to visitors.")
    assert unit.startswith("The library's")


# ── records ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-020")
def test_a_plain_number_is_compared_with_the_number_on_record() -> None:
    known = {"entities": [{"name": "Alder Room", "type": "room", "attributes": {"capacity": "40", "floor": "2"}}]}
    assert detect(examine("The Alder Room seats 60.", known, judge=packaged_judge()), WRONG)
    assert not detect(examine("The Alder Room seats 40.", known, judge=packaged_judge()), WRONG)


@pytest.mark.requirement("DET-021")
def test_a_right_date_does_not_save_a_wrong_state() -> None:
    event = {"name": "Wine evening", "type": "event", "attributes": {"date": "2026-06-13", "status": "cancelled"}}
    text = "The wine evening on June 13 is going ahead on the terrace."
    assert detect(examine(text, {"entities": [event]}, judge=packaged_judge()), CONTRADICTS)
    calm = {**event, "attributes": {"date": "2026-06-13", "status": "confirmed"}}
    assert not detect(examine(text, {"entities": [calm]}, judge=packaged_judge()), CONTRADICTS)


@pytest.mark.requirement("DET-016")
@pytest.mark.parametrize("address", ["+43 1 555 2040", "clara.jost@notary.example"])
def test_an_address_that_nobody_gave_is_made_up(address: str) -> None:
    known = {"entities": [{"name": "Clara Jost", "type": "person", "attributes": {"role": "notary"}}]}
    text = f"Clara Jost can be reached at {address}."
    (flag,) = detect(examine(text, known, judge=packaged_judge()), FABRICATED)
    assert "role" in (flag.evidence or "")
    given_one = {"entities": [{"name": "Clara Jost", "type": "person", "attributes": {"contact": address}}]}
    assert not detect(examine(text, given_one, judge=packaged_judge()), FABRICATED)


def test_a_model_is_known_by_its_name_with_the_noun_behind_it() -> None:
    known = {"entities": [{"name": "Nimbus 3", "type": "product", "attributes": {"price": "249 euros"}}]}
    examined = examine("The Nimbus 3 printer costs 249 euros.", known)
    meant = meet(examined).meant_by("Nimbus 3 printer", 0)
    assert meant is not None and meant.name == "Nimbus 3"
    firm = {"entities": [{"name": "Nimbus Press", "type": "organisation", "attributes": {"city": "Graz"}}]}
    assert meet(examine("The Nimbus Press driver is late.", firm)).meant_by("Nimbus Press driver", 0) is None


# ── what is taken for granted ───────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-023")
@pytest.mark.parametrize(
    ("sentence", "presupposed"),
    [
        ("With your budget of 600 euros you could look further.", "Your budget is 600 euros"),
        ("Enjoy your trip to Porto!", "Your trip is to Porto"),
        ("Congratulations on winning the match!", "You managed to win the match"),
        ("Congratulations on the promotion!", "You got the promotion"),
    ],
)
def test_what_is_owned_and_wished_is_taken_for_granted(sentence: str, presupposed: str) -> None:
    assert presupposed in presuppose(sentence)


@given(st.text(alphabet="your trip of to 12 Porto congratulations on ing ,.!", max_size=80))
@settings(max_examples=50, deadline=None)
def test_any_text_has_presuppositions_within_it(text: str) -> None:
    assert all(0 <= found.start <= found.end <= len(text) for found in find_presuppositions(text))


def test_what_can_be_changed_has_not_changed() -> None:
    assert not tells_change("Your order can still be changed.")
    assert tells_change("Your order has been changed.")


# ── one text ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "Half of the 24 pupils walk to school, a third cycle, and the remaining four take the bus.",
        "The team has eleven players: four defenders, four midfielders, two strikers and a goalkeeper.",
        "Never open the valve while the pump is running. Once it has stopped, open the valve slowly.",
        "You can't cancel online. Please call us to cancel.",
        "You will find the figures in 2024's report.",
        "The ferry departs at 9:50 and arrives at 10:30 the same morning.",
        "The guests arrive on 3 May and leave on 5 May.",
        "Bake it for 40 minutes at 180 degrees, then let it rest for ten minutes.",
        "The library opens at nine and closes at six; on Saturdays it closes at one.",
    ],
)
def test_what_adds_up_and_what_is_to_be_done_is_left_alone(text: str) -> None:
    assert find_kinds(text) == []


def test_parts_that_do_not_add_up_are_still_found() -> None:
    text = "Half of the 24 pupils walk to school, a third cycle, and the remaining ten take the bus."
    assert "LogicalInconsistency" in find_kinds(text)
    assert "LogicalInconsistency" in find_kinds("Sales doubled from 300 in May to 450 in June.")


def test_an_order_in_front_of_a_known_name_names_nobody() -> None:
    known = {"statements": ["The Light fare covers hand luggage only.", "The Flex fare can be rebooked."]}
    assert not detect(examine("Choose Flex if you may want to rebook.", known), NONEXISTENT)


def test_a_day_that_is_over_is_not_announced() -> None:
    assert find_kinds("We will hold the summer party on 12 July 2024, so save the date.") == ["TemporalError"]
    assert find_kinds("We will hold the summer party on 12 July 2026, so save the date.") == []


def test_what_is_denied_does_not_sweep() -> None:
    assert is_sweeping("It works for everyone.")
    assert not is_sweeping("It won't work for everyone.")
