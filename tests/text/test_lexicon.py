"""The dictionary and what it guesses; words that share a stem."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text import lexicon
from groundwire.text.derivation import is_derived
from groundwire.text.lexicon import is_known, noun_lemma, readings, verb_lemma

WORDS = st.text(st.characters(categories=["Ll"]) | st.sampled_from("-'"), max_size=24)


@pytest.mark.requirement("TXT-001")
def test_the_dictionary_is_a_table_of_known_tags():
    tags = {tag for row in lexicon._rows().values() for tag, _, _ in [entry.partition(":") for entry in row.split(" ")]}
    assert tags <= {
        "NN",
        "NNS",
        "NNP",
        "NNPS",
        "JJ",
        "JJR",
        "JJS",
        "RB",
        "RBR",
        "RBS",
        "VB",
        "VBP",
        "VBZ",
        "VBD",
        "VBN",
        "VBG",
    }
    assert len(lexicon._rows()) > 15_000


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize(
    ("word", "reading"),
    [
        ("running", ("VBG", "run")),
        ("went", ("VBD", "go")),
        ("abilities", ("NNS", "ability")),
        ("abdominal", ("JJ", "abdominal")),
    ],
)
def test_a_known_word_has_its_readings(word: str, reading: tuple[str, str]):
    assert is_known(word)
    assert reading in readings(word)


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize(
    ("word", "reading"),
    [
        ("zworbing", ("VBG", "zworb")),
        ("blorfed", ("VBD", "blorf")),
        ("gluggly", ("RB", "gluggly")),
        ("snorfless", ("JJ", "snorfless")),
        ("flooble", ("NN", "flooble")),
        ("blorches", ("NNS", "blorch")),
        ("blorries", ("NNS", "blorry")),
        ("blorfs", ("NNS", "blorf")),
        ("gleeb-shaped", ("JJ", "gleeb-shaped")),
    ],
)
def test_an_unknown_word_is_guessed_from_its_ending(word: str, reading: tuple[str, str]):
    assert not is_known(word)
    assert reading in readings(word)


@pytest.mark.requirement("TXT-001")
def test_lemmas_are_given_for_the_part_of_speech_that_is_asked_for():
    assert (verb_lemma("went"), verb_lemma("employed"), verb_lemma("flooble")) == ("go", "employ", None)
    assert (noun_lemma("mice"), noun_lemma("children"), noun_lemma("gluggly")) == ("mouse", "child", "gluggly")


@pytest.mark.requirement("TXT-038", "TXT-020")
@given(WORDS)
def test_every_word_has_a_reading_and_always_the_same(word: str):
    found = readings(word)
    assert found
    assert all(tag and isinstance(lemma, str) for tag, lemma in found)
    readings.cache_clear()
    assert readings(word) == found
    assert isinstance(noun_lemma(word), str)


@pytest.mark.requirement("TXT-020")
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("teach", "teacher"), ("cancel", "cancellation"), ("photograph", "photographer"), ("manage", "manager"),
        ("manage", "management"), ("visit", "visitor"), ("engineer", "engineering"), ("invest", "investment"),
    ],
)  # fmt: skip
def test_words_on_one_stem_are_derived_from_each_other(left: str, right: str):
    assert is_derived(left, right)
    assert is_derived(right, left)


@pytest.mark.requirement("TXT-020")
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("cat", "catering"),
        ("port", "portrait"),
        ("2018", "2019"),
        ("marine", "marble"),
        ("nurse", "nursery school"),
        ("", "er"),
    ],
)
def test_words_that_only_begin_alike_are_not(left: str, right: str):
    assert not is_derived(left, right)


@pytest.mark.requirement("TXT-020")
@given(WORDS, WORDS)
def test_derivation_runs_both_ways(left: str, right: str):
    assert is_derived(left, right) == is_derived(right, left)
