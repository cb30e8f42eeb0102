"""Differences are those of `difflib`, however they were found."""

from __future__ import annotations

from difflib import SequenceMatcher

from hypothesis import example, given
from hypothesis import strategies as st

from groundwire.judge.differences import list_differences

_WORDS = st.lists(st.sampled_from("abcdefg"), max_size=9)


@given(_WORDS, _WORDS)
@example(list("abab"), list("abxab"))
@example(list("ababab"), list("abxabab"))
@example(list("abcab"), list("abxab"))
@example([], list("ab"))
@example(list("aba"), list("abax"))
@example(list("aba"), list("xaba"))
@example(list("abaxy"), list("aba"))
def test_they_are_those_of_difflib(left: list[str], right: list[str]) -> None:
    opcodes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    assert list_differences(left, right) == [opcode for opcode in opcodes if opcode[0] != "equal"]


@given(_WORDS, st.lists(st.sampled_from("uvw"), min_size=1, max_size=3), st.sampled_from(["x", "xy", "xyx"]), _WORDS)
def test_so_is_one_exchange_between_any_words(
    before: list[str], mine: list[str], theirs: str, after: list[str]
) -> None:
    left, right = [*before, *mine, *after], [*before, *theirs, *after]
    at = len(before)
    assert list_differences(left, right) == [("replace", at, at + len(mine), at, at + len(theirs))]
    opcodes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    assert list_differences(left, right) == [opcode for opcode in opcodes if opcode[0] != "equal"]
