"""When statements differ and both are true: other circumstances, or one value worked out of the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from groundwire.detect.amounts.figures import adds_up, derives_count, read_figures, tells_age
from groundwire.detect.dialogue.stated_values import find_values
from groundwire.detect.dialogue.topics import common_words, read_topic
from groundwire.text.tables import read_table
from groundwire.text.times import seasons, weekdays

_CALENDAR = frozenset({"date", "clock", "weekday", "month"})
_COMPARED = re.compile(
    r"\W*(?:\w+\W+)?(?:older|younger|more|less|fewer|later|earlier|taller|longer|shorter|cheaper|higher|lower)\b"
)
_ELLIPTIC = re.compile(r"^\W*(?:and|what about|how about|or|also|but)\b", re.IGNORECASE)
_MOST_ASKED = 8
_DEICTIC = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last) (?:week|month|year|season|quarter|term|time))\b"
)


_WORKING_WEEK = re.compile(r"\bmon(?:day)?s?\s?(?:to|through|till|until|-|–)\s?fri(?:day)?s?\b")


@cache
def _periods() -> re.Pattern[str]:
    days, times = "|".join(weekdays()), "|".join(seasons())
    return re.compile(
        rf"\b(?:on|during|every|over|at) (?:the )?((?:{days})s|week-?days|week-?ends|(?:public )?holidays)\b"
        rf"|\b(?:in|during) (?:the )?({times}|low season|high season)\b"
        r"|\b(?:at|by) (night)\b|\b(weekdays|weekends)\b"
    )


@cache
def _groups() -> re.Pattern[str]:
    words: list[str] = read_table("prior", "detect")["frames"]["groups"]
    return re.compile(rf"\bfor (?:the )?({'|'.join(words)})\b")


@cache
def _named_groups() -> re.Pattern[str]:
    """ "Members pay 15 euros" is said of members, as "for members" is."""
    words: list[str] = read_table("prior", "detect")["frames"]["groups"]
    return re.compile(rf"\b({'|'.join(words)})\b")


@cache
def _worked_out() -> re.Pattern[str]:
    phrases: list[str] = read_table("prior", "detect")["worked_out"]["phrases"]
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b")


@lru_cache(maxsize=4096)
def read_frames(sentence: str) -> frozenset[str]:
    """The times and groups to which a sentence limits itself: "on Sundays", "at night", "for children"."""
    low = _WORKING_WEEK.sub("on weekdays", sentence.lower())
    found = {match.group(match.lastindex or 0).removesuffix("s") for match in _periods().finditer(low)}
    return frozenset(found | {match.group(1).removesuffix("s") for match in _groups().finditer(low)})


def are_apart(sentence: str, prior: str) -> bool:
    """ "On Sundays the shop opens at 11" says nothing against "at 9 on weekdays", nor against no day at all."""
    mine, theirs = read_frames(sentence), read_frames(prior)
    if any(value.kind == "season" for value in find_values(prior)):
        mine, theirs = mine - seasons().keys(), theirs - seasons().keys()
    mine = mine - {match.group(1).removesuffix("s") for match in _named_groups().finditer(prior.lower())}
    return bool(mine - theirs) or (bool(theirs) and not mine & theirs and bool(mine))


def are_other_days(sentence: str, prior: str) -> bool:
    """ "Omar is off today" says nothing of tomorrow."""
    mine, theirs = set(_DEICTIC.findall(sentence.lower())), set(_DEICTIC.findall(prior.lower()))
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def answers_other(sentence: str, prior: str, asked: str) -> bool:
    """Whether the user has just asked for something else ("And at night?"), and the sentence is about that."""
    if not asked or len(asked.split()) > _MOST_ASKED or not _ELLIPTIC.match(asked):
        return False
    words = read_topic(asked).words - common_words() - read_topic(prior).words
    return not words.isdisjoint(read_topic(sentence).words)


def is_worked_out(sentence: str, given: Sequence[str]) -> bool:
    """Whether a sentence compares, or tells the result of arithmetic on what was said."""
    if tells_age(sentence, given):
        return True
    for value in find_values(sentence):
        if _COMPARED.match(sentence[value.span.end :]):
            return True
        if value.kind in _CALENDAR or _worked_out().search(sentence.casefold()) is None:
            continue
        figures = read_figures(value.text)
        if figures and all(derives_count(figure, given) or adds_up(figure, (*given, sentence)) for figure in figures):
            return True
    return False
