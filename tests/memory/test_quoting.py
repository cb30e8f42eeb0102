"""A memory is as large as it was said."""

from __future__ import annotations

import pytest

from groundwire.judge.judge import RulesJudge
from groundwire.memory.candidates import Turn
from groundwire.memory.conversation import read_turns
from groundwire.memory.extraction import RuleExtractor
from groundwire.memory.intake import Intake

JUDGE = RulesJudge(lambda: 0.0)


@pytest.mark.requirement("EXT-008")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I own a bakery in Krakow.", "I own a bakery in Krakow"),
        ("In reality I rent a studio in Swansea.", "I rent a studio in Swansea"),
        ("Every Monday I volunteer at the food bank.", "Every Monday I volunteer at the food bank"),
        ("So on Tuesdays I teach yoga in Ghent.", "On Tuesdays I teach yoga in Ghent"),
        ("Every Sunday we have pancakes.", "Every Sunday we have pancakes"),
        ("By the way, I speak Korean.", "I speak Korean"),
        ("I have a cat called Mochi.", "I have a cat called Mochi"),
        ("I've got a motorbike, a 1998 Yamaha.", "I've got a motorbike, a 1998 Yamaha"),
        ("My wife and I have twins.", "My wife and I have twins"),
    ],
)
def test_when_where_and_what_stay_with_the_statement(said: str, kept: str) -> None:
    conversation = read_turns([Turn("user", said)])
    stored = Intake(conversation, JUDGE).run(RuleExtractor().extract(conversation)).stored
    assert [proposal.candidate.text for proposal in stored] == [kept]
    (place,) = stored[0].candidate.places
    assert said[place.span.start : place.span.end].casefold() == kept.casefold()
