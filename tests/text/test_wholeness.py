"""Sentences whose parts say less than they do are claimed whole, so that nothing they say goes unchecked."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.text.claims import extract_claims
from groundwire.text.reading import read_text


def texts(text: str) -> list[str]:
    return [claim.text.rstrip(".") for claim in extract_claims(text)]


@pytest.mark.requirement("TXT-001", "TXT-004")
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Nobody but Lea may sign.", "Only Lea may sign"),
        ("No one except Tom has a key.", "Only Tom has a key"),
        ("Just the admins can delete posts.", "Just the admins can delete posts"),
        ("You alone know the code.", "You alone know the code"),
        ("Only Ana has a key.", "Only Ana has a key"),
        ("Nothing but water is served here.", "Only water is served here"),
    ],
)
def test_what_is_said_of_one_alone_is_claimed_so(text: str, claim: str):
    assert texts(text) == [claim]


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize(
    "text",
    [
        "Rarely does he call.",
        "Never have you missed a payment.",
        "Only on Mondays does the office open.",
        "Under no circumstances may guests smoke.",
        "In the garage stands a red bike.",
        "The function returns None if the key is missing.",
        "Guests may stay unless they disturb others.",
        "You get a refund provided that you return the item.",
        "You saw Ana leave at six.",
        "Some employees work remotely.",
        "Passwords must have 12 characters.",
        "By law, dogs must be on a leash.",
    ],
)
def test_a_sentence_that_cannot_be_taken_apart_is_one_claim(text: str):
    (claim,) = extract_claims(text)
    assert set(claim.text.lower().rstrip(".").split()) <= set(text.lower().rstrip(".").replace(",", "").split())


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize(
    ("text", "invented"),
    [
        ("All you need is a passport.", "You are a passport"),
        ("What you need is rest.", "You are rest"),
        ("Either Ana or Ben has the key.", "Ben has the key"),
        ("You may park here as long as you have a permit.", "You have a permit"),
        ("The alarm rings when smoke is detected.", "Smoke is detected"),
        ("Running the tests takes ten minutes.", "The tests takes ten minutes"),
        ("The idea to sell the house was yours.", "The house was yours"),
        ("Keep in mind that the shop closes at six.", "The shop closes mind at six"),
        ("As a rule, invoices are sent on Mondays.", "Invoices is a rule"),
    ],
)
def test_no_part_says_what_the_sentence_does_not(text: str, invented: str):
    assert invented not in texts(text)
    assert texts(text)


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The order shipped before it was paid.", ["The order shipped before it was paid", "The order was paid"]),
        ("After the sun had set, Tom left.", ["The sun had set", "Tom left after the sun had set"]),
        ("Ana is in Rome, while Ben is in Oslo.", ["Ana is in Rome", "Ben is in Oslo"]),
        ("Your rent will rise as soon as the lease ends.", ["Your rent will rise as soon as the lease ends"]),
        ("You left as soon as it rained.", ["You left as soon as it rained", "It rained"]),
        ("As soon as Tom rang, Ana left.", ["Tom rang", "Ana left as soon as Tom rang"]),
        ("You will hear from us as soon as possible.", ["You will hear from us as soon as possible"]),
        ("You are not only a nurse but also a painter.", ["You are a nurse", "You are a painter"]),
        ("Being a vegetarian, you avoid meat.", ["You avoid meat", "You are a vegetarian"]),
        ("Having finished his degree, Tom moved to Oslo.", ["Tom moved to Oslo", "Tom has finished his degree"]),
        ("The server (a Dell R740) runs Debian.", ["The server runs Debian", "The server is a Dell R740"]),
        ("The API (version 3) returns JSON.", ["The API (version 3) returns JSON"]),
        ("You drink tea instead of coffee.", ["You drink tea instead of coffee", "You do not drink coffee"]),
        (
            "You have two children, Noor and Sami.",
            ["You have two children", "One of your two children is Noor", "One of your two children is Sami"],
        ),
    ],
)  # fmt: skip
def test_parts_keep_what_tells_when_of_whom_and_instead_of_what(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    "text",
    [
        "If you need anything else, let me know.",
        "If you want, I can book it.",
        "You should only call Ana.",
        "Maybe only Ana knows.",
        "Please only use the side door.",
    ],
)
def test_offers_orders_advice_and_doubts_claim_nothing_as_a_whole_either(text: str):
    assert texts(text) == []


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("You would like to visit Kyoto.", "You would like to visit Kyoto"),
        ("You'd rather walk than drive.", "You'd rather walk than drive"),
        ("She'd never been to Rome.", "She'd never been to Rome"),
        ("My records show you as a gold member.", "My records show you as a gold member"),
    ],
)
def test_wishes_and_what_records_show_of_somebody_are_claimed(text: str, claim: str):
    assert texts(text) == [claim]


WORDS = [
    "only",
    "nobody",
    "but",
    "unless",
    "before",
    "Ana",
    "the",
    "shop",
    "opens",
    "(",
    ")",
    "a",
    "is",
    "not",
    "instead",
    "of",
    "than",
    "more",
    "half",
    "past",
    "nine",
    "at",
    "when",
    "if",
    ",",
    "being",
    "having",
    "one",
    "two",
    "and",
]


@pytest.mark.requirement("TXT-001")
@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=24))
def test_any_order_of_such_words_is_read_with_spans_inside_the_text(words: list[str]):
    text = " ".join(words) + "."
    reading = read_text(text)
    assert all(0 <= read.claim.span.start <= read.claim.span.end <= len(text) for read in reading.statements)
    assert reading == read_text(text)


@pytest.mark.parametrize(
    "sentence",
    [
        "There's nothing you can do to please the auditor.",
        "There is no proof that the tenant signed the lease.",
        "Nobody knows what the new rent will be.",
        "No one believes that Ilse ordered the tiles.",
    ],
)
def test_what_a_sentence_denies_is_never_claimed_by_a_part_of_it(sentence: str):
    assert texts(sentence) == [sentence.rstrip(".")]


def test_an_answer_of_no_leaves_what_follows_as_it_is():
    assert texts("No, I run the bakery on Elm Street.") == ["I run the bakery on Elm Street"]
