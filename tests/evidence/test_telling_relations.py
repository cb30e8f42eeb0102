"""A relation on record, as people would say it: which of the two does it is told by its name."""

from __future__ import annotations

import pytest

from groundwire.evidence.phrasing import tell, tell_plainly
from groundwire.evidence.relating import tell_relation


@pytest.mark.parametrize(
    ("relation", "told"),
    [
        ("acquired", "Corvane acquired Talvik."),
        ("acquired_by", "Corvane was acquired by Talvik."),
        ("owned_by", "Corvane is owned by Talvik."),
        ("reports_to", "Corvane reports to Talvik."),
        ("collaborated_with", "Corvane collaborated with Talvik."),
        ("allied_with", "Corvane is allied with Talvik."),
        ("issued_to", "Corvane was issued to Talvik."),
        ("sails_between", "Corvane sails between Talvik."),
        ("worksFor", "Corvane works for Talvik."),
        ("depend-on", "Corvane depends on Talvik."),
    ],
)
def test_a_verb_says_who_does_it_to_whom(relation: str, told: str) -> None:
    assert tell_relation("Corvane", "company", relation, "Talvik") == told


@pytest.mark.parametrize(
    ("relation", "told"),
    [
        ("mother_of", "Hanna is the mother of Clara."),
        ("member_of", "Hanna is a member of Clara."),
        ("employee_of", "Hanna is an employee of Clara."),
        ("is_part_of", "Hanna is part of Clara."),
        ("downstream_of", "Hanna is downstream of Clara."),
        ("older_than", "Hanna is older than Clara."),
        ("sister", "Hanna's sister is Clara."),
    ],
)
def test_a_noun_or_a_preposition_says_how_they_stand_to_each_other(relation: str, told: str) -> None:
    assert tell_relation("Hanna", "person", relation, "Clara") == told


def test_a_day_is_told_as_people_write_it() -> None:
    assert (
        tell_plainly("Slow Harbour", "album", "released", "2023-10-06")
        == "Slow Harbour was released on 6 October 2023."
    )
    assert tell_plainly("Slow Harbour", "album", "code", "2023-77-06") == "Slow Harbour's code is 2023-77-06."


def test_a_span_of_time_is_no_hour_and_a_day_off_no_date() -> None:
    assert tell("Dune Fox", "game", "playing_time", "45 min") == "Dune Fox's playing time is 45 min."
    assert tell("Acme", "company", "closed_on", "Monday") == "Acme is closed on Monday."
