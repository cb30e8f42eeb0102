"""Cutting a stream: where sentences surely end, whatever the chunks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import count_calls
from groundwire.guard.window import LONGEST_CHARACTERS, Cutter, Unit, UnitKind, Window, find_certain_cut
from streams import cut, cut_at

PROSE = (
    "You live in Berlin. Your sister, Dr. Clara Meyer, was born in 1987. "
    'She said "I like it here. It is quiet." and left.\n\n## Your plans\n'
    "1. You fly to Porto on 14 May.\n2. You return at 5 p.m. on Friday. Then you rest!\n\n"
    "- Rex is a dog\n- Your car is red\n\n| Name | City |\n|---|---|\n| Clara | Rome |\n\n"
    'Here is code:\n```python\nx = 1. # You live in Rome.\nprint("hi")\n```\nThat is all :) Bye... '
    "東京に住んでいます。猫がいます。Well"
)
PIECES = st.sampled_from(
    ["You live in Berlin", ". ", "Dr. ", "Mr. Smith", "\n", "\n\n", "- ", "```\n", "| a | b |\n", "# ", '"', "(", ")",
     "1. ", "5 p.m. ", "!", "? ", "。", "… ", "and so on", "U.S. ", "3.14 ", "\x00", "🙂 ", "x" * 300, " ", "> ", "*"]
)  # fmt: skip


def units_of(chunks: list[str], **options: int) -> list[Unit | Window]:
    cutter = Cutter(**options)
    found = [item for chunk in chunks for item in cutter.take(chunk)]
    return [*found, *cutter.finish()]


def texts_of(text: str) -> list[str]:
    return [item.text for item in units_of([text]) if isinstance(item, Unit)]


def test_sentences_come_out_one_by_one_and_nothing_is_lost():
    assert texts_of("You live in Berlin. You have a dog. Bye") == ["You live in Berlin. ", "You have a dog. ", "Bye"]
    assert "".join(texts_of(PROSE)) == PROSE


@pytest.mark.requirement("ACT-015")
@pytest.mark.parametrize(
    "text",
    [
        "You met Dr. Smith at noon. Then",
        "You work in the U.S. Navy today. Then",
        'He said "You live here. You work here." to me. Then',
        "The rate is 3.5 per cent now. Then",
        "You left at 5 p.m. on Friday. Then",
        "See Fig. 3 for more of it. Then",
    ],
)
def test_a_mark_that_may_not_end_the_sentence_does_not_cut_it(text: str):
    assert texts_of(text) == [text.removesuffix("Then"), "Then"]


def test_a_sentence_is_cut_at_the_first_space_behind_it():
    cutter = Cutter()
    assert cutter.take("You live in Berlin.") == []
    (unit,) = cutter.take(" ")
    assert isinstance(unit, Unit)
    assert unit.text == "You live in Berlin. "


def test_layout_stays_with_the_line_that_it_opens():
    assert texts_of("## Plans\n- One is here.\n- Two is there.\n") == [
        "## Plans\n",
        "- One is here.\n",
        "- Two is there.\n",
    ]


def test_code_is_cut_by_lines_and_is_no_prose():
    found = [u for u in units_of(["Look.\n```py\nYou live. There.\n```\nDone."]) if isinstance(u, Unit)]
    assert [(u.text, u.kind) for u in found] == [
        ("Look.\n", UnitKind.TEXT),
        ("```py\n", UnitKind.CODE),
        ("You live. There.\n", UnitKind.CODE),
        ("```\n", UnitKind.CODE),
        ("Done.", UnitKind.TEXT),
    ]


def test_an_unclosed_block_of_code_is_code_to_the_end():
    found = [u for u in units_of(["```\na\nb"]) if isinstance(u, Unit)]
    assert [u.kind for u in found] == [UnitKind.CODE] * 3


@pytest.mark.requirement("ACT-012")
def test_a_full_window_with_an_open_sentence_reaches_back_to_its_start():
    words = "You live in Berlin. " + "and then we walked along the river " * 6
    windows = [item for item in units_of([words]) if isinstance(item, Window)]
    assert windows[0].span.start == len("You live in Berlin. ")
    assert [w.tokens for w in windows] == sorted(w.tokens for w in windows)
    assert windows[0].tokens + 5 >= 32 > windows[0].tokens


def test_a_sentence_without_end_is_cut_after_a_clause():
    text = "we walked along the river, " * 60
    found = texts_of(text)
    assert "".join(found) == text
    assert len(found) > 2
    assert all(piece.endswith(", ") for piece in found[:-1])


@pytest.mark.parametrize("letter", ["a", "漢", "\n", "(", ".", "```", "🙂"])
def test_without_spaces_the_open_end_stays_bounded(letter: str):
    cutter = Cutter()
    for _ in range(40):
        cutter.take(letter * 500)
        assert len(cutter._open) <= LONGEST_CHARACTERS  # pyright: ignore[reportPrivateUsage]


@given(st.lists(PIECES, max_size=40).map("".join), st.lists(st.integers(0, 10_000), max_size=12))
def test_what_is_cut_does_not_depend_on_the_chunks(text: str, places: list[int]):
    whole = units_of([text])
    assert units_of(cut_at(text, places)) == whole
    assert units_of(list(cut(text, 1))) == whole
    assert "".join(item.text for item in whole if isinstance(item, Unit)) == text


@given(st.text(max_size=200), st.lists(st.integers(0, 10_000), max_size=8))
def test_any_text_is_cut_the_same_way(text: str, places: list[int]):
    assert units_of(cut_at(text, places)) == units_of([text])


@pytest.mark.parametrize("unit", ["You live in Berlin. ", "x", "a. ", "\n", '("', "東京。", "```\nx\n"])
def test_time_is_linear_in_the_text(unit: str):
    def measure(size: int) -> int:
        return count_calls(lambda: units_of([(unit * size)[:size]]))

    measure(5_000)
    assert measure(40_000) <= 5 * measure(10_000)


def test_a_cut_is_certain_only_where_nothing_that_follows_can_undo_it():
    assert find_certain_cut("You live in Berlin. ") == 20
    assert find_certain_cut("You met Dr. ") == 0
    assert find_certain_cut('He said "Stop. ') == 0
    assert find_certain_cut("") == 0
