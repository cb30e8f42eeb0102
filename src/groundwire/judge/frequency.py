"""How often: who works from home two days a week does not do so every day, and every other week is not every week.

Both sides must tell the same, with nothing in the claim that the evidence lacks but how often it is, and each of them
how often just once. What is told as a bound ("at least twice a week") says nothing for certain of another figure.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.exactness import ABOUT, BOUNDS, has_any
from groundwire.judge.findings import Finding
from groundwire.judge.predicates import relate_predicates
from groundwire.text.calendar import WEEKDAY_NUMBERS, small_number
from groundwire.text.cues import cues, words_in
from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text
from groundwire.types import Passage, Verdict

_SURE = 0.9
_SPANS = {"day": 365, "night": 365, "morning": 365, "evening": 365, "afternoon": 365, "weekday": 260, "week": 52,
          "weekend": 52, "fortnight": 26, "month": 12, "quarter": 4, "year": 1}  # fmt: skip
"""How often they come in a year."""
_SPAN = rf"(?P<span>{'|'.join(sorted(_SPANS, key=len, reverse=True))})"
_WEEKDAY = rf"(?:{'|'.join(sorted({name for name in WEEKDAY_NUMBERS if name.endswith('day')}))})"
_NUMBER = r"(?P<count>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_DONE = r"(?:times|days|nights|mornings|evenings)"
_TOLD = (
    re.compile(rf"\b(?:(?P<word>once|twice|thrice)|{_NUMBER} {_DONE}) (?:an?|per|every|each) {_SPAN}\b"),
    re.compile(rf"\bevery (?:(?P<other>other|second)|(?P<nth>third|fourth)|{_NUMBER}) {_SPAN}s?\b"),
    re.compile(rf"\b(?:every|each)(?: single)? {_SPAN}\b"),
    re.compile(r"\b(?P<adverb>daily|nightly|weekly|monthly|yearly|annually|quarterly|fortnightly)\b"),
    re.compile(
        rf"\b(?:the )?(?:first|second|third|fourth|last) {_WEEKDAY} (?:of|in) (?:the|each|every) "
        r"(?P<span>month|quarter|year)\b"
    ),
    re.compile(rf"\b(?:every {_WEEKDAY}|on {_WEEKDAY}s)\b(?! ?(?:,|&|/|(?:and|or)\b))"),
)
_OF_DAYS = re.compile(rf"{_WEEKDAY}|weekend|morning|evening|afternoon|night")
_ADVERBS = {"daily": 365, "nightly": 365, "weekly": 52, "monthly": 12, "yearly": 1, "annually": 1, "quarterly": 4,
            "fortnightly": 26}  # fmt: skip
_CUES = cues((*_SPANS, *_ADVERBS, "every", "each", *(f"{name}s" for name in WEEKDAY_NUMBERS)))
"""Whatever tells how often has one of these."""
_WORDS = {"once": 1, "twice": 2, "thrice": 3}
_NEAR = Fraction(1, 8)
_WORD = re.compile(r"\w+")


class _Often(NamedTuple):
    shown: str
    a_year: Fraction


def may_tell_often(claim: str) -> bool:
    return _read_often(claim) is not None


@lru_cache(maxsize=4096)
def _read_often(text: str) -> _Often | None:
    """How often something is told to be, in a year; None where nothing or two things are said of it."""
    if _CUES.isdisjoint(words_in(text)):
        return None
    found: list[tuple[int, int, re.Match[str], int]] = []
    low = text.lower()
    for kind, pattern in enumerate(_TOLD):
        for match in pattern.finditer(low):
            if not any(start < match.end() and match.start() < end for start, end, _, _ in found):
                found.append((match.start(), match.end(), match, kind))
    if len(found) != 1:
        return None
    start, end, match, kind = found[0]
    return _Often(text[start:end], _a_year(match, kind))


def _a_year(match: re.Match[str], kind: int) -> Fraction:
    said = match.groupdict()
    if kind == len(_TOLD) - 1:
        return Fraction(52)
    if said.get("adverb"):
        return Fraction(_ADVERBS[said["adverb"] or ""])
    spans = Fraction(_SPANS[said["span"] or ""])
    count = _WORDS.get(said.get("word") or "") or small_number(said.get("count") or "one") or 1
    if kind == 0:
        return spans * count
    apart = 2 if said.get("other") else {"third": 3, "fourth": 4}.get(said.get("nth") or "", count)
    return spans / apart if kind == 1 else spans


def compare_often(claim: str, passage: Passage) -> Finding | None:
    """Where the same is told to be more or less often it is refuted, where it is told in other words supported."""
    mine, held = _read_often(claim), read_text(passage.text).statements
    if mine is None or all(_read_often(read.claim.text) is None for read in held):
        return None
    reads = read_text(claim).claims
    if len(reads) != 1 or reads[0].proposition.negated or has_any(claim, ABOUT, BOUNDS):
        return None
    own = _content(reads[0].proposition, mine.shown)
    told = [
        theirs for read in held
        if (theirs := _read_often(read.claim.text)) is not None
        and not (read.claim.hedged or read.proposition.negated or read.proposition.modal)
        and not has_any(read.claim.text, ABOUT, BOUNDS)
        and _tells_same(reads[0].proposition, read.proposition)
        and own <= _content(read.proposition, theirs.shown)
    ]  # fmt: skip
    if len(told) != 1:
        return None  # "on Mondays, Wednesdays and Fridays" are three statements, and none tells how often by itself
    (theirs,) = told
    if abs(mine.a_year - theirs.a_year) > max(mine.a_year, theirs.a_year) * _NEAR:
        return Finding(Verdict.REFUTED, _SURE, "other_value", passage.id, claim_value=mine.shown,
                       evidence_value=theirs.shown)  # fmt: skip
    in_other_words = mine.shown.lower() != theirs.shown.lower() and _OF_DAYS.search(mine.shown.lower()) is None
    if in_other_words and mine.a_year == theirs.a_year:
        return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, evidence_value=theirs.shown)
    return None


def _tells_same(mine: Proposition, other: Proposition) -> bool:
    matched = mine.subject == other.subject or subjects_match(mine.subject, other.subject, Aliases())
    return matched and relate_predicates(mine, other) is False


def _content(said: Proposition, often: str) -> frozenset[str]:
    words = _WORD.findall(often.lower())
    own = set(said.subject_lemmas)  # compared already
    left = said.lemmas - own - set(words) - {word.removesuffix("s") for word in words}
    return frozenset(lemma for lemma in left if not lemma.isdecimal())
