"""What is looked up instead of searched, and read once instead of often, must say what the long way says."""

from __future__ import annotations

import re

from dialogue_examining import examine
from hypothesis import given
from hypothesis import strategies as st

from groundwire.detect.dialogue.kindred import draw_circle, is_akin
from groundwire.detect.logic.exclusions import names_state
from groundwire.detect.logic.pair_choice import are_akin, have_kin
from groundwire.detect.records.facets import list_words, speaks_of
from groundwire.detect.records.status import read_states
from groundwire.detect.records.values import find_values
from groundwire.detect.scoring import are_related, count_related
from groundwire.detect.sightings import look_through
from groundwire.text.signals import corrects_itself, find_signals
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags, tag, tag_text
from groundwire.text.tokens import tokenize
from groundwire.text.values import key
from groundwire.types import SignalType, Span
from groundwire.types.detection import HallucinationFlag, HallucinationType

WORDS = st.sampled_from(
    [
        *("cat", "pet", "dog", "open", "close", "closed", "unpaid", "pay", "paid", "teach", "teacher", "teaching"),
        *("tokyo", "japan", "cancel", "cancellation", "car", "vehicle", "buy", "purchase", "cheap", "expensive"),
        *("in-house", "house", "farm", "farmer", "marry", "marriage", "x"),
    ]
)
SENTENCES = st.lists(WORDS | st.sampled_from(["Actually,", "I mean", "no, wait", "Sorry,", "12", "3 pm", "😀", "-"]))


@given(WORDS, st.frozensets(WORDS))
def test_kin_is_found_by_keys_as_by_comparing(word: str, others: frozenset[str]):
    assert draw_circle(others).has_kin(word) is any(is_akin(word, other) for other in others)


@given(WORDS, st.frozensets(WORDS))
def test_a_word_that_speaks_of_another_is_found_as_by_comparing(word: str, others: frozenset[str]):
    assert list_words(others).speaks_of(word) is any(speaks_of(word, other) for other in others)


@given(st.frozensets(WORDS), st.frozensets(WORDS))
def test_one_topic_is_found_as_by_comparing_every_word(mine: frozenset[str], yours: frozenset[str]):
    assert have_kin(mine, yours) is any(are_akin(one, other) for one in mine for other in yours)


@given(st.text(max_size=80) | SENTENCES.map(" ".join))
def test_kept_letters_are_those_of_the_tagger(text: str):
    tokens = tokenize(text, 7)
    letters = tag(tokens)
    again, kept = tag_text(text, 7)
    assert kept == letters
    assert [(t.text, t.start, t.end, t.low, t.lemma, t.tag, t.is_apart) for t in again] == [
        (t.text, t.start, t.end, t.low, t.lemma, t.tag, t.is_apart) for t in tokens
    ]


def test_whoever_changes_tokens_changes_their_own():
    tokens, _ = tag_text("The shop opens at nine.")
    tokens[0] = tokens[0].retagged("X")
    assert tag_text("The shop opens at nine.")[0][0].tag == share_tags("The shop opens at nine.")[0][0].tag == "D"


@given(st.text(max_size=60) | SENTENCES.map(" ".join))
def test_self_correction_is_the_signal_of_that_name(text: str):
    known = any(signal.type is SignalType.SELF_CORRECTION for signal in find_signals(text))
    assert corrects_itself(text) is known


def search_states(text: str) -> set[str]:
    """The long way: every phrase of the table, the longest first, each hiding the shorter ones inside it."""
    table: dict[str, list[str]] = read_table("status", "detect")["states"]
    phrases = sorted(dict.fromkeys(p for ps in table.values() for p in ps), key=lambda phrase: -len(phrase))
    found: set[str] = set()
    for phrase in phrases:
        match = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text)
        if match is not None:
            found |= {state for state, ps in table.items() if phrase in ps}
            text = text[: match.start()] + " " * len(phrase) + text[match.end() :]
    return found


def test_states_are_looked_up_as_they_are_searched_for():
    table: dict[str, list[str]] = read_table("status", "detect")["states"]
    phrases = [phrase for found in table.values() for phrase in found]
    for one, other in zip(phrases, [*phrases[1:], phrases[0]], strict=True):
        for text in (f"it is {one}", f"{one} and {other}", f"x{one}", f"{one}-{other}s"):
            assert read_states(text) == search_states(text), text


def test_states_that_exclude_are_named_as_they_are_searched_for():
    states = [state for row in read_table("exclusions", "detect")["states"] for state in row["states"]]
    search = re.compile("|".join(rf"\b{re.escape(s)}\b" for s in states)).search
    for state in states:
        for text in (state, f"it is {state}.", f"x{state}", f"{state}x", f"a-{state}-b", f"no {state[1:]}"):
            assert names_state(text) is (search(text) is not None), text


def test_plain_numbers_are_their_own_keys():
    assert [n for n in range(1, 10_000) if key(str(n)) != str(n)] == []


def test_kept_values_belong_to_whoever_asks():
    found = find_values("It takes 3 hours.")
    found.clear()
    assert [value.text for value in find_values("It takes 3 hours.")] == ["3 hours"]


FLAGS = st.builds(
    HallucinationFlag,
    span=st.just(Span(0, 1)),
    content=st.sampled_from(["Ada Abel lives in Oslo", "Oslo", "Ada Abel", "the fee", "Ivo Ilves met Ada Abel", ""]),
    hallucination_type=st.sampled_from(list(HallucinationType)),
    confidence=st.just(0.9),
)


@given(FLAGS, st.lists(FLAGS, max_size=8))
def test_related_flags_are_counted_in_any_order(flag: HallucinationFlag, others: list[HallucinationFlag]):
    assert count_related(flag, others) == min(3, sum(are_related(flag, other) for other in others))


def test_all_detectors_look_at_one_sighting():
    examined = examine("The shop opens at nine. It closes at five.")
    assert look_through(examined) is look_through(examined)
