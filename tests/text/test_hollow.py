"""A clause inside another is no claim by itself, nor is what stops before its sentence does: the sentence is."""

from __future__ import annotations

import pytest

from groundwire.text.reading import read_text


def claims(text: str) -> list[str]:
    return [read.claim.text for read in read_text(text).claims]


@pytest.mark.parametrize(
    "text",
    [
        "Your phone knows where you live.",
        "In the evening you work where your brother-in-law works.",
        "You let Priya have your notes.",
        "You help pupils learn to argue.",
        "The redesigned arm fails more often than the first one did.",
        "You tell dinner guests openly that you're a taxidermist.",
        "You've made it clear that this is the last one.",
        "Your parents believe that you live in Graz.",
    ],
)
def test_a_clause_inside_another_does_not_stand_for_the_sentence(text: str):
    assert claims(text) == [text]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You mentioned that you play the cello.", "You play the cello"),
        ("You told me that you live in Bath.", "You live in Bath"),
        ("I remember that your name is Ada.", "Your name is Ada"),
        ("Graz is where you live.", "You live in Graz"),
        ("According to your notes, the dam is safe.", "The dam is safe"),
        ("The report says the dam is safe.", "The dam is safe"),
    ],
)
def test_what_is_merely_reported_is_told_by_the_inner_clause(text: str, told: str):
    assert claims(text) == [told]


@pytest.mark.parametrize(
    "text",
    [
        "Those who leave within an hour pay nothing.",
        "All who signed up came.",
        "The fish sold there is not fresh.",
        "There's a long list of foods you avoid.",
        "You feel left out of the decision.",
        "Crash reports go to Sentry.",
        "Basil was the last you sowed.",
        "The Øresund Bridge, which links Copenhagen and Malmö, opened in 2000.",
        "The order had been filled by the time Dorsch failed.",
        "Hardly anyone wanted to see it.",
        "Twice as many people were at the second meeting.",
        "The twins will go to the school their eldest sibling left.",
    ],
)
def test_a_sentence_that_was_cut_where_it_goes_on_is_claimed_as_it_is(text: str):
    found = claims(text)
    assert found[-1] == text
    assert all(claim == text or claim.startswith("The twins will go") for claim in found), found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ben owns a mill built by monks.", ["Ben owns a mill", "A mill is built by monks"]),
        ("It's a boat you own.", ["It's a boat", "You own a boat"]),
        ("You have a dog named Rex.", ["You have a dog", "A dog is named Rex"]),
        ("There are three messages waiting.", ["There are three messages", "Three messages are waiting"]),
        ("Ana likes tea and Ben likes milk.", ["Ana likes tea", "Ben likes milk"]),
        ("Before I retired I lived in Madrid.", ["I retired", "I lived in Madrid before I retired"]),
        ("Mogens talks faster than he thinks.", ["Mogens talks faster than he thinks"]),
    ],
)
def test_clauses_that_say_what_they_say_stay_apart(text: str, found: list[str]):
    assert claims(text) == found


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("You worked on boats after getting your degree.", "You getting"),
        ("He left before getting paid.", "He getting"),
        ("You passed without having studied.", "You having"),
        ("You've known Jelena since the day she was born.", "Jelena was born"),
    ],
)
def test_what_comes_before_or_after_is_told_with_the_sentence(text: str, lost: str):
    found = claims(text)
    assert text in found
    assert not any(claim.startswith(lost) for claim in found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Since your hip operation you've been walking with a stick.", "since your hip operation"),
        ("Until the summer our team used Teams.", "until the summer"),
        ("Since your move from Leeds you have been living in Bristol.", "since your move from Leeds"),
        ("After the merger the team used Teams.", "after the merger"),
    ],
)
def test_since_when_goes_with_the_claim(text: str, told: str):
    (claim,) = claims(text)
    assert claim.endswith(told)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What you coach, twice a week, is the under-12s.", ["What you coach, twice a week, is the under-12s."]),
        ("What you need is rest.", ["You need rest"]),
        ("Nor does she smoke.", ["Nor does she smoke."]),
    ],
)
def test_what_names_a_thing_is_not_said_of_the_user(text: str, found: list[str]):
    assert claims(text) == found


def test_a_reason_with_a_verb_of_its_own_is_no_time():
    assert claims("Since you're based in Denver, you ski.") == ["You're based in Denver", "You ski"]
