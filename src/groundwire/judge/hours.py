"""When something opens and closes, from when to when it lasts: "open from 9:00 to 18:30" says when it closes.

A range has two ends. A beginning is compared with the one and an end with the other; an hour without its half of the
day may be either. Where a passage tells two ranges, or one of certain days alone, nothing follows.
"""

from __future__ import annotations

import re

from groundwire.judge.findings import Finding
from groundwire.text.calendar import small_number
from groundwire.text.occasions import read_occasion
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.types import Passage, Verdict

_SURE = 0.9
_DAY = 1440
_TELLING = re.compile(r"\b(?:open|clos|shut|start|begin|began|end|finish|stop)\w*\b.{0,30}\bat\b", re.IGNORECASE)
_BEGINNING, _ENDING = frozenset({"start", "begin"}), frozenset({"end", "finish", "stop"})
_OPENING, _CLOSING = "open", frozenset({"close", "shut"})
_LASTING = frozenset({"be", "run", "go", "last", "take"})
_UNTIL = frozenset({"to", "till", "until"})

_Ends = tuple[frozenset[int], frozenset[int], str]
"""The minutes at which it may begin and end, and how it is put."""


def find_hours(claim: str, passage: Passage) -> Finding | None:
    """Support or refutation of one end, by the only range that the passage tells of the same thing."""
    reads = read_text(claim).claims if _TELLING.search(claim) is not None else ()
    mine = reads[0].proposition if len(reads) == 1 else None
    if mine is None or mine.negated or mine.modal or len(mine.arguments) != 1 or mine.arguments[0].role != "at":
        return None
    is_end = mine.predicate in _ENDING or mine.predicate in _CLOSING
    if not is_end and mine.predicate not in _BEGINNING and mine.predicate != _OPENING:
        return None
    is_opening = mine.predicate == _OPENING or mine.predicate in _CLOSING
    time = mine.arguments[0]
    wanted = _read_minutes(time)
    told = [
        ends for read in read_text(passage.text).statements if not read.claim.hedged
        if (ends := _read_range(mine, read.proposition, is_opening=is_opening)) is not None
    ]  # fmt: skip
    if not wanted or len(told) != 1 or not told[0][is_end]:
        return None
    first, last, shown = told[0]
    if not wanted.isdisjoint(last if is_end else first):
        return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=shown)
    return Finding(
        Verdict.REFUTED, _SURE, "other_value", passage.id, exact=True, claim_value=time.text, evidence_value=shown,
        wrong=time.span, exchange=False,
    )  # fmt: skip


def _read_range(mine: Proposition, told: Proposition, *, is_opening: bool) -> _Ends | None:
    same = told.subject == mine.subject or (bool(mine.subject_lemmas) and told.subject_lemmas == mine.subject_lemmas)
    if not same or told.negated or told.modal or told.tense is not mine.tense:
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
    first, last = (_read_minutes(side[0]) if side else frozenset[int]() for side in (starts, ends))
    if not first and not last:
        return None
    if first and last:
        first, last = (
            frozenset(m for m in first if m < max(last) or not max(last)) or first,
            frozenset(m for m in last if m > min(first)) or last,
        )
    return first, last, ", ".join(side[0].text for side in (starts, ends) if side)


def _read_minutes(time: Argument) -> frozenset[int]:
    hour = small_number(time.text.lower())
    if hour is not None:
        return frozenset((hour * 60 % _DAY, (hour * 60 + _DAY // 2) % _DAY)) if 0 < hour <= 12 else frozenset()
    found = read_occasion("at", time.text)
    told = found is not None and not (found.days or found.weekdays or found.months)
    return found.minutes or frozenset() if found is not None and told else frozenset()
