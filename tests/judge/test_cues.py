"""Patterns with cues find what they find without: whatever matches has one of their words."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import groundwire.judge
import groundwire.text
from groundwire.text.cues import Cued, cues, words_in


def _list_cued() -> dict[str, Cued]:
    found: dict[str, Cued] = {}
    for room in (groundwire.judge, groundwire.text):
        for module in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
            members = vars(importlib.import_module(module.name))
            found |= {f"{module.name}.{name}": one for name, one in members.items() if isinstance(one, Cued)}
    return found


CUED = _list_cued()


_UNHURRIED = (
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
)


def _texts(pattern: re.Pattern[str]) -> st.SearchStrategy[str]:
    """Texts in which the pattern matches, and others: what it looks at on either side is left to chance."""
    plain = re.compile(re.sub(r"\(\?<[!=](?:[^()]|\([^()]*\))*\)|\(\?=\[?\w+\]?\)", "", pattern.pattern), pattern.flags)
    return st.tuples(st.sampled_from(["", "You ", "«"]), st.from_regex(plain), st.sampled_from(["", " now.", "»"])).map(
        "".join
    )


@pytest.mark.parametrize("name", sorted(CUED))
def test_a_pattern_with_cues_finds_what_it_finds_without(name: str) -> None:
    cued = CUED[name]

    @settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=_UNHURRIED)
    @given(_texts(cued.pattern))
    def check(text: str) -> None:
        found, expected = cued.search(text), cued.pattern.search(text)
        assert (found and found.span()) == (expected and expected.span())
        assert [m.span() for m in cued.finditer(text)] == [m.span() for m in cued.pattern.finditer(text)]

    check()


def test_letters_that_a_pattern_takes_for_others_hide_no_word() -> None:
    still = Cued(re.compile(r"\bstill\b", re.IGNORECASE), "still")
    assert still.search("You \u017ft\u0131ll row.") is not None
    assert still.search("You STILL row.") is not None
    assert still.search("You row stillness.") is None


def test_words_are_whole_runs_of_letters_and_digits() -> None:
    assert words_in("It's e-mail, isn’t it?") == {"it", "s", "e", "mail", "isn", "t"}
    assert cues("Once".lower()).isdisjoint(words_in("nonce"))
