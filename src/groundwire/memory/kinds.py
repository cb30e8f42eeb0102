"""The three kinds of memory: what each needs, how long it holds, what it may be used for, and what it excludes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from groundwire.memory.asking import Asked, read_candidate
from groundwire.memory.candidates import Grounding
from groundwire.memory.mentions import find_clue
from groundwire.memory.phrasing import has_phrase, words_about
from groundwire.memory.testimony import is_real
from groundwire.text.subjects import USER
from groundwire.types import MemoryKind

DAY = 86_400
_LIKELY = re.compile(r"\b(?:probably|likely|might|maybe|perhaps|possibly|apparently|seems? to|may)\b", re.IGNORECASE)
_PASSING_VERB = re.compile(r"\b(?:seems?|seemed|appears?|appeared|is feeling|feels|felt|looks|sounds)\b", re.IGNORECASE)
_MONTH = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_DATE = re.compile(
    rf"\b(?:19|20)\d\d\b|\b\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}\b|\b(?:in|since|on|of|last|\d{{1,2}}) (?:{_MONTH})\b"
)
"""A date that needs no clock to be read."""


class Authority(StrEnum):
    ADVISORY = "advisory"
    """A fact may inform an answer and is never absolute."""
    SUGGESTION = "suggestion"
    """A pattern may be followed until the user says otherwise."""
    NONE = "none"
    """A narrative may colour an answer and grounds neither a fact nor an instruction."""


@dataclass(frozen=True, slots=True)
class KindRule:
    threshold: float
    window: int
    """Seconds from the last confirmation until it is inactive."""
    authority: Authority


RULES: Mapping[MemoryKind, KindRule] = {
    MemoryKind.USER_FACT: KindRule(0.80, 30 * DAY, Authority.ADVISORY),
    MemoryKind.USER_PATTERN: KindRule(0.75, 14 * DAY, Authority.SUGGESTION),
    MemoryKind.SHARED_NARRATIVE: KindRule(0.60, 7 * DAY, Authority.NONE),
}
PATTERN_APPLIES = 0.80
"""From here on a pattern is applied; between its threshold and this it is only proposed."""


def is_authoritative(kind: MemoryKind) -> bool:
    """Whether a memory of this kind may ground a fact or an instruction."""
    return RULES[kind].authority is not Authority.NONE


def find_violation(text: str, kind: MemoryKind, grounding: Grounding) -> str:
    """The rule of its kind that a candidate breaks; empty where it keeps them all."""
    asked = read_candidate(text)
    match kind:
        case MemoryKind.USER_FACT:
            return _check_fact(asked, grounding)
        case MemoryKind.USER_PATTERN:
            return _check_pattern(asked)
        case MemoryKind.SHARED_NARRATIVE:
            return _check_narrative(asked)


def _check_fact(asked: Asked, grounding: Grounding) -> str:
    """Hypotheticals, vague preferences, judgements about the world, and what is somebody else's."""
    low = asked.text.casefold().replace("’", "'")
    if any(not is_real(read) for read in asked.claims) or has_phrase(
        low, words_about("testimony", "marks", "considerations")
    ):
        return "hypothetical: said as a wish or a possibility"
    if has_phrase(low, words_about("testimony", "marks", "vague")):
        return "vague: not said plainly"
    if has_phrase(low, words_about("testimony", "marks", "suppositions")):
        return "hypothetical: said under a condition"
    if grounding.violation:
        return f"{grounding.violation}: {grounding.reason}"
    if _is_opinion(asked):
        return "opinion: a judgement about the world, not about the user"
    if asked.is_about_another:
        return "about somebody else, not about the user"
    if _is_passing(asked):
        return "a passing mood or moment"
    return ""


def _is_opinion(asked: Asked) -> bool:
    """ "Fettuccini is the best pasta" tells of pasta; "my favourite pasta" tells of the user."""
    praise = words_about("attitudes", "praise", "positive") | words_about("attitudes", "praise", "negative")
    if not any(word.forms & praise for word in asked.words):
        return False
    verbless = not asked.claims or (asked.claims[0].proposition.is_fragment and not asked.attitude)
    return (asked.subject != USER and not asked.subject.startswith(f"{USER}'s ")) or verbless


def _is_passing(asked: Asked) -> bool:
    if asked.predicate not in ("be", "feel", "seem", "look", "get"):
        return False
    states = words_about("attitudes", "passing", "states")
    whole = [word for word in asked.words if asked.text[word.start - 1 : word.start] != "-"]  # "gluten-free" is no mood
    return any(word.forms & states for word in whole) and len(asked.words) <= 3


def _check_pattern(asked: Asked) -> str:
    if _LIKELY.search(asked.text):
        return "speculation: nothing was observed"
    states = words_about("attitudes", "passing", "states")
    if _PASSING_VERB.search(asked.text) and any(word.forms & states for word in asked.words):
        return "a passing mood, not a behaviour"
    if has_phrase(asked.text, words_about("attitudes", "passing", "moments")):
        return "a passing moment, not a behaviour"
    if _is_passing(asked):
        return "a passing mood, not a behaviour"
    if re.search(r"\b(?:once|one time|a single time)\b", asked.text, re.IGNORECASE):
        return "a single action, not a pattern"
    return ""


def _check_narrative(asked: Asked) -> str:
    text = asked.text.replace("’", "'")
    if find_clue(text, "promises"):
        return "a promise: narratives bind nobody"
    if find_clue(text, "authority"):
        return "an assertion of authority"
    if find_clue(text, "factual"):
        return "a factual claim told as shared history"
    return ""


# ── what bounds a narrative ─────────────────────────────────────────────────────────────────────

DATED, PAST, IMPLIED, WEAK = 0.95, 0.85, 0.70, 0.60


def cap_narrative(text: str, grounding: Grounding) -> float:
    """How far the shared past is told: with its date, as past, only implied, or hardly."""
    told = " ".join((text, *grounding.quotes)).replace("’", "'")
    if _DATE.search(told):
        return DATED
    if find_clue(told, "past") or _tells_past(grounding):
        return PAST
    return IMPLIED if find_clue(told, "implied") else WEAK


def has_clue(text: str, grounding: Grounding) -> bool:
    """A reference to a shared past: we, remember, since, last time, a date."""
    return cap_narrative(text, grounding) > WEAK


def _tells_past(grounding: Grounding) -> bool:
    asked = [read_candidate(quote) for quote in grounding.quotes]
    return any(read.proposition.tense.value == "past" for one in asked for read in one.claims)


def cap_pattern(observations: int) -> float:
    """What the number of observations allows."""
    if observations >= 3:
        return 0.90
    return 0.80 if observations == 2 else 0.70
