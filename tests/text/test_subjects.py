"""Whom a phrase is about, what belongs to whom, and what pronouns stand for."""

from __future__ import annotations

import pytest

from groundwire.text.extraction import FactExtractor
from groundwire.text.phrases import Phrase
from groundwire.text.subjects import USER, Discourse, is_user_word, name_subject, render, split_owner
from groundwire.text.tables import read_table
from groundwire.text.tagging import tag
from groundwire.text.tokens import Token, tokenize


def tagged(text: str) -> list[Token]:
    tokens = tokenize(text)
    tag(tokens)
    return tokens


def phrase(text: str) -> Phrase:
    tokens = tagged(text)
    return Phrase(tokens, 0, len(tokens))


@pytest.mark.requirement("TXT-017")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("I", USER), ("you", USER), ("We", USER), ("me", USER), ("the user", USER), ("The customer", USER),
        ("the patient", USER),
        ("Alice", "Alice"), ("Alice Munro", "Alice Munro"), ("the API", "API"), ("a red bridge", "red bridge"),
        ("my sister", "user's sister"), ("your sister", "user's sister"), ("the user's sister", "user's sister"),
        ("my sister Ana", "Ana"), ("my brother's wife", "user's brother's wife"), ("Tom's dog", "Tom's dog"),
        ("the capital of Norway", "capital of Norway"),
    ],
)  # fmt: skip
def test_a_phrase_names_its_subject(text: str, subject: str):
    assert name_subject(tagged(text)) == subject


@pytest.mark.requirement("TXT-017")
def test_what_was_left_out_is_the_user():
    assert name_subject([]) == USER


@pytest.mark.requirement("TXT-017")
def test_the_words_for_the_user_are_a_table():
    for word in ("i", "you", "we", *read_table("people")["users"]):
        assert is_user_word(Token(word, 0, len(word)))
    for word in ("alice", "she", "they", "nurse"):
        assert not is_user_word(Token(word, 0, len(word)))


@pytest.mark.requirement("TXT-017")
@pytest.mark.parametrize(
    ("text", "owner", "attribute"),
    [
        ("my dog", USER, "dog"),
        ("your job title", USER, "job title"),
        ("Tom's employer", "Tom", "employer"),
        ("my dog's name", "user's dog", "name"),
        ("the user's email address", USER, "email address"),
        ("the owner of the repo", "repo", "owner"),
        ("one of my hobbies", USER, "hobbies"),
        ("the status of Heron", "Heron", "status"),
    ],
)
def test_somebodys_something_comes_apart(text: str, owner: str, attribute: str):
    owned = split_owner(tagged(text))
    assert owned is not None
    assert (owned.owner, render(owned.attribute)) == (owner, attribute)


@pytest.mark.requirement("TXT-017")
@pytest.mark.parametrize("text", ["Alice", "the bridge", "a red bridge", "you"])
def test_what_nobody_owns_does_not(text: str):
    assert split_owner(tagged(text)) is None


@pytest.mark.requirement("TXT-007")
@pytest.mark.parametrize("text", ["Ana's dog", "I can't swim", "AT&T", "“Hi”", "a b"])
def test_words_are_rendered_with_the_spaces_that_they_had(text: str):
    assert render(tokenize(text)) == text


@pytest.mark.requirement("TXT-007")
def test_any_stretch_of_space_is_rendered_as_one():
    assert render(tokenize("New \t  York\nCity")) == "New York City"


# ── pronouns ────────────────────────────────────────────────────────────────────────────────────


def stands_for(discourse: Discourse, pronoun: str) -> str | None:
    found = discourse.resolve(Token(pronoun, 0, len(pronoun)))
    return render(found) if found is not None else None


@pytest.mark.requirement("TXT-017")
def test_a_pronoun_stands_for_the_latest_that_fits():
    discourse = Discourse()
    assert stands_for(discourse, "she") is None
    discourse.mention(phrase("my sister"))
    discourse.mention(phrase("my uncle"))
    assert (stands_for(discourse, "she"), stands_for(discourse, "He")) == ("my sister", "my uncle")
    discourse.mention(phrase("the red bridge"))
    assert (stands_for(discourse, "its"), stands_for(discourse, "her")) == ("the red bridge", "my sister")
    discourse.mention(phrase("Ingrid"))
    assert (stands_for(discourse, "she"), stands_for(discourse, "he")) == ("Ingrid", "Ingrid")
    discourse.mention(phrase("two otters"))
    assert stands_for(discourse, "they") == "two otters"


@pytest.mark.requirement("TXT-017")
def test_times_and_pronouns_are_nothing_to_refer_to():
    discourse = Discourse()
    for text in ("Monday", "last week", "she", "it", "her dog"):
        discourse.mention(phrase(text))
    assert discourse == Discourse()


@pytest.mark.requirement("TXT-017")
@pytest.mark.parametrize("pronoun", ["I", "you", "we", "nobody", "there"])
def test_the_user_needs_no_resolving(pronoun: str):
    discourse = Discourse()
    discourse.mention(phrase("Ingrid"))
    assert stands_for(discourse, pronoun) is None


@pytest.mark.requirement("TXT-017", "TXT-020")
def test_one_text_leaves_nothing_behind_for_the_next():
    extractor = FactExtractor()
    extractor.extract("Ingrid plays the cello.")
    (fact,) = extractor.extract("She lives in Bergen.")
    assert fact.subject.lower() == "she"


@pytest.mark.requirement("TXT-017")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Ingrid plays the cello. She lives in Bergen.", "Ingrid"),
        ("My brother is a chef. He lives in Bergen.", "user's brother"),
        ("Your aunt knits. She lives in Bergen.", "user's aunt"),
        ("Lena works at Siemens. Her husband lives in Bergen.", "Lena's husband"),
        ("Ingrid is tall. Karl is short. He lives in Bergen.", "Karl"),
        ("Have you met Ingrid? She lives in Bergen.", "Ingrid"),
    ],
)
def test_facts_said_with_a_pronoun_belong_to_whom_it_stands_for(text: str, subject: str):
    found = [fact.subject for fact in FactExtractor().extract(text) if fact.slot_type == "location"]
    assert found == [subject]
