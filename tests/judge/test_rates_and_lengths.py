"""Figures told in another way: per another span, of several, from when to when, as a part, rounded, too late."""

import pytest
from claim_judging import N, R, S, judge

from groundwire.judge.reckoning import find_exact, reckon_together
from groundwire.types import Passage, Verdict

DECIDED = [
    ("The pump moves 30 litres a minute.", "The pump moves 1,800 litres an hour.", S),
    ("The pump moves 40 litres a minute.", "The pump moves 1,800 litres an hour.", R),
    ("Your salary is 48,000 euros a year.", "My salary is 4,000 euros a month.", S),
    ("Your salary is 44,000 euros a year.", "My salary is 4,000 euros a month.", R),
    ("You swim 4 km a week.", "I swim 2 km twice a week.", S),
    ("You swim 2 km a week.", "I swim 2 km twice a week.", R),
    ("The lecture lasts 75 minutes.", "The lecture is from 10:15 to 11:30.", S),
    ("The lecture lasts an hour and a half.", "The lecture is from 10:15 to 11:30.", R),
    ("The night shift lasts eight hours.", "The night shift runs from 10 pm to 6 am.", S),
    ("Four chairs cost 220 dollars.", "A chair costs 55 dollars.", S),
    ("The six boxes weigh 27 kg.", "Each box weighs 4.5 kg.", S),
    ("The fee is 45 euros.", "The fee is 15% of the 300 euro rent.", S),
    ("The fee is 40 euros.", "The fee is 15% of the 300 euro rent.", R),
    ("The fence is about 50 feet long.", "The fence is 15 metres long.", S),
    ("The choir has around 60 singers.", "The choir has 61 singers.", S),
    ("The coach left at 14:20.", "The coach was due at 14:00 and left 20 minutes late.", S),
    ("The coach left at 14:00.", "The coach was due at 14:00 and left 20 minutes late.", R),
    ("The course ends on 15 June 2024.", "The course starts on 1 June 2024 and lasts two weeks.", S),
]
OPEN = [
    ("You go to eight lessons a month.", "I go to two lessons a week."),
    ("You work 40 hours a week.", "I work eight hours a day."),
    ("The pump moves 30 litres a minute.", "The pump moves about 1,800 litres an hour."),
    ("Four chairs cost 200 dollars.", "A chair costs 55 dollars."),
    ("Four chairs cost 220 dollars.", "The chairs cost 55 dollars."),
    ("The lecture lasts about an hour.", "The lecture is from 10:15 to 11:30."),
    ("The choir has around 80 singers.", "The choir has 61 singers."),
    ("The coach left at 15:40.", "The coach was due at 14:00 and left 20 minutes late."),
]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(("claim", "evidence", "verdict"), DECIDED)
def test_a_figure_told_in_another_way_is_reckoned(claim: str, evidence: str, verdict: Verdict):
    found = find_exact(claim, Passage("m1", evidence))
    assert found is not None
    assert found.exact
    assert found.verdict is verdict


@pytest.mark.parametrize(("claim", "evidence"), OPEN)
def test_what_does_not_follow_exactly_is_left_open(claim: str, evidence: str):
    found = find_exact(claim, Passage("m1", evidence))
    assert found is None or found.verdict is N


@pytest.mark.parametrize(("claim", "evidence", "verdict"), DECIDED)
def test_reckoning_comes_before_words_in_a_report(claim: str, evidence: str, verdict: Verdict):
    assert judge(claim, evidence) is verdict


@pytest.mark.parametrize(
    ("claim", "memories", "verdict"),
    [
        (
            "Your ferry arrives before the museum closes.",
            ["My ferry arrives at 13:15.", "The museum closes at 17:00."],
            S,
        ),
        (
            "Your ferry arrives after the museum closes.",
            ["My ferry arrives at 13:15.", "The museum closes at 17:00."],
            R,
        ),
        ("Rosa is taller than Finn.", ["Rosa is taller than Mats.", "Mats is taller than Finn."], S),
        ("Finn is taller than Rosa.", ["Rosa is taller than Mats.", "Mats is taller than Finn."], R),
        (
            "The Elbe is longer than the Ems.",
            ["The Weser is shorter than the Elbe.", "The Ems is shorter than the Weser."],
            S,
        ),
    ],
)
def test_two_memories_are_reckoned_together(claim: str, memories: list[str], verdict: Verdict):
    found = reckon_together(claim, [Passage(f"m{i}", text) for i, text in enumerate(memories)])
    assert found is not None
    assert found.verdict is verdict


@pytest.mark.parametrize(
    ("claim", "memories"),
    [
        ("Rosa is taller than Finn.", ["Rosa is taller than Mats.", "Finn is taller than Mats."]),
        ("Rosa is taller than Finn.", ["Rosa is older than Mats.", "Mats is taller than Finn."]),
        ("Rosa is taller than Finn.", ["Rosa is taller than Mats.", "Mats is not taller than Finn."]),
    ],
)
def test_a_broken_chain_says_nothing(claim: str, memories: list[str]):
    assert reckon_together(claim, [Passage(f"m{i}", text) for i, text in enumerate(memories)]) is None
