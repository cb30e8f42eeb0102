"""Which sentences of an answer are put to the judge against each other: those about one thing that may clash."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.detect.amounts.figures import is_worked_out, read_figures
from groundwire.detect.dialogue.kindred import draw_circle
from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.logic.scopes import (
    are_at_other_times,
    are_for_other_figures,
    are_marked_apart,
    is_aside,
    is_newly_marked,
    split_subject,
)
from groundwire.detect.logic.sides import HOUR, TURNING, Side, find_turns, read_side
from groundwire.detect.sightings import Places, Sighting
from groundwire.text.lexicon import verb_lemma
from groundwire.text.subjects import USER
from groundwire.text.thesaurus import are_opposites, is_kind_of, same_meaning
from groundwire.types import Span

MOST_PAIRS = 20
_REACH = 8
"""So many sentences back a sentence is compared; what stands farther apart shares its topic by chance."""
_MOST_SENTENCES = 240
"""No further into an answer: choosing pairs compares word with word."""
_NEAR = 2
_TOTAL = re.compile(
    r"\b(?:none|nobody|nothing|nowhere|never|only|(?<!in )(?<!at )(?<!after )all|every|everyone|everybody|everything"
    r"|always|entirely|completely|exclusively|unanimous(?:ly)?)\b|\bno (?:one\b|(?=[a-z]))|\bnot (?:a|an|any|one)\b"
)
"""What is said of all cases speaks of every figure and every day too: "all five lifts", "lift 3"."""
_STEM = 5
"""Letters that tell words of one stem."""
_CLOSING = re.compile(rf"\b(?:closes?|ends?|shuts?|stops?|finish(?:es)?|until|till) (?:at )?{HOUR}")


def choose_pairs(sightings: Sequence[Sighting], told: Sequence[Span]) -> list[tuple[Side, Side]]:
    """Pairs with one topic, those first in which a clash lies nearest; at most so many."""
    places = Places()
    for span in told:
        places.take(span)
    sides: list[Side] = []
    found: list[tuple[bool, int, Side, Side]] = []
    for seen in sightings[:_MOST_SENTENCES]:
        side = read_side(seen) if places.take(seen.segment.span) else None
        if side is None:
            continue
        for distance, earlier in enumerate(reversed(sides[-_REACH:]), 1):
            is_led_over = distance > 1 and earlier.numbers and _tells_multiple(sides[1 - distance :])
            if not is_led_over and _may_clash(earlier, side) and _share_topic(earlier, side, distance):
                found.append((not (earlier.is_firm or side.is_firm), distance, earlier, side))
        sides.append(side)
    found.sort(key=lambda entry: (entry[0], entry[1], entry[3].seen.start))
    return [(one, other) for _, _, one, other in found[:MOST_PAIRS]]


def _turns_in_vain(one: Side, other: Side) -> bool:
    """The turn is what clashes: "Only Ana has a key. Ben also has one", "He has never smoked. He smoked until 2012"."""
    turns = find_turns(other.seen)
    if TURNING.match(other.seen.low):
        return False
    if turns <= {"also", "too"}:
        return _SOLE.search(one.seen.low) is not None
    return turns <= _BEFORE_NOW and _NEVER_YET.search(one.seen.low) is not None


_SOLE = re.compile(r"\b(?:only|solely|exclusively|nowhere else|no(?:body|thing| one) else|no other)\b")
_BEFORE_NOW = frozenset("until previously formerly originally initially earlier".split())  # noqa: SIM905
_NEVER_YET = re.compile(r"(?:\bha(?:s|ve)|'s|'ve) (?:never|always)\b")


def _may_clash(one: Side, other: Side) -> bool:
    """Neither of two times, nor two figures, nor two orders, nor two members of a list."""
    if not all(side.is_verbal or ":" in side.seen.text for side in (one, other)):
        return False
    if not (one.is_verbal or other.is_verbal) or one.seen.text == other.seen.text:
        return False
    if one.is_order and other.is_order and len(one.lemmas & other.lemmas) < 2:
        return False
    is_total = _speaks_of_all(one, other)
    if one.times and other.times and not (is_total or nest(one.times, other.times) or _may_meet(one, other)):
        return False
    if one.numbers and other.numbers and not (is_total or nest(one.numbers, other.numbers) or _rival(one, other)):
        return False
    if one.seen.segment.index == other.seen.segment.index and not _speaks_on(one, other):
        return False
    if any(_reach_of(a.seen.low).is_loose and not b.is_firm for a, b in ((one, other), (other, one))):
        return False
    if one.tells_change or other.tells_change or (other.takes_turn and not _turns_in_vain(one, other)):
        return False
    return not _are_two_things(one, other)


def _speaks_of_all(one: Side, other: Side) -> bool:
    """Where one speaks of all cases, times and figures of the other are among them, unless both are set apart.

    Two hours at which one thing ends are not set apart either: "closes at six", "until eight".
    """
    mine, yours = _reach_of(one.seen.low), _reach_of(other.seen.low)
    if mine.is_never_yet or (mine.is_closing and yours.is_closing):
        return True
    if not (mine.is_total or yours.is_total):
        return False
    return not (are_at_other_times(one.seen, other.seen) or are_for_other_figures(one.seen, other.seen))


_LOOSE = re.compile(
    r"\b(?:rarely|seldom|usually|often|normally|generally|sometimes|occasionally|typically|hardly ever)\b"
)
""" "I rarely drive": what is so as a rule is not denied by one day."""


class _Reach(NamedTuple):
    """Of how many cases a sentence speaks."""

    is_never_yet: bool
    is_closing: bool
    is_total: bool
    is_loose: bool


@lru_cache(maxsize=1024)
def _reach_of(low: str) -> _Reach:
    """Read once: a sentence is compared with each of its neighbours."""
    patterns = (_NEVER_YET, _CLOSING, _TOTAL, _LOOSE)
    return _Reach(*[pattern.search(low) is not None for pattern in patterns])


_NEARLY = re.compile(r"\b(?:almost|nearly|most|mostly|largely|mainly)\b")


def _speaks_on(one: Side, other: Side) -> bool:
    """Two parts of one sentence about one thing: "the kitchen is small; the bedroom is large" are about two."""
    if _NEARLY.search(one.seen.low) or _NEARLY.search(other.seen.low):
        return False
    if one.subject and one.subject == other.subject and not _POINTING.isdisjoint(other.seen.words):
        return True  # "…, and as a mammal it breathes air"
    return bool(one.lemmas & other.lemmas) or not _POINTING.isdisjoint(other.seen.low.split()[:1])


def are_apart(one: Side, other: Side) -> bool:
    """Each has a subject of its own, and neither speaks of the other's: the soup is cold, the main course is hot."""
    mine, yours = (split_subject(side.subject) for side in (one, other))
    if not mine or not yours or set(mine) & set(yours) or USER in (one.subject, other.subject):
        return False
    if any(side.subject.lower() in read_logic("pronouns") for side in (one, other)):
        return False
    if _points_back(one, other):
        return False
    if verb_lemma(mine[-1]) in other.lemmas or verb_lemma(yours[-1]) in one.lemmas:  # "swimming", "safe to swim in"
        return False
    return mine[-1] not in other.lemmas and yours[-1] not in one.lemmas and not are_akin(mine[-1], yours[-1])


