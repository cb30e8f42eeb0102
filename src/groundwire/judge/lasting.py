"""How long something lasted, from the days on which it began and ended: from 2010 to 2016 are six years.

A year without its month can be any part of it, so that a length is right where the dates as they are told are that far
apart, wrong only where no reading of them is near, and left open in between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.judge.arguments import covers
from groundwire.judge.exactness import ABOUT, BOUNDS, has_any
from groundwire.judge.findings import Finding
from groundwire.judge.predicates import means_same, verbs
from groundwire.text.calendar import small_number
from groundwire.text.cues import Cued
from groundwire.text.occasions import read_occasion
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.types import Passage, Verdict

_SURE = 0.9
_LENGTH = re.compile(r"(?P<count>\d{1,3}|[a-z]{3,9}(?:-[a-z]{3,5})?) (?P<unit>week|month|year|decade)s?", re.IGNORECASE)
_TELLS = Cued(
    re.compile(rf"\b(?:for|take[ns]?|took|last(?:s|ed)?|spen[dt]s?) (?:.* )?{_LENGTH.pattern}\b", re.IGNORECASE),
    "week weeks month months year years decade decades",
)
_DAYS = {"week": 7.0, "month": 30.44, "year": 365.2425, "decade": 3652.425}
_LASTING = frozenset({"be", "last", "take", "run", "go"})
_NEAR, _FAR = 0.12, 0.5


class _Ends(NamedTuple):
    """The first day of a beginning, the day of an end, and by how many days either may be off."""

    start: float
    end: float
    slack: float
    source: str
    shown: str


def may_tell_lasting(claim: str) -> bool:
    return _TELLS.search(claim) is not None


def find_lasting(claim: str, *passages: Passage) -> Finding | None:
    """Support or refutation of a length by the only beginning and end that are told of the same."""
    reads = read_text(claim).claims
    mine = reads[0].proposition if len(reads) == 1 else None
    if mine is None or mine.negated or mine.modal or has_any(claim, ABOUT, BOUNDS):
        return None
    lengths = [(a, found) for a in mine.arguments if (found := _read_length(mine, a)) is not None]
    if len(lengths) != 1 or any(a.is_time for a in mine.arguments if a is not lengths[0][0]):
        return None
    argument, (count, unit) = lengths[0]
    told = list(_find_ends(mine, argument, passages))
    if len(told) != 1 or told[0].end <= told[0].start:
        return None
    ends = told[0]
    apart = abs((ends.end - ends.start) / _DAYS[unit] - count)
    if apart <= _NEAR:
        return Finding(Verdict.SUPPORTED, _SURE, "implied", ends.source, exact=True, evidence_value=ends.shown)
    if apart < _FAR + ends.slack / _DAYS[unit]:
        return None
    return Finding(
        Verdict.REFUTED, _SURE, "other_value", ends.source, exact=True, claim_value=argument.text,
        evidence_value=ends.shown, wrong=argument.span, exchange=False,
    )  # fmt: skip


def _read_length(said: Proposition, argument: Argument) -> tuple[float, str] | None:
    lasts = argument.role == "for" or (argument.role in ("object", "when") and said.predicate in _LASTING)
    found = _LENGTH.fullmatch(argument.text) if lasts else None
    if found is None:
        return None
    written = found["count"].lower()
    count = 1 if written in ("a", "one") else small_number(written) or (int(written) if written.isdigit() else 0)
    return (float(count), found["unit"].lower()) if count else None


def _find_ends(mine: Proposition, length: Argument, passages: Sequence[Passage]) -> Iterator[_Ends]:
    """Both ends as one statement tells them, or as one tells the beginning and another the end."""
    said = [
        (passage, read.proposition) for passage in passages for read in read_text(passage.text).statements
        if not read.claim.hedged and not read.proposition.negated and read.proposition.subject == mine.subject
    ]  # fmt: skip
    rest = [a for a in mine.arguments if a is not length and a.lemmas]
    begun: list[tuple[float, float]] = []
    over: list[tuple[float, float, Passage]] = []
    for passage, other in said:
        first, last = _find_day(other, ("from",)), _find_day(other, ("to", "until", "till"))
        same = means_same(mine.predicate, other.predicate) or {mine.predicate, other.predicate} <= _LASTING
        if first and last and same and all(covers(a.lemmas, other.lemmas) for a in rest):
            yield _measure(first, last, passage)
        alone = _find_day(other, ("on", "in", "at", "when")) if len(other.arguments) == 1 else None
        if alone and other.predicate in verbs("beginning"):
            begun.append(alone)
        elif alone and other.predicate in verbs("ending"):
            over.append((*alone, passage))
    if len(begun) == len(over) == 1 and not rest and mine.predicate in _LASTING:
        yield _measure(begun[0], over[0][:2], over[0][2])


def _find_day(said: Proposition, roles: Sequence[str]) -> tuple[float, float] | None:
    found = [
        days for a in said.arguments
        if a.is_time and a.role in roles and (when := read_occasion("on", a.text)) is not None and (days := when.days)
    ]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _measure(first: tuple[float, float], last: tuple[float, float], passage: Passage) -> _Ends:
    """To the day where both are told to the day, else from year to year or from month to month."""
    wide = max(first[1] - first[0], last[1] - last[0])
    end = last[1] if wide < 2 else last[0]
    return _Ends(first[0], end, wide if wide > 2 else 0.0, passage.id, passage.text)
