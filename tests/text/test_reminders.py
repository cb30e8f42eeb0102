"""What an order takes for granted, days spelt out, quarters, names that look like small words, labels."""

import pytest

from groundwire.text.calendar import read_moment
from groundwire.text.claims import extract_claims
from groundwire.text.occasions import read_occasion, relate_occasions
from groundwire.text.reading import read_text
from groundwire.text.relations import Relation
from groundwire.verify.contradictions import classify_pair


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Remember your vet visit on Monday at 3 pm.", ["Your vet visit is on Monday at 3 pm"]),
        ("Don't forget your train to Bern at 7:32 tomorrow.", ["Your train to Bern is at 7:32 tomorrow"]),
        ("Remember your umbrella.", []),
        ("Remember to ring Ada on Monday.", []),
        ("Book your flight on Monday.", []),
    ],
)
def test_a_reminder_claims_when_the_thing_is(text: str, claims: list[str]):
    assert [claim.text for claim in extract_claims(text)] == claims


@pytest.mark.parametrize(
    ("written", "month", "day"),
    [("the second of May", 5, 2), ("twenty-third of October", 10, 23), ("March first", 3, 1), ("4th of July", 7, 4)],
)
def test_a_day_may_be_spelt(written: str, month: int, day: int):
    moment = read_moment(written.lower())
    assert moment is not None
    assert (moment.month, moment.day) == (month, day)
    (read,) = read_text(f"The fair is on {written}.").claims
    assert read.proposition.arguments[0].is_time


@pytest.mark.parametrize(
    ("left", "right", "relation"),
    [
        ("Q1", "first quarter", Relation.EQUAL),
        ("Q1", "February", Relation.GENERALISES),
        ("May", "second quarter", Relation.REFINES),
        ("Q4", "August", Relation.DIFFERENT),
    ],
)
def test_a_quarter_is_three_months(left: str, right: str, relation: Relation):
    one, other = read_occasion("in", left), read_occasion("in", right)
    assert one is not None
    assert other is not None
    assert relate_occasions(one, other) is relation


def test_names_that_look_like_small_words_are_names():
    (read,) = read_text("The factory is in the US.").claims
    assert read.proposition.arguments[0].lemmas == ("u.s.",)
    (read,) = read_text("The parser is written in Go.").claims
    assert read.proposition.arguments[0].lemmas == ("go",)
    (read,) = read_text("Ben drove us home.").claims
    assert "u.s." not in read.proposition.lemmas


def test_who_is_somebody_and_no_place():
    assert [claim.text for claim in extract_claims("You're a dentist from Prague who writes poems.")] == [
        "You're a dentist from Prague",
        "You write poems",
    ]


def test_behind_a_verb_a_word_that_can_be_a_noun_is_one():
    (read,) = read_text("The team allows merge commits.").claims
    assert read.proposition.arguments[0].text == "merge commits"
    assert read_text("She helps cook dinner.").claims[0].proposition.predicate != "dinner"


def test_a_label_with_one_value_is_contradicted_by_another():
    assert classify_pair("Gate: B12", "Gate: C4").is_contradiction
    assert not classify_pair("Guests: Ada", "Guests: Ben").is_contradiction
