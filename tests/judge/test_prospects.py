"""What is still to come or hangs on a condition, and what is told as so."""

import pytest

from groundwire.judge.judge import RulesJudge, as_passages
from groundwire.judge.objections import find_objection
from groundwire.judge.prospects import find_prospect
from groundwire.types import Passage, Verdict, VerifierInput

TO_COME = [
    ("You visited Porto in May.", "In May I'm going to visit Porto."),
    ("Your passport expired.", "My passport expires next year."),
    ("The bridge is open.", "The bridge will open in June."),
    ("Ana is the new manager.", "Ana will be the new manager."),
    ("You have a new car.", "I will have a new car next week."),
    ("Tom has moved to Rome.", "Tom will move to Rome."),
    ("Lea finished the report.", "Lea will finish the report tomorrow."),
    ("The office was painted.", "The office is going to be painted in July."),
    ("Kim bought the house.", "Kim is going to buy the house."),
    ("The invoice has been paid.", "The invoice will be paid as soon as the goods arrive."),
    ("Your contract ended.", "My contract ends next month."),
]
CONDITIONAL = [
    ("The picnic is cancelled.", "The picnic will be cancelled if it rains."),
    ("The picnic will be cancelled.", "If it rains, the picnic will be cancelled."),
    ("You got the job.", "If I get the job, we will move to Bonn."),
    ("You move to Bonn.", "If I get the job, we will move to Bonn."),
    ("You bought the house.", "I would have bought the house if it had a garden."),
    ("Ben pays the fine.", "Ben will pay the fine unless the court decides otherwise."),
]
TOLD = [
    ("The meeting is on Friday.", "The meeting will be on Friday."),
    ("You are going to visit Porto in May.", "In May I'm going to visit Porto."),
    ("Your flight leaves at 8 am.", "My flight will leave at 8 am."),
    ("You visited Porto in May.", "I visited Porto in May."),
    ("The bridge is open.", "The bridge opened in June."),
    ("The bridge is open.", "The bridge is open and will close in June."),
    ("If it rains, the picnic is cancelled.", "The picnic will be cancelled if it rains."),
    ("You live in Bonn.", "I live in Bonn. If I get the job, we will move."),
    ("Ana asked if Bo was ill.", "Ana asked if Bo was ill."),
    ("A woman is on the phone.", "A woman is talking on the phone while standing next to a dog."),
    ("Bo works at Lumo.", "Bo works at Lumo and helps out if he is asked."),
    ("You have a dog.", "I have a dog. My dog would bark if I left."),
]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(("claim", "evidence"), [*TO_COME, *CONDITIONAL])
def test_a_plan_or_a_condition_does_not_say_that_it_is_so(claim: str, evidence: str):
    assert find_objection(claim, Passage("e1", evidence)) is not None
    found = RulesJudge(lambda: 0.0).judge(VerifierInput(claim, as_passages([evidence])))
    assert found.verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(("claim", "evidence"), TOLD)
def test_what_is_told_for_certain_or_for_a_time_is_not_held_back(claim: str, evidence: str):
    assert find_prospect(claim, Passage("e1", evidence)) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You sold the car to Ben.", "Ben sold me the car."),
        ("Pia lent you a drill.", "Pia borrowed my drill."),
        ("You gave Ana a key.", "Ana gave me a key."),
        ("Ben sent the parcel.", "I sent the parcel to Ben."),
        ("Kim bought a flat.", "Kim sold a flat."),
        ("All your children go to school.", "Two of my three children go to school."),
        ("Every guest came.", "Nine of ten guests came."),
        ("Kim is the youngest of the siblings.", "Kim is younger than her sister."),
    ],
)
def test_the_other_part_and_a_part_of_all_support_nothing(claim: str, evidence: str):
    assert find_objection(claim, Passage("e1", evidence)) is not None


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Ben sold you the car.", "Ben sold me the car."),
        ("You lent Pia your drill.", "I lent Pia my drill."),
        ("Kim sold a flat.", "Kim bought a flat and sold a flat."),
        ("The positions were developed by Ana.", "Ana developed the positions."),
        ("All your children go to school.", "All three of my children go to school."),
        ("Kim is the youngest of the siblings.", "Kim is younger than all her siblings."),
    ],
)
def test_the_same_part_in_other_words_may(claim: str, evidence: str):
    assert find_objection(claim, Passage("e1", evidence)) is None