def _points_back(one: Side, other: Side) -> bool:
    """ "The island is uninhabited. About 300 people live there": the next sentence, with a word for the thing."""
    if not 0 <= other.seen.segment.index - one.seen.segment.index <= 1:
        return False
    return _BACK.search(other.seen.low, 1) is not None


_BACK = re.compile(r"\b(?:there(?!\s+(?:is|are|was|were|will|has|have)\b)|it|them)\b")
_POINTING = frozenset("it they he she this that these those his her its their anyone everyone everybody nobody".split())  # noqa: SIM905


def nest(mine: frozenset[str], yours: frozenset[str]) -> bool:
    return mine <= yours or yours <= mine


def _may_meet(one: Side, other: Side) -> bool:
    """Times in other words that may be one: this morning is today, and today is before Monday; two lengths of time."""
    if all(_LENGTH.fullmatch(time) for side in (one, other) for time in side.times):
        return not is_aside(one.seen, other.seen)
    if one.times | other.times <= _OF_TODAY and "today" in one.times | other.times:
        return True
    reach = _STILL.search(one.seen.low)
    return reach is not None and other.times <= _OF_TODAY and not are_at_other_times(one.seen, other.seen)


_OF_TODAY = frozenset({"today", "tonight", "this morning", "this afternoon", "this evening"})
_STILL = re.compile(r"\b(?:until|till|all (?:day|week)|this week)\b")
_LENGTH = re.compile(r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d+|half an?)\b.*")


