"""Folding: what a reader sees, with the way back to the original."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import stays_cheap
from groundwire.text.folding import fold, fold_text
from groundwire.types import Span


@pytest.mark.requirement("SEC-010")
@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("I th\u0456nk", "I think"),
        ("may\u200bbe", "maybe"),
        ("per\u00adhaps", "perhaps"),
        ("\uff29 \uff54\uff48\uff49\uff4e\uff4b", "I think"),
        ("\U0001d426\U0001d41a\U0001d432", "may"),
        ("don\u2019t", "don't"),
        ("\u201cyes\u201d", '"yes"'),
        ("ADR\u2011003", "ADR-003"),
        ("\u0399 th\u03b9nk", "I think"),
        ("th\u0332ink", "think"),
        ("\ufb01ne", "fine"),
        ("cafe\u0301", "caf\u00e9"),
        ("re\u0301sume\u0301", "r\u00e9sum\u00e9"),
        ("a\u2060b\ufeffc", "abc"),
        ("\u1d0d\u1d00\u028f", "MAY"),
    ],
)
def test_disguises_fold_to_what_a_reader_sees(text: str, plain: str) -> None:
    assert fold(text).text == plain
    assert fold_text(text) == plain


@pytest.mark.requirement("SEC-010")
def test_accents_and_other_scripts_survive() -> None:
    assert fold("Zoë naïve Łódź 北京 한국").text == "Zoë naïve Łódź 北京 한국"


def test_plain_text_is_its_own_folding() -> None:
    text = "I think\x00 so.\n"
    folded = fold(text)
    assert folded.text is text
    assert folded.locate(2, 7) == Span(2, 7)


def test_spans_lead_back_to_the_original() -> None:
    text = "x may\u200bbe \ufb01ne cafe\u0301."
    folded = fold(text)
    for plain, original in [("maybe", "may\u200bbe"), ("fine", "\ufb01ne"), ("caf\u00e9", "cafe\u0301"), (".", ".")]:
        start = folded.text.index(plain)
        span = folded.locate(start, start + len(plain))
        assert text[span.start : span.end] == original
    assert folded.locate(0, 0) == Span(0, 0)
    assert folded.locate(len(folded.text), len(folded.text)) == Span(len(text), len(text))


@pytest.mark.requirement("TXT-038")
@given(st.text())
def test_any_text_folds_with_ordered_offsets(text: str) -> None:
    folded = fold(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)
    assert fold(text) == folded


@given(st.text(alphabet=st.characters(max_codepoint=0x2FF, categories=["L", "N", "Z"])))
def test_letters_without_look_alikes_fold_as_nfkc(text: str) -> None:
    plain = "".join(char for char in text if fold(char).text == unicodedata.normalize("NFKC", char))
    assert fold(plain).text == unicodedata.normalize("NFKC", plain)


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("piece", ["a", "\u00e9", "\u200b", "\u0301\u0323", "\ufdfa", "\u0430a"])
def test_hostile_input_of_the_maximum_size_folds_in_time(piece: str) -> None:
    text = "a" + (piece * 200_000)[:199_999]
    assert stays_cheap(lambda: fold(text))
