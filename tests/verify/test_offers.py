"""What an assistant offers to do is nothing that memories could bear out."""

import pytest

from groundwire import Groundwire
from groundwire.settings import Settings

RULES = Groundwire(settings=Settings(judge="rules"))


@pytest.mark.parametrize(
    "answer",
    [
        "Since your favourite tea is rooibos, I can add a box to the shopping list.",
        "Your favourite tea is rooibos. I'll keep that in mind.",
        "Your favourite tea is rooibos, so I could order some of it.",
        "As your favourite tea is rooibos, I would brew that.",
    ],
)
def test_an_offer_beside_a_fact_is_no_claim(answer: str):
    report = RULES.verify(answer, memories=["My favourite tea is rooibos."])
    assert report.grounded, report.claims
    assert len(report.claims) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "I'll book a table at Chez Marie.",
        "I can transfer 500 euros for you.",
        "We will launch in Berlin.",
        "You can add a box to the shopping list.",
        "I added a box to the shopping list.",
    ],
)
def test_names_figures_others_and_what_was_done_are_claimed(answer: str):
    assert not RULES.verify(answer, memories=["My favourite tea is rooibos."]).grounded


def test_an_offer_that_brings_up_what_a_memory_names_is_one():
    assert RULES.verify("I can call Dr. Kapoor for you.", memories=["My dentist is Dr. Kapoor."]).grounded


def test_what_somebody_says_of_his_own_plans_is_borne_out_by_his_own_words():
    report = RULES.verify("I will move to Berlin in May.", memories=["I will move to Berlin in May."])
    assert report.grounded
    assert len(report.claims) == 1


@pytest.mark.parametrize(
    "answer", ["I can swim.", "I will retire soon.", "I will run again soon.", "I can play the guitar."]
)
def test_what_says_all_of_an_answer_and_turns_to_nobody_stays_unchecked(answer: str):
    report = RULES.verify(answer, memories=["My favourite tea is rooibos."])
    assert not report.grounded
    assert report.unverifiable
