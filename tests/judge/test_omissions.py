"""A date, a day or a figure of which the evidence says nothing keeps a model from supporting the claim."""

import pytest

from groundwire.judge.omissions import find_unmentioned
from groundwire.types import Passage

APRIL_2022 = 1_650_000_000


def lacks(claim: str, evidence: str, recorded: int | None = None) -> bool:
    return find_unmentioned(claim, Passage("e1", evidence, timestamp=recorded)) is not None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You have lived in Graz since 2019.", "I live in Graz."),
        ("You have lived in Graz since 2019.", "I have lived in Graz for years."),
        ("The mill closed in May 1951.", "The mill closed in 1950 and was torn down."),
        ("You work at Bosch on Mondays.", "I work at Bosch and play tennis on Fridays."),
        ("The orchestra has forty players.", "The orchestra has players from Oslo."),
    ],
)
def test_what_nothing_in_the_passage_could_mean_is_missing(claim: str, evidence: str):
    assert lacks(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You have lived in Graz since 2019.", "I moved to Graz in 2019."),
        ("You have lived in Graz since 2019.", "I moved to Graz two years ago."),
        ("The mill closed in the 1950s.", "The mill closed in 1951."),
        ("The mill closed in 1951.", "The mill closed around 1951."),
        ("You swim on Mondays.", "I swim every day."),
        ("You run in the morning.", "I run before work."),
        ("You have two children.", "I have a son and a daughter."),
        ("The box holds 12 eggs.", "The box holds a dozen eggs."),
        ("You have three sons.", "My sons are Abel, Enoch and Seth."),
        ("You live in Graz.", "I live in Graz."),
    ],
)
def test_what_may_be_told_in_other_words_is_left_to_the_model(claim: str, evidence: str):
    assert not lacks(claim, evidence)


def test_the_date_of_a_memory_tells_a_time_as_well():
    assert not lacks("You moved to Graz in April 2022.", "I just moved to Graz.", APRIL_2022)
    assert lacks("You moved to Graz in April 2021.", "I just moved to Graz.", APRIL_2022)


@pytest.mark.parametrize("unit", ["in 2019 ", "7, ", "on Monday ", "x", "漢 2019 字 ", "\x00 5 "])
def test_hostile_text_gives_an_answer(unit: str):
    lacks(unit * 40, unit * 2_000)
