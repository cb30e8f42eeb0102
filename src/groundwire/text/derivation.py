"""Words built on one stem: "teach" and "teacher", "cancel" and "cancellation"."""

from __future__ import annotations

from functools import lru_cache

_ENDINGS = (
    "",
    "e",
    "er",
    "or",
    "r",
    "ist",
    "ian",
    "ment",
    "tion",
    "ation",
    "ion",
    "ing",
    "al",
    "ship",
    "ity",
    "ness",
    "ance",
    "ence",
    "ant",
    "ent",
    "ive",
    "ic",
    "ics",
    "y",
    "o",
    "ed",
    "d",
    "s",
    "is",
    "yst",
    "ysis",
    "sis",
    "lation",
    "ling",
    "ted",
    "ting",
)


@lru_cache(maxsize=16384)
def is_derived(left: str, right: str) -> bool:
    """ "teach" and "teacher", "cancel" and "cancellation": one stem, two endings."""
    shared = 0
    for one, two in zip(left, right, strict=False):
        if one != two:
            break
        shared += 1
    if shared < 4 or shared * 2 < max(len(left), len(right)):
        return False
    return left[shared:] in _ENDINGS and right[shared:] in _ENDINGS
