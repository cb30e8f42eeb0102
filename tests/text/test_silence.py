"""A sentence that states something yields a claim, though its grammar was not understood; chat yields none."""

from __future__ import annotations

import pytest

from groundwire.text.claims import extract_claims
from groundwire.text.reading import read_text


@pytest.mark.parametrize(
    "text",
    [
        "Prosper is your husband.",
        "Yaw has a low opinion of the new man.",
        "Something dramatic happened last year in your control room.",
        "Both give cold water.",
        "Your parents minded the order.",
        "There were as many deaths as before.",
        "There are two market days a week.",
        "Snow leopards have never been seen together.",
    ],
)
def test_what_is_stated_is_claimed(text: str):
    assert [claim.text for claim in extract_claims(text)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "The bike would be better for your health.",
        "You may keep the 44s for good.",
        "A passer-by may have a drink at the bar.",
        "In 1970, a girl could not have been a pupil there.",
        "From the 1st you may run every day.",
        "An operation may prove unnecessary.",
    ],
)
def test_what_nobody_vouches_for_is_a_claim_with_a_hedge(text: str):
    (read,) = read_text(text).claims
    assert read.claim.hedged
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Happy to help with the letter.",
        "There's still time to find a present.",
        "The easiest option is a taxi.",
        "A garden flat makes sense.",
        "The meeting minutes.",
        "My notes disagree about your department.",
        "An older one says Irish.",
        "Please bring your badge.",
        "I could send it for you.",
        "With your experience you could judge the fair.",
        "No worries about that.",
        "Careful with this one.",
    ],
)
def test_chat_orders_and_talk_of_records_claim_nothing(text: str):
    assert not read_text(text).claims
