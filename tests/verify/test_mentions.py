"""Where a value stands in an answer: as whole words, however it is found."""

from __future__ import annotations

import pytest

from groundwire.verify.changes import find_mentions


def find(text: str, value: str, start: int = 0, end: int | None = None) -> list[str]:
    return [f"{found.start()}:{found.group()}" for found in find_mentions(text, value, start, end)]


def test_a_value_is_found_wherever_it_stands_in_any_case() -> None:
    assert find("Oslo, then OSLO again, and oslo-bound", "Oslo") == ["0:Oslo", "11:OSLO", "27:oslo"]


@pytest.mark.parametrize("text", ["the Oslofjord", "in Neuoslo", "oslo_port", "Oslo2 and 2Oslo"])
def test_a_part_of_a_word_is_no_mention(text: str) -> None:
    assert find(text, "Oslo") == []


@pytest.mark.parametrize("between", [" ", "  ", "\n", "\t "])
def test_words_of_a_value_may_stand_apart_by_any_blank(between: str) -> None:
    assert find(f"from Bad{between}Ischl on", "Bad Ischl") == [f"5:Bad{between}Ischl"]


def test_signs_belong_to_a_value() -> None:
    assert find("C++ or C, or C++17", "C++") == ["0:C++"]


def test_a_value_is_looked_for_within_bounds_and_a_word_is_not_cut_by_its_beginning() -> None:
    assert find("Rome and Rome and Rome", "Rome", 4, 13) == ["9:Rome"]
    assert find("Jerome", "rome", 2) == []
    assert find("Romeo", "Rome", 0, 4) == ["0:Rome"]


def test_a_mention_behind_a_part_of_a_word_is_not_missed() -> None:
    assert find("annanna anna", "anna") == ["8:anna"]


def test_an_amount_is_found_by_its_number_and_a_bare_number_counts_nothing() -> None:
    assert find("It is 950 euros, up from 900, not from 950", "950 euros") == ["6:950 euros", "39:950"]
    assert find("8080 requests came in on 8080", "8080") == ["25:8080"]


def test_letters_beyond_the_plain_ones_are_found_too() -> None:
    assert find("In Zürich, not in Zürichberg", "zürich") == ["3:Zürich"]
