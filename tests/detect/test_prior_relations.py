"""Which statements of an answer and a dialogue have to do with each other, and how sure the judge must be of them."""

from __future__ import annotations

import pytest
from dialogue_examining import examine, packaged_judge, rules_judge, turns
from hypothesis import given
from hypothesis import strategies as st

from groundwire.app import Groundwire
from groundwire.detect.amounts.figures import tells_age
from groundwire.detect.dialogue.changes import admits, tells_change
from groundwire.detect.dialogue.circumstances import are_other_days
from groundwire.detect.dialogue.kindred import Vocabulary, is_akin, is_same
from groundwire.detect.dialogue.presuppositions import find_presuppositions
from groundwire.detect.dialogue.siblings import are_siblings, find_swap
from groundwire.detect.dialogue.stated_values import find_values
from groundwire.detect.dialogue.topics import read_topic
from groundwire.detect.prior import PriorDetector
from groundwire.judge.hybrid import HybridJudge
from groundwire.types import Passage, Verdict, VerifierInput


def find(answer: str, *said: str) -> list[str]:
    found = PriorDetector().detect(examine(answer, turns(*said), judge=packaged_judge()))
    return [flag.content for flag in found if flag.confidence >= 0.5]


# ── what the judge finds where no rule relates anything ─────────────────────────────────────────


@pytest.mark.requirement("DET-023")
@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (("assistant: The lift is out of order.",), "You can use the elevator."),
        (("user: I've never been abroad.",), "You spent last summer in Portugal."),
        (("user: I'm single at the moment.",), "Your wife will enjoy a candlelit dinner."),
        (("assistant: The kitchen uses no meat.",), "The chef recommends the beef stew."),
        (("assistant: Unfortunately we do not deliver to Iceland.",), "We're happy to send parcels to Iceland too."),
    ],
)
def test_statements_without_a_word_in_common_can_contradict(said: tuple[str, ...], answer: str):
    assert find(answer, *said)


@pytest.mark.requirement("DET-023")
@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (("user: I'm left-handed.",), "As you are right-handed, any model works."),
        (("assistant: The biopsy was benign.",), "Given that the result was malignant, talking to family may help."),
        (("user: Our dog is called Biscuit, he's a beagle.",), "A poodle like Biscuit needs two meals a day."),
        (("user: I've got a degree in biology.",), "Your chemistry degree is what they are looking for."),
        (("user: I paid the invoice on Monday.",), "Your invoice is still unpaid."),
        (("assistant: Yes, the hotel pool is heated all year round.",), "- Unheated pool\n- Breakfast included"),
    ],
)
def test_what_a_sentence_takes_for_granted_is_compared(said: tuple[str, ...], answer: str):
    assert find(answer, *said)


@pytest.mark.requirement("DET-023")
@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (("assistant: Omar is off today.",), "Tomorrow he is on duty again, from six to two."),
        (("user: I was born in 1988.", "user: How old was I in 2010?"), "You turned 22 in 2010."),
        (("user: The meeting is at 3.", "user: Sorry, make that 4."), "It is at 16:00."),
        (("assistant: The flat has two bedrooms.",), "It has one bathroom and a guest toilet."),
        (("assistant: Room 12 is free on Tuesday.", "user: And room 14?"), "Room 14 is taken on Tuesday."),
        (("assistant: Dogs are not allowed inside.",), "Guide dogs are the exception and may come in."),
        (("user: Tom isn't coming.",), "Then set a place for Mia. Tom can come another time."),
    ],
)
def test_other_days_things_and_ages_are_no_contradiction(said: tuple[str, ...], answer: str):
    assert find(answer, *said) == []


@pytest.mark.requirement("DET-023")
def test_a_change_of_something_else_covers_nothing():
    said = "assistant: Mrs. Oduya is in bed 12, by the window."
    assert find("Her drip was changed at six. You will find Mrs. Oduya in bed 9.", said)
    assert find("I got that wrong earlier. Mrs. Oduya is in bed 9.", said) == []


def test_an_admission_is_told_from_a_change():
    assert admits("Sorry, I misread the plan.")
    assert not admits("The drip was changed at six.")
    assert not tells_change("As you are right-handed, any model works.")


