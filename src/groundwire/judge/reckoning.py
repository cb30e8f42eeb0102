"""What follows from two figures of the evidence: which event came first, by how much something changed, which share.

"The shop closed at 18:00. The courier came at 17:00" says that the courier came before the shop closed; 80 kg then and
76 kg now are 4 kg lost; twelve of twenty-four are half. Each is exact, or it is not said at all: an hour without its
half of the day, a month without its year, or a third figure of the same kind leaves it open.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from groundwire.judge.arithmetic import compare_amounts
from groundwire.judge.carrying import content_of, list_sentences
from groundwire.judge.figures import Figure, read_figure
from groundwire.judge.findings import Finding
from groundwire.judge.hours import find_hours
from groundwire.judge.measured import find_measured_order
from groundwire.judge.portions import NAMED_SHARES, find_portion
from groundwire.judge.predicates import means_same, verbs
from groundwire.judge.roles import find_exchanged_deeds, find_exchanged_roles
from groundwire.text.calendar import small_number
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
_ORDERING = re.compile(r"\b(?:before|after|(?:earlier|sooner|later) than)\b", re.IGNORECASE)


def find_exact(claim: str, passage: Passage) -> Finding | None:
    """Support or refutation where arithmetic on the figures of the passage decides it, or who is what to whom."""
    return (
        (find_portion(claim, passage) if " of " in claim else None)
        or compare_amounts(claim, passage)
        or find_hours(claim, passage)
        or _reckon(claim, passage)
        or find_measured_order(claim, passage)
        or find_exchanged_roles(claim, passage)
        or find_exchanged_deeds(claim, passage)
    )


def _reckon(claim: str, passage: Passage) -> Finding | None:
    reckon = _choose_known(claim) if len(claim) <= _REMEMBERED else _choose(claim)
    return None if reckon is None else reckon(claim, passage)


_Reckon = Callable[[str, Passage], Finding | None]


@lru_cache(maxsize=4096)
def _choose_known(claim: str) -> _Reckon | None:
    return _choose(claim)


def _choose(claim: str) -> _Reckon | None:
    """What a claim lets reckon: one is held against many passages, and most let nothing."""
    if _ORDERING.search(claim) is not None:
        return _reckon_order
    if _CHANGED.search(claim) is not None:
        return _reckon_change
    is_share = _SHARE.search(claim) is not None or _COUNTED.search(claim) is not None
    return _reckon_share if is_share and _read_share(claim) is not None else None


def find_other_order(claim: str, passage: Passage) -> Finding | None:
    """The times speak against this order, though not for certain: "at six" and "at five" may be of two halves."""
    found = _place_both(claim, passage) if _ORDERING.search(claim) is not None else None
    if found is None or found.is_sure or found.is_as_claimed:
        return None
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


def _reckon_order(claim: str, passage: Passage) -> Finding | None:
    found = _place_both(claim, passage)
    if found is None or not found.is_sure:
        return None
    verdict = Verdict.SUPPORTED if found.is_as_claimed else Verdict.REFUTED
    reason = "implied" if found.is_as_claimed else "opposite"
    return Finding(verdict, _SURE, reason, passage.id, exact=True, evidence_value=found.shown, exchange=False)


def _place_both(claim: str, passage: Passage) -> _Order | None:
    """The two events of the claim, each told once in the passage with one time."""
    told = [(read.proposition, a) for read in read_text(claim).claims for a in read.proposition.arguments
            if _orders(read.proposition, a)]  # fmt: skip
    if len(told) != 1 or told[0][0].negated or told[0][0].modal:
        return None
    main, other = told[0]
    statements = [read.proposition for read in read_text(passage.text).statements if not read.claim.hedged]
    ours = [one for one in statements if _is_main(main, one)]
    theirs = [one for one in statements if one not in ours and _is_other(main, other, one)]
    if len(ours) != 1 or len(theirs) != 1 or ours[0].negated or theirs[0].negated:
        return None
    times = [[a for a in one.arguments if a.is_time] for one in (ours[0], theirs[0])]
    if any(len(one) != 1 for one in times):
        return None
    (mine,), (its,) = times
    order = _compare_times(mine, its)
    if order is None:
        return None
    is_first, is_sure = order
    wanted = other.role == "before" or (other.role == "than" and "later" not in main.adverbs)
    return _Order(is_first is wanted, is_sure, f"{mine.text}, {its.text}")


def _orders(said: Proposition, argument: Argument) -> bool:
    compared = argument.role == "than" and not {"earlier", "sooner", "later", "early", "late"}.isdisjoint(said.adverbs)
    return (argument.role in ("before", "after") or compared) and not argument.is_time and bool(argument.lemmas)


def _is_main(main: Proposition, told: Proposition) -> bool:
    return means_same(main.predicate, told.predicate) and _is_same_subject(main, told)


def _is_same_subject(one: Proposition, other: Proposition) -> bool:
    return one.subject == other.subject or (bool(one.subject_lemmas) and one.subject_lemmas == other.subject_lemmas)


def _is_other(main: Proposition, other: Argument, told: Proposition) -> bool:
    """ "before the shop closed", "before it was sent", "before Ben", "after the merger"."""
    held = set(other.lemmas)
    if held == set(told.subject_lemmas):
        return means_same(main.predicate, told.predicate) or told.predicate in verbs("being")
    if not any(means_same(told.predicate, verb_lemma(lemma) or lemma) for lemma in held):
        return False
    first = other.text.lower().split(" ", 1)[0]
    if first in ("it", "he", "she", "they"):
        return _is_same_subject(main, told)
    if first in user_words():
        return told.subject == USER
    return bool(told.subject_lemmas) and held.issuperset(told.subject_lemmas)


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
    hour = small_number(time.text.lower()) if time.role == "at" else None
    if hour is not None and 0 < hour <= 12:
        return Occasion(minutes=frozenset((hour * 60, (hour * 60 + _HALF_DAY) % (2 * _HALF_DAY))))
    return read_occasion(time.role, time.text)


# ── by how much it changed ──────────────────────────────────────────────────────────────────────

_FALLING = frozenset({"lose", "drop", "fall", "shrink", "decrease", "decline", "sink"})
_CHANGED = re.compile(
    r"\b(?P<verb>lost|lose|gained|dropped|fell|fallen|shrank|shrunk|decreased|declined|sank|rose|risen|grew|grown|climbed"
    r"|increased)\b.{0,40}?(?:\d|\b(?:a|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)\b)",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|approximately|circa|or so|over|under|least|most|more|less)\b",
    re.IGNORECASE,
)
_MEASURING = frozenset({"weigh", "be", "cost", "measure", "earn", "pay"})


def _reckon_change(claim: str, passage: Passage) -> Finding | None:
    """From what it was and what it is: 80 kg and then 76 kg are 4 kg less."""
    reads = read_text(claim).claims
    mine = reads[0].proposition if len(reads) == 1 else None
    how = _CHANGED.search(claim)
    if mine is None or how is None or mine.negated or mine.modal or _ABOUT.search(passage.text) is not None:
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


# ── which share ─────────────────────────────────────────────────────────────────────────────────

_COUNTED = re.compile(
    r"\b(?P<part>\d{1,7}|[a-z]{3,9}) (?:out of|of|in) (?:the |our |my |your |all )?(?P<whole>\d{1,7}|[a-z]{3,9})\b",
    re.I,
)
_SHARE = re.compile(
    r"\b(?:(?P<percent>\d{1,3}(?:\.\d)?) ?(?:%|percent\b)|(?:(?P<times>a|an|one|two|three|four) )?"
    rf"(?P<name>{'|'.join(NAMED_SHARES)})s?)(?: of\b|(?<=\bhalf)(?= (?:the|my|your|our|their|its|all)\b))",
    re.I,
)
_BOUND = re.compile(
    r"\b(?P<how>more than|over|at least|less than|fewer than|under|at most) "
    r"(?=(?:an? |one |two |three )?(?:\d|half|third|quarter|fifth|tenth))",
    re.IGNORECASE,
)
_HOLDS = {
    "": operator.eq, "more than": operator.gt, "over": operator.gt, "at least": operator.ge, "less than": operator.lt,
    "fewer than": operator.lt, "under": operator.lt, "at most": operator.le,
}  # fmt: skip
_BOUNDED = re.compile(
    r"\b(?:not|no|never|none|nobody|about|around|nearly|almost|roughly|over|under|more|less|fewer|least|most|other|"
    r"only|than|except|but|may|might|if|would|first|last|second)\b|n['’]t\b",
    re.IGNORECASE,
)


def tells_share_otherwise(claim: str, text: str) -> bool:
    """Whether the text has the claim's share, told in another way: half of them, and twelve of twenty-four."""
    theirs = _find_shares(text)
    return any(
        mine.kind != other.kind and abs(mine.share - other.share) < Fraction(1, 100)
        for mine in _find_shares(claim) for other in theirs
    )  # fmt: skip


