"""Reading a whole text: nothing breaks it, every span is exact, nothing is remembered, and time grows with length."""

from __future__ import annotations

import ast
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import effort
from effort import stays_cheap
from groundwire.text.assertion import may_be_hedged
from groundwire.text.catalogue import load_catalogue
from groundwire.text.hedges import HedgeDetector
from groundwire.text.propositions import content_lemmas
from groundwire.text.reading import LONGEST_SENTENCE, ReadClaim, read_text
from groundwire.text.sentences import split_sentences
from groundwire.text.tagging import tag
from groundwire.text.tokens import tokenize
from groundwire.types import Claim, HedgeAction, Span, Tense

# ── texts to read ───────────────────────────────────────────────────────────────────────────────

SOUP = """I you he she it we they my your the a an two no every another Ana Bo Oslo Nokia Rome nurse welder dog dogs
house bridge red old quickly still live lives lived work works worked is are was were has have had run runs running
bought restored wants want think said told used to called named married and or nor neither who which that where when
if because at in on of from with by for until since last week May 2019 3 5% 's don't isn't can't will would should
Monday 6:40 please maybe formerly company a@b.co https://x.org `code` , . ; : - ( ) " ? ! … naïve 東京 🙂"""

soup = st.lists(st.sampled_from(SOUP.split()), max_size=30).map(" ".join)

PEOPLE = [
    "You",
    "Ana",
    "My sister",
    "The old baker",
    "Karl and Mina",
    "Your neighbour, a welder,",
    "Ines, who repairs clocks,",
]
DEEDS = [
    "lives in Oslo", "works at Nokia", "bought a tent, a stove and two lamps", "has a dog named Rex",
    "did not visit Rome", "runs a bakery in Porto", "formerly taught Latin", "was born in 1984", "wants to learn Greek",
    "opened the gate at noon", "met Oskar, who paints boats,", "collects stamps and coins",
]  # fmt: skip
JOINTS = [" and ", ", but ", "; ", ", and then ", ", while Bo ", " because Eva "]


@st.composite
def prose(draw: st.DrawFn) -> str:
    """Sentences that people could write: subjects, deeds, and what joins them."""
    sentences: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        deeds = draw(st.lists(st.sampled_from(DEEDS), min_size=1, max_size=3))
        sentence = draw(st.sampled_from(PEOPLE)) + " " + deeds[0]
        for deed in deeds[1:]:
            sentence += draw(st.sampled_from(JOINTS)) + deed
        sentences.append(sentence + draw(st.sampled_from([".", "!", "."])))
    return draw(st.sampled_from([" ", "\n", "  "])).join(sentences)


anything = st.text(max_size=300) | soup | prose()


