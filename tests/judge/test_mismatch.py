"""The words that make the difference between a claim and the sentence that speaks against it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import stays_cheap
from groundwire.judge.mismatch import find_mismatch


@pytest.mark.requirement("JDG-011")
@pytest.mark.parametrize(
    ("claim", "evidence", "mine", "theirs"),
    [
        ("The meeting starts at 4 pm.", "The meeting starts at 3 pm on Monday.", "4 pm", "3 pm"),
        ("Ana lives in Porto.", "Ana moved to Lisbon last year.", "Porto", "Lisbon"),
        ("The server runs on port 8080.", "Port 9090 is what the box listens on.", "8080", "9090"),
        (
            "The film was directed by Ana Lopes.",
            "The film, directed by Rita Gomes, came out.",
            "Ana Lopes",
            "Rita Gomes",
        ),
        ("You hate jazz.", "I love jazz.", "hate", "love"),
    ],
)
def test_the_two_values_are_named(claim: str, evidence: str, mine: str, theirs: str):
    found = find_mismatch(claim, evidence)
    assert found is not None
    assert (found.mine, found.theirs) == (mine, theirs)


@pytest.mark.requirement("JDG-011")
def test_numbers_and_names_are_values_and_other_words_are_not():
    port, taste = (
        find_mismatch("It is on port 80.", "It is on port 90."),
        find_mismatch("You hate jazz.", "I love jazz."),
    )
    assert port is not None and port.is_value
    assert taste is not None and not taste.is_value


def test_equal_sentences_and_synonyms_have_no_mismatch():
    assert find_mismatch("Ana lives in Porto.", "Ana lives in Porto.") is None
    assert find_mismatch("", "Ana lives in Porto.") is None
    assert find_mismatch("You bought a car.", "You purchased a car.") is None


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_give_exact_quotes_or_nothing(claim: str, evidence: str):
    found = find_mismatch(claim, evidence)
    assert found == find_mismatch(claim, evidence)
    if found is not None:
        assert claim[found.span.start : found.span.end] == found.mine
        assert found.theirs in evidence
        assert found.mine.lower() != found.theirs.lower()


def test_a_very_long_text_is_left_alone():
    found: list[object] = []
    assert stays_cheap(lambda: found.append(find_mismatch("a 1 " * 50_000, "b 2 " * 50_000)))
    assert found == [None]
