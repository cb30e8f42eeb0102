"""The same statement of another time, hour or period, and words that deny each other by their form."""

from __future__ import annotations

import pytest

from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.text.thesaurus import are_opposites, denied_base
from groundwire.types import Polarity, Verdict

GATE = Groundwire(settings=Settings(judge="rules"))


def verdict(answer: str, *memories: str) -> Verdict:
    (claim,) = GATE.verify(answer, memories=memories).claims
    return claim.verdict


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory", "expected"),
    [
        ("You lived in Lima until 2021.", "I lived in Lima until 2020.", Verdict.REFUTED),
        ("You lived in Lima until 2020.", "I lived in Lima until 2020.", Verdict.SUPPORTED),
        ("You lived in Lima until March.", "I lived in Lima.", Verdict.SUPPORTED),
        ("Your team meets every Monday at nine.", "Our team meets on Mondays at 9 am.", Verdict.SUPPORTED),
        ("Your username is hvelasco_88.", "My username is hvelasco_89.", Verdict.REFUTED),
        ("You drive a Tesla Model 3 to work.", "I work at Piedmont Hospital.", Verdict.INSUFFICIENT),
    ],
)
def test_times_and_identifiers_are_part_of_what_is_said(answer: str, memory: str, expected: Verdict):
    assert verdict(answer, memory) is expected


@pytest.mark.requirement("JDG-020")
def test_last_year_says_nothing_of_this_year():
    found = verdict("The offsite will be held in Lisbon this year.", "Last year's offsite was held in Lisbon.")
    assert found is not Verdict.SUPPORTED


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("The standup is at 9.", "The standup was pushed from 9 to 10."),
        ("Ada is in sales.", "Ada switched from sales to support."),
        ("The limit is 50.", "The limit was raised from 50 to 80."),
    ],
)
def test_what_was_changed_from_is_not_what_holds(answer: str, memory: str):
    for judge in ("rules", "mini"):
        (claim,) = Groundwire(settings=Settings(judge=judge)).verify(answer, memories=[memory]).claims
        assert claim.verdict is not Verdict.SUPPORTED
    (claim,) = GATE.verify("The train runs from Rome.", memories=["The train runs from Rome to Milan."]).claims
    assert claim.verdict is Verdict.SUPPORTED


def test_what_is_hardly_true_is_denied():
    (claim,) = GATE.claims("It is hardly true that you own a boat.")
    assert claim.polarity is Polarity.NEGATIVE


@pytest.mark.parametrize(
    ("word", "base"),
    [("unpaid", "paid"), ("inactive", "active"), ("disconnected", "connected"), ("non-toxic", "toxic")],
)
def test_a_word_that_denies_another_is_its_opposite(word: str, base: str):
    assert denied_base(word) == base
    assert are_opposites(word, base)
    assert are_opposites(base, word)


@pytest.mark.parametrize("word", ["uncle", "under", "inside", "until", "distance", "unit", "none", "paid"])
def test_other_words_that_begin_so_deny_nothing(word: str):
    assert denied_base(word) is None


@pytest.mark.parametrize(
    ("answer", "memory", "expected"),
    [
        ("You no longer work at the aquarium.", "I used to work at the aquarium.", Verdict.SUPPORTED),
        ("You don't smoke anymore.", "I used to smoke.", Verdict.SUPPORTED),
        ("You do not play chess.", "I played chess yesterday.", Verdict.INSUFFICIENT),
        ("You never lived in Oslo.", "I lived in Oslo in 2010.", Verdict.REFUTED),
    ],
)
def test_what_used_to_be_is_no_longer_and_what_happened_once_ends_nothing(answer: str, memory: str, expected: Verdict):
    assert Groundwire(settings=Settings(judge="rules")).verify(answer, memories=[memory]).claims[0].verdict is expected


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You only repair clocks.", "I repair clocks."),
        ("Ada rarely paints boats.", "Ada paints boats."),
        ("Your blue car needs tyres.", "My car needs tyres."),
    ],
)
def test_only_rarely_and_blue_say_more_than_the_evidence(answer: str, memory: str):
    claim = Groundwire(settings=Settings(judge="rules")).verify(answer, memories=[memory]).claims[0]
    assert claim.verdict is not Verdict.SUPPORTED


@pytest.mark.requirement("JDG-020")
def test_what_the_user_has_their_mother_need_not_have():
    (claim,) = GATE.verify("Your mother has diabetes.", memories=["User has diabetes."]).claims
    assert claim.verdict is Verdict.INSUFFICIENT


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("The lighthouse was built in the nineteenth century.", "The lighthouse was built in 1874.", Verdict.SUPPORTED),
        ("The lighthouse was built in the 18th century.", "The lighthouse was built in 1874.", Verdict.REFUTED),
        ("The lighthouse was built in 1874.", "The lighthouse was built in the 1870s.", Verdict.INSUFFICIENT),
        ("The cache holds up to 9,000 items.", "The cache holds up to 900 items.", Verdict.REFUTED),
        ("Ada's office is on the second floor.", "Ada's office is room 204 on the second floor.", Verdict.SUPPORTED),
    ],
)
def test_a_period_holds_its_years_and_a_bound_is_one_number(claim: str, evidence: str, expected: Verdict):
    assert Groundwire(settings=Settings(judge="rules")).judge(claim, evidence=[evidence]).verdict is expected
