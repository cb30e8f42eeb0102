"""A short answer is the user's own statement; the question only lends its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.judge import RulesJudge
from groundwire.memory.answering import answer
from groundwire.memory.candidates import Turn
from groundwire.memory.conversation import read_turns
from groundwire.memory.extraction import RuleExtractor
from groundwire.memory.intake import Intake

JUDGE = RulesJudge(lambda: 0.0)


@pytest.mark.parametrize(
    ("question", "reply", "said"),
    [
        ("Which city do you live in?", "Rotterdam.", "I live in Rotterdam"),
        ("Are you vegetarian?", "Yes, I am.", "I am vegetarian"),
        ("Do you eat eggs?", "I do.", "I eat eggs"),
        ("Do you have a car?", "No, I don't.", "I do not have a car"),
        ("Do you prefer tea or coffee?", "Tea.", "I prefer tea"),
        ("So you live in Graz?", "Yes.", "I live in Graz"),
        ("You're a teacher, right?", "Exactly.", "I are a teacher".replace("are", "am")),
        ("How many children do you have?", "Two, both at school.", "I have two children"),
        ("What is your favourite colour?", "Teal.", "My favourite colour is Teal"),
        ("Do you have pets?", "Yes, two ferrets.", "I have two ferrets"),
        ("Do you work at Siemens?", "No, at Bosch.", "I work at Bosch"),
        ("Are you allergic to anything?", "Yes, to latex.", "I am allergic to latex"),
        ("Do you smoke?", "I used to.", "I used to smoke"),
        ("And your name?", "Lotta.", "My name is Lotta"),
        ("Do you have any allergies?", "No.", "I do not have any allergies"),
    ],
)
def test_an_answer_is_read_in_full(question: str, reply: str, said: str) -> None:
    assert answer(question, reply) == said


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Do you live in Rome?", "Of course not."),
        ("Do you own a gun?", "Sure, if you count water pistols."),
        ("Are you over 18?", "Yes and no."),
        ("Do you eat meat?", "Yes, sometimes."),
        ("Do you have a dog?", "Yes, my neighbour's."),
        ("Do you have any allergies?", "Yes."),
        ("Where do you live?", "None of your business."),
        ("Where do you live?", "Why do you ask?"),
        ("How old are you?", "Too old."),
        ("Are you happy?", "Ask my wife."),
        ("You like Swedish.", "Yes."),
        ("Do you live in Graz or Wien?", "Neither."),
    ],
)
def test_what_is_no_plain_answer_says_nothing(question: str, reply: str) -> None:
    assert answer(question, reply) is None


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_question_and_reply_are_taken(question: str, reply: str) -> None:
    said = answer(question + "?", reply)
    assert said is None or said.strip()


def stored(*turns: tuple[str, str]) -> list[str]:
    conversation = read_turns([Turn(speaker, text) for speaker, text in turns])
    extraction = Intake(conversation, JUDGE).run(RuleExtractor().extract(conversation))
    return [proposal.candidate.text for proposal in extraction.stored]


@pytest.mark.requirement("EXT-008")
def test_answers_are_remembered_where_they_stand() -> None:
    turns = [Turn("assistant", "Which city do you live in?"), Turn("user", "Rotterdam. I like it.")]
    conversation = read_turns(turns)
    (first, *_) = Intake(conversation, JUDGE).run(RuleExtractor().extract(conversation)).stored
    (place,) = first.candidate.places
    assert first.candidate.text == "I live in Rotterdam"
    assert turns[place.turn].text[place.span.start : place.span.end].strip() == "Rotterdam."


@pytest.mark.requirement("EXT-008", "EXT-009")
@pytest.mark.parametrize(
    "turns",
    [
        [("assistant", "You clearly work as a film editor."), ("user", "What about the battery?")],
        [("assistant", "Do you live in Graz?"), ("user", "I think so.")],
        [("assistant", "Do you want me to book it?"), ("user", "Yes.")],
        [("assistant", "Would you like a table?"), ("user", "Yes.")],
        [("assistant", "Are you sure?"), ("user", "Yes.")],
        [("assistant", "Do you like it? I like Swedish."), ("user", "Yes.")],
    ],
)
def test_the_assistants_own_words_are_not(turns: list[tuple[str, str]]) -> None:
    assert stored(*turns) == []


def test_an_answer_that_says_more_is_kept_whole() -> None:
    said = stored(("assistant", "Do you rent?"), ("user", "Yes, I rent a flat in Oslo."))
    assert "I rent a flat in Oslo" in said
