"""Statements that give each other away: products and shares, exceptions told again, one property in two forms."""

from __future__ import annotations

import pytest
from text_examining import find_logical

WRONG = [
    "The school has 90 pupils in three classes, with 40 pupils in each class.",
    "We bought four pens at 2 euros each and a pad for 5 euros. That came to 15 euros.",
    "Of the 60 seats, two thirds are taken. That's 30 seats.",
    "Rents went from 500 to 600 euros, a rise of 40 percent.",
    "The average of 4, 6 and 8 is 7.",
    "The prize is divided equally among the four winners, each getting half.",
    "The day has two stages of 30 and 45 km, for a total of 90 km.",
    "The tank holds 80 litres and is half full, so there are 50 litres in it.",
    "All guests except Olga ordered dessert. Olga's dessert came last.",
    "The pool is open daily except Fridays. On Fridays it opens at noon.",
    "Everybody apart from Piet signed the card. Piet signed it in green.",
    "The crate weighs 30 kg. With a weight of 45 kg, the crate needs two people.",
    "The arena seats 8,000. Its capacity of 12,000 makes it popular.",
    "The mayor is Ines Prado. Mayor Tom Lund opened the fair.",
    "Team A reports to team B. Team B reports to team A.",
]
RIGHT = [
    "The school has 90 pupils in three classes, with 30 pupils in each class.",
    "We bought four pens at 2 euros each and a pad for 5 euros. That came to 13 euros.",
    "Of the 60 seats, two thirds are taken. That's 40 seats.",
    "Rents went from 500 to 600 euros, a rise of 20 percent.",
    "The average of 4, 6 and 8 is 6.",
    "The prize is divided equally among the four winners, each getting a quarter.",
    "The day has two stages of 30 and 45 km, for a total of 75 km.",
    "All guests except Olga ordered dessert. Olga had a coffee.",
    "The pool is open daily except Fridays. On Saturdays it opens at noon.",
    "Everybody apart from Piet speaks Frisian. Piet speaks Dutch.",
    "The crate weighs 30 kg. The lid has a weight of 4 kg.",
    "The arena seats 8,000. For concerts, its capacity is 12,000.",
    "The mayor is Ines Prado. Deputy mayor Tom Lund opened the fair.",
    "The village has 700 inhabitants. In 1950 it had a population of 2,000.",
    "Team A reports to team B. Team B reports to the board.",
    "Donations: 400 euros in cash, 350 by card, 250 by transfer.",
]


@pytest.mark.requirement("DET-032")
@pytest.mark.parametrize("text", WRONG)
def test_what_can_be_reckoned_is_reckoned(text: str) -> None:
    assert len(find_logical(text)) == 1


@pytest.mark.requirement("DET-032")
@pytest.mark.parametrize("text", RIGHT)
def test_what_fits_is_left_alone(text: str) -> None:
    assert find_logical(text) == []
