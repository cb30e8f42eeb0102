"""Figures that the user asked for: what follows from those of the question contradicts none of them."""

import pytest

from groundwire import Groundwire
from groundwire.detect.review.asked import follows

WIRE = Groundwire()


def _kinds(question: str, response: str) -> set[str]:
    report = WIRE.detect(response, dialogue=[{"turn_id": 1, "speaker": "user", "text": question}])
    return {flag.hallucination_type.value for flag in report.flags}


@pytest.mark.parametrize(
    ("question", "response"),
    [
        (
            "Plan A: 30 euros, 20 GB. Plan B: 25 euros, 10 GB. Compare them.",
            "Plan B is 5 euros cheaper. Per gigabyte you pay 1.50 euros with A and 2.50 euros with B.",
        ),
        (
            "A survey of 400 nurses found that 62 percent skip breaks. How many nurses is that?",
            "That's 248 nurses, so 152 don't.",
        ),
        (
            "My recipe for 4 people has 300 g of flour and 2 eggs. What do I need for 10 people?",
            "For ten people you need 750 g of flour and five eggs.",
        ),
        (
            "Three chairs at 45 pounds each, one table at 160 pounds, 10 percent discount. What's the total?",
            "The chairs come to 135 pounds and the table to 160 pounds. With 10 percent off, you pay 265.50 pounds.",
        ),
        (
            "Oak Street has 72 square metres and Bell Lane has 60 square metres. Compare the two flats.",
            "The flat on Oak Street is 12 square metres bigger than the one on Bell Lane.",
        ),
    ],
)
def test_what_was_asked_to_be_worked_out_is_no_contradiction(question: str, response: str):
    assert _kinds(question, response) == set()


@pytest.mark.parametrize(
    ("question", "response"),
    [
        ("Our hall has 120 seats and the party is at 7 pm.", "Your hall has 150 seats."),
        ("My flight to Rome leaves at 9:40 on Friday.", "Your flight to Rome leaves at 11:15 on Friday."),
        ("The rent is 940 euros.", "The rent is 850 euros."),
    ],
)
def test_another_figure_than_the_user_gave_is_one(question: str, response: str):
    assert "ContradictsPrior" in _kinds(question, response)


@pytest.mark.parametrize(
    ("figure", "given", "is_so"),
    [
        (248.0, {400.0, 62.0}, True),
        (1.5, {30.0, 20.0}, True),
        (265.5, {295.0, 10.0}, True),
        (750.0, {4.0, 300.0, 10.0}, True),
        (260.0, {400.0, 62.0}, False),
        (17.0, {4.0, 300.0}, False),
    ],
)
def test_a_figure_follows_from_two_or_a_large_one_from_three(figure: float, given: set[float], is_so: bool):
    assert follows(figure, frozenset(given), frozenset()) is is_so
