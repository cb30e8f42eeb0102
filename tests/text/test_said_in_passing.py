"""What is said of a thing in passing by a participle, what is moved and by whom, and whose post it is."""

import pytest

from groundwire.text.claims import extract_claims
from groundwire.text.reading import read_text
from groundwire.types import Tense


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The lecture, originally booked for Friday, is on Sunday.",
         ["The lecture is on Sunday", "The lecture was originally booked for Friday"]),
        ("Ana, now based in Rome, works for Enel.", ["Ana works for Enel", "Ana is now based in Rome"]),
        ("The ferry, fully booked in August, has 40 cabins.",
         ["The ferry has 40 cabins", "The ferry is fully booked in August"]),
        ("The plan, never approved by the board, cost 90 euros.",
         ["The plan cost 90 euros", "The plan is never approved by the board"]),
    ],
)  # fmt: skip
def test_a_participle_with_its_adverb_is_a_claim_of_its_own(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims


def test_what_was_planned_once_is_in_the_past():
    reads = read_text("The lecture, originally booked for Friday, is on Sunday.").claims
    assert [read.claim.tense for read in reads] == [Tense.PRESENT, Tense.PAST]


@pytest.mark.requirement("TXT-011")
@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("We moved our wiki to Notion.", {"move"}),
        ("I moved the piano to Leeds.", {"move"}),
        ("We moved house to Bern.", {"location"}),
        ("I moved to Leeds.", {"location"}),
        ("The shop is hosted on Netlify.", {"host on"}),
        ("Lea is a host.", {"title"}),
    ],
)
def test_who_moves_a_thing_does_not_live_where_it_goes(text: str, slots: set[str]):
    assert {fact.slot_type for fact in read_text(text).facts} == slots


def test_whose_post_it_is_is_told_from_either_side():
    facts = {(fact.subject, fact.value, fact.exclusive) for fact in read_text("Anton is our CTO.").facts}
    assert ("user's CTO", "anton", False) in facts
    assert ("user's CTO", "anton", True) in {
        (f.subject, f.value, f.exclusive) for f in read_text("Our CTO is Anton.").facts
    }


@pytest.mark.parametrize(
    ("text", "value", "when"),
    [
        ("The bar closes at 2 on Saturdays.", "2", "on Saturdays"),
        ("The call is at 3 pm on Monday.", "3 pm", "on Monday"),
        ("The call is on Monday.", "monday", "on Monday"),
    ],
)
def test_the_time_of_a_fact_is_another_than_its_value(text: str, value: str, when: str):
    (fact,) = read_text(text).facts
    assert (fact.value, fact.when) == (value, when)
