"""What is put to the judge is told in plain words: choices, relatives, conditions; what nobody asserts is left out."""

from __future__ import annotations

import pytest
from dialogue_examining import examine, packaged_judge, turns
from text_examining import NOW

from groundwire.app import Groundwire
from groundwire.detect.dialogue.history import find_standing, gather
from groundwire.detect.dialogue.presuppositions import find_presuppositions, find_settled
from groundwire.detect.dialogue.swaps import are_swapped
from groundwire.detect.logical import detect_logical_inconsistencies
from groundwire.detect.prior import PriorDetector
from groundwire.evidence.dialogue import Dialogue
from groundwire.text.reading import read_text
from groundwire.text.segments import segment_response
from groundwire.types.detection import HallucinationFlag

THRESHOLD = 0.5


def find(answer: str, dialogue: Dialogue) -> list[HallucinationFlag]:
    found = PriorDetector().detect(examine(answer, dialogue, judge=packaged_judge()))
    return [flag for flag in found if flag.confidence >= THRESHOLD]


def find_inconsistent(text: str) -> list[str]:
    segments = segment_response(text, now=NOW)
    return [flag.content for flag in detect_logical_inconsistencies(segments, packaged_judge(), text=text)]


# ── what a turn asks, reports or takes back ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "asked",
    [
        "user: The ferry leaves at seven, doesn't it?",
        "user: The ferry leaves at seven, right?",
        "user: A leaflet says the ferry leaves at seven, but the captain says it leaves at six. Which is right?",
    ],
)
def test_what_a_turn_asks_or_only_reports_is_not_held_against_the_answer(asked: str) -> None:
    assert find("The ferry leaves at eight.", turns(asked)) == []


def test_what_somebody_says_of_themselves_stands_even_as_a_question() -> None:
    assert find("As you eat meat, try the goulash.", turns("user: I told you I'm a vegetarian, didn't I?"))


def test_the_advice_of_others_is_not_what_the_user_said() -> None:
    dialogue = turns(
        "user: My uncle says I need a licence for the drone.", "assistant: How heavy is it?", "user: 200 g."
    )
    assert find("You don't need a licence for a drone of 200 g.", dialogue) == []


def test_a_value_that_is_taken_back_in_the_same_breath_does_not_stand() -> None:
    assert [value.text for value in find_standing("A room for Monday, no, sorry, Tuesday")] == ["Tuesday"]
    assert [value.text for value in find_standing("A room for Monday and Tuesday")] == ["Monday", "Tuesday"]


# ── what the answer takes for granted ───────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sentence", "granted"),
    [
        ("Let's ask your nephew Piet.", "Piet is your nephew"),
        ("With the deposit of 400 you paid, it is yours.", "Your deposit is 400"),
        ("It is late, and since you're walking I'd leave now.", "You're walking"),
        ("I have packed the green tent we settled on.", "You chose the green tent"),
        ("This is your first triathlon.", "You have never done a triathlon before"),
        ("In Turin, where you work, it rains.", "You work In Turin"),
    ],
)
def test_what_is_taken_for_granted_is_told_as_a_statement(sentence: str, granted: str) -> None:
    assert granted in [presupposed.text for presupposed in find_presuppositions(sentence)]


@pytest.mark.parametrize(
    "sentence", ["Call me as soon as you're home.", "It is as good as you said.", "Tell me when you're walking."]
)
def test_a_comparison_or_a_time_is_no_reason(sentence: str) -> None:
    assert not [p for p in find_presuppositions(sentence) if p.text.startswith("You're")]


def test_a_choice_is_read_from_the_few_words_it_is_made_in() -> None:
    assert [p.text for p in find_settled("Fine, green it is.")] == ["You chose green"]
    assert [p.text for p in find_settled("Oak, not pine.")] == ["You chose Oak, not pine"]
    assert list(find_settled("What colour it is I don't know.")) == []


