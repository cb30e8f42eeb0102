"""What follows from two figures of the evidence: which came first, by how much it changed, which share."""

import pytest

from groundwire.judge.judge import RulesJudge, as_passages
from groundwire.judge.objections import find_objection
from groundwire.judge.reckoning import find_exact
from groundwire.judge.reprieves import find_reprieve
from groundwire.types import Passage, Verdict, VerifierInput

S, R = Verdict.SUPPORTED, Verdict.REFUTED

SHOP = "The shop closed at 18:00. The courier came at 17:00."
MARRIED = "I got married in 2015. I moved to Graz in 2012."
MERGER = "The merger was on 3 May 2021. The audit took place in June 2021."
INVOICE = "The invoice was sent on 3 March 2024. The invoice was paid on 1 March 2024."
WEIGHT = "I weighed 80 kg in January. I weigh 76 kg now."
RENT = "The rent was 700 euros last year. It is 750 euros now."
TEAM = "12 of 24 team members work remotely."

DECIDED = [
    ("The courier came before the shop closed.", SHOP, S),
    ("The courier came after the shop had closed.", SHOP, R),
    ("You moved to Graz before you got married.", MARRIED, S),
    ("You moved to Graz after you got married.", MARRIED, R),
    ("Ana arrived before Ben.", "Ana arrived at 9 am. Ben arrived at 10:30 am.", S),
    ("Ben arrived before Ana.", "Ana arrived at 9 am. Ben arrived at 10:30 am.", R),
    ("The audit took place after the merger.", MERGER, S),
    ("The audit took place before the merger.", MERGER, R),
    ("Ana was born after Ben.", "Ana was born in 1990. Ben was born in 1992.", R),
    ("The invoice was paid before it was sent.", INVOICE, S),
    ("The invoice was paid after it was sent.", INVOICE, R),
    ("Kim left the party before Lea arrived.", "Lea arrived at 8 pm. Kim left the party at 11 pm.", R),
    ("The bakery opens before the bank opens.", "The bakery opens at 6 am. The bank opens at 9 am.", S),
    ("The call began before the meeting ended.", "The meeting ended at 15:30. The call began at 16:00.", R),
    ("You lost 4 kg.", WEIGHT, S),
    ("You lost 5 kg.", WEIGHT, R),
    ("You gained 4 kg.", WEIGHT, R),
    ("You gained 3 kilos.", "I used to weigh 70 kg. Now I weigh 73 kg.", S),
    ("Your weight dropped by 4 kg.", "I weighed 80 kg in 2020. I weighed 76 kg in 2021.", S),
    ("You lost 4 kg.", "I weighed 80 kg in 2021. I weighed 76 kg in 2020.", R),
    ("The rent rose by 50 euros.", RENT, S),
    ("The rent rose by 70 euros.", RENT, R),
    ("The rent fell by 50 euros.", RENT, R),
    ("Half of the team works remotely.", TEAM, S),
    ("Half the team works remotely.", "12 of the 24 team members work remotely.", S),
    ("A third of the team works remotely.", TEAM, R),
    ("More than half of the team works remotely.", TEAM, R),
    ("At least half of the team works remotely.", TEAM, S),
    ("A quarter of the students passed.", "5 of 20 students passed.", S),
    ("Three quarters of the seats are sold.", "75 of the 100 seats are sold.", S),
    ("10% of the parcels were damaged.", "20 of 200 parcels were damaged.", S),
    ("20% of the parcels were damaged.", "20 of 200 parcels were damaged.", R),
    ("Half of the players are injured.", "Six of the twelve players are injured.", S),
]
OPEN = [
    ("The courier came after the shop had closed.", "The shop closed at six. The courier came at five."),
    ("The courier came after the plumber.", "The shop closed at 18:00. The courier came at 17:00."),
    ("The courier came after the shop closed.", "The shop closed at 18:00. The courier did not come at 17:00."),
    ("The release shipped after the review.", "The review was on Tuesday. The release shipped on Monday."),
    ("Mia called before Jo wrote.", "Mia called on Friday. Jo wrote in 2020."),
    ("Mia called before Jo called.", "Mia called in 2020. Jo called in 2020."),
    ("You lost 4 kg.", "I weigh 76 kg."),
    ("You lost 4 kg.", "My brother weighed 80 kg. I weigh 76 kg."),
    ("Ana lost 4 kg.", WEIGHT),
    ("You lost 4 kg.", "I weighed 80 kg or so in January. I weigh about 76 kg now."),
    ("You lost 4 keys.", "I had 8 keys in January. I have 4 keys now."),
    ("Half of the students failed.", "5 of 10 students passed."),
    ("Half of the students passed.", "5 of 10 students did not pass."),
    ("Nearly half of the students passed.", "5 of 10 students passed."),
    ("Half of the team works remotely.", "24 people are in the team."),
    ("Half of the sales team works remotely.", TEAM),
    ("A third of the votes were void.", "33 of 100 votes were void."),
]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(("claim", "evidence", "verdict"), DECIDED)
def test_two_figures_decide_what_follows_from_them(claim: str, evidence: str, verdict: Verdict):
    found = RulesJudge(lambda: 0.0).judge(VerifierInput(claim, as_passages([evidence])))
    assert found.verdict is verdict


