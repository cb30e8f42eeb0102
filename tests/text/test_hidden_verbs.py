"""A sentence whose verb looks like another word is a claim all the same."""

import pytest

from groundwire.text.claims import extract_claims


@pytest.mark.parametrize(
    "text",
    [
        "The gates of the park shut at dusk.",
        "The ferries to the island stop in winter.",
        "You freelance on weekends.",
        "Your aunt usually hosts the party.",
        "The 7:15 calls at Moss.",
        "All three cost the same.",
        "Pay arrives on the 25th.",
        "Your neighbours co-own the boat.",
        "My cousin's keen on fencing.",
        "Joana says the tiles came late.",
        "On Sundays staff can park for free.",
        "Your violin is worth 3,000.",
        "You have time on Thursday.",
        "You'd like a balcony.",
        "You mustn't drink milk.",
    ],
)
@pytest.mark.requirement("TXT-001")
def test_a_statement_always_gives_a_claim(text: str):
    claims = extract_claims(text)
    assert claims
    words = " ".join(claim.text for claim in claims).lower()
    assert all(word.strip(".,").lower() in words for word in text.split())


@pytest.mark.parametrize(
    "text",
    [
        "Notes from the front desk.", "Three cheers for the team.", "Check emails daily.",
        "Please sign for it.", "Don't drink from the tap.",
        "You'd like the soup there.", "It might be worth asking.",
    ],
)  # fmt: skip
def test_what_states_nothing_gives_no_claim(text: str):
    assert not extract_claims(text)


@pytest.mark.parametrize("text", ["Over eighty your aunt is.", "Under thirty you are."])
def test_what_is_left_of_a_sentence_that_was_not_understood_is_no_claim(text: str):
    (claim,) = extract_claims(text)
    assert claim.text == text
