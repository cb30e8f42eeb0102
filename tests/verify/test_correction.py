"""The corrected answer: the answer itself, changed only where it must be, and still a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.app import Groundwire
from groundwire.types import Memory, Span
from groundwire.verify.correction import Edit, apply_edits, drop_negation, replace_value

JANUARY, MARCH = 1704067200, 1709251200
EMPLOYER = Memory("m1", "I work at Microsoft.", 0.9, JANUARY), Memory("m2", "I work at Amazon.", 0.9, MARCH)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="aA\0"), max_size=60)


def correct(text: str, *memories: Memory | str) -> str | None:
    return Groundwire().verify(text, memories=memories).corrected


@pytest.mark.requirement("CTR-020")
@pytest.mark.parametrize(
    ("text", "memories", "corrected"),
    [
        ("You work at Siemens.", ["I work at Bosch."], "You work at Bosch."),
        (
            "You work at Siemens and live in Hamburg.",
            ["I work at Bosch.", "I live in Kiel."],
            "You work at Bosch and live in Kiel.",
        ),
        (
            "Sure! Your dog is named Rex.\n\n- You live in Oslo.\n- You work at Nokia.",
            ["My dog is named Rex.", "I live in Bergen.", "I work at Nokia."],
            "Sure! Your dog is named Rex.\n\n- You live in Bergen.\n- You work at Nokia.",
        ),
        (
            "You are a nurse at Mercy Hospital in Leeds.",
            ["I am a nurse at Mercy Hospital in York."],
            "You are a nurse at Mercy Hospital in York.",
        ),
        ("You're 34 years old.", ["I am 35 years old."], "You're 35 years old."),
        ("You drive an Audi.", ["I drive a BMW."], "You drive a BMW."),
        ("Your meeting is at 4 pm.", ["My meeting is at 15:00."], "Your meeting is at 15:00."),
        ("Your sister lives in Rome.", ["My sister lives in Milan."], "Your sister lives in Milan."),
    ],
)
def test_only_the_wrong_value_is_replaced(text: str, memories: list[str], corrected: str):
    assert correct(text, *memories) == corrected


@pytest.mark.requirement("CTR-020")
@pytest.mark.parametrize(
    ("text", "memories"),
    [
        ("You work at Bosch.", ["I work at Bosch."]),
        ("You speak Dutch.", ["I speak French."]),
        ("You live in Oslo.", ["I don't live in Oslo."]),
        ("The weather is nice.", ["I work at Bosch."]),
        ("You used to work at Microsoft.", EMPLOYER),
        ("Hello!", ["I work at Bosch."]),
        ("", []),
    ],
)
def test_without_a_better_value_the_answer_is_left_alone(text: str, memories: list[str]):
    assert correct(text, *memories) is None


@pytest.mark.requirement("CTR-020")
@pytest.mark.parametrize(
    ("text", "memory", "corrected"),
    [
        ("You are an accountant.", "I am a teacher.", "You are a teacher."),
        ("You are a teacher.", "I am an accountant.", "You are an accountant."),
        ("You work as an engineer at Bosch.", "I work as a nurse at Bosch.", "You work as a nurse at Bosch."),
        ("Sushi is your favorite food.", "My favorite food is ramen.", "Ramen is your favorite food."),
        ("Hi! Sushi is your favorite food.", "My favorite food is ramen.", "Hi! Ramen is your favorite food."),
        ("Your favorite food is Sushi.", "My favorite food is ramen.", "Your favorite food is ramen."),
        ("Your favorite food is sushi.", "My favorite food is Ramen.", "Your favorite food is Ramen."),
        ("You don't live in Oslo.", "I live in Oslo.", "You do live in Oslo."),
        ("You are not married.", "I am married.", "You are married."),
        ("You aren't married.", "I am married.", "You are married."),
        ("You can't swim.", "I can swim.", "You can swim."),
        ("You never eat fish.", "I eat fish.", "You eat fish."),
    ],
)
def test_the_corrected_sentence_is_grammatical(text: str, memory: str, corrected: str):
    assert correct(text, memory) == corrected


@pytest.mark.requirement("CTR-016", "ACT-020")
@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("You work at Amazon.", "You work at Amazon (changed from Microsoft)."),
        ("You work at Amazon", "You work at Amazon (changed from Microsoft)"),
        ("You work at Microsoft.", "You work at Amazon (changed from Microsoft)."),
        ("You work at Amazon and know Python.", "You work at Amazon (changed from Microsoft) and know Python."),
        ("Amazon employs you.", "Amazon (changed from Microsoft) employs you."),
        ("you work at amazon", "you work at Amazon (changed from Microsoft)"),
        ("Hi! You work at Amazon.\nBye.", "Hi! You work at Amazon (changed from Microsoft).\nBye."),
    ],
)
def test_a_missing_disclosure_is_woven_in(text: str, corrected: str):
    assert correct(text, *EMPLOYER) == corrected


@pytest.mark.requirement("CTR-016")
def test_disclosure_and_replacement_happen_together():
    found = correct("You work at Amazon and live in Ulm.", *EMPLOYER, "I live in Bonn.")
    assert found == "You work at Amazon (changed from Microsoft) and live in Bonn."


@pytest.mark.requirement("CTR-016", "CTR-021")
@pytest.mark.parametrize(
    ("text", "memories"),
    [
        ("You work at Amazon.", EMPLOYER),
        ("You work at Microsoft.", EMPLOYER),
        ("You are an accountant.", ["I am a teacher."]),
        ("You work at Siemens and live in Hamburg.", ["I work at Bosch.", "I live in Kiel."]),
        ("You don't live in Oslo.", ["I live in Oslo."]),
    ],
)
def test_the_corrected_answer_is_grounded(text: str, memories: list[Memory | str]):
    corrected = correct(text, *memories)
    assert corrected is not None
    report = Groundwire().verify(corrected, memories=memories)
    assert report.grounded
    assert report.corrected is None


# ── edits ───────────────────────────────────────────────────────────────────────────────────────


def edit(text: str, old: str, new: str) -> Edit:
    start = text.index(old)
    return replace_value(text, Span(start, start + len(old)), new)


def test_edits_are_applied_by_position_whatever_their_order():
    text = "A cat, a dog and an owl."
    edits = [edit(text, "owl", "hen"), edit(text, "cat", "fox")]
    assert apply_edits(text, edits) == apply_edits(text, edits[::-1]) == "A fox, a dog and a hen."


def test_of_two_overlapping_edits_the_first_wins():
    text = "one two three"
    assert apply_edits(text, [Edit(Span(4, 13), "X"), Edit(Span(0, 7), "Y")]) == "Y three"


def test_an_empty_span_inserts():
    assert apply_edits("one three", [Edit(Span(3, 3), " two")]) == "one two three"


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [("You own a car.", "axe", "You own an axe."), ("An axe is here.", "saw", "A saw is here.")],
)
def test_the_article_follows_the_new_word(text: str, new: str, expected: str):
    old = "car" if "car" in text else "axe"
    assert apply_edits(text, [edit(text, old, new)]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You do not work there", "You do work there"),
        ("You don't work there", "You do work there"),
        ("You don’t work there", "You do work there"),
        ("You cannot swim", "You can swim"),
        ("You can't swim", "You can swim"),
        ("You won't go", "You will go"),
        ("You have never smoked", "You have smoked"),
        ("You no longer smoke", "You still smoke"),
    ],
)
def test_a_negation_is_taken_out_as_a_person_would(text: str, expected: str):
    found = drop_negation(text, Span(0, len(text)))
    assert found is not None
    assert apply_edits(text, [found]) == expected


def test_only_the_negation_inside_the_claim_is_taken_out():
    text = "You are not old. You are not tall."
    found = drop_negation(text, Span(17, len(text)))
    assert found is not None
    assert apply_edits(text, [found]) == "You are not old. You are tall."
    assert drop_negation("You are tall", Span(0, 12)) is None


@given(TEXT, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=4))
def test_text_outside_the_edits_is_kept_letter_by_letter(text: str, places: list[tuple[int, int]]):
    spans = sorted(Span(*sorted((min(a, len(text)), min(b, len(text))))) for a, b in places)
    marked = apply_edits(text, [Edit(span, "\x00") for span in spans])
    kept = iter(marked.replace("\x00", ""))
    covered = {i for span in spans for i in range(*span)}
    assert all(any(c == k for k in kept) for i, c in enumerate(text) if i not in covered)


@pytest.mark.requirement("CTR-020")
@pytest.mark.parametrize(
    ("text", "memory", "corrected"),
    [
        ("You are a baker.", "I am an MRI technician.", "You are an MRI technician."),
        ("You drive an Audi.", "I drive a Unimog.", "You drive a Unimog."),
        ("You are an actor.", "I am a university lecturer.", "You are a university lecturer."),
    ],
)
def test_the_article_follows_the_sound(text: str, memory: str, corrected: str):
    assert correct(text, memory) == corrected


@pytest.mark.requirement("CTR-016")
@pytest.mark.parametrize(
    ("text", "memories", "ugly"),
    [
        ("You work at Microsoft and Amazon.", EMPLOYER, "and Amazon"),
        ("You work at Amazon or Microsoft.", EMPLOYER, "or Microsoft"),
        ("You work at Amazon (changed from Google).", EMPLOYER, ") ("),
        (
            "You speak Dutch.",
            (Memory("a", "I speak Dutch.", 0.9, JANUARY), Memory("b", "I don't speak Dutch.", 0.9, MARCH)),
            "speak not Dutch",
        ),
    ],
)
def test_a_disclosure_is_woven_into_a_sentence_that_a_person_would_write(
    text: str, memories: tuple[Memory, ...], ugly: str
):
    corrected = correct(text, *memories)
    assert corrected is not None
    assert ugly not in corrected


@pytest.mark.requirement("CTR-014")
def test_a_contradicted_value_is_put_in_with_its_disclosure():
    assert correct("You work at Google.", *EMPLOYER) == "You work at Amazon (changed from Microsoft)."


@pytest.mark.requirement("CTR-018")
def test_in_a_tie_the_answer_keeps_its_own_value():
    memories = Memory("a", "I work at Bosch.", 0.9), Memory("b", "I work at Shell.", 0.9)
    assert correct("You work at Bosch.", *memories) == "You work at Bosch (conflicts with Shell)."
    assert correct("You work at Shell.", *memories) == "You work at Shell (conflicts with Bosch)."


@pytest.mark.requirement("CTR-020")
@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("You flew to Rome in February 2031.", "I flew to Lisbon in June 2025."),
        ("In February 2031 you were in Rome.", "My trip to Lisbon is in June 2025."),
        ("Your flight to Rome costs 300 euros.", "My hotel in Rome costs 120 euros."),
        ("The museum in Graz opened in 1901.", "The theatre in Graz opened in 1950."),
        ("You paid 300 euros for the bike.", "I paid 120 euros for the helmet."),
        ("You will visit Rome on 3 May.", "I visited Rome on 9 June."),
        ("You own two dogs.", "I own two goats."),
        ("You work at Bosch on Mondays.", "I work at Bosch and play tennis on Fridays."),
        ("The mill was built after 1900.", "The mill was built in 1874."),
        ("The meeting is in the morning.", "The meeting is at 3 pm."),
        ("The shop is open at 7 pm.", "The shop is open until 6 pm."),
        ("The deal was worth at least $5 million.", "The deal was worth $4 million."),
        ("You don't have any pets.", "I have two cats."),
        ("The lecture isn't postponed but cancelled.", "The lecture is cancelled."),
    ],
)
def test_a_value_of_something_else_corrects_nothing(text: str, memory: str):
    assert correct(text, memory) is None


@pytest.mark.requirement("CTR-020")
@pytest.mark.parametrize(
    ("text", "memory", "corrected"),
    [
        ("The law passed in the 18th century.", "The law passed in 1832.", "The law passed in 1832."),
        ("The law passed in 1832.", "The law passed in the 18th century.", "The law passed in the 18th century."),
        ("In the 1920s the viaduct opened.", "The viaduct opened in 1874.", "In 1874 the viaduct opened."),
        ("You moved to Bilbao in April 2022.", "I moved to Bilbao in May 2022.", "You moved to Bilbao in May 2022."),
        ("Your exam is on Tuesday at 9:15.", "My exam is on Friday at 9:15.", "Your exam is on Friday at 9:15."),
    ],
)
def test_a_time_is_corrected_as_a_person_would_write_it(text: str, memory: str, corrected: str):
    assert correct(text, memory) == corrected
