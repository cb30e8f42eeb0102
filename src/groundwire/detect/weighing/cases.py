"""When a statement and what is known can both be true, whatever a judge of language makes of the pair.

Two dated events, a thing that exists and what became of it, a condition, a number worked out: a small judge takes each
of them for a conflict where the words are alike.
"""

from __future__ import annotations

import re

from groundwire.detect.amounts.figures import read_figures
from groundwire.detect.records.values import find_values
from groundwire.detect.weighing.traits import share_told, words_of
from groundwire.text.reading import read_text
from groundwire.text.thesaurus import are_opposites, same_meaning

_CONDITION = re.compile(
    r",?\s+(?:(?:only )?(?:when|if|once|unless|as soon as|whenever|provided(?: that)?|as long as))\s+", re.IGNORECASE
)
_EFFECT = re.compile(r"\b(?:takes?|took|came|comes?) (?:effect|into force)\b", re.IGNORECASE)
_HAPPENING = frozenset(
    "be take hold happen occur fall do have schedule plan set move postpone reschedule go run".split()  # noqa: SIM905
)
"""Verbs that say no more than that something is on some day."""
_LARGELY = 0.6
_DENIED = ("n't", "n’t")
_SHARES = {"half": 1 / 2, "third": 1 / 3, "thirds": 2 / 3, "quarter": 1 / 4, "quarters": 3 / 4, "fifth": 1 / 5}
_SHARE = re.compile(rf"\b(?:{'|'.join(_SHARES)})\b", re.IGNORECASE)
_TOLERANCE = 0.001
_MOST = 8


def can_both_hold(mine: str, theirs: str) -> bool:
    """Whether the two speak of different cases, or the one is worked out from the other."""
    return (
        _are_two_events(mine, theirs)
        or _is_a_condition(mine, theirs)
        or _only_exists(mine, theirs)
        or is_reckoned(mine, theirs)
    )


def _are_two_events(mine: str, theirs: str) -> bool:
    """ "Announced in March", "approved on 20 May": each verb has its own day."""
    days = [frozenset(v.text.casefold() for v in find_values(text) if v.kind == "date") for text in (mine, theirs)]
    if not all(days) or days[0] & days[1]:
        return False
    own, known = _read_verbs(mine), _read_verbs(theirs)
    if not own or not known or (own | known) & _HAPPENING:
        return False
    return not any(same_meaning(one, other) or are_opposites(one, other) for one in own for other in known)


def _read_verbs(text: str) -> frozenset[str]:
    plain = _EFFECT.sub("applied", text)
    return frozenset(read.proposition.predicate for read in read_text(plain).claims if read.proposition.predicate)


def _is_a_condition(mine: str, theirs: str) -> bool:
    """ "They get a text when the parcel clears customs" does not say that it has."""
    parts = _CONDITION.split(theirs, maxsplit=1)
    if len(parts) == 1 or _CONDITION.search(mine):
        return False
    own = frozenset(word for word in words_of(mine) if not word.endswith(_DENIED))
    said = [read.proposition for read in read_text(mine).claims]
    states = [
        a.lemmas[-1] for p in said for a in p.arguments if p.predicate == "be" and a.role == "object" and a.lemmas
    ]
    told = {*states, *(p.predicate for p in said)} - {"be", ""}
    if not all(share_told(frozenset({word}), parts[1]) for word in told):
        return False
    return share_told(own, parts[1]) > share_told(own, parts[0]) + _LARGELY


def _only_exists(mine: str, theirs: str) -> bool:
    """ "He had two daughters" says nothing of what they got."""
    owned = {
        argument.lemmas[-1]
        for read in read_text(theirs).claims
        for argument in read.proposition.arguments
        if read.proposition.predicate == "have" and argument.role == "object" and argument.lemmas
    }
    told = [read.proposition for read in read_text(mine).claims]
    return bool(told) and all(
        p.subject_lemmas[-1:] and p.subject_lemmas[-1] in owned and p.predicate not in ("be", "have") for p in told
    )


def is_reckoned(mine: str, theirs: str) -> bool:
    """ "Ten users come to 60 dollars" at 6 dollars a user; "a third of the seats", where 30 of 90 are sold."""
    known = sorted(read_figures(theirs))[:_MOST]
    if _SHARE.search(mine) is not None and len(known) > 1:
        shares = [_SHARES[match.group().lower()] for match in _SHARE.finditer(mine)]
        return all(any(_is_near(share * whole, part) for part in known for whole in known) for share in shares)
    own = sorted(read_figures(mine))[:_MOST]
    new = [figure for figure in own if figure not in known]
    if len(own) < 2 or not known or not new:
        return False
    return any(
        _is_near(result, factor * price / unit)
        for result in new
        for factor in own
        for price in known
        for unit in (1.0, *known)
        if factor not in (result, 1.0) and price > 1.0 and unit not in (price, 0.0)
    )


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= _TOLERANCE * max(abs(one), abs(other))
