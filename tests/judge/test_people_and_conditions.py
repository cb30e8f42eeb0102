"""Who is meant, what only follows, and which words say the same of a person."""

from __future__ import annotations

import pytest

from groundwire.app import Groundwire
from groundwire.types import Memory, Passage, Verdict

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT


def judge(claim: str, evidence: str) -> Verdict:
    return Groundwire().judge(claim, [Passage(id="m", text=evidence)]).verdict


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("You have three horses.", "I do not have kids, but three horses.", S),
        ("You have kids.", "I do not have kids, but three horses.", R),
        ("You are a graduate student.", "I am a grad student.", S),
        ("You are a Buddhist.", "I practise Buddhism.", S),
        ("You are a Christian.", "I practise Buddhism.", R),
    ],
)
def test_a_memory_is_read_as_it_was_meant(claim: str, evidence: str, verdict: Verdict):
    assert judge(claim, evidence) is verdict


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The contract was signed.", "The contract is to be signed on Friday."),
        ("The contract has been signed.", "The contract is to be signed by both parties."),
        ("The trip is cancelled.", "If it rains, the trip is cancelled."),
        ("You need a visa to enter Russia.", "I need a visa to enter China."),
        ("You can speak French.", "Tom can speak French."),
    ],
)
def test_what_is_to_come_or_hangs_on_something_else_is_not_supported(claim: str, evidence: str):
    assert judge(claim, evidence) is not S


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You can take a cruise from the pier.", "Cruises are available from the pier."),
        ("The show was on air in the 1990s.", "A 1994 broadcast of the show won a prize."),
    ],
)
def test_anyone_may_be_meant_by_you_and_a_year_lies_in_its_decade(claim: str, evidence: str):
    assert judge(claim, evidence) is S


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("Henrik is your tenant.", "My landlord is called Henrik.", R),
        ("You are Tom's patient.", "Tom is my doctor.", S),
        ("Tom is your patient.", "Tom is my doctor.", R),
        ("Eva is your niece.", "I am Eva's aunt.", S),
        ("Acme is your supplier.", "Acme is one of our customers.", R),
        ("Nina lost the final to Olga.", "Nina beat Olga in the final.", R),
        ("Olga lost the final to Nina.", "Nina beat Olga in the final.", S),
        ("You bought a motorbike from your cousin Beni.", "I sold my motorbike to my cousin Beni.", R),
        ("You bought a car from Tom.", "I sold a house to Tom.", N),
    ],
)
def test_the_two_sides_of_a_relation_are_told_apart(claim: str, evidence: str, verdict: Verdict):
    assert judge(claim, evidence) is verdict


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("The rent is £940 per month.", "The rent is 940 pounds a month.", S),
        ("You speak fluent Danish.", "I speak Danish.", N),
        ("You speak fluent Danish.", "I am fluent in Danish.", S),
        ("You live in Riga.", "I have lived in Tallinn since 2011, before that in Riga.", R),
    ],
)
def test_figures_in_other_spelling_agree_and_more_than_was_said_is_not_supported(
    claim: str, evidence: str, verdict: Verdict
):
    assert judge(claim, evidence) is verdict


def test_what_serves_one_purpose_is_not_said_to_serve_another():
    assert judge("You use Redis to store orders.", "I use Redis to cache sessions.") is not S


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You use Jira for CI.", "We use GitLab for CI and Jira for tickets."),
        ("Ravi speaks Tamil at work.", "Ravi speaks Tamil at home and English at work."),
        ("All your members are students.", "Half of our 80 members are students."),
        ("You wear glasses all the time.", "I wear glasses only for reading."),
        ("You don't drink coffee at all.", "I don't drink coffee after noon."),
        ("The museum is free every day.", "The museum is free on Sundays; otherwise tickets cost 9 euros."),
        ("You never eat meat.", "I don't eat meat on Fridays."),
        ("The lift works around the clock.", "The lift works during office hours."),
        ("Rita was your tutor.", "I tutored Rita."),
        ("You have a garden.", "Before I moved to Turin I had a garden."),
        ("You replaced RabbitMQ with Kafka.", "We replaced Kafka with RabbitMQ in March."),
        ("You lent your stove to Joris.", "I lent my tent to Joris and my stove to Kim."),
        ("Leo resigned.", "Leo told Mia that Sam had resigned."),
        ("Zara manages Colin.", "Zara is my manager, and her manager is Colin."),
        ("The train arrived at 9:10.", "The train was supposed to arrive at 9:10 but came 25 minutes late."),
    ],
)
def test_words_that_are_all_there_but_go_with_something_else_support_nothing(claim: str, evidence: str):
    assert judge(claim, evidence) is not S
    report = Groundwire().verify(claim, memories=[Memory(id="m", text=evidence)])
    assert not report.grounded


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "grounded"),
    [("The blue lamp is cheaper than the red one.", True), ("The blue lamp is cheaper than the red lamp.", True),
     ("The red lamp is cheaper than the blue lamp.", False)],
)  # fmt: skip
def test_two_memories_give_a_figure_each(claim: str, grounded: bool):
    memories = [
        Memory(id="a", text="The red lamp costs 40 euros."),
        Memory(id="b", text="The blue lamp costs 35 euros."),
    ]
    assert Groundwire().verify(claim, memories=memories).grounded is grounded


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You use Jira for tickets.", "We use GitLab for CI and Jira for tickets."),
        ("Colin manages Zara.", "Zara is my manager, and her manager is Colin."),
        ("You don't drink coffee at all.", "I don't drink coffee."),
        ("You walk every day.", "I walk every day, also on Sundays."),
    ],
)
def test_the_same_in_full_is_supported(claim: str, evidence: str):
    assert judge(claim, evidence) is S
