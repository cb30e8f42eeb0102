"""Sentences whose parts stand in unusual places say what the plain sentence says, and no piece of them is a claim."""

import pytest

from groundwire.text.claims import extract_claims
from groundwire.types import Polarity


def texts(text: str) -> list[str]:
    return [claim.text.rstrip(".") for claim in extract_claims(text)]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Oysters you never touch.", ["You never touch oysters"]),
        ("Lisbon you have never been to.", ["You have never been to Lisbon"]),
        ("A motorbike you no longer own.", ["You no longer own a motorbike"]),
        ("Red wine your wife avoids.", ["Your wife avoids red wine"]),
        ("Children you have three.", ["You have three children"]),
        ("Two sisters you have, and one brother.", ["You have two sisters", "You have one brother"]),
        ("This street you have lived in since 2003.", ["You have lived in this street since 2003"]),
    ],
)
def test_what_stands_before_its_subject_is_what_the_verb_lacks(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Last week you saw a film.", ["You saw a film last week"]),
        ("According to the file your boss is Mara.", ["Your boss is Mara"]),
        ("First you bake the dough.", ["You bake the dough"]),
        ("We both live in Basel.", ["We both live in Basel"]),
    ],
)
def test_times_and_ways_of_speaking_are_nobodys_object(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("On the 14th comes the plumber.", "The plumber comes on the 14th"),
        ("Next to the bakery stands your office.", "Your office stands next to the bakery"),
        ("At 9:15 leaves your train.", "Your train leaves at 9:15"),
        ("In Lagos was born your grandfather.", "Your grandfather was born in Lagos"),
    ],
)
def test_a_subject_may_stand_behind_its_verb(text: str, claim: str):
    assert texts(text) == [claim]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("It was in Tampere, in 2016, that you ran a marathon.", ["You ran a marathon in Tampere in 2016"]),
        ("At the town hall it was that you got married.", ["You got married at the town hall"]),
        ("It is at 7:40 that your ferry leaves, not at 7:10.",
         ["Your ferry leaves at 7:40", "Your ferry does not leave at 7:10"]),
        ("Salma is who cuts your hair.", ["Salma cuts your hair"]),
        ("Chess is what you are best at.", ["You are best at Chess"]),
    ],
)  # fmt: skip
def test_what_is_singled_out_keeps_its_place_and_time(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("What you drink in the morning is green tea.", ["You drink green tea in the morning"]),
        ("The city in which you grew up is Graz.", ["You grew up in Graz"]),
        ("The instrument your daughter plays is the harp.", ["Your daughter plays the harp"]),
        ("You work at Bosch, and the city you live in is Ulm.", ["You work at Bosch", "You live in Ulm"]),
        ("What you ordered, the red model, costs 90 euros.",
         ["The red model costs 90 euros", "You ordered the red model"]),
        ("The wine you like least is Retsina.", ["The wine you like least is Retsina"]),
        ("What I have on file for you is a nut allergy.", ["What I have on file for you is a nut allergy"]),
    ],
)  # fmt: skip
def test_an_identifying_sentence_says_what_the_plain_one_says(text: str, claims: list[str]):
    assert texts(text) == claims


def test_what_a_thing_is_like_is_not_put_in_its_place():
    assert "You bought red" not in texts("The car you bought is red.")


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Your flat, as it happens, is on the third floor.", ["Your flat is on the third floor"]),
        ("The server, you may recall, sits in Dublin.", ["The server sits in Dublin"]),
        ("Your doctor, should you need her, is Dr Weiss.", ["Your doctor is Dr Weiss"]),
        ("Your car, you bought it in 2019, is a Volvo.", ["Your car is a Volvo", "You bought it in 2019"]),
        ("One thing to tell the vet: Rex is allergic to beef.", ["Rex is allergic to beef"]),
        ("A small correction: the train leaves at six.", ["The train leaves at six"]),
    ],
)
def test_remarks_and_announcements_are_no_part_of_a_claim(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.parametrize("text", ["The match, if it rains, is cancelled.", "Your fee, if you cancel, is 50 euros."])
def test_a_condition_in_the_middle_is_no_remark(text: str):
    assert texts(text) == [text.rstrip(".")]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("You don't eat ham, nor do you eat mushrooms.", "You do not eat mushrooms"),
        ("You work at Bosch, and never have you been late.", "You have never been late"),
        ("Ana does not ski, nor does her husband swim.", "Ana's husband does not swim"),
    ],
)
def test_a_denial_before_its_verb_is_kept(text: str, claim: str):
    last = extract_claims(text)[-1]
    assert (last.text, last.polarity) == (claim, Polarity.NEGATIVE)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("You own a Honda, and its tyres are new.", "The Honda's tyres are new"),
        ("Lena has her piano lesson on Mondays, and it lasts an hour.", "Lena's piano lesson lasts an hour"),
        ("Lars visited his mother. She is a nurse.", "Lars's mother is a nurse"),
        ("You have two dogs, and you walk with them.", "You walk with the two dogs"),
        ("You drive a Skoda. It has 90,000 km on it.", "The Skoda has 90,000 km on it"),
        ("Call us on 555 0199, that's our number.", "555 0199 is our number"),
    ],
)
def test_what_was_spoken_of_is_known_and_a_thing_is_nobody(text: str, claim: str):
    assert texts(text)[-1] == claim


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The roof was repaired in May, at a cost of 4,000 euros.",
         ["The roof was repaired in May", "The roof was repaired at a cost of 4,000 euros"]),
        ("You play tennis, with your brother as partner.",
         ["You play tennis", "You play tennis with your brother as partner"]),
        ("At first you lived in Bern, and then in Basel.", ["You lived in Bern at first", "You lived in Basel then"]),
        ("Your marathon best stands at 3:12, and your coach is Lena.",
         ["Your marathon best stands at 3:12", "Your coach is Lena"]),
    ],
)  # fmt: skip
def test_what_is_added_is_told_by_itself(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.parametrize(
    "text",
    [
        "You lived in Rome, for three years.",
        "You work at Bosch, in Ulm.",
        "You don't eat fish, for ethical reasons.",
        "The hotel has 80 rooms on four floors, with 20 rooms on each floor.",
    ],
)
def test_when_where_and_shares_stay_with_what_they_are_told_of(text: str):
    assert texts(text) == [text.rstrip(".")]


@pytest.mark.parametrize(
    "text",
    [
        "Mondays and Thursdays, at 7:15: that is when your crew trains.",
        "Dr Berg, formerly Dr Lund: that is who your dentist is.",
        "In 1956, when he was 26, he emigrated to Canada.",
    ],
)
def test_a_name_or_figure_in_front_is_in_some_claim(text: str):
    assert text.rstrip(".") in texts(text)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Oysters you never touch.", "Oysters you never touch"),
        ("Well then: in May starts the course.", "in May starts the course"),
        ("You lived in Bern, then in Basel.", "then in Basel"),
        ("You play tennis, with your brother as partner.", "with your brother as partner"),
        ("You work here; what you drink is tea.", "you drink is tea"),
    ],
)
def test_the_span_is_where_the_words_stand(text: str, part: str):
    claim = extract_claims(text)[-1]
    assert text[claim.span.start : claim.span.end] == part
