"""Nothing that a text states vanishes: verbs no dictionary has, statements behind small talk, openings, headings."""

import pytest

from groundwire import Groundwire, Settings
from groundwire.text.claims import extract_claims
from groundwire.types import Verdict


def claims(text: str) -> list[str]:
    return [claim.text for claim in extract_claims(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The device clocks intervals.",
        "The choir stages operas yearly.",
        "The flat faces north.",
        "Both parties back the deal.",
        "The committee tables motions slowly.",
        "Your order ships Monday.",
    ],
)
def test_a_sentence_whose_verb_is_not_recognised_is_one_claim(text: str):
    (claim,) = extract_claims(text)
    assert claim.text == text.rstrip(".")
    assert text[claim.span.start : claim.span.end] == claim.text


@pytest.mark.parametrize(
    "text",
    [
        "Sure!",
        "Best regards, Ana",
        "Warm regards, the team.",
        "Thanks for your question.",
        "Summary of findings",
        "Key points:",
        "The next steps",
        "A few thoughts.",
        "Three options for dinner.",
        "Your two daughters, Ines and Carla.",
        "Her last words here.",
        "The meeting minutes.",
        "The parents and the kids.",
        "Tips for better sleep.",
    ],
)
def test_headings_labels_and_fragments_are_no_claims(text: str):
    assert claims(text) == []


def test_the_half_that_is_no_advice_is_a_claim():
    text = "You may bring a dog, and the flat faces the river."
    (claim,) = extract_claims(text)
    assert text[claim.span.start : claim.span.end] == "the flat faces the river"


@pytest.mark.parametrize("judge", ["rules", "mini"])
def test_what_cannot_be_read_is_not_grounded_by_something_else(judge: str):
    report = Groundwire(settings=Settings(judge=judge)).verify(
        "The choir stages operas yearly.", memories=["The choir is from Graz."]
    )
    assert not report.grounded
    assert [claim.verdict for claim in report.claims] == [Verdict.INSUFFICIENT]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Congratulations, you won 500 dollars!", "You won 500 dollars"),
        ("I'm glad that you moved to Rome.", "You moved to Rome"),
        ("I'm happy to confirm that your flight leaves at 9.", "Your flight leaves at 9"),
        ("I'm afraid your flight was cancelled.", "Your flight was cancelled"),
        ("I'm sorry, but your order was cancelled.", "Your order was cancelled"),
        ("Let me remind you that your rent is 900 euros.", "Your rent is 900 euros"),
        ("I don't have any information about Ana, but Ben lives in Oslo.", "Ben lives in Oslo"),
        ("Let me know if you want the recipe; the soup contains nuts.", "The soup contains nuts"),
        ("(The shop closed in 2019.)", "The shop closed in 2019"),
    ],
)
def test_what_is_said_behind_small_talk_is_said(text: str, expected: str):
    assert claims(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "I'm happy to help with your trip to Rome!",
        "I hope you enjoy Rome.",
        "I'm sorry, I don't have that information.",
        "If you need anything, let me know.",
        "I don't know that you live in Rome.",
        "Congratulations on the new job!",
    ],
)
def test_small_talk_alone_still_says_nothing(text: str):
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In February 2031 you were in Rome.", ["You were in Rome in February 2031"]),
        ("Every Tuesday you swim.", ["You swim every Tuesday"]),
        ("With three kids, you are busy.", ["You are busy with three kids"]),
        ("On 3 May, you packed a tent and a stove.", ["You packed a tent on 3 May", "You packed a stove on 3 May"]),
        ("For example, you like tea.", ["You like tea"]),
        ("Good morning, your exam is at 3.", ["Your exam is at 3"]),
        ("Founded in 1901, the shop is popular.", ["The shop is popular", "The shop is founded in 1901"]),
        ("The shop – founded in 1901 – is popular.", ["The shop is popular", "The shop is founded in 1901"]),
        ("Based on your notes, you live in Rome.", ["You live in Rome"]),
    ],
)
def test_a_claim_keeps_what_opens_its_sentence(text: str, expected: list[str]):
    assert claims(text) == expected


def test_a_heading_takes_no_sentences_place():
    assert claims("# The shop opens at 9\n\nThe shop opens at 9.") == ["The shop opens at 9"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ben believes that the earth is flat.", ["Ben believes that the earth is flat"]),
        ("Employees may work from home on Fridays.", ["Employees may work from home on Fridays"]),
        ("Guests may smoke on the balcony.", ["Guests may smoke on the balcony"]),
        ("A nurse by trade, Ana lives in Rome.", ["Ana lives in Rome", "Ana is a nurse by trade"]),
        ("Previously a paralegal, you are a solicitor.", ["You are a solicitor"]),
        ("Never has the bank been open on Sundays.", ["Never has the bank been open on Sundays."]),
        ("Your name's Ana.", ["Your name's Ana"]),
        ("The hotel has a pool, and if you like, you can rent towels.", ["The hotel has a pool"]),
        ("The drug may cause nausea.", []),
        ("I think so.", []),
    ],
)
def test_what_is_stated_in_other_forms_is_a_claim(text: str, expected: list[str]):
    assert claims(text) == expected


@pytest.mark.parametrize(
    "unit",
    [
        "Let me, ",
        "sorry, ",
        "I'm glad that ",
        "if you want, ",
        "the x ys, and ",
        "(",
        "Born, ",
        "your name's ",
        "\x00",
        "漢, ",
    ],
)
def test_hostile_text_is_read(unit: str):
    for count in (1, 40, 20_000):
        extract_claims(unit * count)
        extract_claims(unit * count + "you won.")