def counts_part(text: str) -> bool:
    """ "Two of my three children": some of them, and not all."""
    return any(found.kind == "counted" and found.share < 1 for found in _find_shares(text))


class _Share(NamedTuple):
    """A share, the text without it, and whether it was counted, named or put in percent."""

    share: Fraction
    rest: str
    kind: str


def _find_shares(text: str) -> list[_Share]:
    found: list[_Share] = []
    for match in _SHARE.finditer(text):
        rest = f"{text[: match.start()]} {text[match.end() :]}"
        if match["percent"]:
            found.append(_Share(Fraction(match["percent"]) / 100, rest, "percent"))
        else:
            times = small_number((match["times"] or "a").lower()) or 1
            found.append(_Share(NAMED_SHARES[match["name"].lower()] * times, rest, "named"))
    for match in _COUNTED.finditer(text):
        part, whole = (small_number(match[side].lower()) for side in ("part", "whole"))
        if part and whole and part <= whole:
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            found.append(_Share(Fraction(part, whole), rest, "counted"))
    return found


def _read_share(claim: str) -> tuple[str, _Share] | None:
    """The one share that a claim tells, and how it is bounded ("more than")."""
    bound = _BOUND.search(claim)
    plain = f"{claim[: bound.start()]}{claim[bound.end() :]}" if bound is not None else claim
    mine = _find_shares(plain)
    if len(mine) != 1 or _BOUNDED.search(plain) is not None:
        return None
    return bound["how"].lower() if bound is not None else "", mine[0]


def _reckon_share(claim: str, passage: Passage) -> Finding | None:
    """In sentences that say the same of it: half of the team, and twelve of its twenty-four members."""
    claimed = _read_share(claim)
    if claimed is None:
        return None
    how, (share, rest, _) = claimed
    wanted = content_of(rest)
    alike = [
        (found[0], sentence) for sentence in list_sentences(passage.text) if _BOUNDED.search(sentence) is None
        if len(found := _find_shares(sentence)) == 1 and wanted and wanted <= content_of(found[0].rest)
    ]  # fmt: skip
    if len(alike) != 1:
        return None
    theirs, sentence = alike[0][0].share, alike[0][1]
    verdict = Verdict.SUPPORTED if _HOLDS[how](theirs, share) else Verdict.REFUTED
    if verdict is Verdict.REFUTED and not how and abs(theirs - share) < Fraction(1, 50):
        return None  # rounded
    reason = "implied" if verdict is Verdict.SUPPORTED else "opposite"
    return Finding(verdict, _SURE, reason, passage.id, exact=True, evidence_value=sentence, exchange=False)
