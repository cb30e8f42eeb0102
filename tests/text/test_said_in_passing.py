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
        ("The shop is hosted on Netlify.", {"hosting"}),
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


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("It's the tram you take to the lab.", ["You take the tram to the lab"]),
        ("It isn't Emacs that you use.", ["You do not use Emacs"]),
        ("It was Marta who wrote the report.", ["Marta wrote the report"]),
        ("It wasn't Marta who wrote the report.", ["Marta did not write the report"]),
        ("It's a boat you own.", ["It's a boat", "You own a boat"]),
    ],
)
def test_what_it_is_that_somebody_does_is_told_by_the_second_clause(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("I checked my notes and you live in Linz.", ["You live in Linz"]),
        ("I've gone through your records but Ana is your boss.", ["Ana is your boss"]),
        ("I'm glad to help and the office is in Linz.", ["The office is in Linz"]),
        ("I went through my notes.", []),
        ("I hope you and your family enjoy the trip.", []),
    ],
)
def test_small_talk_takes_nothing_with_it_that_is_told_beside_it(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I'm moving to Aarhus in January.", "location"),
        ("I am joining Acme next week.", "employer"),
        ("I'm leaving Nokia in March.", "employer"),
    ],
)
def test_a_turn_that_is_under_way_has_not_been_made(text: str, slot: str):
    facts = [fact for read in read_text(text).claims for fact in read.facts]
    assert [fact.tense for fact in facts if fact.slot_type == slot] == [Tense.FUTURE]


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("You smoke, and so does Ana.", ["You smoke", "Ana smokes"]),
        ("You don't drive, nor does Bo.", ["You don't drive", "Bo doesn't drive"]),
        ("The pool isn't heated and neither is the sauna.", ["The pool isn't heated", "The sauna isn't heated"]),
        ("You live in Rome, and so do your parents.", ["You live in Rome", "Your parents live in Rome"]),
        ("Neither you nor Pascal eats meat.", ["You do not eat meat", "Pascal does not eat meat"]),
        ("Neither he nor she has a car.", ["He does not have a car", "She does not have a car"]),
    ],
)
def test_what_is_said_of_one_is_said_of_the_other_as_well(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Your backend is in Go, with messages going through Kafka.",
         ["Your backend is in Go", "Messages are going through Kafka"]),
        ("You run a bakery, with Ana doing the books.", ["You run a bakery", "Ana is doing the books"]),
        ("The service runs on Fly, with backups stored in Oslo.",
         ["The service runs on Fly", "Backups are stored in Oslo"]),
        ("You met a man, with a dog named Rex.", ["You met a man with a dog", "A dog is named Rex"]),
    ],
)  # fmt: skip
def test_what_goes_with_it_is_said_of_its_own_subject(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("It's Siemens you work for.", "You work for Siemens"),
        ("It isn't Kvarts that you play for.", "You do not play for Kvarts"),
    ],
)
def test_a_preposition_that_was_left_behind_keeps_its_thing(text: str, claim: str):
    assert [one.text for one in extract_claims(text)] == [claim]