def _rival(one: Side, other: Side) -> bool:
    """Figures of which neither is worked out from the others, and which are told of one case."""
    if one.times or other.times or are_for_other_figures(one.seen, other.seen) or is_aside(one.seen, other.seen):
        return False
    if one.names != other.names or any(_MULTIPLE.search(side.seen.low) for side in (one, other)):
        return False
    if is_newly_marked(one.seen.low, one.subject, other.subject):
        return False
    mine, yours = read_figures(one.seen.text), read_figures(other.seen.text)
    return not any(is_worked_out(figure, mine, yours - {figure}) for figure in yours - mine)


def _tells_multiple(sides: Sequence[Side]) -> bool:
    """ "The recipe serves four. Double it, and it makes eight"."""
    return any(_MULTIPLE.search(side.seen.low) is not None for side in sides)


_MULTIPLE = re.compile(r"\b(?:twice|double|half|triple|times|thirds?|quarters?|percent)\b|%")


def _are_two_things(one: Side, other: Side) -> bool:
    """Subjects with one noun and different marks: the front door and the back door, two persons by name."""
    if {one.subject, other.subject} > {USER} and any(_is_owned(side.subject) for side in (one, other)):
        return True  # "Your mother lives in Tulsa and you live in Wichita"
    if _are_two_parties(one, other) or _are_two_items(one, other):
        return True
    mine, yours = (split_subject(side.subject) for side in (one, other))
    if not mine or not yours:
        return False
    if _have_marks(mine, yours):
        return True
    if mine[-1] == yours[-1]:
        return are_marked_apart(one.subject, other.subject)
    named = [
        side.subject[:1].isupper() and bool(set(split_subject(side.subject)) & side.names) for side in (one, other)
    ]
    return all(named) and not set(mine) & set(yours)


def _are_two_items(one: Side, other: Side) -> bool:
    """ "Sync: free for three users", "Vault: $6 per user": lines of a list, each of its own thing."""
    mine, yours = (_ITEM.match(side.seen.text) for side in (one, other))
    return mine is not None and yours is not None and mine[1] != yours[1]


_ITEM = re.compile(r"[-*•\s]*([A-Z][\w ]{0,24}):\s")
_PARTIES = {"we": 1, "i": 1, "you": 2, "he": 3, "she": 4, "they": 5, "it": 6}


def _are_two_parties(one: Side, other: Side) -> bool:
    """ "We argued for it and they argued against it": in one sentence, two pronouns are two parties."""
    if one.seen.segment.index != other.seen.segment.index:
        return False
    mine, yours = (_PARTIES.get(side.seen.low.split(maxsplit=1)[0], 0) for side in (one, other))
    return bool(mine and yours) and mine != yours


def _have_marks(mine: Sequence[str], yours: Sequence[str]) -> bool:
    """ "basic membership" and "the premium membership fee": one noun, and another word in front of it in each."""
    before = [{noun: words[k - 1] for k, noun in enumerate(words) if k} for words in (mine, yours)]
    return any(noun in before[1] and before[1][noun] != mark for noun, mark in before[0].items())


def _is_owned(subject: str) -> bool:
    return subject.lower().startswith(("your ", f"{USER}'s "))


def _share_topic(one: Side, other: Side, distance: int) -> bool:
    if distance == 1:
        return True
    if one.lemmas & other.lemmas or one.numbers & other.numbers or have_kin(one.lemmas, other.lemmas):
        return True
    if one.is_firm and one.subject and one.subject.lower() == other.subject.lower():
        return True
    return distance <= _NEAR and not read_logic("pronouns").isdisjoint(other.seen.words)


def have_kin(mine: frozenset[str], yours: frozenset[str]) -> bool:
    """Whether a word of one is akin to a word of the other; only those that may be are compared."""
    circle, beginnings = draw_circle(yours), _begin(yours)
    near = [word for word in mine if word[:_STEM] in beginnings or circle.has_kin(word)]
    return any(are_akin(a, b) for a in near for b in yours)


@lru_cache(maxsize=2048)
def _begin(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in words)


@lru_cache(maxsize=65536)
def are_akin(one: str, other: str) -> bool:
    """One topic in two words: synonyms, kinds, opposites, and words of one stem."""
    if len(one) >= _STEM and len(other) >= _STEM and one[:_STEM] == other[:_STEM]:
        return True
    return same_meaning(one, other) or is_kind_of(one, other) or is_kind_of(other, one) or are_opposites(one, other)
