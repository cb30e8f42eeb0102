"""Recommendations and orders claim nothing, whatever the verb looks like."""

import pytest

from groundwire.text.claims import extract_claims


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    "text",
    [
        "A rhubarb tart is the safer choice.",
        "A garden flat makes sense.",
        "Rust is a great option for you.",
        "The easiest option is a taxi.",
        "Put the kettle on and take a break!",
        "Set an alarm and pack your bag tonight.",
        "Put your coat on.",
    ],
)
def test_what_is_recommended_or_ordered_is_no_claim(text: str):
    assert not extract_claims(text)


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    "text",
    [
        "The Polo was the best choice.",
        "Your best bet is the 9:40 train.",
        "Your neighbour makes honey.",
        "The choice is final.",
        "Put the house up for sale and moved to Graz.",
        "Cut sugar and quit smoking in 2020.",
    ],
)
def test_what_was_chosen_or_done_is_one(text: str):
    assert extract_claims(text)
