"""What follows from two figures of the evidence: which event came first, by how much something changed, which share.

"The shop closed at 18:00. The courier came at 17:00" says that the courier came before the shop closed; 80 kg then and
76 kg now are 4 kg lost; twelve of twenty-four are half. Each is exact, or it is not said at all: an hour without its
half of the day, a month without its year, or a third figure of the same kind leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.judge.arithmetic import compare_amounts
from groundwire.judge.ends import reckon_delay, reckon_end
from groundwire.judge.exactness import ABOUT, BOUNDS, has_any
from groundwire.judge.figures import Figure, read_figure
from groundwire.judge.findings import Finding
from groundwire.judge.frequency import compare_often, may_tell_often
from groundwire.judge.hours import (
    find_hours,
    find_length,
    find_open_end,
    find_range,
    may_tell_hours,
    may_tell_length,
    may_tell_range,
    read_bare_hour,
)
from groundwire.judge.lasting import find_lasting, may_tell_lasting
from groundwire.judge.listed import find_listed_age, may_tell_age
from groundwire.judge.measured import find_chain, find_measured_order
from groundwire.judge.predicates import means_same, verbs
from groundwire.judge.rates import (
    may_tell_amount,
    may_tell_rate,
    may_tell_sum,
    reckon_amount,
    reckon_rate,
    reckon_sum,
)
from groundwire.judge.roles import find_exchanged_deeds, find_exchanged_roles, tells_deed
from groundwire.judge.shares import find_portion, may_tell_share, read_share, reckon_share
from groundwire.text.cues import Cued
from groundwire.text.lexicon import verb_lemma
from groundwire.text.occasions import Occasion, read_occasion
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.subjects import USER, user_words
from groundwire.types import Passage, Tense, Verdict

_SURE = 0.9
_OPEN = 0.8
_HALF_DAY = 720
_REMEMBERED = 1_000
"""Characters of a claim of which it is kept what it lets reckon."""
_SLACK = 1.5
"""The calendar's years are not all of one length."""
_AT_CLOCK = Cued(re.compile(r"\bat \d", re.IGNORECASE), "at")
_ENDS = ("end", "finish", "expire", "conclude", "close", "stop")
_ENDING = Cued(
    re.compile(rf"\b(?:{'|'.join(_ENDS)})(?:s|es|d|ed)?\b.*\d", re.IGNORECASE),
    [f"{verb}{ending}" for verb in _ENDS for ending in ("", "s", "es", "d", "ed")],
)
_ORDERING = Cued(re.compile(r"\b(?:before|after|(?:earlier|sooner|later) than)\b", re.IGNORECASE), "before after than")


_Reckon = Callable[[str, Passage], Finding | None]


def find_exact(claim: str, passage: Passage) -> Finding | None:
    """Support or refutation where arithmetic on the figures of the passage decides it, or who is what to whom."""
    return reckon(claim, passage) or compare_amounts(claim, passage) or find_exchanged_roles(claim, passage)


def reckon(claim: str, passage: Passage) -> Finding | None:
    """What follows from the figures of one passage, however it is worded."""
    for find in choose_reckonings(claim):
        if (found := find(claim, passage)) is not None:
            return found
    return None


def reckon_together(claim: str, passages: Sequence[Passage]) -> Finding | None:
    """What follows from one figure of each of two passages: which came first, which is the longer."""
    found = find_measured_order(claim, *passages) or find_chain(claim, passages)
    if found is None and _ORDERING.search(claim) is not None:
        found = _reckon_order(claim, *passages)
    if found is None and may_tell_range(claim):
        found = find_range(claim, *passages)
    if found is None and may_tell_lasting(claim):
        found = find_lasting(claim, *passages)
    return found


def choose_reckonings(claim: str) -> tuple[_Reckon, ...]:
    """What a claim lets reckon: one is held against many passages, and most let nothing."""
    return _choose_known(claim) if len(claim) <= _REMEMBERED else _choose(claim)


@lru_cache(maxsize=4096)
def _choose_known(claim: str) -> tuple[_Reckon, ...]:
    return _choose(claim)


