"""A sentence of an answer, as far as it matters for whether another may clash with it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.detect.logic.assertions import REPORTED, RETOLD, read_logic
from groundwire.detect.sightings import Sighting
from groundwire.text.hedges import find_hedges
from groundwire.text.lexicon import noun_lemma, verb_lemma

_LONGEST = 220
_MOST_WORDS = 24
FIRM = re.compile(
    r"\b(?:no|not|none|nobody|nothing|never|neither|without|only|all|every|everyone|everybody|everything|always|both|each"
    r"|single|sole|entirely|completely|unanimous(?:ly)?)\b|n't\b|\bno one\b|\bnon-|-(?:free|only|proof)\b"
    r"|\b(?!un|re|never|none|bless)[a-z]{3,}less\b"
)
_NO_FIGURES = frozenset({"one", "half", "zero", "first", "second", "third"})
_CHANGED = re.compile(r"\b(?:used to|no longer|any ?more|turned|has since)\b")
TURNING = re.compile(r"(?:but|yet) |(?:he himself|she herself|they themselves|it itself)\b")
_WORDY = frozenset("NPJVBGER")


@dataclass(frozen=True, slots=True)
class Side:
    """What a sentence is about, as far as the choice of pairs needs it."""

    seen: Sighting
    lemmas: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    times: frozenset[str]
    subject: str
    is_firm: bool
    is_verbal: bool
    is_order: bool
    tells_change: bool
    takes_turn: bool
    """ "But …": what follows is meant to differ."""


def read_side(seen: Sighting) -> Side | None:
    """None for what asserts nothing: questions, conditions, quotations, tables and code."""
    if seen.is_question or len(seen.text) > _LONGEST or "|" in seen.text or "```" in seen.text or _RULE.match(seen.low):
        return None
    if RETOLD.search(seen.low) is not None:
        return None
    if _is_unreal(seen) or re.search(r"[\"“”«`]", seen.text) or len(seen.words) < 2:
        return None
    advises = _ADVISING.search(seen.low) is not None and not find_hedges(seen.text)
    if any((claim.hedged and not advises) or claim.quoted for claim in seen.segment.claims[:1]):
        return None
    tokens, letters = seen.tokens, seen.letters
    words = [t for t, letter in zip(tokens, letters, strict=True) if letter in _WORDY and t.low.isalpha()]
    lemmas = [_lemma(t.low, t.tag) for t in words[:_MOST_WORDS]]
    claims = seen.segment.claims
    subject = claims[0].subject if claims else ""
    return Side(
        seen,
        frozenset(lemmas) - read_logic("light"),
        frozenset(t.low for t, letter in zip(tokens, letters, strict=True) if letter == "P"),
        frozenset(t.low for t, letter in zip(tokens, letters, strict=True) if letter == "#") - _NO_FIGURES,
        frozenset(time.surface.lower() for time in seen.times),
        subject,
        FIRM.search(seen.low) is not None,
        bool(seen.groups) or len(words) > 2,
        advises or _is_order(seen),
        _CHANGED.search(seen.low) is not None,
        bool(find_turns(seen)) or TURNING.match(seen.low) is not None,
    )


_ADVISING = re.compile(r"^(?:so |then |and )?(?:you|one|we|they|he|she|people) should\b")
_REAL_IF = re.compile(r"\b(?:only|even) if\b")
""" "Only if you are a student", "even if you cancel late": what is needed, and what does not matter."""


def _is_unreal(seen: Sighting) -> bool:
    unreal = (seen.words - {"except"}) & read_logic("unreal")
    if unreal == frozenset({"if"}):
        return "if" in _REAL_IF.sub(" ", seen.low).split()
    return bool(unreal)


_RULE = re.compile(rf"any(?:one|body) who\b|{REPORTED.pattern.removeprefix('(?i)')}")
_SUBORDINATING = frozenset("once when if after before until as in whenever while with".split())  # noqa: SIM905


_INVITES = re.compile(r"(?:so |just |then )?(?:please )?feel free to\b")
""" "Feel free to wear them": it may be done, and so it says more than an order."""


def _is_order(seen: Sighting) -> bool:
    """ "Please call us", "Put it into water", "To get to the fifth floor, get off at the fourth"."""
    if _INVITES.match(seen.low):
        return False
    tokens, letters = seen.tokens, seen.letters
    at = len(letters) - len(letters.lstrip("R,-#.)"))
    if at < len(tokens) and (letters[at] == "t" or tokens[at].low in _SUBORDINATING):
        comma = letters.find(",", at)
        at = comma + 1 if comma > 0 else len(tokens)
    if at >= len(tokens):
        return False
    return letters[at] == "B" or (letters[at] == "V" and verb_lemma(tokens[at].low) == tokens[at].low)


def _lemma(low: str, letter: str) -> str:
    return (
        (verb_lemma(low) or low)
        if letter in "VBGE" or low.endswith("ed")
        else noun_lemma(low)
        if letter == "N"
        else low
    )


def find_turns(seen: Sighting) -> frozenset[str]:
    """ "Until 2012" speaks of another time; "until eight" of an hour, "until it's cold" of how long something is done.

    "Then add the flour" at the end of a sentence goes on with it and turns against nothing that was said before.
    """
    turns = seen.words & read_logic("turns")
    if not turns:
        return turns
    front = seen.low.split(maxsplit=_FRONT)[:_FRONT]
    turns -= frozenset(word for word in turns & _JOINING if not any(word in told for told in front))
    if _UNTIL_HOUR.search(seen.low) or _UNTIL_DONE.search(seen.low):
        turns -= {"until"}
    return turns - {"other"} if "any other" in seen.low else turns


_FRONT = 3
_JOINING = frozenset({"then", "while", "afterwards", "although"})
_UNTIL_DONE = re.compile(r"\buntil (?:it|they|you|the [a-z]+)(?:'s|'re| is| are| has| have)\b")
HOUR = r"(?:\d{1,2}(?!\d)|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)\b"
_UNTIL_HOUR = re.compile(rf"\b(?:until|till) (?:about |around |half past |a quarter (?:to|past) )?{HOUR}")
