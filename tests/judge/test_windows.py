"""Windows: every word of a passage is in one, none is too large, and the related ones come first."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from effort import count_calls
from groundwire.judge.protocols import TokenCounter
from groundwire.judge.windows import CutPassage, Window, choose, cut_passage, gather_window, weigh

WORDS = st.sampled_from(
    ["Ada", "works", "at", "Bosch", "since", "2019", "and", "lives", "in", "Ulm", "with", "two", "cats", "東京", "état"]
)
PROSE = st.lists(st.lists(WORDS, min_size=1, max_size=40).map(lambda w: " ".join(w) + "."), max_size=25).map(" ".join)
ANY = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=400)


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def count_letters(texts: Sequence[str]) -> list[int]:
    return [len(text.encode("utf-8")) for text in texts]


def check(passage: str, cut: CutPassage, tokens: int, count: TokenCounter) -> None:
    covered: set[int] = set()
    for window in cut.windows:
        (span,) = window.spans
        assert passage[span.start : span.end] == window.text
        assert count([window.text])[0] <= tokens
        covered.update(range(*span))
    assert all(i in covered or passage[i].isspace() for i in range(len(passage)))
    assert [w.spans for w in cut.windows] == sorted(w.spans for w in cut.windows)


@pytest.mark.requirement("JDG-007", "JDG-008")
@given(st.one_of(PROSE, ANY), st.integers(8, 60), st.integers(0, 2))
@example("a" * 300, 8, 1)
@example("- one\n- two\n\n```\ncode\n```\n> quoted. Twice.\n| a | b |\n", 8, 1)
def test_every_word_is_in_a_window_and_no_window_is_too_large(passage: str, tokens: int, overlap: int):
    for count in (count_words, count_letters):
        check(passage, cut_passage(passage, count, tokens=tokens, overlap=overlap), tokens, count)


@given(PROSE.filter(lambda text: len(text) > 300))
def test_a_counter_that_finds_more_in_the_whole_than_in_its_parts_is_obeyed(passage: str):
    def count(texts: Sequence[str]) -> list[int]:
        return [len(text) ** 2 // 400 + 1 for text in texts]

    check(passage, cut_passage(passage, count, tokens=16, overlap=1), 16, count)


def test_a_short_passage_is_one_window_and_nothing_is_counted():
    def refuse(_: Sequence[str]) -> list[int]:
        raise AssertionError("fewer bytes than tokens need no counting")

    assert cut_passage("  I work at Bosch. ", refuse) == CutPassage((Window("I work at Bosch.", ((2, 18),)),))  # type: ignore[arg-type]
    assert cut_passage(" \n ", refuse).windows == ()


def test_windows_are_cut_between_sentences_and_share_one():
    sentences = [f"Sentence number {i} has seven words." for i in range(1, 9)]
    cut = cut_passage(" ".join(sentences), count_words, tokens=22, overlap=1)
    assert cut.windows[0].text == " ".join(sentences[:3])
    assert cut.windows[1].text == " ".join(sentences[2:5])
    assert [s.text for s in cut.sentences] == sentences


def test_a_sentence_longer_than_a_window_is_cut_between_words_and_shares_some():
    passage = " ".join(f"word{i}" for i in range(100))
    cut = cut_passage(passage, count_words, tokens=20, overlap=1)
    assert all(window.text.split()[0].startswith("word") for window in cut.windows)
    pairs = zip(cut.windows, cut.windows[1:], strict=False)
    assert all(later.spans[0].start < earlier.spans[0].end for earlier, later in pairs)


def test_the_window_that_speaks_of_the_claim_comes_first():
    passages = ["Tea is served at four.", "Ada Byron joined Bosch in 2019.", "Ada likes tea."]
    windows = [Window(text, ()) for text in passages]
    assert choose("Ada has worked at Bosch since 2019.", windows, 2)[0] is windows[1]
    assert len(choose("Ada", windows, 2)) == 2
    assert choose("Nothing shared", windows, 3) == tuple(windows), "without a difference the order is kept"


def test_numbers_and_names_tell_more_than_words_and_words_more_than_grammar():
    texts = ["it was on the table", "the cats sat", "5 of them", "Ulm was nice"]
    grammar, word, number, name = weigh("The cat of Ulm is 5", texts)
    assert max(grammar, 0.0) < word < min(number, name)


def test_what_is_spread_over_a_document_is_gathered():
    noise = "The weather was fine that day and nobody was in a hurry to go home. " * 6
    passage = f"Ada joined Bosch in 2019. {noise} Bosch has its seat in Gerlingen. {noise}"
    cut = cut_passage(passage, count_words, tokens=40)
    found = gather_window("Ada works in Gerlingen for Bosch.", cut, count_words, tokens=40)
    assert found is not None
    assert "Ada joined Bosch in 2019." in found.text
    assert "Bosch has its seat in Gerlingen." in found.text
    assert count_words([found.text])[0] <= 40
    assert [passage[a:b] for a, b in found.spans] == [
        "Ada joined Bosch in 2019.",
        "Bosch has its seat in Gerlingen.",
    ]
    assert gather_window("Zebra", cut, count_words, tokens=40) is None
    assert gather_window("Ada", cut_passage("Ada works.", count_words), count_words) is None


@given(PROSE, st.integers(8, 40))
def test_a_gathered_window_keeps_to_the_limit_and_the_order(passage: str, tokens: int):
    cut = cut_passage(passage, count_words, tokens=tokens)
    found = gather_window("Ada lives in Ulm since 2019.", cut, count_words, tokens=tokens)
    if found is not None:
        assert count_words([found.text])[0] <= tokens
        assert list(found.spans) == sorted(found.spans)
        assert found.text == " ".join(passage[a:b] for a, b in found.spans)


def test_a_window_must_have_room_for_something():
    with pytest.raises(ValueError, match="at least 8"):
        cut_passage("x", count_words, tokens=7)


@pytest.mark.parametrize("unit", ["Ada works at Bosch. ", "word ", "x", "東京"])
def test_the_work_grows_with_the_length_and_not_faster(unit: str):
    def read(size: int) -> None:
        cut = cut_passage(unit * (size // len(unit)), count_words, tokens=64)
        choose("Ada works at Bosch.", cut.windows, 8)
        gather_window("Ada works at Bosch.", cut, count_words, tokens=64)

    read(20_000)
    assert count_calls(lambda: read(80_000)) < 5 * count_calls(lambda: read(20_000))
