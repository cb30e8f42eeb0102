"""Dialogue state: turns in order, one voice for all speakers, short replies, names, and JSON that is told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import count_calls
from groundwire.errors import InvalidInput
from groundwire.evidence.dialogue import Dialogue, read_dialogue, resolve_claims
from groundwire.evidence.lookups import DialogueState
from groundwire.evidence.replies import complete
from groundwire.evidence.rewriting import Exchange, Rewritten
from groundwire.evidence.speakers import Party, name_parties
from groundwire.types import Span
from groundwire.types.detection import DialogueTurn


def talk(*said: str) -> Dialogue:
    parts = [line.partition(": ") for line in said]
    return Dialogue([DialogueTurn(i, role, text) for i, (role, _, text) in enumerate(parts, 1)])


def texts(dialogue: Dialogue, turn: int) -> list[str]:
    return [claim.text for claim in dialogue.claims_of(dialogue.turns[turn - 1])]


# ── turns and speakers ──────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-048")
def test_a_dialogue_offers_turns_and_a_registry_of_names():
    dialogue: DialogueState = talk("user: Sarah Jones joined us in May.", "assistant: Welcome to her!")
    assert [(turn.turn_id, turn.role, turn.text) for turn in dialogue.turns] == [
        (1, "user", "Sarah Jones joined us in May."),
        (2, "assistant", "Welcome to her!"),
    ]
    assert dialogue.entity_registry.find("sarah jones") == "Sarah Jones"
    assert dialogue.entity_registry.find("Jones") == "Sarah Jones"
    assert dialogue.entity_registry.find("Peter") is None
    assert dialogue.entity_registry.find_similar("Sara Jones")[0][0] == "Sarah Jones"
    assert dialogue.entity_registry.find_similar("Bartholomew") == ()


def test_a_part_of_two_names_stands_for_neither():
    dialogue = talk("user: Anna Berg and Tom Berg came.")
    assert dialogue.entity_registry.find("Berg") is None
    assert dialogue.entity_registry.find("Tom") == "Tom Berg"


def test_what_the_user_says_of_themselves_the_assistant_says_of_you():
    dialogue = talk("user: I live in Oslo and my sister works at Statoil.", "assistant: You live in Oslo.")
    assert texts(dialogue, 1) == ["You live in Oslo", "Your sister works at Statoil"]
    assert texts(dialogue, 2) == ["You live in Oslo"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("user: I'm a nurse.", "You're a nurse"),
        ("user: I was in Rome.", "You were in Rome"),
        ("user: My dog is old.", "Your dog is old"),
        ("user: You told me that it is closed.", "It is closed"),
        ("Anna: I work at Shell.", "Anna works at Shell"),
        ("Anna: I am a pilot.", "Anna is a pilot"),
        ("Anna: My brother is ill.", "Anna's brother is ill"),
    ],
)
def test_every_speaker_is_retold_in_the_voice_of_the_answer(said: str, told: str):
    others = () if said.startswith("user") else ("Bob: Good.", "user: Fine.")
    assert texts(talk(said, *others), 1) == [told]


def test_what_the_assistant_says_of_itself_is_not_about_the_user():
    dialogue = talk("assistant: I live in the cloud.", "user: You live in a server.")
    for turn in dialogue.turns:
        (said,) = dialogue.said_in(turn)
        assert said.of_assistant
        assert said.read.facts[0].subject == "assistant"


def test_spans_and_quotes_are_those_of_the_turn_as_written():
    dialogue = talk("user: Anna called. She's in Oslo.")
    turn = dialogue.turns[0]
    said = dialogue.said_in(turn)[-1]
    assert said.text == "Anna is in Oslo"
    assert said.quote == "She's in Oslo"
    assert turn.text[slice(*said.read.claim.span)] == "She's in Oslo"


def test_the_only_stranger_is_the_user():
    turns = [DialogueTurn(1, "Maria", "hi"), DialogueTurn(2, "assistant", "hello")]
    assert name_parties(turns)["Maria"] is Party.USER
    turns.append(DialogueTurn(3, "Tom", "hey"))
    assert name_parties(turns)["Maria"] is Party.OTHER
    assert name_parties([DialogueTurn(1, "System", "x")])["System"] is Party.SYSTEM


def test_a_system_prompt_says_nothing_of_the_dialogue():
    assert texts(talk("system: You are a helpful pirate.", "user: I live in Rome."), 1) == []


# ── short replies ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("question", "reply", "statement"),
    [
        ("Has your parcel been shipped?", "Yes, this morning.", "your parcel has been shipped"),
        ("Does the hotel have a pool?", "No.", "the hotel does not have a pool"),
        ("Is the shop open on Sundays?", "No.", "the shop is not open on Sundays"),
        ("When is the meeting?", "Monday at 3.", "the meeting is Monday at 3"),
        ("Where do you live?", "In Oslo.", "you live in Oslo"),
        ("How many guests are you expecting?", "Twelve.", "you are expecting twelve guests"),
        ("And how much is the annual plan?", "$96.", "the annual plan is $96"),
        ("How many guests?", "Around eighty.", "there are around eighty guests"),
    ],
)
def test_a_reply_says_what_its_question_asked(question: str, reply: str, statement: str):
    assert complete(question, reply) == statement


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("How do I sleep better?", "Dark curtains help a lot."),
        ("Is it late?", "Maybe."),
        ("What is it?", "What do you mean?"),
        ("No question here.", "Yes."),
        ("Why?", "Because."),
    ],
)
def test_a_reply_that_says_something_else_completes_nothing(question: str, reply: str):
    assert complete(question, reply) is None


def test_a_reply_counts_as_said():
    dialogue = talk("assistant: What's your budget?", "user: 500 euros.")
    assert "Your budget is 500 euros" in texts(dialogue, 2)


@given(st.text(max_size=80), st.text(max_size=40))
def test_completing_never_fails(question: str, reply: str):
    complete(question, reply)
    complete(question + "?", reply)


# ── the answer ──────────────────────────────────────────────────────────────────────────────────


def test_claims_of_an_answer_have_the_names_of_earlier_turns():
    dialogue = talk("user: My sister Lena moved to Graz.", "assistant: How does she like it?")
    answer = "She will like it there. Her flat is small."
    claims = resolve_claims(answer, dialogue)
    assert claims[-1].text.endswith("Lena's flat is small")
    assert answer[slice(*claims[-1].span)] == "Her flat is small"


def test_hearing_an_answer_leaves_the_dialogue_as_it_was():
    dialogue = talk("user: Anna is here.")
    before = dialogue.resolve("she")
    dialogue.hear("Maria came. She left.")
    assert dialogue.resolve("she") == before == "Anna"
    assert dialogue.entity_registry.find("Maria") is None


@pytest.mark.requirement("DET-023")
def test_the_window_is_the_last_ten_turns():
    dialogue = talk(*(f"user: Room {i} is free." for i in range(1, 16)))
    assert [turn.turn_id for turn in dialogue.recent] == list(range(6, 16))
    assert Dialogue(dialogue.turns, window=3).recent == dialogue.turns[-3:]


def test_names_from_before_the_window_are_still_known():
    dialogue = talk("user: I met Ottilie Brandt.", *(f"user: Room {i} is free." for i in range(12)))
    assert dialogue.entity_registry.find("Ottilie Brandt") == "Ottilie Brandt"


def test_ten_thousand_turns_cost_no_more_than_ten_times_a_thousand():
    def ask(count: int) -> None:
        dialogue = Dialogue([DialogueTurn(i, "user", f"Invoice {i} of Mr. Smith{i} was paid.") for i in range(count)])
        dialogue.claims_of(dialogue.turns[-1])
        dialogue.entity_registry.find("Smith9")

    ask(200)
    assert count_calls(lambda: ask(10_000)) < 12 * count_calls(lambda: ask(1_000))


# ── JSON ────────────────────────────────────────────────────────────────────────────────────────


def test_turns_are_read_in_the_order_of_their_ids():
    dialogue = read_dialogue(
        [{"turn_id": 3, "speaker": "user", "text": "c"}, {"turn_id": 1, "role": "assistant", "text": "a"}]
    )
    assert [(turn.turn_id, turn.role) for turn in dialogue.turns] == [(1, "assistant"), (3, "user")]


def test_a_turn_without_an_id_follows_the_one_before_it():
    rows = [
        {"speaker": "user", "text": "a"},
        {"speaker": "user", "text": "b"},
        {"turn_id": "7", "role": "x", "text": "c"},
    ]
    assert [turn.turn_id for turn in read_dialogue(rows).turns] == [1, 2, 7]


def test_nothing_is_an_empty_dialogue():
    assert read_dialogue(None).turns == () == read_dialogue([]).turns
    assert Dialogue().resolve("she") is None
    assert Dialogue().hear("It is late.")


@pytest.mark.parametrize(
    ("rows", "field"),
    [
        ("hello", "dialogue"),
        ([{"speaker": "user", "text": "a"}, 3], "dialogue[1]"),
        ([{"speaker": "user", "text": "a"}, {"speaker": "user"}], "dialogue[1].text"),
        ([{"speaker": "user", "text": 5}], "dialogue[0].text"),
        ([{"text": "a"}], "dialogue[0].speaker"),
        ([{"role": " ", "text": "a"}], "dialogue[0].role"),
        ([{"turn_id": "first", "speaker": "user", "text": "a"}], "dialogue[0].turn_id"),
        ([{"turn_id": True, "speaker": "user", "text": "a"}], "dialogue[0].turn_id"),
        ([{"speaker": "user", "text": "a" * 200_001}], "dialogue[0].text"),
    ],
)
def test_a_wrong_turn_is_named_by_its_place(rows: object, field: str):
    with pytest.raises(InvalidInput) as caught:
        read_dialogue(rows)
    assert caught.value.field == field


def test_a_window_of_no_turns_is_refused():
    with pytest.raises(InvalidInput):
        Dialogue(window=0)


# ── rewriting ───────────────────────────────────────────────────────────────────────────────────


def test_a_rewritten_text_knows_where_its_words_stood():
    rewritten = Rewritten("She saw him.", [Exchange(0, 3, "Anna Berg"), Exchange(8, 11, "Tom")])
    assert rewritten.text == "Anna Berg saw Tom."
    assert rewritten.locate(Span(0, 4)) == Span(0, 3)
    assert rewritten.locate(Span(10, 13)) == Span(4, 7)
    assert rewritten.locate(Span(10, 17)) == Span(4, 11)


@given(st.text(min_size=1, max_size=60), st.data())
def test_words_that_were_not_exchanged_stand_where_they_stood(text: str, data: st.DataObject):
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6, unique=True)))
    exchanges = [Exchange(a, b, "word") for a, b in zip(places[::2], places[1::2], strict=False)]
    rewritten = Rewritten(text, exchanges)
    for at in range(len(rewritten.text)):
        span = rewritten.locate(Span(at, at + 1))
        assert 0 <= span.start <= span.end <= len(text)
        if span.end - span.start == 1 and not any(e.start <= span.start < e.end for e in exchanges):
            assert text[span.start] == rewritten.text[at]


@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "Ana"]), st.text(max_size=120)), max_size=5),
    st.text(max_size=120),
)
def test_any_dialogue_can_be_read(turns: list[tuple[str, str]], answer: str):
    dialogue = Dialogue([DialogueTurn(i, role, text) for i, (role, text) in enumerate(turns)])
    for said in dialogue.hear(answer):
        assert 0 <= said.read.claim.span.start <= said.read.claim.span.end <= len(answer)
    for turn in dialogue.turns:
        for claim in dialogue.claims_of(turn):
            assert 0 <= claim.span.start <= claim.span.end <= len(turn.text)


@pytest.mark.parametrize(
    "text", ["(" * 5_000, "he " * 3_000, "\0" * 100, "Она живёт в Осло. 她住在奥斯陆。", "🙂" * 500, "x" * 50_000]
)
def test_hostile_turns_are_survived(text: str):
    dialogue = Dialogue([DialogueTurn(1, "user", text)])
    dialogue.claims_of(dialogue.turns[0])
    dialogue.hear(text)
