"""Whether a text is English: what a reader of English makes of anything else is a guess."""

from __future__ import annotations

import re

from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import is_known

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENOUGH = 0.45
_FEW = 3
_LONGEST_WORD = 40
_SAMPLE = 4000


def is_english(text: str) -> bool:
    """Latin letters, and among the words in lower case mostly known ones; names and numbers tell nothing."""
    words = _WORD.findall(text[:_SAMPLE])
    letters = sum(map(len, words))
    if (
        any(len(word) > _LONGEST_WORD for word in words)
        or sum(word.isascii() * len(word) for word in words) * 2 < letters
    ):
        return False
    telling = [word for word in words if word[0].islower()]
    if len(telling) < _FEW:
        return True
    known = sum(word in closed_classes() or is_known(word) for word in telling)
    return known >= _ENOUGH * len(telling)