# ── words and their kin ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("left", "right"),
    [("dog", "pet"), ("married", "marriage"), ("open", "closed"), ("unpaid", "paid"), ("tokyo", "japan")],
)
def test_words_that_are_akin(left: str, right: str):
    assert is_akin(left, right)
    assert is_akin(right, left)


def test_opposites_are_akin_and_not_the_same():
    assert not is_same("open", "closed")


@given(st.lists(st.sampled_from(["dog", "pet", "cat", "open", "closed", "tokyo", "japan", "oslo", "teach", "teacher",
                                 "unpaid", "paid", "ship", "vessel", "zzyx"]), max_size=12))  # fmt: skip
def test_a_vocabulary_finds_whatever_is_akin(words: list[str]):
    for word in ("dog", "closed", "japan", "teacher", "paid", "vessel", "zzyx"):
        assert Vocabulary(words).find_akin(word) == {other for other in words if is_akin(word, other)}


def test_things_of_one_kind_are_siblings_and_their_kind_is_none():
    assert are_siblings("poodle", "beagle")
    assert not are_siblings("poodle", "dog")
    assert not are_siblings("poodle", "poodle")
    assert find_swap(read_topic("Biscuit is a poodle"), read_topic("Biscuit is a beagle")) == ("poodle", "beagle")


# ── small readings ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("Given that the result was bad, call her.", "The result was bad"),
        ("As a violinist you could ask for strings.", "You are a violinist"),
        ("For your Toyota, check the manual.", "You have a Toyota"),
        ("Unheated pool", "The pool is unheated"),
    ],
)
def test_presuppositions_are_statements_of_their_own(sentence: str, text: str):
    found = list(find_presuppositions(sentence))
    assert text.casefold() in [one.text.casefold() for one in found]
    assert all(0 <= one.start < one.end <= len(sentence) for one in found)


def test_a_bare_hour_may_be_either_half_of_the_day():
    (four,), (sixteen,) = find_values("The meeting is at 4"), find_values("The meeting is at 16:00")
    assert four.equals(sixteen)
    (five,) = find_values("The meeting is at 5")
    assert five.excludes(sixteen)


def test_days_and_ages():
    assert are_other_days("Tomorrow he works", "He is off today")
    assert not are_other_days("He works", "He is off today")
    assert tells_age("You turned 22 in 2010.", ["I was born in 1988."])
    assert not tells_age("You turned 25 in 2010.", ["I was born in 1988."])


def test_the_model_can_be_asked_by_itself():
    judge = Groundwire()._open().judge  # pyright: ignore[reportPrivateUsage]
    assert isinstance(judge, HybridJudge)
    (opinion,) = judge.ask_model([VerifierInput("You live in Oslo.", (Passage("p", "You live in Rome."),))])
    assert opinion.probabilities[Verdict.REFUTED] > 0.5
    assert opinion.judge != "rules"


def test_rules_alone_relate_nothing_at_a_distance():
    dialogue = turns("assistant: The container ship Halvorsen will dock in Antwerp.")
    assert not PriorDetector().detect(examine("The vessel will berth in Rotterdam.", dialogue, judge=rules_judge()))


@pytest.mark.parametrize(
    "answer",
    [
        "Maria Falk joined the club in 2006.",
        "The team of Maria Falk moved to Lima in 2006.",
        "Anna Grimm moved to Lima in 2006.",
    ],
)
def test_what_is_said_of_somebody_else_by_name_contradicts_nothing(answer: str):
    dialogue = turns("assistant: Anna Ilves moved to Ghent in 2018.")
    assert not PriorDetector().detect(examine(answer, dialogue, judge=rules_judge()))


@pytest.mark.parametrize("answer", ["Anna Ilves moved to Ghent in 2006.", "Anna moved to Ghent in 2006."])
def test_a_part_of_a_name_is_the_same_person(answer: str):
    dialogue = turns("assistant: Anna Ilves moved to Ghent in 2018.")
    (flag,) = PriorDetector().detect(examine(answer, dialogue, judge=rules_judge()))
    assert flag.correct_value == "2018"
