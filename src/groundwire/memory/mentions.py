"""How often, and how strongly, something was said: separate statements are counted, not words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.memory.asking import Asked, find_attitude, is_praise
from groundwire.memory.phrasing import Word, has_phrase, in_order, phrase_pattern, words_about
from groundwire.memory.styles import cues_of
from groundwire.memory.testimony import Force, Heard, is_real
from groundwire.text.derivation import is_derived
from groundwire.text.tables import read_table

_AGAIN = frozenset({"again", "a second time", "once more"})
ENTHUSIASTIC = 0.84
PLAIN = 0.80
CASUAL = 0.65
_INTENSIFIED = re.compile(
    r"\b(?:really|truly|absolutely|totally|genuinely|definitely|so)\s+(?:do\s+)?(?:like|enjoy)|"
    r"\b(?:like|enjoy)\w*\b[^.!?]{0,40}\b(?:a lot|very much|so much|a ton|tremendously)",
    re.IGNORECASE,
)
_NEGATOR = re.compile(
    r"\b(?:not|no|never|without|don['’]?t|doesn['’]?t|didn['’]?t|stop|avoid|skip|less)\b", re.IGNORECASE
)


def find_mentions(asked: Asked, heard: Sequence[Heard], quoted: Sequence[Heard]) -> list[Heard]:
    """The user's statements of the same content: each sentence counts once, however often it names the thing."""
    found: list[Heard] = []
    for one in heard:
        if one in quoted or (one.is_asserted and not one.is_behaviour and _says_again(asked, one)):
            found.append(one)
    return found


def _says_again(asked: Asked, heard: Heard) -> bool:
    if heard.own and all(is_real(r) for r in heard.own) and in_order(asked.words, heard.words):
        return _same_polarity(asked, heard)
    attitude = asked.attitude
    if attitude is None or not _topic_in(asked, heard):
        return False
    said = find_attitude(heard.words)
    if said is not None:
        return said[0] == attitude[0] and bool(heard.own) and _same_polarity(asked, heard)
    reads = [r for r in heard.claims if not r.proposition.negated]
    return bool(reads) and is_praise(heard.words, attitude[0])


def _same_polarity(asked: Asked, heard: Heard) -> bool:
    mine = any(read.proposition.negated for read in asked.claims)
    return any(read.proposition.negated == mine for read in heard.own)


def _topic_in(asked: Asked, heard: Heard) -> bool:
    """Something that the candidate is about, apart from the liking itself."""
    signs, levels = ("positive", "negative"), ("strong", "mild")
    liking = frozenset(word for sign in signs for level in levels for word in words_about("attitudes", sign, level))
    topics = [word for word in asked.words if not word.forms & liking]
    return any(topic.matches(other) for topic in topics for other in heard.words)


def cap_strength(matched: Sequence[Heard], mentions: Sequence[Heard]) -> float | None:
    """The most that the strongest statement of a liking allows; None where there is no cap."""
    caps = [_cap(h) for h in {id(h): h for h in (*matched, *mentions)}.values()]
    return None if None in caps or not caps else max(cap for cap in caps if cap is not None)


def _cap(heard: Heard) -> float | None:
    """ "I enjoy X" 0.65, "I like X" 0.80, "I really like X" 0.84; love and favourites have no cap."""
    attitude = find_attitude(heard.words)
    if attitude is None or attitude != ("positive", "mild"):
        return None if attitude is not None else CASUAL
    if _INTENSIFIED.search(heard.text):
        return ENTHUSIASTIC
    forms = frozenset(form for word in heard.words for form in word.forms)
    if "enjoy" in forms:
        return CASUAL
    return PLAIN if "like" in forms else None


# ── observations of a behaviour ─────────────────────────────────────────────────────────────────


def observes(asked: Asked, heard: Heard) -> bool:
    """The user does it here, or is reported to have done it. What the user says of it is a fact, not a behaviour."""
    if heard.force in (Force.JOKE, Force.HYPOTHETICAL, Force.RETRACTED, Force.VAGUE) and not heard.is_behaviour:
        return False
    if shows_style(asked, heard):
        return heard.is_behaviour
    if not all(is_shown(word, heard.words) for word in asked.particulars):
        return False
    if not heard.is_behaviour and not (heard.own and asked.attitude is None and in_order(asked.behaviour, heard.words)):
        return False
    return (_NEGATOR.search(heard.text) is None) == (_NEGATOR.search(asked.text) is None)


def shows_style(asked: Asked, heard: Heard) -> bool:
    """A known manner of asking, in one of its wordings: "tl;dr" for short answers."""
    cues = cues_of(asked.text)
    return bool(cues) and has_phrase(heard.text, cues)


def is_shown(word: Word, words: Sequence[Word]) -> bool:
    """Itself or another word on the same stem: "conceptual" for "concept"."""
    return any(word.matches(other) or is_related(word, other) for other in words)


def is_related(left: Word, right: Word) -> bool:
    return any(is_derived(a, b) or _extends(a, b) for a in left.forms for b in right.forms)


def _extends(left: str, right: str) -> bool:
    short, long = sorted((left, right), key=len)
    return len(short) >= 6 and long.startswith(short) and len(long) - len(short) <= 4


def count_observations(seen: Sequence[Heard]) -> int:
    """One each, and more where a report says so: "asked twice", "repeatedly"."""
    several: dict[str, list[str]] = read_table("attitudes", "memory")["patterns"]["several"]
    total = 0
    for heard in seen:
        told = [int(number) for number, words in several.items() if has_phrase(heard.text, frozenset(words))]
        total += max(told, default=1) if heard.is_report else 1
    if total == 1 and seen[0].is_report and has_phrase(seen[0].text, _AGAIN):
        return 2  # "asked for it, and later asked for it again": one sentence, two requests
    return total


def find_clue(text: str, name: str) -> str | None:
    """The first phrase of a list in the text."""
    match = phrase_pattern(frozenset(words_about("attitudes", "narrative", name))).search(text)
    return match.group() if match else None
