"""What is told again, in part or in other words, is no contradiction; what rules of the read gate refute is one."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from groundwire.app import Groundwire
from groundwire.detect.amounts.figures import find_shares
from groundwire.detect.logic.parts import part
from groundwire.detect.sightings import look_at
from groundwire.text.segments import segment_response
from groundwire.types.detection import Correct, Remove

NOW = datetime(2026, 3, 14, tzinfo=UTC)


@cache
def wire() -> Groundwire:
    return Groundwire()


def find_kinds(text: str, *, said: tuple[str, ...] = (), **knowledge: Any) -> set[str]:
    turns = [{"turn_id": i, "speaker": "user", "text": line} for i, line in enumerate(said)]
    report = wire().detect(text, dialogue=turns or None, knowledge=knowledge or None, now=NOW)
    assert not any(isinstance(action, Correct | Remove) for action in report.actions) or report.flags
    return {flag.hallucination_type.value for flag in report.flags}


# ── stored statements ───────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("The library is currently at version 2.14.0.", ["The library is currently at version 2.13.0."]),
        ("Production is in the Dublin region.", ["Staging is in Dublin.", "Production is in the Stockholm region."]),
        ("The incident lasted fifty minutes.", ["The incident lasted fifteen minutes.", "The review takes an hour."]),
        ("Your birthday is July 19.", ["The user's birthday is July 9.", "The user's anniversary is on July 19."]),
        ("The keynote will be held in Hall B.", ["The keynote will be held in Hall D."]),
    ],
)
def test_what_the_read_gate_refutes_by_a_stored_statement_contradicts_it(text: str, statements: list[str]) -> None:
    assert "ContradictsFact" in find_kinds(text, statements=statements)


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("Piet owns the cart module.", ["Hanne owns the checkout module.", "Piet owns the cart module."]),
        ("The incident lasted fifteen minutes.", ["The incident lasted 15 minutes.", "The review takes an hour."]),
        ("Today is Saturday, so the office is closed.", ["The office is open Monday to Friday from 8:00 to 16:30."]),
        ("It's slower, but you save 40 euros.", ["The bus costs 19 euros.", "The train costs 59 euros."]),
        ("A Linux version is planned but not available yet.", ["A Linux version of DraftPad is planned."]),
    ],
)
def test_what_is_known_in_other_words_is_left_alone(text: str, statements: list[str]) -> None:
    assert not find_kinds(text, statements=statements)


@pytest.mark.requirement("DET-021")
def test_what_somebody_said_before_is_no_claim_about_the_record() -> None:
    meeting = {"name": "Budget meeting", "type": "event", "attributes": {"time": "16:00"}}
    assert "ContradictsFact" not in find_kinds("Earlier I said the meeting was at three.", entities=[meeting])
    assert "ContradictsFact" in find_kinds("As I said, the budget meeting is at 15:00.", entities=[meeting])


# ── records ─────────────────────────────────────────────────────────────────────────────────────

STAFF = {"name": "Samir Khan", "type": "person", "aliases": ["Samir"]}


@pytest.mark.requirement("DET-020")
def test_a_job_at_the_workplace_on_record_is_the_job_on_record() -> None:
    record = {**STAFF, "attributes": {"occupation": "pharmacist", "workplace": "St. Luke's"}}
    assert "WrongAttribute" in find_kinds("Samir is a nurse at St. Luke's.", entities=[record])
    assert "WrongAttribute" not in find_kinds("Samir is a pharmacist at St. Luke's.", entities=[record])


@pytest.mark.requirement("DET-020")
@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("Samir used to be a teacher.", {"current_use": "office", "occupation": "nurse"}),
        ("Samir was the first in his family to go to university.", {"studied": "physics, Padua"}),
        ("Samir has hydraulic disc brakes on his bike.", {"type_of_bike": "trekking", "brakes": "hydraulic disc"}),
    ],
)
def test_what_is_former_general_or_of_another_attribute_is_not_the_value_on_record(
    text: str, attributes: dict[str, Any]
) -> None:
    assert "WrongAttribute" not in find_kinds(text, entities=[{**STAFF, "attributes": attributes}])


@pytest.mark.requirement("DET-018")
@pytest.mark.parametrize(
    "text",
    [
        "You don't work at Monzo.",
        "Aw, of course I know!",
        "New York City is where you live.",
        "You are at Amazon Web Services.",
    ],
)
def test_a_name_denied_spelt_out_or_known_to_all_is_not_made_up(text: str) -> None:
    assert "NonexistentEntity" not in find_kinds(text, statements=["The user works at AWS.", "The user lives in NYC."])


@pytest.mark.requirement("DET-018")
def test_a_name_beside_others_of_its_kind_is_no_place() -> None:
    projects = [
        {"name": f"Project {name}", "type": "project", "attributes": {"lead": "Eva"}} for name in ("Lark", "Wren")
    ]
    assert "NonexistentEntity" in find_kinds("It is stored in Project Nightingale's folder.", entities=projects)
    assert "NonexistentEntity" not in find_kinds("It is stored in Project Wren's folder.", entities=projects)


# ── the dialogue ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-024")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("You finished your PhD in 2019.", ("I finished my PhD in 2019.", "I started my PhD in 2014.")),
        ("Your mother's birthday is on July 2.", ("My mother's birthday is on July 2.", "Mine is on January 30.")),
        ("You turned 61 in March.", ("I turned 61 in March.", "My husband turned 64 in May.")),
    ],
)
def test_what_was_said_is_not_held_against_something_else_that_was_said(text: str, said: tuple[str, ...]) -> None:
    assert "ContradictsPrior" not in find_kinds(text, said=said)


@pytest.mark.requirement("DET-024")
def test_a_newer_value_still_outranks_what_was_said_first() -> None:
    assert "ContradictsPrior" in find_kinds(
        "Your birthday is 4 April.", said=("My birthday is 4 April.", "Sorry, my birthday is 14 April.")
    )
    assert "ContradictsPrior" in find_kinds("You live in Bonn.", said=("I live in Bonn.", "I live in Mainz."))


# ── within one answer ───────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-031")
@pytest.mark.parametrize(
    "text",
    [
        "Your mother lives in Tulsa. You live in Wichita.",
        "I rarely drive. Yesterday I drove to work.",
        "The soup is served cold. The main course is served hot.",
        "Basic membership is free. The premium membership fee is 30 euros a year.",
    ],
)
def test_two_things_and_what_is_so_as_a_rule_do_not_clash(text: str) -> None:
    assert "LogicalInconsistency" not in find_kinds(text)


@pytest.mark.requirement("DET-031")
def test_a_list_is_not_cut_into_statements() -> None:
    sightings = look_at(segment_response("It stars Ann Lee, Bo Ray, and Cy Fox, and it was shot in Oslo.", NOW))
    assert [seen.text for seen in part(sightings)] == ["It stars Ann Lee, Bo Ray, and Cy Fox", "it was shot in Oslo."]


# ── amounts ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-032")
@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("5 kg plus 3 kg makes 9 kg.", "5 kg plus 3 kg makes 8 kg."),
        ("Seven times eight is 54.", "Seven times eight is 56."),
        (
            "40 percent voted yes, 35 percent voted no and 35 percent abstained.",
            "40 percent voted yes, 35 percent voted no and 25 percent abstained.",
        ),
        (
            "Prices rose by 10 percent, so the ticket that used to cost 20 euros is now 18.",
            "Prices rose by 10 percent, so the ticket that used to cost 20 euros is now 22.",
        ),
        (
            "It costs 10 euros per person, so four people pay 50 euros.",
            "It costs 10 euros per person, so four people pay 40 euros.",
        ),
    ],
)
def test_arithmetic_that_is_wrong_is_told_from_what_is_right(wrong: str, right: str) -> None:
    assert "LogicalInconsistency" in find_kinds(wrong)
    assert not find_kinds(right)


@pytest.mark.requirement("DET-022")
def test_a_share_in_words_is_the_share_in_digits() -> None:
    assert find_shares("Forty percent, twenty-five per cent and 7%") == {40.0, 25.0, 7.0}
    assert "UnsupportedClaim" not in find_kinds(
        "About 40% of the fleet is new.", statements=["Forty percent of the fleet is new."]
    )
