"""So many in so long, so much for so many: 600 a minute are ten a second, and five tickets at 40 euros cost 200.

Seconds, minutes and hours are parts of each other, and so are months, quarters and years. A day's or a week's figure
says nothing for certain of another span: who works eight hours a day does not work fifty-six a week.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from groundwire.judge.events import tells_same_event
from groundwire.judge.exactness import ABOUT, BOUNDS, has_any
from groundwire.judge.figures import Figure, read_figure
from groundwire.judge.findings import Finding
from groundwire.judge.shares import may_tell_part, reckon_part
from groundwire.text.calendar import small_number
from groundwire.text.cues import Cued
from groundwire.text.numerals import has_digit
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.types import Passage, Verdict

_SURE = 0.9
_OPEN = 0.8
_SPANS = {
    "second": ("clock", 1), "minute": ("clock", 60), "hour": ("clock", 3600), "day": ("day", 1), "night": ("night", 1),
    "week": ("week", 1), "month": ("year", 1), "quarter": ("year", 3), "year": ("year", 12),
}  # fmt: skip
_PER = Cued(re.compile(rf"\b(?:per|an?|each|every) (?:{'|'.join(_SPANS)})\b", re.IGNORECASE), _SPANS)


class _Rate(NamedTuple):
    figure: Argument
    amount: Fraction
    kind: tuple[str, tuple[str, ...]]
    """What is counted: its dimension, and its words where that is a mere number."""
    span: str
    times: int
    """How often so much is done in that span; 1 where it is not told."""


def may_tell_rate(claim: str) -> bool:
    return _PER.search(claim) is not None


def reckon_rate(claim: str, passage: Passage) -> Finding | None:
    """Support or refutation by the one rate of the same thing that is told for another span of time."""
    reads = read_text(claim).claims
    if len(reads) != 1 or _PER.search(passage.text) is None:
        return None
    mine = _read_rate(reads[0].proposition)
    if mine is None or has_any(claim, ABOUT, BOUNDS):
        return None
    told = [
        rate for read in read_text(passage.text).statements
        if not read.claim.hedged and tells_same_event(reads[0].proposition, read.proposition)
        and (rate := _read_rate(read.proposition)) is not None and rate.kind == mine.kind
    ]  # fmt: skip
    if len(told) != 1 or (told[0].span == mine.span and told[0].times == mine.times):
        return None
    (other,) = told
    shown = f"{other.figure.text} per {other.span}"
    (group, length), (their_group, their_length) = _SPANS[mine.span], _SPANS[other.span]
    if group != their_group or has_any(passage.text, ABOUT, BOUNDS):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "amount_open", passage.id, evidence_value=shown)
    if mine.amount * mine.times * their_length == other.amount * other.times * length:
        return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=shown)
    return Finding(
        Verdict.REFUTED, _SURE, "other_value", passage.id, exact=True, claim_value=mine.figure.text,
        evidence_value=shown, exchange=False,
    )  # fmt: skip


# ── so much for each ────────────────────────────────────────────────────────────────────────────

_SEVERAL = re.compile(r"(?:the |all |your |our |these )?(?P<count>\d{1,4}|[a-z]{3,9}) [a-z]+", re.IGNORECASE)
_ADDING = frozenset({"cost", "weigh", "contain", "hold", "need", "use"})
"""What is so of each adds up for several."""


def may_tell_sum(claim: str) -> bool:
    several = _SEVERAL.match(claim)
    return several is not None and (small_number(several["count"].lower()) or 0) > 1


def reckon_sum(claim: str, passage: Passage) -> Finding | None:
    """What several cost, from what each does. Another sum may come from a discount, and says nothing for certain."""
    reads = read_text(claim).claims
    mine = reads[0].proposition if len(reads) == 1 else None
    if mine is None or mine.negated or mine.modal or mine.predicate not in _ADDING or not mine.subject_lemmas:
        return None
    count, *things = mine.subject_lemmas
    sums = [figure for a in mine.arguments if (figure := read_figure(a.text)) is not None]
    if not count.isdecimal() or not things or len(sums) != 1 or has_any(claim, ABOUT, BOUNDS):
        return None
    prices = [
        figure for read in read_text(passage.text).statements
        if not (read.claim.hedged or (other := read.proposition).negated or other.modal)
        and other.predicate == mine.predicate and list(other.subject_lemmas) == things and _is_of_each(other)
        for a in other.arguments if (figure := read_figure(a.text)) is not None
    ]  # fmt: skip
    if len(prices) != 1 or prices[0].dimension != sums[0].dimension or has_any(passage.text, ABOUT, BOUNDS):
        return None
    if prices[0].amount * int(count) == sums[0].amount:
        return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=prices[0].shown)
    return Finding(Verdict.INSUFFICIENT, _OPEN, "amount_open", passage.id, evidence_value=prices[0].shown)


def _is_of_each(said: Proposition) -> bool:
    singular = said.subject.rpartition(" ")[2].casefold() == said.subject_lemmas[-1]
    return singular or any(a.text.casefold() == "each" for a in said.arguments)


# ── told in another way ─────────────────────────────────────────────────────────────────────────

_NEAR = Fraction(1, 20)
_ROUNDED = Cued(
    re.compile(r"\b(?:about|around|roughly|approximately|some|nearly|almost) (?=[$€£]?\d|[a-z]+)", re.IGNORECASE),
    "about around roughly approximately some nearly almost",
)


def may_tell_amount(claim: str) -> bool:
    return has_digit(claim) or _ROUNDED.search(claim) is not None


@lru_cache(maxsize=1024)
def _find_rounded(claim: str) -> re.Match[str] | None:
    return _ROUNDED.search(claim)


def reckon_amount(claim: str, passage: Passage) -> Finding | None:
    """300 euros are 20% of 1,500 euros, and about 19 km are 12 miles: the only figure that is told of the same."""
    rounded, text = _find_rounded(claim), passage.text
    if rounded is None and not may_tell_part(text):
        return None
    reads = read_text(_ROUNDED.pattern.sub("", claim)).claims
    mine = reads[0].proposition if len(reads) == 1 else None
    told = [(a, figure) for a in mine.arguments if (figure := read_figure(a.text)) is not None] if mine else []
    if mine is None or mine.negated or mine.modal or len(told) != 1 or has_any(text, ABOUT, BOUNDS):
        return None
    (argument, figure), shown = told[0], ""
    others: list[Figure] = []
    for read in read_text(text).statements:
        other = read.proposition
        if read.claim.hedged or other.negated or not tells_same_event(mine, other):
            continue
        for a in other.arguments:
            found = reckon_part(a.text) or (read_figure(a.text) if rounded is not None else None)
            if found is not None and a.role == argument.role and _tells_same(argument, a, figure, found):
                others.append(found)
                shown = a.text
    if len(others) != 1:
        return None
    apart = abs(others[0].amount - figure.amount)
    if apart > (others[0].amount * _NEAR if rounded is not None else 0):
        if rounded is not None:
            return None
        return Finding(Verdict.REFUTED, _SURE, "other_value", passage.id, exact=True, claim_value=argument.text,
                       evidence_value=shown, exchange=False)  # fmt: skip
    return Finding(Verdict.SUPPORTED, _SURE, "implied", passage.id, exact=True, evidence_value=shown)


def _tells_same(mine: Argument, other: Argument, figure: Figure, found: Figure) -> bool:
    """Two figures of one dimension; of mere numbers, those of the same thing."""
    if figure.dimension != found.dimension:
        return False
    return figure.dimension != "count" or mine.lemmas[-1:] == other.lemmas[-1:]


def _read_rate(said: Proposition) -> _Rate | None:
    """The only figure of a statement, and per what; what is counted in time is none that could be multiplied."""
    spans = [a.text.lower() for a in said.arguments if a.role == "per" and a.text.lower() in _SPANS]
    figures = [(a, found) for a in said.arguments if a.role != "per" and (found := read_figure(a.text)) is not None]
    if said.negated or said.modal or len(spans) != 1 or len(figures) != 1:
        return None
    (argument, figure), (span,) = figures[0], spans
    if figure.dimension in ("duration", "months"):
        return None
    words = tuple(lemma for lemma in argument.lemmas if not lemma[:1].isdigit()) if figure.dimension == "count" else ()
    return _Rate(argument, figure.amount, (figure.dimension, words), span, _read_times(said))


_TIMES = re.compile(r"\b(?:(?P<word>once|twice|thrice)|(?P<count>\d{1,3}|[a-z]{3,9}) times)\b", re.IGNORECASE)
_ADVERBS = {"once": 1, "twice": 2, "thrice": 3}


def _read_times(said: Proposition) -> int:
    """ "10 km three times a week" are 30 km a week."""
    found = next((match for a in said.arguments if (match := _TIMES.search(a.text)) is not None), None)
    told = [_ADVERBS[word] for word in said.adverbs if word in _ADVERBS]
    if found is None:
        return told[0] if told else 1
    return _ADVERBS.get((found["word"] or "").lower(), 0) or small_number((found["count"] or "one").lower()) or 1
