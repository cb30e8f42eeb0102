"""What somebody is, in a list that a verb ends; gaps behind a subject with a part of its own; pets called "her"."""

import pytest

from groundwire.text.claims import extract_claims


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("You're 46, left-handed and wear glasses.", ["You're 46", "You're left-handed", "You wear glasses"]),
        ("You are tall, vegetarian, and play chess.", ["You are tall", "You are vegetarian", "You play chess"]),
        ("The flat is bright, quiet and has two rooms.",
         ["The flat is bright", "The flat is quiet", "The flat has two rooms"]),
        ("You're 46, left-handed and vegan.", ["You're 46", "You're left-handed", "You're vegan"]),
        ("Ana is a nurse, Ben is a baker and Cleo sings.", ["Ana is a nurse", "Ben is a baker", "Cleo sings"]),
    ],
)  # fmt: skip
def test_a_list_of_what_somebody_is_ends_before_the_verb(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The backend of Pelican is written in Go and the frontend in Vue.",
         ["The backend of Pelican is written in Go", "The frontend is written in Vue"]),
        ("Your exam in statistics is on 21 February, and the resit in April.",
         ["Your exam in statistics is on 21 February", "The resit is in April"]),
        ("The head of sales is from Oslo and the head of finance from Rome.",
         ["The head of sales is from Oslo", "The head of finance is from Rome"]),
        ("The rent for the flat is due on Monday and the deposit on Friday.",
         ["The rent for the flat is due on Monday", "The deposit is due on Friday"]),
        ("Your meeting is on Friday, and the team in Oslo is ready.",
         ["Your meeting is on Friday", "The team in Oslo is ready"]),
        ("The museum is open on Monday and the first Sunday in May.",
         ["The museum is open on Monday in May", "The museum is open on the first Sunday in May"]),
    ],
)  # fmt: skip
def test_a_gap_is_filled_behind_a_subject_with_a_part_of_its_own(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims


@pytest.mark.requirement("TXT-010")
def test_a_pet_keeps_its_pronoun_when_it_is_said_what_it_is():
    told = [claim.text for claim in extract_claims("Your dog Luna is a whippet, and her vet is Dr. Achterberg.")]
    assert told == ["Your dog Luna is a whippet", "Your dog Luna's vet is Dr. Achterberg"]
