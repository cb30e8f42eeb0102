"""What is said in passing: "Waffle, a whippet, weighs 13 kilos" says two things of Waffle, and a judge overlooks one.

Each becomes a clause of its own, under the name before it: "Waffle is a whippet", "Waffle weighs 13 kilos".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.text.lexicon import readings

_HEAD = re.compile(r"(?P<head>[^,;:()?!]{2,60}), (?=(?P<lead>who|which|an?|the|our|your|their|his|her|its|my)\b)")
_COMMA = re.compile(r",\s+")
_MODALS = frozenset("can could will would may might must shall should does did do".split())  # noqa: SIM905
_ADVERBS = frozenset("also now still never always usually often already only even just currently".split())  # noqa: SIM905
_MOST_WORDS = 6
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Aside:
    """Places in the text: the name, what is said in passing, and where the main statement goes on."""

    head: str
    start: int
    end: int
    main: int
    is_relative: bool

    def tell(self, text: str) -> str:
        """What is said in passing, as a sentence of its own."""
        said = text[self.start : self.end].strip()
        return f"{self.head} {said.partition(' ')[2]}" if self.is_relative else f"{self.head} is {said}"

    def tell_main(self, text: str) -> str:
        return f"{self.head} {text[self.main :].strip()}"


def find_aside(text: str) -> Aside | None:
    """A relative clause or another name between commas, behind the words that open a sentence."""
    match = _HEAD.match(text)
    if match is None or len(match["head"].split()) > _MOST_WORDS or _opens_verb(match["head"]):
        return None
    start, is_relative = match.end(), match["lead"] in ("who", "which")
    for comma in _COMMA.finditer(text, start, start + _LONGEST):
        if _opens_verb(text[comma.end() :].partition(" ")[0]) or _follows_adverb(text[comma.end() :]):
            said = text[start : comma.start()]
            if is_relative and not _opens_verb(said.partition(" ")[2].partition(" ")[0]):
                return None  # "which he bought": said of him
            return Aside(match["head"], start, comma.start(), comma.end(), is_relative)
        if not is_relative:
            return None  # "Waffle, a whippet, and Biscuit"
    return None


def _follows_adverb(text: str) -> bool:
    first, _, rest = text.partition(" ")
    return first in _ADVERBS and _opens_verb(rest.partition(" ")[0])


def _opens_verb(text: str) -> bool:
    """Whether one word is a verb in a form that a subject has before it."""
    word = text.strip(".,;:!?").casefold()
    if not word or " " in word:
        return False
    return word in _MODALS or any(tag in ("VBZ", "VBD") for tag, _ in readings(word))
