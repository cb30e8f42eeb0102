"""A trusted memory overrules another: what follows the other is wrong, in whatever words it is said."""

from __future__ import annotations

import pytest

from groundwire.app import Groundwire
from groundwire.types import Memory, VerificationReport


def verify(answer: str, trusted: str, other: str, *, trust: tuple[float, float] = (0.95, 0.5)) -> VerificationReport:
    held = [Memory("m1", trusted, trust[0], 1_690_000_000), Memory("m2", other, trust[1], 1_720_000_000)]
    return Groundwire().verify(answer, memories=[*held, Memory("m3", "I hate Mondays.", 0.9, 1_690_000_000)])


@pytest.mark.parametrize(
    ("trusted", "other", "answer", "wrong"),
    [
        (
            "User's favourite composer is Ravel.",
            "User's favourite composer is Liszt.",
            "No composer pleases you more than Liszt.",
            "Liszt",
        ),
        (
            "Our only payment provider is Adyen.",
            "Our only payment provider is Stripe.",
            "Card payments go through Stripe.",
            "Stripe",
        ),
        (
            "I keep my passport in the safe.",
            "I keep my passport in the desk drawer.",
            "Your passport is in the desk drawer.",
            "desk drawer",
        ),
        (
            "Omar studies at Leiden University.",
            "Omar studies at Utrecht University.",
            "Omar is a student at Utrecht University.",
            "Utrecht University",
        ),
        (
            "The treasurer of the rowing club is Silvia.",
            "The treasurer of the rowing club is Henrik.",
            "Henrik looks after the money of the rowing club.",
            "Henrik",
        ),
        (
            "The cheese is aged for 9 months.",
            "The cheese is aged for 18 months.",
            "The cheese is left to age for 18 months.",
            "18 months",
        ),
    ],
)
def test_an_answer_that_follows_an_overruled_memory_is_refuted(trusted: str, other: str, answer: str, wrong: str):
    report = verify(answer, trusted, other)
    assert any(wrong in fault for fault in report.hallucinations)
    assert report.contradictions == ()


@pytest.mark.parametrize(
    ("trusted", "other", "answer"),
    [
        (
            "User's favourite composer is Ravel.",
            "User's favourite composer is Liszt.",
            "Ravel is the composer you like best.",
        ),
        (
            "Our only payment provider is Adyen.",
            "Our only payment provider is Stripe.",
            "Payments are processed by Adyen.",
        ),
        ("Omar studies at Leiden University.", "Omar studies at Utrecht University.", "Omar is a student in Leiden."),
        ("My sister plays the oboe.", "My sister plays chess.", "Your sister plays chess."),
        ("I like opera.", "I like jazz.", "You like jazz."),
    ],
)
def test_what_the_trusted_memory_says_and_what_has_room_beside_it_stands(trusted: str, other: str, answer: str):
    assert verify(answer, trusted, other).grounded


def test_memories_of_equal_standing_overrule_nothing():
    told = "I keep my passport in the safe.", "I keep my passport in the desk drawer."
    report = verify("Your passport is in the desk drawer.", *told, trust=(0.9, 0.8))
    assert report.hallucinations == ()
    assert report.requires_disclosure
