"""The read gate without a model: rules are asked what a model would be asked."""

from __future__ import annotations

import pytest

from groundwire.types import Memory, VerificationReport
from groundwire.verify.report import GroundCheckVerifier

_RATES = ("My hourly rate is 50 pounds.", "My hourly rate is 65 pounds.")
_SCHOOLS = ("My daughter goes to St. Mark's.", "My daughter goes to Hillview School.")


def _verify(answer: str, *texts: str) -> VerificationReport:
    memories = [Memory(f"m{n}", text, 1.0, 1_600_000_000 + 10_000_000 * n) for n, text in enumerate(texts)]
    return GroundCheckVerifier().verify(answer, memories)


@pytest.mark.parametrize(
    ("memory", "answer", "wrong"),
    [
        ("Our office does its bookkeeping in QuickBooks.", "The bookkeeping in your office goes through Xero.", "Xero"),
        ("The demo is on Tuesday at 10 am.", "Tuesday's demo is at three in the afternoon.", "three in the afternoon"),
    ],
)
def test_another_value_of_what_there_is_one_is_wrong(memory: str, answer: str, wrong: str):
    assert any(wrong in part for part in _verify(answer, memory).hallucinations)


@pytest.mark.parametrize(
    ("memory", "answer"),
    [
        ("My brother's dog sleeps in the kitchen.", "Your dog sleeps in the garage."),
        ("The drill has a voltage of 18 volts.", "The drill has a voltage below 20 volts."),
        ("I work at Bosch.", "You live in Ulm."),
        ("I work for Bosch on Fridays.", "You live in Ulm on Fridays."),
        ("I like tea with lemon.", "You like tea with ginger."),
        ("I want to rent a flat in Graz.", "You rent a flat in Linz."),
    ],
)
def test_what_may_be_another_thing_is_not_wrong(memory: str, answer: str):
    assert not _verify(answer, memory).hallucinations


@pytest.mark.parametrize("answer", ["You charge 65 pounds an hour.", "You charge 50 pounds an hour."])
def test_a_disputed_value_in_other_words_needs_disclosure(answer: str):
    report = _verify(answer, *_RATES)

    assert report.requires_disclosure
    assert not report.unverifiable


@pytest.mark.parametrize("answer", ["You bought a drill for 65 pounds.", "You bill your clients 65 pounds."])
def test_the_same_figure_of_something_else_needs_none(answer: str):
    report = _verify(answer, *_RATES)

    assert not report.requires_disclosure
    assert not report.grounded


def test_what_is_no_longer_so_is_told_beside_the_newer_value():
    assert _verify("Your daughter goes to Hillview School and no longer to St. Mark's.", *_SCHOOLS).grounded


def test_the_older_value_does_not_end_the_newer_one():
    assert not _verify("Your daughter goes to St. Mark's and no longer to Hillview School.", *_SCHOOLS).grounded


def test_the_verb_is_wrong_where_something_still_is_so():
    report = _verify("You used to be a partner at Finch & Lowe.", "I am currently a partner at Finch & Lowe.")

    assert report.hallucinations == ("used to be",)