@pytest.mark.parametrize(("claim", "evidence"), OPEN)
def test_nothing_follows_where_a_figure_is_open_or_of_something_else(claim: str, evidence: str):
    assert find_exact(claim, Passage("e1", evidence)) is None


def test_an_hour_without_its_half_of_the_day_withholds_without_deciding():
    shop = Passage("e1", "The shop closed at six. The courier came at five.")
    after, before = "The courier came after the shop had closed.", "The courier came before the shop had closed."
    assert find_objection(after, shop) is not None
    assert find_objection(before, shop) is None
    assert find_reprieve(before, shop) is not None
    assert find_reprieve(after, shop) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "is_reprieved"),
    [
        ("Your flight lands in Oslo at 7 pm.", "I fly to Oslo, arriving at 19:00.", True),
        ("The film is shown at 8:30 pm.", "The film begins at 20:30.", True),
        ("Your flight lands in Rome at 7 pm.", "I fly to Oslo, arriving at 19:00.", False),
        ("Your flight lands in Oslo at 8 pm.", "I fly to Oslo, arriving at 19:00.", False),
        ("The film is shown at 9 pm.", "The film begins at 20:30.", False),
    ],
)
def test_the_same_hour_in_other_figures_refutes_nothing(claim: str, evidence: str, is_reprieved: bool):
    found = find_reprieve(claim, Passage("e1", evidence))
    assert (found is not None and found.verdict is Verdict.INSUFFICIENT) is is_reprieved


@pytest.mark.requirement("JDG-020")
def test_what_was_issued_and_how_long_it_is_valid_tell_when_it_ends():
    passport = Passage("e1", "My passport, issued in 2021, is valid for ten years.")
    found = find_reprieve("Your passport expires in 2031.", passport)
    assert found is not None
    assert found.verdict is Verdict.SUPPORTED
    assert find_reprieve("Your passport expires in 2030.", passport) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        (
            "The north trail is longer than the south trail.",
            "The north trail is 9 km long; the south trail is 14 km long.",
            Verdict.REFUTED,
        ),
        (
            "The blue lamp is less expensive than the red lamp.",
            "The red lamp costs 40 euros. The blue lamp costs 35 euros.",
            Verdict.SUPPORTED,
        ),
        (
            "The red lamp is cheaper than the blue lamp.",
            "The red lamp costs 40 euros. The blue lamp costs 35 euros.",
            Verdict.REFUTED,
        ),
        ("Ana has fewer cats than Ben.", "Ana has 3 cats. Ben has 5 cats.", Verdict.SUPPORTED),
        ("Ana won more medals than Ben.", "Ana won 4 medals and Ben won 6 medals.", Verdict.REFUTED),
        ("The tram is faster than the bus.", "The tram takes 25 minutes. The bus takes 40 minutes.", Verdict.SUPPORTED),
        (
            "Your van weighs more than your car.",
            "My car weighs 1,400 kg and my van weighs 2 tonnes.",
            Verdict.SUPPORTED,
        ),
    ],
)
def test_two_figures_say_which_is_more(claim: str, evidence: str, verdict: Verdict):
    found = find_exact(claim, Passage(id="m", text=evidence))
    assert found is not None and (found.verdict, found.exact) == (verdict, True)


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The red lamp is cheaper than the blue lamp.", "The red lamp costs 40 euros. The blue lamp costs 35 dollars."),
        ("The red lamp is heavier than the blue lamp.", "The red lamp costs 40 euros. The blue lamp costs 35 euros."),
        ("The red lamp is cheaper than the green lamp.", "The red lamp costs 40 euros. The blue lamp costs 35 euros."),
        ("The red lamp is not cheaper than the blue lamp.", "The red lamp costs 4 euros. The blue lamp costs 5 euros."),
    ],
)
def test_figures_of_other_things_or_kinds_settle_nothing(claim: str, evidence: str):
    assert find_exact(claim, Passage(id="m", text=evidence)) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("40 of your members are students.", "Half of our 80 members are students.", Verdict.SUPPORTED),
        ("60 of your members are students.", "Half of our 80 members are students.", Verdict.REFUTED),
        ("30 of the 120 seats are free.", "A quarter of the 120 seats are free.", Verdict.SUPPORTED),
        ("Six of your vans are electric.", "20% of my 30 vans are electric.", Verdict.SUPPORTED),
    ],
)
def test_a_share_of_a_counted_whole_is_a_number(claim: str, evidence: str, verdict: Verdict):
    found = find_exact(claim, Passage(id="m", text=evidence))
    assert found is not None and found.verdict is verdict
