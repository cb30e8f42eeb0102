"""Memories that dispute a claim in words that no slot holds together."""

import pytest

from groundwire.app import Groundwire
from groundwire.types import Memory, Verdict

OLD, NEW = 1_672_531_200, 1_704_067_200


def verify(text: str, *memories: tuple[str, float, int]):
    held = [Memory(id=f"m{i}", text=told, trust=trust, timestamp=at) for i, (told, trust, at) in enumerate(memories, 1)]
    return Groundwire().verify(text, memories=held)


@pytest.mark.requirement("CTR-014", "CTR-020")
@pytest.mark.parametrize(
    ("older", "newer", "answer", "phrase"),
    [
        (
            "I take 50 mg of sertraline.",
            "My sertraline dose is 100 mg.",
            "You take 100 mg of sertraline.",
            "100 mg of sertraline (changed from 50 mg of sertraline)",
        ),
        (
            "My flight to Oslo leaves from terminal 2.",
            "The Oslo flight goes from terminal 1.",
            "Your Oslo flight leaves from terminal 1.",
            "terminal 1 (changed from terminal 2)",
        ),
        ("Our standup is at 9:15.", "We moved standup to 10.", "Standup is at 10.", "10 (changed from 9:15)"),
        ("I'm vegetarian.", "I eat meat again.", "You eat meat.", "meat (changed from vegetarian)"),
        (
            "The dentist appointment is on Tuesday.",
            "Dentist: Thursday 3 pm.",
            "Your dentist appointment is on Thursday.",
            "Thursday (changed from Tuesday)",
        ),
        (
            "User prefers aisle seats.",
            "User always books window seats.",
            "You prefer window seats.",
            "window seats (changed from aisle seats)",
        ),
    ],
)
def test_what_a_newer_memory_bears_out_in_other_words_is_disclosed_and_not_corrected(
    older: str, newer: str, answer: str, phrase: str
):
    report = verify(answer, (older, 0.9, OLD), (newer, 0.9, NEW))
    assert report.expected_disclosure == phrase
    assert report.hallucinations == ()
    assert report.contradictions[0].memory_ids == ("m1", "m2")


@pytest.mark.requirement("CTR-021")
def test_a_dispute_that_the_answer_tells_is_grounded():
    report = verify(
        "You take 100 mg of sertraline, up from 50.",
        ("I take 50 mg of sertraline.", 0.9, OLD),
        ("My sertraline dose is 100 mg.", 0.9, NEW),
    )
    assert report.grounded
    assert len(report.contradictions) == 1


@pytest.mark.requirement("CTR-014")
def test_a_memory_of_little_trust_disputes_nothing():
    report = verify(
        "You take 100 mg of sertraline.",
        ("I take 50 mg of sertraline.", 0.9, OLD),
        ("My sertraline dose is 100 mg.", 0.4, NEW),
    )
    assert [claim.verdict for claim in report.claims] == [Verdict.REFUTED]
    assert report.contradictions == ()


@pytest.mark.requirement("CTR-014")
def test_the_same_value_of_something_else_disputes_nothing():
    report = verify(
        "You take 100 mg of sertraline.",
        ("I take 50 mg of sertraline.", 0.9, OLD),
        ("My dog gets 100 mg of carprofen.", 0.9, NEW),
    )
    assert [claim.verdict for claim in report.claims] == [Verdict.REFUTED]
    assert report.contradictions == ()


@pytest.mark.requirement("CTR-014")
@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("The dentist appointment is on Tuesday.", "Physio: Thursday 3 pm.", "Your physio appointment is on Thursday."),
        ("I'm vegetarian.", "My husband eats meat.", "Your husband eats meat."),
        ("I play tennis on Mondays.", "I play squash on Thursdays.", "You play squash on Thursdays."),
        ("I drink coffee in the morning.", "I drink green tea after lunch.", "You drink green tea after lunch."),
        ("I work at Klarna.", "I left Klarna and I now work at Spotify.", "You work at Spotify."),
    ],
)
def test_what_can_hold_beside_another_memory_or_ends_it_needs_no_disclosure(one: str, other: str, answer: str):
    report = verify(answer, (one, 0.9, OLD), (other, 0.9, NEW))
    assert report.grounded
    assert report.contradictions == ()


@pytest.mark.requirement("CTR-014")
def test_an_answer_that_keeps_to_the_older_of_two_memories_is_not_grounded():
    report = verify("You are a vegetarian.", ("I'm vegetarian.", 0.9, OLD), ("I eat meat again.", 0.9, NEW))
    assert not report.grounded
    assert len(report.contradictions) == 1


@pytest.mark.requirement("CTR-014")
def test_what_was_told_in_one_breath_disputes_nothing():
    report = verify(
        "The staging database is PostgreSQL 14.",
        ("The staging database is PostgreSQL 14.", 0.9, NEW),
        ("The staging database is hosted on db-stg-03.", 0.9, NEW),
    )
    assert report.grounded