def _choose(claim: str) -> tuple[_Reckon, ...]:
    chosen: list[tuple[bool, _Reckon]] = [
        (" of " in claim, find_portion),
        (may_tell_hours(claim), find_hours),
        (may_tell_range(claim), find_range),
        (may_tell_length(claim), find_length),
        (may_tell_lasting(claim), find_lasting),
        (_AT_CLOCK.search(claim) is not None, reckon_delay),
        (_ENDING.search(claim) is not None, reckon_end),
        (_ORDERING.search(claim) is not None, _reckon_order),
        (_CHANGED.search(claim) is not None, _reckon_change),
        (may_tell_often(claim), compare_often),
        (may_tell_rate(claim), reckon_rate),
        (may_tell_sum(claim), reckon_sum),
        (may_tell_amount(claim), reckon_amount),
        (may_tell_share(claim) and read_share(claim) is not None, reckon_share),
        (" than " in claim, find_measured_order),
        (may_tell_age(claim), find_listed_age),
        (tells_deed(claim), find_exchanged_deeds),
    ]
    return tuple(find for fits, find in chosen if fits)


def find_untold_time(claim: str, passage: Passage) -> Finding | None:
    """One end of a range is not told; or the times speak against an order, though "at six" may be of either half."""
    found = _place_both(claim, passage) if _ORDERING.search(claim) is not None else None
    if found is None or found.is_sure or found.is_as_claimed:
        return find_open_end(claim, passage)
    return Finding(Verdict.INSUFFICIENT, _OPEN, "other_time", passage.id)


def may_be_ordered(claim: str, passage: Passage) -> bool:
    """The times speak for this order, though not for certain."""
    found = _place_both(claim, passage) if _ORDERING.search(claim) is not None else None
    return found is not None and found.is_as_claimed


# ── which came first ────────────────────────────────────────────────────────────────────────────


class _Order(NamedTuple):
    is_as_claimed: bool
    is_sure: bool
    shown: str
    source: str
    told: str


def _reckon_order(claim: str, *passages: Passage) -> Finding | None:
    found = _place_both(claim, *passages)
    if found is None or not found.is_sure:
        return None
    verdict = Verdict.SUPPORTED if found.is_as_claimed else Verdict.REFUTED
    reason = "implied" if found.is_as_claimed else "opposite"
    return Finding(
        verdict, _SURE, reason, found.source, exact=True, claim_value=found.told, evidence_value=found.shown,
        exchange=False,
    )  # fmt: skip


def _place_both(claim: str, *passages: Passage) -> _Order | None:
    """The two events of the claim, each told once in the passages with one time."""
    told = [(read.proposition, a) for read in read_text(claim).claims for a in read.proposition.arguments
            if _orders(read.proposition, a)]  # fmt: skip
    if len(told) != 1 or told[0][0].negated or told[0][0].modal:
        return None
    main, other = told[0]
    statements = [
        (passage.id, read.proposition)
        for passage in passages for read in read_text(passage.text).statements if not read.claim.hedged
    ]  # fmt: skip
    ours = [one for _, one in statements if _is_main(main, other, one)]
    theirs = [one for _, one in statements if one not in ours and _is_other(main, other, one)]
    if len(ours) != 1 or len(theirs) != 1 or ours[0].negated or theirs[0].negated:
        return None
    mine, its = (_find_stretch(one) for one in (ours[0], theirs[0]))
    order = _compare_stretches(mine, its) if mine is not None and its is not None else None
    if mine is None or its is None or order is None:
        return None
    is_first, is_sure = order
    wanted = other.role == "before" or (other.role == "than" and "later" not in main.adverbs)
    source = next(source for source, one in statements if one is ours[0])
    return _Order(is_first is wanted, is_sure, f"{mine.shown}, {its.shown}", source, other.text)


def _orders(said: Proposition, argument: Argument) -> bool:
    compared = argument.role == "than" and not {"earlier", "sooner", "later", "early", "late"}.isdisjoint(said.adverbs)
    return (argument.role in ("before", "after") or compared) and not argument.is_time and bool(argument.lemmas)


def _is_main(main: Proposition, other: Argument, told: Proposition) -> bool:
    """The same deed, done to the same: who joined a choir and a club did so twice."""
    if not means_same(main.predicate, told.predicate) or not _is_same_subject(main, told):
        return False
    return all(told.lemmas.issuperset(a.lemmas) for a in main.arguments if a is not other)


def _is_same_subject(one: Proposition, other: Proposition) -> bool:
    return one.subject == other.subject or (bool(one.subject_lemmas) and one.subject_lemmas == other.subject_lemmas)


def _is_other(main: Proposition, other: Argument, told: Proposition) -> bool:
    """ "before the shop closed", "before it was sent", "before Ben", "after the merger"."""
    held = {*other.lemmas, *(verb_lemma(word) or word for word in other.text.lower().split())}
    if set(other.lemmas) == set(told.subject_lemmas):
        return means_same(main.predicate, told.predicate) or told.predicate in verbs("being")
    if _is_counterpart(main, other, told):
        return True
    if not any(means_same(told.predicate, lemma) for lemma in held):
        return False
    first = other.text.lower().split(" ", 1)[0]
    known = {*told.lemmas, *told.subject_lemmas, told.predicate}
    if not all(lemma in known or means_same(told.predicate, verb_lemma(lemma) or lemma) for lemma in other.lemmas):
        return False  # "before you moved to York": another move is another event
    if first in ("it", "he", "she", "they"):
        return _is_same_subject(main, told)
    if first in user_words():
        return told.subject == USER
    return bool(told.subject_lemmas) and held.issuperset(told.subject_lemmas)


def _is_counterpart(main: Proposition, other: Argument, told: Proposition) -> bool:
    """ "Lived in Ottawa after Toronto": what stands in the same place of the same deed, which is said once."""
    if not means_same(main.predicate, told.predicate) or not _is_same_subject(main, told):
        return False
    roles = {a.role for a in main.arguments if a is not other and not a.is_time}
    return any(a.role in roles and set(a.lemmas) == set(other.lemmas) for a in told.arguments)


class _Stretch(NamedTuple):
    """From when to when, as far as either is told; an event has one time that is both."""

    begin: Argument | None
    end: Argument | None
    lasts: bool
    shown: str


def _find_stretch(told: Proposition) -> _Stretch | None:
    times = {a.role: a for a in told.arguments if a.is_time}
    number = sum(a.is_time for a in told.arguments)
    if not number or number != len(times):
        return None
    shown = ", ".join(a.text for a in times.values())
    begin, end = times.get("from") or times.get("since"), times.get("to") or times.get("until")
    if begin is None and end is None:
        point = next(iter(times.values()))
        return _Stretch(point, point, lasts=False, shown=shown) if number == 1 else None
    if number != (begin is not None) + (end is not None):
        return None
    begin, end = (a and a._replace(role="in") for a in (begin, end))
    return _Stretch(begin, end, lasts=True, shown=shown)


def _compare_stretches(mine: _Stretch, its: _Stretch) -> tuple[bool, bool] | None:
    """Whether the first is the earlier one, and whether that is certain; what lies within the other has no order."""
    if not mine.lasts and not its.lasts and mine.begin is not None and its.begin is not None:
        return _compare_times(mine.begin, its.begin)
    for one, other, is_first in ((mine, its, True), (its, mine, False)):
        if one.end is None or other.begin is None:
            continue
        joined = one.lasts and other.lasts and one.end.text == other.begin.text and _place(one.end) is not None
        if joined or _compare_times(one.end, other.begin) == (True, True):
            return is_first, True
    begins, ends = _compare_edges(mine.begin, its.begin), _compare_edges(mine.end, its.end)
    return begins if begins == ends and mine.lasts and its.lasts else None  # it overlaps, and is the earlier throughout


def _compare_edges(mine: Argument | None, its: Argument | None) -> tuple[bool, bool] | None:
    return _compare_times(mine, its) if mine is not None and its is not None else None


def _compare_times(mine: Argument, its: Argument) -> tuple[bool, bool] | None:
    """Whether the first is the earlier one, and whether that is certain; None where nothing can be said."""
    one, other = _place(mine), _place(its)
    if one is None or other is None or one.end or other.end:
        return None
    if one.days is not None and other.days is not None and one.days != other.days:
        if one.days[1] <= other.days[0] + _SLACK:
            return True, True
        return (False, True) if other.days[1] <= one.days[0] + _SLACK else None
    if (one.days is None) is not (other.days is None) or one.weekdays != other.weekdays or one.season or other.season:
        return None
    if one.months != other.months:
        if not one.months or not other.months or one.day or other.day:
            return None
        return min(one.months) < min(other.months), False
    if not one.minutes or not other.minutes or one.minutes == other.minutes or one.day != other.day:
        return None
    if max(one.minutes) < min(other.minutes) or max(other.minutes) < min(one.minutes):
        return max(one.minutes) < min(other.minutes), True
    return min(m % _HALF_DAY for m in one.minutes) < min(m % _HALF_DAY for m in other.minutes), False


def _place(time: Argument) -> Occasion | None:
    hours = read_bare_hour(time.text) if time.role == "at" else frozenset[int]()
    return Occasion(minutes=hours) if hours else read_occasion(time.role, time.text)


# ── by how much it changed ──────────────────────────────────────────────────────────────────────

_FALLING = frozenset({"lose", "drop", "fall", "shrink", "decrease", "decline", "sink"})
_CHANGES = (
    "lost lose gained dropped fell fallen shrank shrunk decreased declined sank rose risen grew grown climbed increased"
)
_CHANGED = Cued(
    re.compile(
        rf"\b(?P<verb>{_CHANGES.replace(' ', '|')})\b.{{0,40}}?"
        r"(?:\d|\b(?:a|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)\b)",
        re.IGNORECASE,
    ),
    _CHANGES,
)
_MEASURING = frozenset({"weigh", "be", "cost", "measure", "earn", "pay"})


def _reckon_change(claim: str, passage: Passage) -> Finding | None:
    """From what it was and what it is: 80 kg and then 76 kg are 4 kg less."""
    reads = read_text(claim).claims
    mine = reads[0].proposition if len(reads) == 1 else None
    how = _CHANGED.search(claim)
    if mine is None or how is None or mine.negated or mine.modal or has_any(passage.text, ABOUT, BOUNDS):
        return None
    by = [a for a in mine.arguments if a.role in ("object", "by") and not a.is_time]
    change = read_figure(by[0].text) if len(by) == 1 else None
    if change is None or change.dimension == "count" or any(a.role in ("from", "to") for a in mine.arguments):
        return None
    statements = read_text(passage.text).statements
    figures = [(read, figure) for read in statements if (figure := _find_figure(mine, read, change)) is not None]
    if len(figures) != 2:
        return None
    (first, before), (second, after) = figures
    order = _order_states(first.proposition, second.proposition)
    if order is None:
        return None
    if not order:
        before, after = after, before
    rise = after.amount - before.amount
    shown = f"{before.shown}, {after.shown}"
    if (-rise if verb_lemma(how["verb"].lower()) in _FALLING else rise) == change.amount:
        return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=shown)
    return Finding(
        Verdict.REFUTED, _SURE, "other_value", passage.id, exact=True, claim_value=by[0].text, evidence_value=shown,
        wrong=by[0].span, exchange=False,
    )  # fmt: skip


def _find_figure(mine: Proposition, read: ReadClaim, change: Figure) -> Figure | None:
    told = read.proposition
    if told.negated or told.modal or read.claim.hedged or told.predicate not in _MEASURING:
        return None
    weighed = mine.subject.endswith("'s weight") and told.predicate == "weigh"
    if told.subject != (mine.subject.removesuffix("'s weight") if weighed else mine.subject):
        return None
    figures = [a.text for a in told.arguments if a.role == "object" and not a.is_time]
    found = read_figure(figures[0]) if len(figures) == 1 else None
    return found if found is not None and found.dimension == change.dimension else None


def _order_states(first: Proposition, second: Proposition) -> bool | None:
    """Whether the first is the earlier state: what was before what is, else by their times."""
    past = [one.tense is Tense.PAST for one in (first, second)]
    if past[0] is not past[1]:
        return past[0]
    times = [[a for a in one.arguments if a.is_time] for one in (first, second)]
    if any(len(one) != 1 for one in times):
        return None
    order = _compare_times(times[0][0], times[1][0])
    return order[0] if order is not None and (order[1] or first.tense is Tense.PAST) else None
