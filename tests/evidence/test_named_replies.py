"""Replies that name what was asked for, take it up, or say little without the question."""

from __future__ import annotations

import pytest

from groundwire.evidence.dialogue import read_dialogue
from groundwire.evidence.replies import complete


@pytest.mark.parametrize(
    ("question", "reply", "told"),
    [
        ("Have you taken anything?", "Two aspirins.", "you have taken two aspirins"),
        ("Is your neighbour allergic to something?", "Hazelnuts.", "your neighbour is allergic to Hazelnuts"),
        ("Did you invite anybody?", "My cousin.", "you did invite my cousin"),
        ("Will anybody come with you?", "My brother.", "My brother will come with you"),
        (
            "And the database migration?",
            "That one runs at night, we needn't wait.",
            "the database migration runs at night",
        ),
    ],
)
def test_whoever_names_one_says_that_there_is_one(question: str, reply: str, told: str):
    assert complete(question, reply, by_user=True) == told


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Have you taken anything?", "Nothing at all."),
        ("Have you eaten anything today?", "Just a banana."),
        ("Do you need anything else?", "A receipt."),
        ("Can I do anything for you?", "The invoice, please."),
        ("Is anybody away?", "Jule has her ankle in plaster."),
        ("Are you staying anywhere nice?", "In a small hotel."),
    ],
)
def test_a_limit_an_offer_or_a_sentence_is_no_name(question: str, reply: str):
    assert complete(question, reply, by_user=True) is None


@pytest.mark.parametrize(
    ("reply", "is_kept"),
    [("With my old Volvo.", True), ("Not yet.", True), ("I take the train every Monday.", False)],
)
def test_a_reply_is_kept_with_its_question_where_it_says_little_alone(reply: str, *, is_kept: bool):
    turns = [
        {"turn_id": 1, "speaker": "assistant", "text": "How do you get there?"},
        {"turn_id": 2, "speaker": "user", "text": reply},
    ]
    dialogue = read_dialogue(turns)
    assert dialogue.said_in(dialogue.recent[-1]) is not None
    assert bool(dialogue.exchanges) is is_kept
