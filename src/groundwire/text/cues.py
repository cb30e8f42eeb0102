"""Words without which a rule has nothing to say: whether one of them is there is asked before the rule is.

Most sentences have none of the words that most rules wait for, and looking them up is many times faster than searching.
A cue is necessary and never enough: what has one is looked at as if there were no cues.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_WORD = re.compile(r"\w+")
_ANY = ""
"""Stands in every set of cues, and for the words of a text that says nothing of its words."""
_LOOK_ALIKES = frozenset("\u017f\u212a\u0130\u0131")
"""Letters that a pattern without regard to case takes for s, k and i, and that are not so in lower case."""


def cues(words: str | Iterable[str]) -> frozenset[str]:
    """A set of cues, in lower case; a string is a list with spaces between."""
    return frozenset((_ANY, *(words.split() if isinstance(words, str) else words)))


@lru_cache(maxsize=8192)
def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case, as runs of letters and digits: what is disjoint with cues has none of them."""
    if not text.isascii() and not _LOOK_ALIKES.isdisjoint(text):
        return frozenset((_ANY,))
    return frozenset(_WORD.findall(text.lower()))


class Cued:
    """A pattern that cannot match without one of its cues as a whole word, and is not tried without."""

    __slots__ = ("_cues", "pattern")

    def __init__(self, pattern: re.Pattern[str], words: str | Iterable[str]) -> None:
        self.pattern = pattern
        self._cues = cues(words)

    def may_match(self, text: str) -> bool:
        return not self._cues.isdisjoint(words_in(text))

    def search(self, text: str) -> re.Match[str] | None:
        return None if self._cues.isdisjoint(words_in(text)) else self.pattern.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return _NO_MATCHES if self._cues.isdisjoint(words_in(text)) else self.pattern.finditer(text)


_NO_MATCHES: Iterator[re.Match[str]] = iter(())
