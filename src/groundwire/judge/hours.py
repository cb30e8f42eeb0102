"""When something opens and closes, from when to when it lasts: "open from 9:00 to 18:30" says when it closes.

A range has two ends. A beginning is compared with the one and an end with the other; an hour without its half of the
day may be either. Where a passage tells two ranges, or one of certain days alone, nothing follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.judge.carrying import content_of
from groundwire.judge.exactness import ABOUT, BOUNDS, has_any
from groundwire.judge.figures import read_figure
from groundwire.judge.findings import Finding
from groundwire.text.calendar import small_number
from groundwire.text.cues import Cued
from groundwire.text.occasions import read_occasion
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.types import Passage, Verdict

_SURE = 0.9
_DAY = 1440
_TELLING = Cued(
    re.compile(r"\b(?:open|clos|shut|start|begin|began|end|finish|stop)\w*\b.{0,30}\bat\b", re.IGNORECASE), "at"
)
_RANGED = Cued(
    re.compile(r"\b(?:from|between|until|till)\b.{0,12}\d|\b(?:from|between|until|till) [a-z]", re.IGNORECASE),
    "from between until till",
)
_BEGINNING, _ENDING = frozenset({"start", "begin"}), frozenset({"end", "finish", "stop"})
_OPENING, _CLOSING = "open", frozenset({"close", "shut"})
_ENDS = frozenset({_OPENING, *_BEGINNING, *_ENDING, *_CLOSING})
_LASTING = frozenset({"be", "run", "go", "last", "take"})
_UNTIL = frozenset({"to", "till", "until"})

_Ends = tuple[frozenset[int], frozenset[int], str]
"""The minutes at which it may begin and end, and how it is put."""


_SPAN = Cued(
    re.compile(
        r"\b(?:an?|half an?|[\d.,]+|[a-z]+(?:-[a-z]+)?)[ -](?:and a half )?(?:hours?|minutes?|mins?|h)\b"
        r"(?: and a half| and a quarter|,? (?:and )?(?:[\d]+|[a-z]+(?:-[a-z]+)?) (?:minutes?|mins?)\b)?",
        re.IGNORECASE,
    ),
    "hour hours minute minutes min mins h",
)


def may_tell_hours(claim: str) -> bool:
    return _TELLING.search(claim) is not None


def may_tell_range(claim: str) -> bool:
    return _RANGED.search(claim) is not None


def may_tell_length(claim: str) -> bool:
    return _SPAN.search(claim) is not None


def find_length(claim: str, passage: Passage) -> Finding | None:
    """How long something lasts, from when it begins to when it ends: 14:00 to 15:30 are 90 minutes."""
    spans = list(_SPAN.finditer(claim))
    reads = read_text(claim).claims if len(spans) == 1 else ()
    mine = reads[0].proposition if len(reads) == 1 else None
    length = read_figure(spans[0].group()) if mine is not None else None
    if mine is None or length is None or length.dimension != "duration" or mine.predicate not in _LASTING:
        return None
    outside = content_of(f"{claim[: spans[0].start()]} {claim[spans[0].end() :]}") - content_of(mine.subject)
    if mine.negated or mine.modal or has_any(claim, ABOUT, BOUNDS) or not outside <= {"last", "take", "run", "long"}:
        return None
    told = [ends for ends in _list_ranges(mine, passage, is_opening=False) if ends[0] and ends[1]]
    if len(told) != 1:
        return None
    first, last, shown = told[0]
    lengths = {(end - start) % _DAY for start in first for end in last}
    if length.amount == min(lengths) * 60:
        return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=shown)
    if any(length.amount == minutes * 60 for minutes in lengths):
        return None
    return Finding(
        Verdict.REFUTED, _SURE, "other_value", passage.id, exact=True, claim_value=spans[0].group(),
        evidence_value=shown, exchange=False,
    )  # fmt: skip


def find_hours(claim: str, passage: Passage) -> Finding | None:
    """Support or refutation of one end, by the only range that the passage tells of the same thing."""
    reads = read_text(claim).claims
    mine = reads[0].proposition if len(reads) == 1 else None
    if mine is None or mine.negated or mine.modal or len(mine.arguments) != 1 or mine.arguments[0].role != "at":
        return None
    is_end = mine.predicate in _ENDING or mine.predicate in _CLOSING
    if not is_end and mine.predicate not in _BEGINNING and mine.predicate != _OPENING:
        return None
    is_opening = mine.predicate == _OPENING or mine.predicate in _CLOSING
    time = mine.arguments[0]
    wanted = read_minutes(time)
    told = _list_ranges(mine, passage, is_opening=is_opening)
    if not wanted or len(told) != 1 or not told[0][is_end]:
        return None
    first, last, shown = told[0]
    if not wanted.isdisjoint(last if is_end else first):
        return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=shown)
    return Finding(
        Verdict.REFUTED, _SURE, "other_value", passage.id, exact=True, claim_value=time.text, evidence_value=shown,
        wrong=time.span, exchange=False,
    )  # fmt: skip


def find_range(claim: str, *passages: Passage) -> Finding | None:
    """ "Open from 10 to 8", where it is told when it opens and when it closes; an end that is another refutes."""
    mine, points = _find_points(claim, passages)
    told = [(minutes, point) for minutes, point in points if point is not None]
    for minutes, point in told:
        if mine is not None and minutes.isdisjoint(point.minutes):
            return _tell_other_end(mine, minutes, point)
    if not told or len(told) < len(points):
        return None
    shown = ", ".join(point.shown for _, point in told)
    return Finding(Verdict.SUPPORTED, _SURE, "implied", told[-1][1].source, exact=True, evidence_value=shown)


def find_open_end(claim: str, passage: Passage) -> Finding | None:
    """ "Open from 7 to 9", where the passage says no more than that it opens at 7."""
    points = _find_points(claim, (passage,))[1] if may_tell_range(claim) else []
    told = [point for _, point in points if point is not None]
    return Finding(Verdict.INSUFFICIENT, _SURE, "not_mentioned", passage.id) if 0 < len(told) < len(points) else None


def _find_points(
    claim: str, passages: Sequence[Passage]
) -> tuple[Proposition | None, list[tuple[frozenset[int], _Point | None]]]:
    """The ends of the range that a claim tells, each with what is told of it; none where nothing tells of an end."""
    if not any(read.proposition.predicate in _ENDS for p in passages for read in read_text(p.text).statements):
        return None, []
    reads = read_text(claim).claims
    mine = reads[0].proposition if len(reads) == 1 else None
    if mine is None or mine.negated or mine.modal or mine.predicate not in {*_LASTING, _OPENING}:
        return None, []
    is_opening = _OPENING in mine.lemmas
    ends = _read_range(mine, mine, is_opening=is_opening)
    if ends is None or has_any(claim, ABOUT, BOUNDS):
        return None, []
    return mine, [
        (minutes, _find_point(mine, passages, is_opening, is_end)) for is_end, minutes in enumerate(ends[:2]) if minutes
    ]


class _Point(NamedTuple):
    """When something begins or ends, how that is put, and where it is told."""

    minutes: frozenset[int]
    shown: str
    source: str


def _find_point(mine: Proposition, passages: Sequence[Passage], is_opening: bool, is_end: int) -> _Point | None:
    """The one time at which the same thing begins, or ends; nothing where none or two are told."""
    verbs = (_CLOSING if is_end else {_OPENING}) if is_opening else (_ENDING if is_end else _BEGINNING)
    found: list[_Point] = []
    for passage in passages:
        for read in read_text(passage.text).statements:
            told = read.proposition
            if told.predicate not in verbs or read.claim.hedged or not _is_of_same(told, mine):
                continue
            if told.negated or told.modal or told.tense is not mine.tense or len(told.arguments) != 1:
                return None  # on some days, or not at all
            found.append(_Point(read_minutes(told.arguments[0]), told.arguments[0].text, passage.id))
    return found[0] if len(found) == 1 and found[0].minutes else None


def _is_of_same(told: Proposition, mine: Proposition) -> bool:
    return told.subject == mine.subject or (bool(mine.subject_lemmas) and told.subject_lemmas == mine.subject_lemmas)


def _tell_other_end(mine: Proposition, minutes: frozenset[int], point: _Point) -> Finding:
    wrong = next((a for a in mine.arguments if a.role in {"from", *_UNTIL} and read_minutes(a) & minutes), None)
    return Finding(
        Verdict.REFUTED, _SURE, "other_value", point.source, exact=True, claim_value=wrong.text if wrong else "",
        evidence_value=point.shown, wrong=wrong.span if wrong else None, exchange=wrong is not None,
    )  # fmt: skip


def _list_ranges(mine: Proposition, passage: Passage, *, is_opening: bool) -> list[_Ends]:
    return [
        ends for read in read_text(passage.text).statements if not read.claim.hedged
        if (ends := _read_range(mine, read.proposition, is_opening=is_opening)) is not None
    ]  # fmt: skip


def _read_range(mine: Proposition, told: Proposition, *, is_opening: bool) -> _Ends | None:
    if not _is_of_same(told, mine) or told.negated or told.modal or told.tense is not mine.tense:
        return None
    lasts = (_OPENING in told.lemmas) if is_opening else told.predicate in _LASTING and _OPENING not in told.lemmas
    starts = [a for a in told.arguments if a.role == "from"]
    ends = [a for a in told.arguments if a.role in _UNTIL]
    between = [a for a in told.arguments if a.role == "between" and " and " in a.text]
    others = [a for a in told.arguments if a.is_time and a not in (*starts, *ends, *between)]
    if not lasts or others or len(starts) > 1 or len(ends) > 1 or len(between) > 1:
        return None
    if between:
        one, _, two = between[0].text.partition(" and ")
        starts, ends = [between[0]._replace(text=one)], [between[0]._replace(text=two)]
    first, last = (read_minutes(side[0]) if side else frozenset[int]() for side in (starts, ends))
    if not first and not last:
        return None
    if first and last:
        first, last = (
            frozenset(m for m in first if m < max(last) or not max(last)) or first,
            frozenset(m for m in last if m > min(first)) or last,
        )
    return first, last, ", ".join(side[0].text for side in (starts, ends) if side)


def read_minutes(time: Argument) -> frozenset[int]:
    if small_number(time.text.lower()) is not None:
        return read_bare_hour(time.text)
    found = read_occasion("at", time.text)
    told = found is not None and not (found.days or found.weekdays or found.months)
    return found.minutes or frozenset() if found is not None and told else frozenset()


def read_bare_hour(text: str) -> frozenset[int]:
    """ "at nine" is in one half of the day or in the other, "20" in the second; nothing where it is no hour."""
    hour = small_number(text.lower())
    if hour is None or not 0 < hour <= 24:
        return frozenset()
    if hour > 12:
        return frozenset((hour * 60 % _DAY,))
    return frozenset((hour * 60 % _DAY, (hour * 60 + _DAY // 2) % _DAY))
