"""Entities: pronouns, names and descriptions, and capitals that name nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import stays_cheap
from groundwire.text.entities import find_entities
from groundwire.types import MentionType


def mentions(text: str, kind: MentionType) -> list[str]:
    return [mention.surface for mention in find_entities(text) if mention.mention_type is kind]


def names(text: str) -> list[str]:
    return mentions(text, MentionType.PROPER_NAME)


@pytest.mark.requirement("TXT-036")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alice works at Goldman Sachs in New York.", ["Alice", "Goldman Sachs", "New York"]),
        ("Ludwig van Beethoven was born in Bonn.", ["Ludwig van Beethoven", "Bonn"]),
        ("We saw Charles de Gaulle and Leonardo da Vinci.", ["Charles de Gaulle", "Leonardo da Vinci"]),
        ("He met Dr. Maria Garcia-Lopez and J. K. Rowling.", ["Dr. Maria Garcia-Lopez", "J. K. Rowling"]),
        ("They joined AT&T and Johnson & Johnson.", ["AT&T", "Johnson & Johnson"]),
        ("Johnson and Johnson sells soap.", ["Johnson and Johnson"]),
        ("IBM, NASA and the US agreed.", ["IBM", "NASA", "US"]),
        ("The Bank of America signed.", ["Bank of America"]),
        ("We read The Lord of the Rings.", ["Lord of the Rings"]),
        ("Yesterday Alice visited Bob's house.", ["Alice", "Bob"]),
        ("Theresa May met April Jones in April.", ["Theresa May", "April Jones"]),
        ("My iPhone runs PostgreSQL and 3M tape.", ["iPhone", "PostgreSQL", "3M"]),
        ("Sarah in Analytics said so.", ["Sarah", "Analytics"]),
        ("We hired John F. Kennedy last week.", ["John F. Kennedy"]),
        ("Zoë and Łukasz live in Zürich.", ["Zoë", "Łukasz", "Zürich"]),
        ("What does Mark want from O’Reilly?", ["Mark", "O’Reilly"]),
        ('"Maybe," Anna said.', ["Anna"]),
        ("- Berlin is a city", ["Berlin"]),
        ("He moved from Porto to Lyon.", ["Porto", "Lyon"]),
    ],
)
def test_whole_names_are_found(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.requirement("TXT-036")
@pytest.mark.parametrize(
    "text",
    [
        "Coffee is good.",
        "Running helps.",
        "However, it rained.",
        "The deadline is Friday.",
        "Monday is fine.",
        "In May it rained.",
        "THIS IS SO GOOD AND WE LOVE IT",
        "Passwords are hashed.",
        "Yes, please.",
        "Nothing works. Everything is slow.",
        "Unfortunately it failed.",
        "I see https://Example.com/Alice and `Bob`.",
        "Sales rose.",
        "ok",
    ],
)
def test_a_capital_alone_makes_no_name(text: str) -> None:
    assert names(text) == []


@pytest.mark.requirement("TXT-036")
def test_the_rest_of_the_text_speaks_for_a_doubtful_opening() -> None:
    assert names("Kestrel quietly shipped. We like Kestrel.") == ["Kestrel", "Kestrel"]
    assert names("Kestrel was seen. A kestrel is a bird.") == []


@pytest.mark.requirement("TXT-036")
def test_pronouns_are_found_without_their_clitics() -> None:
    text = "It's late. I think they’ll tell us, and she'd ask him about my car herself."
    assert mentions(text, MentionType.PRONOUN) == ["It", "I", "they", "us", "she", "him", "my", "herself"]


@pytest.mark.requirement("TXT-036")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The new manager approved the budget.", ["The new manager", "the budget"]),
        ("The team works at the new office.", ["The team", "the new office"]),
        ("She called the new CEO.", ["the new CEO"]),
        ("The recently promoted manager left.", ["The recently promoted manager"]),
        ("We like these office buildings in Berlin.", ["these office buildings"]),
        ("In the morning it rained.", []),
        ("The same is true, the first of the rest.", []),
        ("This is the end.", []),
        ("The Eiffel Tower is tall.", []),
    ],
)
def test_definite_descriptions_end_before_their_verb(text: str, expected: list[str]) -> None:
    assert mentions(text, MentionType.DEFINITE_DESC) == expected


@pytest.mark.requirement("TXT-036")
def test_unnamed_people_are_mentions_of_their_own_kind() -> None:
    assert mentions("Someone told everybody.", MentionType.OTHER) == ["Someone", "everybody"]


@pytest.mark.requirement("TXT-038")
@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x1b", "。。。", "12 34 %"])
def test_nothing_is_found_where_nobody_is_named(text: str) -> None:
    assert find_entities(text) == ()


PIECES = st.sampled_from(
    [
        "Alice",
        "the",
        "new",
        "manager",
        "of",
        "van",
        "&",
        ".",
        "J.",
        "Bank",
        "May",
        "I",
        "'s",
        "’ll",
        "and",
        "US",
        "İ",
        "\n",
        "iPhone",
        "-",
        '"',
    ]
)


@pytest.mark.requirement("TXT-036", "TXT-038")
@given(st.one_of(st.text(), st.lists(PIECES).map(" ".join), st.lists(PIECES).map("".join)))
def test_any_text_gives_exact_separate_spans_and_the_same_answer_twice(text: str) -> None:
    found = find_entities(text)
    assert all(text[item.span.start : item.span.end] == item.surface and item.surface for item in found)
    assert all(left.span.end <= right.span.start for left, right in pairwise(found))
    assert find_entities(text) == found


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("piece", ["Bank of ", "Aa ", "A", "the new ", "A & ", "A-", ".", "`", "a@", "A. ", "de la "])
def test_hostile_input_of_the_maximum_size_is_read_in_time(piece: str) -> None:
    text = (piece * 200_000)[:200_000]
    assert stays_cheap(lambda: find_entities(text))
