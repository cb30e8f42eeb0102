"""Near misses: every word of the evidence, and one small word that makes something else of it."""

from __future__ import annotations

import pytest

from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types import Verdict

_RULES = Groundwire(settings=Settings(judge="rules"))

_NEAR_MISSES = {
    "from and to exchanged": [
        ("The clinic relocated from Ghent to Antwerp in 2018.", "The clinic relocated from Antwerp to Ghent in 2018."),
        ("I switched from Telenor to Telia.", "You moved from Telia to Telenor."),
    ],
    "asked for or to come, and not done": [
        ("Water the ferns on Monday, please.", "The ferns have been watered."),
        ("Yes, please order the gaskets.", "The gaskets have been ordered."),
        ("Could you renew the domain today?", "The domain was renewed."),
        ("Lena resigns at the end of the month.", "Lena has already resigned."),
        ("The museum will open in autumn.", "The museum has already opened."),
        ("My cousin visited in July.", "Your cousin will visit in July."),
    ],
    "still and again": [
        ("My passport expired in May, but I renewed it.", "Your passport is still expired."),
        ("My dad retired from the post office in 2015 and mends clocks.", "Your dad still works for the post office."),
        ("The sensor failed once in March.", "The sensor failed again in March."),
    ],
    "all of them, and nobody else": [
        ("The team's away games are shown online.", "All of the team's games are shown online."),
        ("The red wines of the estate are organic; its whites are not.", "All wines of the estate are organic."),
        ("Omar finished the marathon and went home.", "Omar finished the marathon by himself."),
    ],
    "compared otherwise, or not at all": [
        ("The bakery sells more rye than wheat bread.", "The bakery sells exactly as much rye as wheat bread."),
        (
            "The violin lesson is on Monday. The cello lesson is short.",
            "The violin lesson is longer than the cello one.",
        ),
    ],
    "when, where and how": [
        ("The seminar takes place during the spring break.", "The seminar takes place after the spring break."),
        ("The parser reads tokens lazily.", "The parser reads tokens eagerly."),
        ("The ship lies at anchor off Malta.", "The ship lies ashore off Malta."),
        ("The ferry sails at noon, not at nine o'clock.", "The ferry sails at nine o'clock."),
        ("We took the bus instead of cycling to the lake.", "You cycled to the lake."),
    ],
    "told of another": [
        ("Pavel wrote a reference for Noor.", "Noor wrote a reference for Pavel."),
        ("The hall roof was repaired in April.", "Mr Adeyemi repaired the hall roof."),
        ("My sister is staying with my aunt.", "Your sister is staying with you."),
        ("Sample 4 degraded. Samples 2 and 3 fine.", "Sample 3 was degraded."),
        ("Ravi is my youngest.", "Ravi is your eldest."),
    ],
    "another verb": [
        ("I took up chess last winter.", "You gave up chess last winter."),
        ("Kalina Foods and Brun Dairy merged in 2009.", "Kalina Foods and Brun Dairy called off their merger."),
        ("Zuri's employer is the Mombasa Port Authority.", "Zuri lives in Mombasa."),
        ("Third time last month, mild. Covid in 2020.", "You're vaccinated."),
    ],
}


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(("evidence", "claim"), [pair for pairs in _NEAR_MISSES.values() for pair in pairs])
def test_a_near_miss_is_not_supported(evidence: str, claim: str):
    assert _RULES.judge(claim, [evidence]).verdict is not Verdict.SUPPORTED


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ("I moved from Ghent to Antwerp in 2018.", "You moved to Antwerp from Ghent in 2018."),
        ("I live in Porto.", "You still live in Porto."),
        ("I still play squash with Leo.", "You still play squash with Leo."),
        ("All our games are shown online.", "Every game of yours is shown online."),
        ("I built the shed myself.", "You built the shed yourself."),
        ("Lena resigned in March.", "Lena has already resigned."),
        ("I have a dog called Rex.", "You already have a dog."),
        ("She's finished her thesis.", "She has finished her thesis."),
        ("The ferry sails at noon, not at nine o'clock.", "The ferry sails at noon."),
        ("I usually cycle instead of driving to work.", "You usually cycle to work."),
        ("The hall roof was repaired by Mr Adeyemi.", "Mr Adeyemi repaired the hall roof."),
        ("Pavel wrote a reference for Noor.", "A reference for Noor was written by Pavel."),
        ("My cousin visited me in July.", "Your cousin visited you in July."),
        ("I gave up chess last winter.", "You gave up chess last winter."),
        ("He turned down the offer.", "He rejected the offer."),
        ("I'm employed by Brandt & Co.", "You work for Brandt & Co."),
        ("After lunch I walk the dog.", "You walk the dog after lunch."),
        ("The kids have swimming every Tuesday.", "Your kids have swimming every Tuesday."),
        ("I arrive later than Ben does.", "Ben arrives earlier than you."),
    ],
)
def test_what_has_its_counterpart_is_supported_as_before(evidence: str, claim: str):
    assert _RULES.judge(claim, [evidence]).verdict is Verdict.SUPPORTED


@pytest.mark.requirement("JDG-020")
def test_two_memories_that_follow_each_other_are_an_order():
    memories = ["I used to be a lifeguard.", "I'm a paramedic."]
    assert _RULES.judge("You were a lifeguard before you became a paramedic.", memories).verdict is Verdict.SUPPORTED


@pytest.mark.requirement("JDG-020")
def test_a_clause_that_was_not_read_is_not_supported_by_the_one_that_was():
    evidence = "It took years to tell my parents. They took it better than I feared."
    assert _RULES.judge("Your parents were angrier than you had feared.", [evidence]).verdict is not Verdict.SUPPORTED
