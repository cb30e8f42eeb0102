"""Answers that were asked to be made up: a story, a poem, an example with invented names. Nothing known is held
against them."""

from __future__ import annotations

import re

from groundwire.detect.examination import Examination

_KINDS = (
    r"(?:bedtime |short |silly |funny |little |fairy |ghost |horror |love |spooky |rhyming |made-up )*"
    r"(?:story|stories|tale|poem|song|limerick|haiku|fable|sketch|joke|riddle|rhyme|legend|scene|screenplay|parody|rap)"
)
_ASKED = re.compile(
    r"\b(?:make up|made[- ]up|invent|imagine|pretend|role-?play|fictional|fictitious|imaginary|fan fiction)\b|"
    r"\b(?:write|compose|tell|give|sing|create|do)(?: me| us| him| her| them| my \w+)? "
    rf"(?:an?|another|some|one) {_KINDS}\b|"
    rf"^(?:an? )?{_KINDS} (?:about|on|for|with)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(r"\W*(?:once upon a time|long, long ago|in a land far|once there (?:was|lived))\b", re.IGNORECASE)
_LAST = 3


def is_imagined(examined: Examination) -> bool:
    """Whether one of the last turns of the user asks for something made up, or the answer begins as a tale does."""
    known = examined.memo.get("imagined")
    if known is None:
        asked = [turn.text for turn in list(examined.dialogue.turns)[-_LAST:] if turn.role.casefold() != "assistant"]
        known = _TOLD.match(examined.text) is not None or any(_ASKED.search(text) for text in asked)
        examined.memo["imagined"] = known
    return bool(known)
