"""Claims of sentences that leave something out, or only say that something seems so."""

from __future__ import annotations

import pytest

from groundwire.text.reading import read_text


def claims(text: str) -> list[str]:
    return [read.claim.text for read in read_text(text).claims]


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Your mother is 71 and your father 74.", ["Your mother is 71", "Your father is 74"]),
        (
            "Ana's son is called Mateo, and yours is called Leo.",
            ["Ana's son is called Mateo", "Your son is called Leo"],
        ),
        ("Heron is a small app hosted on Fly.io.", ["Heron is a small app", "Heron is hosted on Fly.io"]),
        ("You've had the braces since last autumn.", ["You've had the braces since last autumn"]),
        ("You last gave blood in June.", ["You last gave blood in June"]),
        ("It stores its files in S3.", ["It stores its files in S3"]),
        (
            "Your team is on Slack now; until the summer it used Teams.",
            ["Your team is on Slack now", "Your team used Teams until the summer"],
        ),
        ("You cycle to work.", ["You cycle to work"]),
        ("Our gardener waters the lawn when it is dry.", ["Our gardener waters the lawn when it is dry"]),
        ("I have a tortoise. She is 34 years old.", ["I have a tortoise", "The tortoise is 34 years old"]),
    ],
)
def test_what_is_left_out_is_put_in_again(text: str, expected: list[str]):
    assert claims(text) == expected


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It looks as though you switched from Vim to Helix.", ["You switched from Vim to Helix"]),
        ("You live in Oulu, judging by your latest note.", ["You live in Oulu"]),
        ("I'm not certain about this one.", []),
        ("Please check which one is right.", []),
    ],
)
def test_how_sure_the_speaker_is_and_from_where_is_no_claim(text: str, expected: list[str]):
    assert claims(text) == expected


@pytest.mark.requirement("TXT-010")
@pytest.mark.parametrize("text", ["My son goes to judo.", "My boss moved to Berlin."])
def test_where_somebody_goes_is_not_who_it_is(text: str):
    assert not {fact.slot_type for fact in read_text(text).facts} & {"child", "manager"}


@pytest.mark.requirement("TXT-010")
def test_what_serves_as_somethings_is_it():
    facts = {(fact.subject, fact.slot_type, fact.raw) for fact in read_text("I use Vim as my editor.").facts}
    assert ("user's editor", "be", "Vim") in facts
