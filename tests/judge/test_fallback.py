"""The keyword checker, for text that no grammar reads: it supports the same sentence and refutes a changed number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.fallback import _normal, _sentences, compare_surface
from groundwire.types import Passage, Verdict

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=80)


def verdict(claim: str, evidence: str) -> Verdict | None:
    found = compare_surface(claim, Passage("p1", evidence))
    assert found is None or found.passage_id == "p1"
    return found.verdict if found is not None else None


@pytest.mark.requirement("JDG-021")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Total: 12", "total 12!"),
        ("Straße", "STRASSE"),
        ("ｆｕｌｌ ｗｉｄｔｈ", "full width"),
        ("東京に住んでいます。", "東京に住んでいます"),
        ("東京に住んでいます", "こんにちは。東京に住んでいます。"),
        ("Я живу в Риге", "Привет! Я живу в Риге."),
    ],
)
def test_the_same_sentence_supports_whatever_its_case_width_and_marks(claim: str, evidence: str):
    assert verdict(claim, evidence) is Verdict.SUPPORTED


@pytest.mark.requirement("JDG-021")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("you smoke", "do you smoke cigars"),
        ("you smoke", "never did you smoke"),
        ("cat", "concatenate"),
        ("work at Ama", "I work at Amazon"),
        ("住んでいます", "住んでいません"),
    ],
)
def test_a_part_of_a_sentence_does_not_support(claim: str, evidence: str):
    assert verdict(claim, evidence) is not Verdict.SUPPORTED


@pytest.mark.requirement("JDG-020", "JDG-021", "TXT-016")
@pytest.mark.parametrize(
    ("claim", "evidence"), [("Total 12", "Total 13"), ("version 1.2", "version 1.3"), ("部屋 12", "部屋 14")]
)
def test_only_a_changed_number_refutes_and_never_with_certainty(claim: str, evidence: str):
    found = compare_surface(claim, Passage("p1", evidence))
    assert found is not None and found.verdict is Verdict.REFUTED
    assert found.strength <= 0.69


def test_many_shared_words_are_overlap_and_few_are_nothing():
    assert verdict("alpha beta gamma delta", "alpha beta x y") is Verdict.INSUFFICIENT
    assert verdict("alpha beta gamma delta", "alpha x y z") is None
    assert verdict("!!!", "!!!") is None


@pytest.mark.requirement("JDG-021")
@given(TEXT)
def test_any_text_with_a_word_supports_itself(text: str):
    has_words = any(c.isalnum() for c in text)
    assert verdict(text, text) is Verdict.SUPPORTED or not has_words


@given(TEXT, TEXT)
def test_letters_alone_never_refute_beyond_the_cap(claim: str, evidence: str):
    found = compare_surface(claim, Passage("p1", evidence))
    assert found is None or found.verdict is not Verdict.REFUTED or found.strength <= 0.69


@given(st.text(max_size=60), st.text(alphabet="ab 1.!\n。\u0301\u3099ｶﾞ①ﬁİß", max_size=60))
def test_the_words_of_a_sentence_stand_in_the_text_as_they_stand_in_it(any_text: str, hard: str):
    for text in (any_text, hard, f"{any_text} {hard}"):
        assert all(sentence in _normal(text) for sentence in _sentences(text)), "so that only such texts are split"
