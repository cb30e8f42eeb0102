"""Statements that cover everything, and what falls out of them: every day but Sundays, only members and then others.

Also a rise that is called a fall in the next sentence: the noun says what the verb denies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.logic.clashes import Clash, exclude
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.tables import read_table
from groundwire.text.times import seasons, weekdays
from groundwire.types import ContradictionType

COVERED = 0.85
_REACH = 3
_LONGEST = 300
_EVER = re.compile(
    r"\b(?:every (?:single )?day|daily|seven days a week|7 days a week|all week|every day of the (?:week|year)|"
    r"all year(?: round)?|year-round|throughout the year|around the clock|24 hours a day|day and night|24/7|"
    r"365 days a year)\b"
)
_SOME_TIME = re.compile(
    rf"\b(?:on|every|over) (?:the )?(?:{'|'.join(weekdays())}|weekend|public holiday|holiday)s?\b"
    rf"|\b(?:in|during|from|between) (?:the )?(?:{'|'.join(seasons())}|january|february|march|april|may|june|july|"
    r"august|"
    r"september|october|november|december|night|nights)\b|\bat (?:night|weekends|lunchtime|noon)\b"
)
_LIMITED = re.compile(
    r"\b(?:but|except|apart from|only|unless|if|other than|besides|almost|nearly|usually|normally|until|however|though|"
    r"although|while|whereas|used to|was|were|now|then|formerly|instead)\b"
)
_DENIED = re.compile(r"\b(?:not|never|no|nothing|nobody|cannot)\b|n't\b")
_ARTICLES = frozenset({"the", "a", "an", "our", "your", "their", "its", "his", "her"})
_POINTING = frozenset({"it", "they", "he", "she", "this", "there"})


def covers_all_times(low: str) -> bool:
    return _EVER.search(low) is not None


def find_uncovered(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST:
            continue
        following = [
            s for s in sightings[place + 1 : place + 1 + _REACH] if not s.is_question and len(s.low) <= _LONGEST
        ]
        for find in (_find_other_days, _find_outsiders, _find_turned, _find_missing, _find_unequal):
            yield from find(seen, following)


# ── every day, and a day on which it is not so ──────────────────────────────────────────────────


def _find_other_days(seen: Sighting, following: Sequence[Sighting]) -> Iterator[Clash]:
    """ "It is open every day." and then "It is shut on Sundays." """
    if _EVER.search(seen.low) is None or _LIMITED.search(seen.low) or _DENIED.search(seen.low):
        return
    mine = _states(seen)
    for other in following:
        if _SOME_TIME.search(other.low) is None or _LIMITED.search(other.low):
            continue
        if not _is_of_same(seen, other):
            continue
        theirs, denied = _states(other), _DENIED.search(other.low) is not None
        same = bool(mine & theirs)
        opposed = any(exclude(one, two) for one in mine for two in theirs)
        if (denied and same) or (opposed and not denied):
            yield _tell(other, seen, "it is said to be so at every time")


def _is_of_same(seen: Sighting, other: Sighting) -> bool:
    """The same subject by name, or a pronoun: Line 1 is not Line 2."""
    mine, theirs = (_subject(s) for s in (seen, other))
    if not theirs or theirs & _POINTING:
        return not _POINTING.isdisjoint(other.words)
    return bool(mine) and (mine <= theirs or theirs <= mine)


def _subject(seen: Sighting) -> frozenset[str]:
    claims = seen.segment.claims
    words = re.findall(r"\w+", claims[0].subject.lower()) if claims else []
    return frozenset(noun_lemma(word) for word in words) - _ARTICLES


def _states(seen: Sighting) -> frozenset[str]:
    """The words that say how something is or what it does."""
    found: set[str] = set()
    for token, letter in zip(seen.tokens, seen.letters, strict=True):
        if letter in "JVEBG":
            found.update((token.low, verb_lemma(token.low) or token.low))
    return frozenset(found - read_logic("light"))


def _nouns(seen: Sighting) -> frozenset[str]:
    return frozenset(noun_lemma(t.low) for t, letter in zip(seen.tokens, seen.letters, strict=True) if letter in "NP")


# ── only these, and then others ─────────────────────────────────────────────────────────────────

_ONLY = re.compile(
    r"\bonly (?P<who>(?:[a-z-]+ ){0,2}[a-z-]+s) "
    r"(?:may|can|could|are allowed to|are permitted to|get to|have the right to) "
    r"(?P<verb>[a-z]+)"
)
_OUTSIDE = re.compile(
    r"\b(?:who|that) (?:are|is) not (?:an? |yet )?(?P<who>[a-z-]+)|\bnon-(?P<non>[a-z]+)"
    r"|\b(?:aren't|isn't) (?:an? )?(?P<are>[a-z-]+)"
)
_MAY = r"\b(?:may|can|could|are allowed to|is allowed to|are permitted to|get to) (?:also |too |still )?"


def _find_outsiders(seen: Sighting, following: Sequence[Sighting]) -> Iterator[Clash]:
    """ "Only members may vote." and then "Guests who are not members may vote as well." """
    rule = _ONLY.search(seen.low)
    if rule is None:
        return
    who = noun_lemma(rule["who"].split()[-1])
    for other in following:
        outside = _OUTSIDE.search(other.low)
        named = next((word for word in outside.groups() if word), "") if outside is not None else ""
        if outside is None or noun_lemma(named) != who:
            continue
        if re.search(_MAY + rf"{rule['verb']}\b", other.low[outside.end() :]):
            yield _tell(other, seen, f'"{rule.group()}" leaves nobody else')


# ── up, and called down ─────────────────────────────────────────────────────────────────────────


@cache
def _moves() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """The verbs of a movement, and the nouns of the contrary one."""
    rows = read_table("logic", "detect")["moves"]
    ways = [
        ("|".join(rows[f"{way}_verbs"]).replace(" ", r"\s+"), "|".join(rows[f"{other}_nouns"]))
        for way, other in (("up", "down"), ("down", "up"))
    ]
    return tuple(
        (
            re.compile(rf"(?P<what>[a-z]+)\s+(?:has |have |had )?(?:{verbs})\b"),
            re.compile(
                rf"\b(?:this|that|the|its|their)\s+(?:[a-z]+\s+)?(?:{nouns})(?:\s+(?:in|of)\s+(?:the\s+)?(?P<what>[a-z]+))?\b"
            ),
        )
        for verbs, nouns in ways
    )


@cache
def _moving() -> frozenset[str]:
    """The words that a verb of a movement begins with."""
    rows = read_table("logic", "detect")["moves"]
    return frozenset(verb.split()[0] for way in ("up", "down") for verb in rows[f"{way}_verbs"])


def _find_turned(seen: Sighting, following: Sequence[Sighting]) -> Iterator[Clash]:
    """ "Prices went up last month." and then "The fall in prices …"."""
    if _moving().isdisjoint(seen.runs) or _DENIED.search(seen.low):
        return
    for verbs, nouns in _moves():
        told = verbs.search(seen.low)
        for other in following[:1] if told is not None else ():
            named = nouns.search(other.low)
            if named is None or told is None or _DENIED.search(other.low) or not _is_same_time(seen, other):
                continue
            if named["what"] is None or noun_lemma(named["what"]) == noun_lemma(told["what"]):
                yield _tell(other, seen, f'"{told.group().strip()}" and "{named.group()}"')
                return


def _is_same_time(one: Sighting, other: Sighting) -> bool:
    mine, theirs = ({time.surface.lower() for time in seen.times} for seen in (one, other))
    shifted = read_logic("turns") & (one.words ^ other.words)
    return (mine == theirs or not mine or not theirs) and not shifted


# ── no lift, and take the lift ──────────────────────────────────────────────────────────────────

_LACKS = re.compile(
    r"\b(?:has|have|had|there (?:is|are|was|were)) no (?P<thing>(?:[a-z]+[- ])?[a-z]{3,})(?=[.,;]|$| (?:in|at|on)\b)"
)


def _find_missing(seen: Sighting, following: Sequence[Sighting]) -> Iterator[Clash]:
    """ "The hostel has no lift." and then "Take the lift": whatever has "the" in front of it is there."""
    lack = _LACKS.search(seen.low)
    if lack is None or seen.times or _LIMITED.search(seen.low) or lack["thing"].split()[-1] in read_logic("abstract"):
        return
    thing = lack["thing"]
    forms = {thing, f"{thing}s", thing.removesuffix("s")}
    named = re.compile(
        rf"\b(?:the|its|their|your) (?:{'|'.join(map(re.escape, sorted(forms)))})\b"
        r"(?! (?:of|in|at|next|near|opposite)\b)"
    )
    for other in following[:2]:
        if named.search(other.low) and not _LIMITED.search(other.low) and not _DENIED.search(other.low):
            yield _tell(other, seen, f"there is no {thing}")
            return


# ── the same, and more ──────────────────────────────────────────────────────────────────────────

_EQUAL = re.compile(
    r"\b(?:are|is|were|was|have|has|cost|costs) (?:exactly |all |both )?"
    r"(?:the same|identical|equal)(?: (?P<of>[a-z]+))?"
)


@cache
def _dimensions() -> dict[str, frozenset[str]]:
    return {noun: frozenset(words) for noun, words in read_table("logic", "detect")["dimensions"].items()}


def _find_unequal(seen: Sighting, following: Sequence[Sighting]) -> Iterator[Clash]:
    """ "Prices are the same in both shops." and then "The second shop is cheaper." """
    match = _EQUAL.search(seen.low)
    if match is None or _LIMITED.search(seen.low) or _DENIED.search(seen.low):
        return
    nouns = {noun_lemma(match["of"] or ""), *_nouns(seen)}
    measured = frozenset[str]().union(*(_dimensions().get(noun, ()) for noun in nouns))
    for other in following[:1]:
        more = measured & (other.words | frozenset(re.findall(r"more [a-z]+", other.low)))
        if more and not _LIMITED.search(other.low) and not _DENIED.search(other.low):
            yield _tell(other, seen, f"the same, and {min(more)}")


def _tell(later: Sighting, earlier: Sighting, evidence: str) -> Clash:
    kind = ContradictionType.LOGICAL_IMPOSSIBILITY
    return Clash(later.segment.span, earlier.segment.span, COVERED, kind, evidence)