def lies_in(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


# ── spans ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-007", "TXT-013", "TXT-038")
@given(anything)
def test_every_span_is_a_stretch_of_the_text(text: str):
    sentences = [sentence.span for sentence in split_sentences(text)]
    whole = Span(0, len(text))
    reading = read_text(text)
    assert reading.text == text
    for read in reading.statements:
        assert read.sentence in sentences
        for span in (read.claim.span, *read.claim.other_spans):
            assert span.start < span.end
            assert lies_in(span, whole)
            assert text[span.start : span.end].strip()
        assert lies_in(read.claim.span, read.sentence)
        if read.claim.value_span is not None:
            assert lies_in(read.claim.value_span, whole)
            assert read.claim.value_span.start < read.claim.value_span.end
        for fact in read.facts:
            for span in (fact.span, fact.value_span):
                assert span.start < span.end
                assert lies_in(span, whole)


@pytest.mark.requirement("TXT-013")
@given(anything)
def test_a_raw_value_is_what_stands_at_its_span(text: str):
    """Except for what stands aside inside it: space is folded, brackets, quotes and marks between words left out."""
    for fact in read_text(text).facts:
        if fact.pattern == "predicate" and fact.raw == fact.slot_type:
            continue  # the verb itself is the value: "The kettle whistled."
        written = text[fact.value_span.start : fact.value_span.end]
        if any(mark in written for mark in '()[]",“”«».'):
            assert fact.raw.split()[0] in written
        else:
            assert " ".join(written.split()) == " ".join(fact.raw.split())


@pytest.mark.requirement("TXT-004", "TXT-007")
@given(prose())
def test_two_claims_stand_apart_or_one_stands_inside_the_other(text: str):
    """One contains another only where it was said around it: a joined subject, an aside, a relative clause."""
    claims = [read.claim for read in read_text(text).claims]
    for i, left in enumerate(claims):
        for right in claims[i + 1 :]:
            apart = left.span.end <= right.span.start or right.span.end <= left.span.start
            nested = lies_in(left.span, right.span) or lies_in(right.span, left.span)
            assert apart or nested
            assert left.text != right.text


@pytest.mark.requirement("TXT-001")
@given(prose())
def test_prose_is_never_left_unclaimed(text: str):
    reading = read_text(text)
    told = {read.sentence for read in reading.claims}
    told |= {span for read in reading.claims for span in _homes(text, read.claim)}
    assert told == {sentence.span for sentence in split_sentences(text)}
    assert all(read.facts for read in reading.claims)


def _homes(text: str, claim: Claim) -> set[Span]:
    return {s.span for s in split_sentences(text) for span in claim.other_spans if lies_in(span, s.span)}


# ── determinism ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-020", "TXT-038")
@given(anything, anything)
def test_a_text_reads_the_same_whatever_was_read_before(text: str, other: str):
    padded = " " * 2_001 + text
    first = read_text(padded)
    read_text(other)
    assert read_text(padded) == first


@pytest.mark.requirement("TXT-020")
def test_texts_can_be_read_in_parallel():
    texts = [f"{' ' * 2_001}{who} {deed}. She {other}." for who in PEOPLE for deed in DEEDS[:6] for other in DEEDS[6:9]]
    alone = [read_text(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read_text, texts)) == alone


@pytest.mark.requirement("TXT-020", "TXT-010")
def test_a_reading_belongs_to_its_catalogue():
    text = "You speak Dutch."
    own = read_text(text, load_catalogue(exclusive=("language",)))
    assert [fact.exclusive for fact in own.facts] == [True]
    assert [fact.exclusive for fact in read_text(text).facts] == [False]


@pytest.mark.requirement("TXT-020")
def test_what_stands_before_a_text_only_moves_it():
    text = "Ana, who repairs clocks, lives in Oslo. She bought a tent and two lamps."
    plain, moved = read_text(text), read_text("\n\n  " + text)
    assert [read.claim.text for read in plain.claims] == [read.claim.text for read in moved.claims]
    assert [read.claim.span.start + 4 for read in plain.claims] == [read.claim.span.start for read in moved.claims]


# ── what a reading holds ────────────────────────────────────────────────────────────────────────


def only(text: str) -> ReadClaim:
    (read,) = read_text(text).claims
    return read


@pytest.mark.requirement("TXT-003", "TXT-013")
def test_orders_are_notes_and_give_no_facts_to_the_text():
    reading = read_text("Call me Bex. You live in Oslo.")
    assert [(read.claim.text, read.is_note) for read in reading.statements] == [
        ("Call me Bex", True),
        ("You live in Oslo", False),
    ]
    assert [read.claim.text for read in reading.claims] == ["You live in Oslo"]
    assert [fact.value for fact in reading.facts] == ["oslo"]
    assert [(fact.slot_type, fact.value) for fact in reading.statements[0].facts] == [("name", "bex")]


@pytest.mark.requirement("TXT-013")
def test_a_note_without_a_verb_is_about_the_user():
    assert [(f.subject, f.slot_type, f.value) for f in read_text("Allergic to peanuts").facts] == [
        ("user", "allergy", "peanuts")
    ]
    assert [(f.subject, f.slot_type, f.value) for f in read_text("Favourite colour: blue").facts] == [
        ("user", "favorite_color", "blue")
    ]


@pytest.mark.requirement("TXT-013")
def test_the_facts_of_a_text_are_those_of_its_claims_in_order():
    reading = read_text("You live in Oslo. Ana works at Nokia and has a parrot. Bo restored a boat.")
    assert reading.facts == tuple(fact for read in reading.claims for fact in read.facts)
    assert [fact.value for fact in reading.facts] == ["oslo", "nokia", "parrot", "boat"]


@pytest.mark.requirement("TXT-038")
@pytest.mark.parametrize(
    "text",
    [
        "Она живёт в Осло и работает врачом.",
        "Elle habite à Lyon avec ses enfants.",
        "東京は日本の首都です。",
        "هي تعيش في القاهرة.",
        "Sie wohnt seit Jahren in einem Vorort.",
    ],
)
def test_a_sentence_that_no_rule_can_read_is_a_claim_without_facts(text: str):
    read = only(text)
    assert read.claim.text == text
    assert text[read.claim.span.start : read.claim.span.end] == text
    assert read.facts == ()


@pytest.mark.requirement("TXT-038", "SEC-013")
def test_what_goes_on_without_end_is_claimed_whole_and_not_read_word_by_word():
    text = "You live in Oslo and " * (LONGEST_SENTENCE // 20 + 10)
    read = only(text)
    assert (read.claim.span.start, read.facts) == (0, ())


@pytest.mark.requirement("TXT-038")
@pytest.mark.parametrize(
    "text", ["", " ", "\n", "\x00\x01\x02", "\u202e\u200f", "\ud800", "?", "()", "''", "----", "#", "\r\n\r\n"]
)
def test_nothing_to_read_is_an_empty_reading(text: str):
    reading = read_text(text)
    assert (reading.claims, reading.facts) == ((), ())


# ── propositions ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-007", "TXT-018", "TXT-019")
def test_a_proposition_is_the_claim_without_its_grammar():
    text = "Ana did not send the red parcel to Bo on Monday."
    read = only(text).proposition
    assert (read.subject, read.predicate, read.negated, read.tense, read.passive) == (
        "Ana",
        "send",
        True,
        Tense.PAST,
        False,
    )
    parts = {argument.role: argument for argument in read.arguments}
    assert {role: argument.text for role, argument in parts.items()} == {
        "object": "red parcel",
        "to": "Bo",
        "on": "Monday",
    }
    assert (parts["on"].is_time, parts["to"].is_name, parts["object"].is_name) == (True, True, False)
    assert {"red", "parcel", "send", "bo", "monday", "ana"} <= read.lemmas
    assert {"ana", "bo"} <= read.names
    for argument in read.arguments:
        assert text[argument.span.start : argument.span.end] == argument.text


@pytest.mark.requirement("TXT-017")
def test_the_user_is_no_content_of_a_proposition():
    read = only("You painted a van.").proposition
    assert (read.subject, read.subject_lemmas) == ("user", ())
    assert read.lemmas == {"paint", "van"}


@pytest.mark.requirement("TXT-013")
@pytest.mark.parametrize(
    "text", ["The fair takes place in Graz.", "The fair is held in Graz.", "The fair happens in Graz."]
)
def test_ways_to_say_that_a_thing_is_somewhere_are_one_predicate(text: str):
    read = only(text).proposition
    assert (read.predicate, read.passive) == ("be", False)
    assert [(argument.role, argument.text) for argument in read.arguments if argument.lemmas] == [("in", "Graz")]


@pytest.mark.requirement("TXT-013")
def test_content_words_are_lemmas_and_numbers_have_one_spelling():
    def lemmas(text: str) -> tuple[str, ...]:
        tokens = tokenize(text)
        tag(tokens)
        return content_lemmas(tokens)

    assert lemmas("two dogs") == lemmas("2 dogs")
    assert lemmas("the old bridges") == ("old", "bridge")
    assert lemmas("you have it") == ()


# ── growth ──────────────────────────────────────────────────────────────────────────────────────

HOSTILE = [
    ", and", "who who ", "((((", "'s's", "a a a ", "1.1.1 ", "of of ", "and ", "not ", "very ", "Ana, ", "Ana and ",
    '"', "“”", "the ", "to ", "that ", "is ", "I think ", "you are a nurse, ", "a, b ", "-", "x", "X", "\n", "| a ",
    "```\n", "# ", "in Oslo ", "'", "…", "?", "if ", "maybe ", "who lives in Oslo ", "he says that ", "Ana's ",
    "1,", "@", "a@", "a.b", "http://", "中", "。", "\u200b", "\x00", "🙂 ", "bought and ", "closed, ", "of the dog ",
    "was written, ", "; you run ", "a dog named Rex ",
]  # fmt: skip


def repeat(pattern: str, length: int) -> str:
    return (pattern * (length // len(pattern) + 1))[:length]


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("pattern", HOSTILE)
def test_twice_the_text_is_at_most_three_times_the_work(pattern: str):
    assert count_calls(repeat(pattern, 8_000)) < 3 * count_calls(repeat(pattern, 4_000)) + 1_000


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("pattern", HOSTILE)
def test_the_longest_text_of_one_pattern_is_read_in_time(pattern: str):
    assert stays_cheap(lambda: read_text(repeat(pattern, 200_000)))


def count_calls(text: str) -> int:
    """Padded beyond what is kept of texts read before, so that the reading itself is counted."""
    padded = "\n" * 2_001 + text
    read_text(padded)
    return effort.count_calls(lambda: read_text(padded))


def fill_sentence(pattern: str, words: int, number: int = 5) -> str:
    """The pattern with a subject and an end, no longer than what is still read word by word."""
    times = min(words * 6 // len(pattern), words // max(1, pattern.count(" ")))
    return f"Zed is {pattern * times} {number}. "


MOST_WORDS = 150
IN_ONE_SENTENCE = [pattern for pattern in HOSTILE if not set(pattern) & set('.?…\n。"“|`#')]


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("pattern", IN_ONE_SENTENCE)
def test_twice_the_sentence_is_at_most_three_times_the_work(pattern: str):
    assert MOST_WORDS * 6 < LONGEST_SENTENCE
    half, whole = fill_sentence(pattern, MOST_WORDS // 2), fill_sentence(pattern, MOST_WORDS)
    assert count_calls(whole) < 3 * count_calls(half)


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("pattern", ["a, b ", "Ana and ", "is ", "you are a nurse, ", "of of ", "'s's"])
def test_twice_the_hostile_sentences_are_twice_the_work(pattern: str):
    two, four = ("".join(fill_sentence(pattern, MOST_WORDS, n) for n in range(count)) for count in (2, 4))
    assert count_calls(four) < 2.2 * count_calls(two)


REPEATED = ["You live in Oslo. ", "Ana lives in Rome. She is a nurse. ", "- You speak Dutch\n", "Do you live in Oslo? "]


@pytest.mark.requirement("SEC-013", "TXT-005")
@pytest.mark.parametrize("pattern", REPEATED)
def test_a_repeated_sentence_is_no_more_work_the_more_often_it_was_said(pattern: str):
    assert count_calls(pattern * 200) < 2.2 * count_calls(pattern * 100)


@pytest.mark.slow
@pytest.mark.requirement("SEC-013", "TXT-005")
@pytest.mark.parametrize("pattern", [*REPEATED, "- a\n"])
def test_the_longest_text_of_one_sentence_is_read_in_time(pattern: str):
    assert stays_cheap(lambda: read_text(repeat(pattern, 200_000)))


@pytest.mark.slow
@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("pattern", ["a, b ", "Ana and ", "is ", "a dog named Rex ", "closed, "])
def test_the_longest_text_of_hostile_sentences_is_read_in_time(pattern: str):
    size = len(fill_sentence(pattern, MOST_WORDS))
    text = "".join(fill_sentence(pattern, MOST_WORDS, number) for number in range(200_000 // size))
    assert stays_cheap(lambda: read_text(text))


@pytest.mark.requirement("TXT-006")
def test_with_a_limit_the_sentences_left_over_are_counted():
    text = " ".join(f"Ana visited room {number}." for number in range(30))
    limited = read_text(text, limit=10)
    assert 10 <= len(limited.claims) < 15
    assert len(limited.claims) + limited.unread == 30
    assert limited.claims == read_text(text).claims[: len(limited.claims)]
    assert (read_text(text, limit=50).unread, read_text(text).unread) == (0, 0)


def test_neither_before_a_preposition_is_read_without_a_fault():
    text = "The deer came neither from Norway, the nearest source, but from somewhere as yet unknown, possibly Spain."
    assert read_text(text).claims


@pytest.mark.requirement("SEC-013")
@settings(max_examples=30)
@given(soup.filter(bool), st.integers(2, 40))
def test_any_soup_repeated_is_read_without_a_fault(text: str, times: int):
    reading = read_text((text + " ") * times)
    assert all(lies_in(read.claim.span, Span(0, len(reading.text))) for read in reading.claims)


@pytest.mark.requirement("TXT-003", "TXT-021", "TXT-022", "TXT-023")
def test_the_quick_look_for_doubt_misses_no_hedge():
    source = Path(__file__).with_name("test_hedges.py").read_text(encoding="utf-8")
    strings = [n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    blocked = [s for s in strings if HedgeDetector().analyze(s).action is HedgeAction.BLOCK]
    assert len(blocked) > 100
    assert [s for s in blocked if not may_be_hedged(s)] == []


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("I don't eat or drink dairy.", ["eat", "drink"]),
        ("I have never owned, planted or cut down any tree.", ["own", "plant", "cut"]),
        ("He never called or wrote.", ["call", "write"]),
        ("Ana did not stay or come back.", ["stay", "come"]),
        ("I am unable to speak French.", ["speak"]),
        ("Bo was unable to swim.", ["swim"]),
        ("I'm not able to drive.", ["drive"]),
    ],
)
def test_what_or_joins_to_a_denial_is_denied_and_so_is_what_one_is_unable_to_do(text: str, denied: list[str]):
    said = [read.proposition for read in read_text(text).statements]
    assert [one.predicate for one in said if one.negated] == denied


@pytest.mark.parametrize(
    "text",
    [
        "I smoke or drink.",
        "She is able to dance.",
        "Bo is not unable to swim.",
        "Lea calls or writes every week.",
        "I walk or I drive.",
    ],
)
def test_nothing_is_denied_where_nothing_is(text: str):
    assert not any(read.proposition.negated for read in read_text(text).statements)
