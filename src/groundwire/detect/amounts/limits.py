"""Limits: how many there may be at most or must be at least, against a number that is said to be within them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.detect.amounts.counts import Amount, may_count, read_amounts, show, tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words
from groundwire.text.lexicon import noun_lemma

_LONGEST = 300
_REACH = 2
_AT_MOST = re.compile(
    r"(?:\b(?:at\s+most|up\s+to|no\s+more\s+than|not\s+more\s+than|a\s+maximum\s+of|maximum\s+(?:is|of|number\s+is)|max(?:imum|\.)?|limit(?:ed)?\s+(?:is|of|to)|capacity\s+(?:is|of)"
    r"|room\s+for|space\s+for|holds|hold|seats|sleeps|fits|carries|accommodates|takes|under|below|younger\s+than|less\s+than|fewer\s+than))\s+(?:exactly\s+|only\s+|a\s+total\s+of\s+|the\s+age\s+of\s+)?$"
)
_AT_LEAST = re.compile(
    r"(?:\b(?:at\s+least|no\s+fewer\s+than|no\s+less\s+than|not\s+less\s+than|a\s+minimum\s+of|minimum\s+(?:is|of|age\s+is|order\s+is)|min(?:imum|\.)?|over|above|older\s+than|more\s+than|must\s+be|from))\s+(?:the\s+age\s+of\s+)?$"
)
_FINE = re.compile(
    r"\b(?:no\s+problem|fine|within|fits?|fit\s+in|ok|okay|allowed|all\s+right|alright|enough|suffic(?:es?|ient)|can\s+all|each\s+get|all\s+get|easily|comfortably|permitted|accepted|qualif(?:y|ies)|eligible|meets?|works?"
    r"|can\s+(?:all\s+)?(?:come|join|enter|ride|take\s+part|bring|take|carry|stay|play|apply|seat|sit)|welcome|good\s+to\s+go|admitted|gets?\s+in|covered|valid|long\s+enough)\b"
)
_NOT_FINE = re.compile(
    r"\b(?:not|no(?!\s+problem)|never|too|exceed\w*|over\s+the|above\s+the|beyond|more\s+than\s+(?:allowed|permitted)|if|unless|except|extra|surcharge|fee|two\s+trips|split|twice|instead|cannot|would|refused|only)\b|n't\b"
)
_LEFT = re.compile(r"(?:\s+[a-z]+){0,2}\s+(?:left|remaining|available|free)\b")
_OPEN = re.compile(r"\b(?:if|unless|per|each|every|usually|about|around|roughly|recommend\w*|ideally)\b")


_UNTIL = re.compile(r"\s+(?:[a-z]+\s+)?(?:until|till|to)\b|\s?[–-]")
""" "From ten until four" is a time, and no limit."""
_MOST, _LEAST = "most", "least"


def name_limit(front: str) -> str:
    """Which way the words before an amount limit it: "up to", "at least"; empty where they do not."""
    if _AT_MOST.search(front) is not None:
        return _MOST
    return _LEAST if _AT_LEAST.search(front) is not None else ""


class _Limit(NamedTuple):
    amount: Amount
    is_most: bool
    seen: Sighting
    start: int


def find_broken_limits(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """ "holds at most ten people; with fourteen you are within the limit"."""
    limits: list[tuple[int, _Limit]] = []
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or not may_count(seen.low):
            continue
        amounts = read_amounts(seen.low)
        own = [limit for amount in amounts if (limit := _read_limit(seen, amount)) is not None]
        for _, limit in [entry for entry in limits if place - entry[0] <= _REACH] + [(place, limit) for limit in own]:
            if (clash := _check(seen, amounts, limit)) is not None:
                yield clash
                break
        limits += [(place, limit) for limit in own]


def _read_limit(seen: Sighting, amount: Amount) -> _Limit | None:
    front = seen.low[: amount.start]
    if amount.has_sign and amount.unit == "%":
        return None
    if (match := _AT_MOST.search(front)) is not None and not re.search(r"\bnot\s+only\b", front):
        return _Limit(amount, True, seen, match.start())
    if re.search(r"\b(?:only|just)\s+$", front) and _LEFT.match(seen.low, amount.end):
        return _Limit(amount, True, seen, amount.start)
    if (match := _AT_LEAST.search(front)) is not None and not (
        match.group().startswith("from") and _UNTIL.match(seen.low, amount.end)
    ):
        return _Limit(amount, False, seen, match.start())
    return None


def _check(seen: Sighting, amounts: Sequence[Amount], limit: _Limit) -> Clash | None:
    for amount in amounts:
        if amount is limit.amount or (seen is limit.seen and amount.start <= limit.amount.start):
            continue
        if (
            not (_same_measure(amount, limit.amount) or _same_things(seen, amount, limit))
            or not amount.is_exact
            or _read_limit(seen, amount) is not None
        ):
            continue
        held = seen is not limit.seen and _holds(limit) and _INSIDE.search(seen.low) is not None
        beyond = amount.value > limit.amount.value if limit.is_most else amount.value < limit.amount.value
        begin = limit.amount.end if seen is limit.seen else 0
        told = seen.low[begin:]
        if (
            beyond
            and (held or _FINE.search(told))
            and not _NOT_FINE.search(told)
            and not _OPEN.search(limit.seen.low[: limit.amount.end])
        ):
            word = "more than" if limit.is_most else "less than"
            evidence = f"{show(amount.value)} is {word} {show(limit.amount.value)}"
            earlier = limit.seen.segment.span if seen is not limit.seen else None
            return tell_clash(seen, begin, len(seen.text.rstrip(". ")), evidence, earlier)
    return None


_INSIDE = re.compile(
    r"\bthere (?:is|are|was|were) (?:now |currently |already |about )?[\d.,a-z-]+ [a-z]+ (?:in|inside|on) "
    r"(?:it|there|the)\b"
    r"|\b(?:contains|contained|is filled with|was filled with|are on board|were on board|are inside)\b"
)
_CAPACITY = re.compile(r"\b(?:holds?|seats|sleeps|capacity|room|space|fits|accommodates)\b")


def _holds(limit: _Limit) -> bool:
    """A vessel or a hall, which cannot hold more than it does; a rule can be broken."""
    return limit.is_most and _CAPACITY.search(limit.seen.low[limit.start : limit.amount.start]) is not None


def _same_things(seen: Sighting, amount: Amount, limit: _Limit) -> bool:
    """ "six books home", "nine books": the word right behind the number."""
    mine, yours = (_BEHIND.match(text, at) for text, at in ((seen.low, amount.end), (limit.seen.low, limit.amount.end)))
    return mine is not None and yours is not None and noun_lemma(mine[1]) == noun_lemma(yours[1])


_BEHIND = re.compile(r"\s+([a-z]{3,})\b")


def _same_measure(one: Amount, other: Amount) -> bool:
    """The same thing is counted, as far as it is named; measures never mix."""
    units = read_words("units", "sums")
    if one.has_sign or other.has_sign or one.noun in units or other.noun in units:
        mine, yours = (a.unit if a.has_sign else a.noun for a in (one, other))
        return mine == yours
    persons = read_words("persons", "sums")
    return not one.noun or not other.noun or one.noun == other.noun or (one.noun in persons and other.noun in persons)
