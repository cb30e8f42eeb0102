"""Two sides of one question, doer and bearer exchanged, days and hours; and what can hold beside what is known."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.app import Groundwire
from groundwire.detect.records.schedules import exclude_days, exclude_hours
from groundwire.detect.records.status import agree, exclude_each_other
from groundwire.detect.weighing.cases import can_both_hold, is_reckoned
from groundwire.detect.weighing.contrasts import are_contrasted, share_subject
from groundwire.detect.weighing.exchanges import are_exchanged
from groundwire.detect.weighing.traits import compare_statements
from groundwire.evidence.phrasing import tell_plainly

NOW = datetime(2026, 3, 14, tzinfo=UTC)


def are_on_two_sides(mine: str, theirs: str) -> bool:
    return are_contrasted(mine, theirs, compare_statements(mine, theirs, NOW))


def find_kinds(answer: str, **known: Any) -> set[str]:
    report = Groundwire().detect(answer, now=NOW, **known)
    return {flag.hallucination_type.value for flag in report.flags}


def about(name: str, kind: str, **attributes: str) -> dict[str, Any]:
    return {"entities": [{"name": name, "type": kind, "aliases": [], "attributes": attributes}]}


# ── two sides of one question ───────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("The statue is made of bronze", "The statue is carved from marble."),
        ("Interest is paid monthly", "The account pays interest once a year."),
        ("Rovers lost to Albion", "Rovers beat Albion in the final of 2025."),
        ("The laptop runs Windows", "The laptop came with Ubuntu."),
        ("The curry is mild", "The green curry is the hottest dish."),
    ],
)
def test_answers_on_two_sides_of_one_question_are_contrasted(mine: str, theirs: str) -> None:
    assert are_on_two_sides(mine, theirs)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("The old bridge is wooden", "The new bridge is of steel."),  # two bridges
        ("Albion lost to Rovers", "Rovers beat Albion."),  # the same, turned round
        ("The pool is outdoors", "The sauna is indoors."),  # another thing
        ("The parcel should have been delivered", "The parcel is in transit."),
        ("Ben is the shortest", "Leo is 188 cm tall and Ben 176 cm."),
        ("The test was passed by 20 students", "Three of the 23 students failed the test."),
        ("The ferry is rarely full", "Full board is available."),
        ("The museum is open", "The museum is closed on Mondays."),  # a state of some days
        ("The pool is heated", "If it is cold, the pool is not heated."),
    ],
)
def test_what_speaks_of_another_thing_or_case_is_not_contrasted(mine: str, theirs: str) -> None:
    assert not are_on_two_sides(mine, theirs)


def test_whoever_names_both_sides_takes_none() -> None:
    assert not are_on_two_sides("Sales went up in spring and down in summer", "Sales fell by 5 percent.")


def test_a_subject_that_the_other_names_is_shared() -> None:
    assert share_subject("The workshop is full", "There are five places left in the workshop.")
    assert not share_subject("A friend of mine hates yoga", "You'd love to try yoga.")


# ── who did it to whom ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("Your brother lent you the money", "You lent your brother 5,000 euros last year"),
        ("Globex acquired Acme in 2021", "Acme acquired Globex in 2021."),
        ("Acme was acquired by Globex", "Acme acquired Globex in 2021."),
        ("Marta is the one who broke the vase", "Leo broke the vase."),
        ("Asimov wrote Dune", "Dune was written by Frank Herbert."),
        ("Ben checks the figures", "Ben writes the figures and Ann checks the figures."),
    ],
)
def test_doer_and_bearer_that_have_changed_places_are_found(mine: str, theirs: str) -> None:
    assert are_exchanged(mine, theirs)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("Globex was acquired by Acme", "Acme acquired Globex in 2021."),
        ("Ben met Ann in Rome", "Ann met Ben in Rome."),
        ("Ann may sue Ben", "Ben sued Ann."),
        ("Ann did not sue Ben", "Ben sued Ann."),
        ("Ann wrote a novel", "Ben wrote a novel."),
        ("Ann won the race", "Ben won the race last year."),
        ("Ann and Ben wrote the report", "Ben wrote the report."),
    ],
)
def test_what_says_the_same_both_ways_round_is_not_exchanged(mine: str, theirs: str) -> None:
    assert not are_exchanged(mine, theirs)


# ── what can both be true ───────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("The merger was announced in March", "The merger was approved on 20 May 2026."),
        ("The contract took effect on 1 February", "The contract was signed on 5 January 2026."),
        ("His daughters got nothing", "Count Orlov had two daughters."),
        ("The parcel hasn't cleared customs", "Customers get a text when the parcel clears customs."),
        ("Only a third of the seats are taken", "Of the 90 seats 30 have been sold."),
        ("For ten users it comes to $60", "It costs $6 per user."),
    ],
)
def test_what_can_hold_beside_what_is_known_is_no_conflict(mine: str, theirs: str) -> None:
    assert can_both_hold(mine, theirs)


def test_a_number_that_does_not_follow_is_not_reckoned() -> None:
    assert not is_reckoned("For ten users it comes to $70", "It costs $6 per user.")
    assert not is_reckoned("Half of the seats are taken", "Of the 90 seats 30 have been sold.")
    assert not is_reckoned("It costs $8", "It costs $6 per user.")


def test_a_clause_without_its_verb_is_not_held_against_anything() -> None:
    known = {"statements": ["Admission for adults is 8 euros.", "Children get in free."]}
    assert find_kinds("Adults have to pay, children don't.", knowledge=known) == set()


# ── days, hours, floors and spells of time ──────────────────────────────────────────────────────


def test_days_on_which_it_is_open_and_closed_exclude_each_other() -> None:
    hours = "The museum is open Tuesday to Sunday."
    assert exclude_days("The museum is open on Mondays", hours)
    assert exclude_days("The museum is closed on Saturdays", hours)
    assert exclude_days("You can visit the museum every day", "The museum is closed on Mondays.")
    assert not exclude_days("The museum is closed on Mondays", hours)
    assert not exclude_days("On Sundays the museum is open, too", "The museum is open on weekdays.")
    assert not exclude_days("The museum is open on Easter Monday", hours)
    assert not exclude_days("The museum is closed on Sunday mornings", hours)
    assert not exclude_days("The museum closes at five on Sundays", hours)
    assert not exclude_days("The museum is closed from five on Sundays", hours)
    assert not exclude_days("The café is open on Mondays", hours)


def test_a_part_of_the_day_excludes_an_hour_outside_it() -> None:
    assert exclude_hours("The lorry gets in before lunch", "The lorry is due at 16:30.")
    assert not exclude_hours("The lorry arrives in the afternoon", "The lorry is due at 16:30.")
    assert not exclude_hours("The lorry is loaded and washed in the morning", "The lorry arrives at 16:30.")


@pytest.mark.requirement("DET-006")
@pytest.mark.parametrize(
    ("wrong", "right", "known"),
    [
        (
            "Brookside is open on Mondays.",
            "Brookside is open on Saturdays.",
            about("Brookside", "place", opening_hours="Tue-Sat 09:00-18:00"),
        ),
        ("Room 12 is on the first floor.", "Room 12 is on the third floor.", about("Room 12", "room", floor="3")),
        (
            "Bruno has been with us for two years.",
            "Bruno has been with us for about twelve years.",
            about("Bruno", "person", joined="2014-02-01"),
        ),
    ],
)
def test_a_record_in_another_form_is_read_as_what_it_says(wrong: str, right: str, known: dict[str, Any]) -> None:
    assert find_kinds(wrong, knowledge=known) == {"WrongAttribute"}
    assert find_kinds(right, knowledge=known) == set()


def test_hours_of_other_days_do_not_replace_what_was_said_of_weekdays() -> None:
    turns = [
        {"turn_id": 1, "speaker": "user", "text": "Until when is the library open during the week?"},
        {"turn_id": 2, "speaker": "assistant", "text": "Monday to Friday it is open until 8 p.m."},
        {"turn_id": 3, "speaker": "user", "text": "And at weekends?"},
        {"turn_id": 4, "speaker": "assistant", "text": "Saturdays until 4 p.m., closed on Sundays."},
        {"turn_id": 5, "speaker": "user", "text": "Sorry, what was it for weekdays?"},
    ]
    assert find_kinds("The library closes at six on weekdays.", dialogue=turns) == {"ContradictsPrior"}
    assert find_kinds("The library closes at eight on weekdays.", dialogue=turns) == set()


def test_a_word_that_names_two_states_names_both() -> None:
    assert exclude_each_other("The invoice has been settled", "overdue")
    assert agree("The dispute has been settled", "closed")


# ── the record in a sentence ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("attribute", "value", "sentence"),
    [
        ("pets", "not allowed", "Pets are not allowed at Sonnblick."),
        ("prescription_required", "yes", "Prescription is required for Sonnblick."),
        ("breakfast_included", "no", "Breakfast is not included with Sonnblick."),
        ("fuel", "diesel", "Sonnblick runs on diesel."),
        ("sauna", "yes", "Sonnblick has a sauna."),
        ("status", "required", "Sonnblick is required."),
    ],
)
def test_what_is_ruled_at_a_place_is_told_as_a_rule(attribute: str, value: str, sentence: str) -> None:
    assert tell_plainly("Sonnblick", "hotel", attribute, value) == sentence
