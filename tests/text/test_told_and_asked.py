"""A sentence that tells something and goes on to ask."""

import pytest

from groundwire.text.claims import extract_claims


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Your manager is Kenji Murata; why not ask him?", ["Your manager is Kenji Murata"]),
        ("Your train leaves at 9:40 – shall I set an alarm?", ["Your train leaves at 9:40"]),
        ("Ana sings in the choir - do you want her number?", ["Ana sings in the choir"]),
        ("Do you know your manager; is it Ben?", []),
        ("Is your manager Ben or Olga; who is it?", []),
        ("Your manager is Ben; right?", []),
        ("I have one question – is Kenji your manager?", []),
        ("It depends - do you want to write or call?", []),
        ("I wonder: is your manager Ben?", []),
    ],
)
def test_what_stands_before_a_question_is_a_claim_and_the_question_is_none(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims
