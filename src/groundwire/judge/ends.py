"""When something ends or comes, from when it began or was due and how long it lasts or is late."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime

from groundwire.judge.events import tells_same_event
from groundwire.judge.figures import read_figure
from groundwire.judge.findings import Finding
from groundwire.judge.hours import read_minutes
from groundwire.judge.predicates import verbs
from groundwire.text.calendar import Moment, read_moment, small_number
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.text.times import add_units, read_count
from groundwire.types import Passage, Verdict

_SURE = 0.9
_DAY = 1440
_SHIFTED = re.compile(r"(?P<length>.+?) (?P<way>late|later|behind schedule|early|earlier|ahead of schedule)\b", re.I)


def reckon_end(claim: str, passage: Passage) -> Finding | None:
    """Support of the end that follows from a beginning and a length."""
    reads = read_text(claim).claims
    statements = [read for read in read_text(passage.text).statements if not read.claim.hedged]
    others = [read.proposition for read in statements]
    if len(reads) != 1 or find_end(reads[0].proposition, others) is not Verdict.SUPPORTED:
        return None
    return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=passage.text)


def reckon_delay(claim: str, passage: Passage) -> Finding | None:
    """Due at 9:10 and 25 minutes late: it came at 9:35. Another time may be told of another stop, and is left open."""
    if " late" not in passage.text and " early" not in passage.text:
        return None
    reads = read_text(claim).claims
    mine = reads[0].proposition if len(reads) == 1 else None
    times = [a for a in mine.arguments if a.role == "at"] if mine is not None else []
    if mine is None or mine.negated or mine.modal or len(times) != 1:
        return None
    told = [read.proposition for read in read_text(passage.text).statements if not read.claim.hedged]
    shifts = [shift for one in told for a in one.arguments if (shift := _read_shift(a))]
    due = [
        a for one in told if one.subject == mine.subject for a in one.arguments if a.role == "at" and read_minutes(a)
    ]
    moved = any(_read_shift(a) for one in told if tells_same_event(mine, one) for a in one.arguments)
    if not moved or len(shifts) != 1 or len(due) != 1:
        return None
    meant = {(minute + shifts[0]) % _DAY for minute in read_minutes(due[0])}
    if meant.isdisjoint(read_minutes(times[0])):
        on_time = not read_minutes(due[0]).isdisjoint(read_minutes(times[0]))
        return Finding(Verdict.REFUTED, _SURE, "other_value", passage.id, exact=True, claim_value=times[0].text,
                       evidence_value=passage.text, exchange=False) if on_time else None  # fmt: skip
    return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=passage.text)


def _read_shift(argument: Argument) -> int:
    """The minutes by which something is late; below zero where it is early, zero where it is not told."""
    found = _SHIFTED.fullmatch(argument.text)
    length = read_figure(found["length"]) if found is not None else None
    if found is None or length is None or length.dimension != "duration" or length.amount % 60:
        return 0
    minutes = int(length.amount // 60)
    return minutes if found["way"].lower().startswith(("late", "behind")) else -minutes


def find_end(mine: Proposition, others: Sequence[Proposition]) -> Verdict | None:
    """From a beginning and a length: started on 1 March, lasts two weeks."""
    if mine.negated or mine.predicate not in verbs("ending") or any(o.predicate in verbs("ending") for o in others):
        return None
    end = next((m for a in mine.arguments if a.is_time and (m := read_moment(a.text.lower())) is not None), None)
    begun = [
        m for o in others if o.predicate in verbs("beginning") for a in o.arguments
        if a.is_time and (m := read_moment(a.text.lower())) is not None
    ]  # fmt: skip
    lengths = [match for o in others for a in o.arguments if (match := _LENGTH.fullmatch(a.text.lower())) is not None]
    if end is None or len(begun) != 1 or len(lengths) != 1:
        return None
    count = read_count(lengths[0]["count"]) or small_number(lengths[0]["count"])
    first, last = _first_day(begun[0]), _first_day(end)
    if not count or first is None or last is None:
        return None
    due = add_units(datetime.combine(first, datetime.min.time()), count, lengths[0]["unit"])
    if due is None:
        return None
    slack = 1 if end.day or (end.days and end.days[0][0] == end.days[0][1]) else _length_of(end)
    return Verdict.SUPPORTED if -1 <= (due - last).days <= slack else None


_LENGTH = re.compile(r"(?P<count>\d{1,4}|[a-z]{1,9}(?:-[a-z]{3,5})?) (?P<unit>day|week|month|year)s?")
_ANY_YEAR = 2001


def _first_day(moment: Moment) -> date | None:
    """The first day that it can be; a day without its year is one of any year."""
    if moment.days:
        return moment.days[0][0] if len(moment.days) == 1 else None
    if not moment.month:
        return None
    return date(_ANY_YEAR, moment.month, min(moment.day or 1, 28) if moment.month == 2 else moment.day or 1)


def _length_of(moment: Moment) -> int:
    return (moment.days[0][1] - moment.days[0][0]).days if moment.days else 31