# ── one taken for another ───────────────────────────────────────────────────────────────────────


def test_one_who_was_never_mentioned_in_the_place_of_one_who_was_is_a_swap() -> None:
    said = [{"speaker": "user", "text": "My daughter broke her arm."}]
    report = Groundwire().detect("Your son should keep the arm still.", dialogue=said)
    assert [flag.content for flag in report.flags] == ["Your son"]


@pytest.mark.parametrize(
    ("said", "prior", "turn"),
    [
        ("You have a father", "You have a mother", "My mother is ill."),
        ("You have a son", "You have a daughter", "My daughter and the boys are ill."),
        ("You have a son", "You have a daughter", "My daughter is ill. My son is well."),
        ("You have two dogs", "You have a cat", "My cat is ill."),
        ("You have a dog", "You have a cat", "My cat and the other animals are ill."),
    ],
)
def test_one_who_may_well_be_there_is_no_swap(said: str, prior: str, turn: str) -> None:
    assert not are_swapped(said, prior, [turn])


# ── what is flagged, and what is changed ────────────────────────────────────────────────────────


def test_a_sentence_that_denies_one_statement_is_flagged_once() -> None:
    dialogue = turns("user: I'm allergic to fish.", "assistant: Noted.", "user: What can I cook?")
    assert len(find("As you have no allergies, fish is no problem for you.", dialogue)) == 1


def test_the_flag_covers_the_value_that_stands_in_front_of_the_statement() -> None:
    dialogue = turns("user: Our budget is 900 euros.", "assistant: Noted.", "user: Which sofa fits?")
    flags = find("With a budget of 1,400 euros the corner sofa fits well.", dialogue)
    assert any("1,400" in flag.content for flag in flags)


@pytest.mark.parametrize(
    ("user", "answer"),
    [
        (
            "My speech has about 900 words and the limit is 700. There are four jokes in it, the last is the worst.",
            "At roughly 900 words, your speech is a bit over the limit of 700. Cutting the last joke would help.",
        ),
        (
            "The hall seats 250 and 310 people have signed up. There are two balconies in it. What now?",
            "With 310 people you are over the capacity of 250. You could open both balconies.",
        ),
    ],
)
def test_an_answer_with_the_figures_of_the_user_is_never_reworded(user: str, answer: str) -> None:
    report = Groundwire().detect(answer, dialogue=[{"speaker": "user", "text": user}])
    assert not [flag for flag in report.flags if flag.hallucination_type == "ContradictsPrior"]
    assert report.mitigated == answer


# ── conditions ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "If the siren sounds, nobody may leave the hall. When the siren sounds, visitors may leave the hall.",
        "The ticket can't be refunded after the first day. If you want, you can get your money back at any time.",
        "Feel free to bring your dog. Dogs are not allowed anywhere in the building.",
    ],
)
def test_what_holds_in_one_case_is_compared_with_what_holds_in_the_same(text: str) -> None:
    assert find_inconsistent(text)


@pytest.mark.parametrize(
    "text",
    [
        "If it rains, the match is moved indoors. If it is dry, the match is played on the lawn.",
        "When the alarm rings, leave the building. When the alarm rings, do not use the lifts.",
        "If you like, we can meet at six. The café closes at seven.",
        "The shop never closes, with one exception: on New Year's Day it opens at noon.",
    ],
)
def test_other_cases_orders_and_announced_exceptions_are_consistent(text: str) -> None:
    assert find_inconsistent(text) == []


def test_a_superlative_with_its_verb_left_out_belongs_to_the_second_name() -> None:
    assert [r.claim.text for r in read_text("Ida is the oldest and Otto the youngest.").claims] == [
        "Ida is the oldest",
        "Otto is the youngest",
    ]


def test_every_prior_is_read_once_for_a_dialogue() -> None:
    dialogue = turns("user: Blue or red?", "user: Blue it is.")
    assert "You chose Blue" in [prior.text for prior in gather(dialogue)]
