"""Whether a figure is told for exactly what it is: "about", "at least", "not", "if" and "only" leave it open."""

from __future__ import annotations

import re
from functools import cache

from groundwire.text.tables import read_table

ABOUT, BOUNDS, DENIALS, UNREAL, CHOOSING = "about", "bounds", "denials", "unreal", "choosing"


def has_any(text: str, *kinds: str) -> bool:
    """Whether a word of these lists stands in the text; of denials, "n't" does too."""
    return _find(kinds).search(text) is not None


@cache
def _find(kinds: tuple[str, ...]) -> re.Pattern[str]:
    words = [word for kind in kinds for word in read_table("grammar")["exactness"][kind]]
    words = [f"(?-i:{word})" if word == "may" else word for word in words]  # May is a month
    joined = "|n['’]t\\b" if DENIALS in kinds else ""
    return re.compile(rf"\b(?:{'|'.join(words)})\b{joined}", re.IGNORECASE)
