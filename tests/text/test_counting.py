"""The approximate token counter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.counting import count_tokens


@pytest.mark.requirement("TXT-039")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("You live in Oslo.", 5),
        ("internationalisation", 4),
        ("我住在北京。", 6),
        ("a-b", 3),
        ("🙂🙂", 2),
    ],
)
def test_short_words_count_one_and_long_ones_more(text: str, tokens: int):
    assert count_tokens(text) == tokens


@pytest.mark.requirement("TXT-039")
@given(st.text(), st.text())
def test_more_text_is_never_fewer_tokens(left: str, right: str):
    assert count_tokens(left + " " + right) == count_tokens(left) + count_tokens(right)
