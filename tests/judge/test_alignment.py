"""Whether two descriptions are the same person or thing, given the names that the evidence teaches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER

SUBJECTS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30),
    st.sampled_from([USER, "user's sister", "Alice", "he", "the red car", "server 12"]),
)


def learn(*memories: str) -> Aliases:
    return Aliases.learn(fact for text in memories for fact in read_text(text).facts)


@pytest.mark.requirement("CTR-027", "TXT-017")
@pytest.mark.parametrize(
    ("left", "right"),
    [
        (USER, USER),
        ("Alice", "alice"),
        ("Alice Smith", "Alice"),
        ("user's mother", "user's mom"),
        ("the red car", "red car"),
        ("project", "projects"),
        ("he", "he"),
    ],
)
def test_one_subject_in_two_wordings(left: str, right: str):
    assert subjects_match(left, right, Aliases())
    assert subjects_match(right, left, Aliases())


@pytest.mark.requirement("CTR-027", "JDG-020", "TXT-017")
@pytest.mark.parametrize(
    ("left", "right"),
    [
        (USER, "Alice"),
        (USER, "user's sister"),
        ("user's sister", "user's brother"),
        ("user's dog", "user's cat"),
        ("user's dog", "Alice's dog"),
        ("Alice Smith", "Bob Smith"),
        ("server 1", "server 2"),
        ("he", "she"),
        ("he", "Alice"),
    ],
)
def test_two_subjects_are_kept_apart(left: str, right: str):
    assert not subjects_match(left, right, Aliases())
    assert not subjects_match(right, left, Aliases())


@pytest.mark.requirement("CTR-027")
def test_the_users_name_is_the_user():
    aliases = learn("My name is Nora.")
    assert subjects_match("Nora", USER, aliases)
    assert not subjects_match("Dora", USER, aliases)
    assert not subjects_match("Nora", USER, Aliases())


@pytest.mark.parametrize(
    "memory", ["My husband Colm works at Aer Lingus.", "My husband is Colm.", "I'm married to my husband, Colm."]
)
def test_a_relative_is_known_by_name(memory: str):
    aliases = learn(memory)
    assert subjects_match("Colm", "user's husband", aliases)
    assert not subjects_match("Colm", USER, aliases)
    assert not subjects_match("Colin", "user's husband", aliases)


def test_a_pet_is_known_by_name():
    assert subjects_match("Plum", "user's cat", learn("I have a cat called Plum."))


def test_two_sons_stay_two_people_and_both_are_a_son():
    aliases = learn("My son is Ted.", "My son is Bob.")
    assert not subjects_match("Ted", "Bob", aliases)
    assert subjects_match("Ted", "user's son", aliases)
    assert subjects_match("Bob", "user's son", aliases)


@pytest.mark.parametrize("memory", ["My name isn't Nora.", "Maybe my name is Nora."])
def test_a_denied_or_doubtful_name_is_not_learnt(memory: str):
    assert not subjects_match("Nora", USER, learn(memory))


@given(SUBJECTS, SUBJECTS)
def test_matching_is_symmetric_and_reflexive(left: str, right: str):
    aliases = learn("My name is Nora.", "My sister is Alice.")
    assert subjects_match(left, left, aliases)
    assert subjects_match(left, right, aliases) == subjects_match(right, left, aliases)


@pytest.mark.requirement("JDG-020")
def test_a_letter_tells_two_teams_apart():
    assert not subjects_match("Team A", "Team B", Aliases())


@pytest.mark.requirement("TXT-017")
def test_the_name_of_a_relative_names_the_relative():
    assert subjects_match("Ida", "user's sister", learn("My sister's name is Ida."))
