"""How much of an answer is judged: all of it, or what was written since the last look."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.text.subjects import Discourse


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The last part of an answer that is still being written. What stands before `start` was judged already and is
    read for what it says about the rest; a disclosure is missed from `told_from` on. `discourse` is what was spoken
    of before the text begins.
    """

    start: int = 0
    told_from: int = 0
    discourse: Discourse | None = None
    is_whole: bool = False
    """Nothing comes before or after it, so that a bare value is an answer."""


WHOLE = Excerpt(is_whole=True)
