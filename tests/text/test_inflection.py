"""Plural, singular and gerund by rule, with tables for the exceptions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.inflection import gerund, names_activity, plural, singular

NOUNS = [
    ("cat", "cats"), ("box", "boxes"), ("church", "churches"), ("city", "cities"), ("boy", "boys"), ("movie",
    "movies"),
    ("pie", "pies"), ("potato", "potatoes"), ("piano", "pianos"), ("shoe", "shoes"), ("bus", "buses"), ("virus",
    "viruses"),
    ("house", "houses"), ("nurse", "nurses"), ("lens", "lenses"), ("size", "sizes"), ("quiz", "quizzes"),
    ("child", "children"), ("woman", "women"), ("fireman", "firemen"), ("person", "people"), ("mouse", "mice"),
    ("knife", "knives"), ("wolf", "wolves"), ("analysis", "analyses"), ("criterion", "criteria"), ("headache",
    "headaches"),
    ("class", "classes"), ("olive", "olives"), ("German", "Germans"),
]  # fmt: skip


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(("one", "many"), NOUNS)
def test_singular_and_plural_meet(one: str, many: str):
    assert singular(many.lower()) == one.lower()
    assert plural(one.lower()) == many.lower()


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    "word",
    ["physics", "news", "series", "paris", "james", "tennis", "diabetes", "kubernetes", "gas"],
)
def test_words_that_only_look_plural_stay(word: str):
    assert singular(word) == word


@pytest.mark.requirement("TXT-016")
@pytest.mark.parametrize("name", ["williams", "roberts", "adams", "jones", "lewis"])
def test_a_surname_is_not_the_plural_of_a_given_name(name: str):
    assert singular(name) == name


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    ("verb", "form"),
    [("swim", "swimming"), ("run", "running"), ("bake", "baking"), ("read", "reading"), ("lie", "lying"), ("see",
     "seeing"),
     ("ski", "skiing"), ("play", "playing"), ("fix", "fixing"), ("begin", "beginning"), ("visit", "visiting")],
)  # fmt: skip
def test_gerund_of_a_verb(verb: str, form: str):
    assert gerund(verb) == form


@pytest.mark.requirement("TXT-015")
def test_only_verbs_that_name_an_activity_do():
    assert names_activity("swim")
    assert not names_activity("fish")


@pytest.mark.requirement("TXT-038")
@given(st.text(max_size=60))
def test_any_text_is_inflected_without_a_crash(text: str):
    assert singular(singular(text)) == singular(text) or text.endswith("s")
    assert plural(text) == plural(text)
    assert gerund(text).endswith("ing")
