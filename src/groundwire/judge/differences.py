"""Where two lists of words differ, as `difflib` tells it, without its cost where that can be seen at once."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

Difference = tuple[str, int, int, int, int]
"""`replace`, `delete` or `insert`, with the slice of the one list and the slice of the other."""


def list_differences(left: Sequence[str], right: Sequence[str]) -> list[Difference]:
    """What has to be done to `left` to get `right`, from the beginning to the end."""
    most = min(len(left), len(right))
    start = end = 0
    while start < most and left[start] == right[start]:
        start += 1
    while end < most - start and left[-1 - end] == right[-1 - end]:
        end += 1
    mine, theirs = left[start : len(left) - end], right[start : len(right) - end]
    if not mine and not theirs:
        return []
    # Words that the other side has nowhere can be matched with nothing, and no match reaches across them: what stands
    # before them on both sides is matched, what stands behind them is, and they are exchanged. Where one side has
    # nothing in their place, its own words must all stand on one side of it.
    if ((mine and theirs) or not start or not end) and set(mine).isdisjoint(right) and set(theirs).isdisjoint(left):
        kind = "replace" if mine and theirs else "delete" if mine else "insert"
        return [(kind, start, len(left) - end, start, len(right) - end)]
    opcodes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [opcode for opcode in opcodes if opcode[0] != "equal"]
