"""Clauses that come first without a comma, and words that only look like verbs."""

import pytest

from groundwire.text.reading import read_text
from groundwire.types import Tense


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Before I retired I lived in Zadar.", "I lived in Zadar before I retired"),
        ("Until we met she worked at Fiskars.", "She worked at Fiskars until we met"),
        ("When I was a trainee I slept in the depot.", "I slept in the depot when I was a trainee"),
    ],
)
def test_a_clause_that_tells_when_goes_with_the_one_behind_it(text: str, told: str):
    said = {read.claim.text: read.proposition.tense for read in read_text(text).claims}
    assert said[told] is Tense.PAST


def test_what_is_told_to_be_said_is_still_the_present():
    (read,) = read_text("You said I lived in Zadar.").claims
    assert read.proposition.tense is Tense.PRESENT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The default branch of the tax repo is develop.", "develop"),
        ("My job title is shipping agent.", "shipping agent"),
        ("Her role is teaching assistant.", "teaching assistant"),
    ],
)
def test_what_a_title_or_a_branch_is_called_is_no_deed_of_it(text: str, value: str):
    assert [fact.raw for fact in read_text(text).facts] == [value]


def test_what_a_manager_is_doing_is_a_deed():
    (read,) = read_text("Her manager is shipping crates.").claims
    assert read.proposition.predicate == "ship"


def test_a_language_is_no_place():
    assert [fact.slot_type for fact in read_text("The lecture is in German.").facts] != ["location"]
    assert [fact.slot_type for fact in read_text("The lecture is in Ghent.").facts] == ["location"]
