"""Whether a text is English."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Groundwire
from groundwire.text.language import is_english
from groundwire.types import Verdict


@pytest.mark.parametrize(
    "text",
    [
        "Ana likes sushi.",
        "The pod restarts when kubectl rolls it out.",
        "You work at Globex.",
        "Marks and Spencer",
        "12:30",
        "",
        "I can't stand the noise in there.",
    ],
)
def test_english_names_and_numbers_pass(text: str):
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Der Umsatz stieg im letzten Jahr auf fünf Millionen.",
        "A empresa fica no centro do Porto e tem dez pessoas.",
        "Il gatto dorme tutto il giorno sul divano.",
        "東京は日本の首都です。",
        "Москва является столицей России.",
        "a" * 500,
    ],
)
def test_other_languages_and_noise_do_not(text: str):
    assert not is_english(text)


@given(st.text(max_size=400))
def test_any_text_has_an_answer(text: str):
    assert is_english(text) is is_english(text)


@pytest.mark.requirement("JDG-012")
@pytest.mark.parametrize(
    "claim", ["a" * 5000, "Der Umsatz stieg im letzten Jahr auf fünf Millionen.", "東京は日本の首都です。"]
)
def test_what_cannot_be_read_is_not_supported_by_something_else_that_cannot_be_read(claim: str):
    evidence = ["a", "Der Umsatz war im letzten Jahr gut.", "東京は大きい。"]
    assert Groundwire().judge(claim, evidence).verdict is not Verdict.SUPPORTED
    assert not Groundwire().verify(claim, memories=evidence).grounded


def test_the_same_words_are_support_in_any_language():
    claim = "Der Umsatz stieg im letzten Jahr auf fünf Millionen."
    assert Groundwire().judge(claim, [claim]).verdict is Verdict.SUPPORTED
    assert Groundwire().judge("東京は日本の首都です。", ["東京は日本の首都です。"]).verdict is Verdict.SUPPORTED
