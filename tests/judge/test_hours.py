"""When something opens and closes, from the range in which it is open."""

import pytest

from groundwire.app import Groundwire
from groundwire.judge.hours import find_hours
from groundwire.settings import Settings
from groundwire.types import Memory, Passage, Verdict

S, R = Verdict.SUPPORTED, Verdict.REFUTED
SHOP = "The shop is open from 9:00 to 18:30."

DECIDED = [
    ("The shop closes at half past six.", SHOP, S),
    ("The shop closes at 6:30 pm.", SHOP, S),
    ("The shop opens at nine.", SHOP, S),
    ("The shop opens at 9 am.", SHOP, S),
    ("The shop opens at 10 am.", SHOP, R),
    ("The shop closes at 6 pm.", SHOP, R),
    ("The shop closes at nine.", SHOP, R),
    ("The shop opens at 18:30.", SHOP, R),
    ("The museum closes at five.", "The museum is open from ten to five.", S),
    ("The museum opens at eleven.", "The museum is open from ten to five.", R),
    ("The pool closes at 10 pm.", "The pool is open between 7 am and 10 pm.", S),
    ("The pool opens at 8 am.", "The pool is open between 7 am and 10 pm.", R),
    ("The office closes at 4 pm.", "The office is open until 4 pm.", S),
    ("The market ends at noon.", "The market runs from 7 am to noon.", S),
    ("The market starts at 8 am.", "The market runs from 7 am to noon.", R),
    ("Your shift ends at 22:00.", "My shift is from 14:00 to 22:00.", S),
    ("Your shift starts at 13:00.", "My shift is from 14:00 to 22:00.", R),
    ("The concert ends at 10 pm.", "The concert takes place from 8 pm to 10 pm.", S),
]
OPEN = [
    ("The shop closes at 6 pm.", "The shop is open until late."),
    ("The shop closes at 6 pm.", "The bakery is open from 9:00 to 18:30."),
    ("The shop closes at 6 pm.", "The shop is open from 9:00 to 18:30 on weekdays."),
    ("The shop closes at 6 pm.", "The shop is open from 9:00 to 18:30. The shop is open from 10:00 to 14:00."),
    ("The shop closes at 6 pm.", "The shop is not open from 9:00 to 18:30."),
    ("The shop does not close at 6 pm.", SHOP),
    ("The shop closes at 6 pm on Mondays.", SHOP),
    ("The shop closed at 6 pm.", SHOP),
    ("The sale starts at 9:00.", SHOP),
    ("The road runs at 9:00.", "The road runs from Rome to Milan."),
    ("The office opens at 8 am.", "The office is open until 4 pm."),
]


@pytest.mark.parametrize(("claim", "evidence", "verdict"), DECIDED)
def test_a_range_tells_both_ends(claim: str, evidence: str, verdict: Verdict):
    found = find_hours(claim, Passage("e1", evidence))
    assert found is not None
    assert (found.verdict, found.exact) == (verdict, True)


@pytest.mark.parametrize(("claim", "evidence"), OPEN)
def test_nothing_follows_from_another_range_or_one_of_certain_days(claim: str, evidence: str):
    assert find_hours(claim, Passage("e1", evidence)) is None


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("The gallery is open from 10 to 8.", ["The gallery opens at 10 and closes at 6."], Verdict.REFUTED),
        ("The gallery is open from 10 to 6.", ["The gallery opens at 10 and closes at 6."], Verdict.SUPPORTED),
        ("The shop is open until 8.", ["The shop closes at 6."], Verdict.REFUTED),
        ("The course runs from 14:00 to 16:00.", ["The course starts at 2 pm and ends at 4 pm."], Verdict.SUPPORTED),
        ("The course runs from 14:00 to 17:00.", ["The course starts at 2 pm and ends at 4 pm."], Verdict.REFUTED),
        ("The pool is open from 7 to 9.", ["The pool opens at 7."], Verdict.INSUFFICIENT),
        ("The pool is open from 7 to 9.", ["The pool opens at 7.", "The pool closes at 9."], Verdict.SUPPORTED),
        ("The pool is open from 7 to 9.", ["The pool opens at 7.", "The pool closes at 10."], Verdict.REFUTED),
    ],
)
def test_a_range_is_held_against_when_it_begins_and_ends(claim: str, evidence: list[str], verdict: Verdict):
    assert Groundwire().judge(claim, evidence=evidence).verdict is verdict


def test_a_range_is_corrected_at_the_end_that_is_wrong():
    report = Groundwire().verify("The shop is open until 8.", memories=[Memory(id="m", text="The shop closes at 6.")])
    assert report.corrected == "The shop is open until 6."


def test_the_end_that_is_wrong_is_not_taken_for_another_that_has_its_figure():
    memory = Memory(id="m", text="The bar opens at 18 and closes at 6.")
    report = Groundwire().verify("The bar is open from 18 to 8.", memories=[memory])
    assert (report.hallucinations, report.corrected) == (("8",), "The bar is open from 18 to 6.")


@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("The standup is at 10.", "Our standup is at 10:00.", S),
        ("Your standup is at ten.", "Our standup is at 10:00.", S),
        ("The shop closes at 8.", "The shop closes at 20:00.", S),
        ("The shop opens at nine.", "The shop opens at 10:00.", R),
        ("The shop closes at 8.", "The shop closes at 20:30.", R),
    ],
)
def test_an_hour_without_its_half_of_the_day_may_be_either(claim: str, evidence: str, verdict: Verdict):
    (report,) = Groundwire(settings=Settings(judge="rules")).verify(claim, memories=[evidence]).claims
    assert report.verdict is verdict
