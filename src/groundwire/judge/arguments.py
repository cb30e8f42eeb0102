"""How the parts of two statements relate: things by their words, times by the calendar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from groundwire.judge.arithmetic import relate_amounts
from groundwire.judge.figures import read_figure
from groundwire.judge.shares import opens_with_share, reckon_part
from groundwire.judge.slots import relate_values
from groundwire.text.calendar import small_number
from groundwire.text.occasions import Occasion, read_occasion, relate_occasions
from groundwire.text.propositions import Argument
from groundwire.text.quantities import Quantity, read_quantity
from groundwire.text.thesaurus import is_carried
from groundwire.text.values import Relation, compare
from groundwire.types import Verdict

PLACES = frozenset({"in", "at", "on", "near", "from", "to", "into", "within", "inside"})
_OPENINGS, _CLOSINGS = ("from", "since", "starting"), ("to", "until", "till")


_PARTITIVE = re.compile(
    r"(?P<count>\d+|[a-z]+) (?:out )?of (?:the |my |your |our |all )?\d+ (?P<things>.+)", re.IGNORECASE
)
"""Of "3 of the 12 boats", three are meant."""


def relate_arguments(left: Argument, right: Argument) -> Relation:
    if left.role == right.role == "at" and (hour := _relate_hours(left.text, right.text)) is not None:
        return hour
    if left.role in _BOUNDING and (bounded := _relate_bound(left, right)) is not None:
        return bounded
    if (part := _PARTITIVE.match(right.text)) is not None and _PARTITIVE.match(left.text) is None:
        right = right._replace(text=f"{part['count']} {part['things']}", lemmas=right.lemmas[:1] + right.lemmas[2:])
    relation = relate_values(left.text, right.text)
    if left.is_time and right.is_time and (relation is not Relation.EQUAL or left.role != right.role):
        one, other = _place(left), _place(_take_end(right, left.role))
        if one is not None and other is not None:
            return relate_occasions(one, other) or Relation.OVERLAPS
        if relation is Relation.DIFFERENT and (one or other):
            return Relation.OVERLAPS  # a time that the calendar cannot place neither agrees nor differs
    if relation is Relation.DIFFERENT and opens_with_share(left.text) is not opens_with_share(right.text):
        return _relate_part(left.text, right.text)
    comparable = left.lemmas and right.lemmas and not left.is_name and not right.is_name
    if relation is Relation.DIFFERENT and comparable and covers(left.lemmas, frozenset(right.lemmas)):
        return Relation.GENERALISES
    return relation


_BOUNDING = frozenset({"under", "over", "above", "below", "within"})


def _relate_bound(left: Argument, right: Argument) -> Relation | None:
    """ "Under an hour" is what 50 minutes are, and not what 70 are."""
    mine = _read_amount(left.role, left.text)
    theirs = _read_amount(right.role if right.role in _BOUNDING else "", right.text)
    if mine is None or theirs is None or mine.unit.dimension != theirs.unit.dimension:
        return None
    verdict = relate_amounts(mine, theirs)
    if verdict is Verdict.REFUTED:
        return Relation.DIFFERENT
    return Relation.GENERALISES if verdict is Verdict.SUPPORTED else Relation.OVERLAPS


def _read_amount(role: str, text: str) -> Quantity | None:
    """An amount with its bound; the article of "an hour" is no part of an argument."""
    for words in (text, f"an {text}"):
        found = read_quantity(f"{role} {words}".strip().lower())
        if found is not None and not found[1].strip():
            return found[0]
    return None


def _relate_part(left: str, right: str) -> Relation:
    """Half of it may be 625 euros; half of 1,250 euros are."""
    one, other = reckon_part(left) or read_figure(left), reckon_part(right) or read_figure(right)
    if one is None or other is None or one.dimension != other.dimension:
        return Relation.OVERLAPS
    return Relation.EQUAL if one.amount == other.amount else Relation.DIFFERENT


def _take_end(argument: Argument, role: str) -> Argument:
    """Of "between 2010 and 2015", the end that "from" or "until" is about."""
    first, joint, last = argument.text.partition(" and ")
    if argument.role != "between" or not joint or role not in (*_OPENINGS, *_CLOSINGS):
        return argument
    return argument._replace(role=role, text=first if role in _OPENINGS else last)


def _place(argument: Argument) -> Occasion | None:
    return read_occasion(argument.role, argument.text)


def is_other_end(left: Argument, right: Argument) -> bool:
    """ "at 6 pm" and "until 6 pm": one tells when something is, the other where it stops."""
    one, other = _place(left), _place(right)
    return one is not None and other is not None and one.end != other.end


def are_apart(left: Argument, right: Argument) -> bool:
    """Two times on the calendar that have nothing in common."""
    one, other = _place(left), _place(right)
    return one is not None and other is not None and relate_occasions(one, other) is Relation.DIFFERENT


@lru_cache(maxsize=1024)
def _relate_hours(left: str, right: str) -> Relation | None:
    """ "at nine" and "at 9 am": an hour without its half of the day can be either; None where neither is one."""
    bare, clock = (left, right) if small_number(left.lower()) else (right, left)
    if not 1 <= (small_number(bare.lower()) or 0) <= 12 or small_number(clock.lower()):
        return None
    halves = [compare(f"{small_number(bare.lower())} {half}", clock).relation for half in ("am", "pm")]
    same = (Relation.EQUAL, Relation.REFINES)  # "10:00" leaves the half of the day open as well
    return Relation.EQUAL if any(relation in same for relation in halves) else Relation.DIFFERENT


def has_same_role(left: Argument, right: Argument) -> bool:
    if left.is_time or right.is_time:
        return left.is_time and right.is_time
    if left.role == right.role:
        return True
    return left.role in PLACES and right.role in PLACES


def covers(lemmas: tuple[str, ...], available: frozenset[str]) -> bool:
    """Every word is there, itself or in another word of the same or narrower meaning."""
    return bool(lemmas) and all(lemma in available or is_carried(lemma, available) for lemma in lemmas)


def swaps_objects(claim: Sequence[Argument], evidence: Sequence[Argument], verb: str = "") -> bool:
    """ "prefers tea to coffee" against "prefers coffee over tea"; "mixed with" goes both ways, "replaced with" one."""
    mutual = () if verb in _ONE_WAY else ("with",)
    mine, theirs = _find_object(claim, mutual), _find_object(evidence, mutual)
    if mine is None or theirs is None or mine[0] == theirs[0] or _is_dative(claim) is not _is_dative(evidence):
        return False
    return mine[0] in theirs[1] and theirs[0] in mine[1]


def _is_dative(arguments: Sequence[Argument]) -> bool:
    """ "hands a guest a key" has the one first whom "hands a key to a guest" has last."""
    return any(argument.role == "second" for argument in arguments)


_ONE_WAY = frozenset({"replace", "substitute", "supplant", "supply", "provide", "equip", "reward"})


def _find_object(
    arguments: Sequence[Argument], mutual: Sequence[str]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]] | None:
    """The object, and what else the verb is said of."""
    found = [a.lemmas for a in arguments if a.role == "object" and a.lemmas]
    others = [a.lemmas for a in arguments if a.role != "object" and a.role not in mutual and not a.is_time]
    return (found[0], others) if len(found) == 1 and others else None


def is_user(argument: Argument) -> bool:
    """Whether it is "you", as whom something is done to, for or with; it has no word to be compared."""
    return not argument.lemmas and not argument.is_time and argument.text.lower() in _USER


_USER = frozenset({"you", "me", "us", "myself", "ourselves", "yourself", "i", "we"})


def leaves_user_out(mine: Argument, theirs: Sequence[Argument]) -> bool:
    """Whether the claim says it of "you", as whom it was done to or with, and the evidence of others alone."""
    others = [a for a in theirs if not a.is_time]
    return is_user(mine) and bool(others) and not any(names_user(a) for a in others)


def names_user(argument: Argument) -> bool:
    """ "Me and Tom"; but "my aunt" is not me."""
    return not _USER.isdisjoint(argument.text.lower().split())
