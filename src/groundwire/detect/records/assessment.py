"""A claim against the record of the entity it is about, by rule: every value finds its attribute, or finds none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache

from groundwire.detect.records.arguments import assess_argument
from groundwire.detect.records.bounds import (
    is_label,
    is_multiple,
    is_of_something,
    is_other_measure,
    is_rough,
    is_scaled,
    is_within_limit,
    is_yours,
    read_bound,
)
from groundwire.detect.records.checked import event_types, is_comparative
from groundwire.detect.records.facets import (
    YES,
    Facet,
    can_hold,
    holds,
    is_weekday,
    says_same,
    share_of_words,
    speaks_of,
)
from groundwire.detect.records.frames import frame_meanings
from groundwire.detect.records.sayings import Outcome, Point, Saying, Sureness, may_refute
from groundwire.detect.records.schedules import assess_otherwise
from groundwire.detect.records.status import agree, exclude_each_other, read_states
from groundwire.detect.records.values import Value, find_values
from groundwire.evidence.lookups import KnowledgeBase
from groundwire.evidence.meanings import attribute_words
from groundwire.evidence.mentions import is_person_noun
from groundwire.text.calendar import read_moment
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import read_table
from groundwire.text.wording import fold_case
from groundwire.types import Span, Tense

_RECURRING = re.compile(
    r"\b(?:first|second|third|fourth|last|every|each|1st|2nd|3rd|4th)\b.*(?:day|week|month|year|quarter)|"
    r"\b(?:daily|weekly|monthly|yearly|annually)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20|21)\d\d(?!\d)")
_OCCURRING = frozenset({"be", "come", "happen", "visit", "meet", "arrive", "hold", "take", "fall"})
_ONWARD = frozenset({"since", "other", "others", "remaining"})
"""Counted from some point on: "six novels since" are not all of them."""
_ADDED = re.compile(r"\b(?:plus|in total|altogether|in all)\b", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:from|between) [^.;]{1,25}(?:until|till|to|and|–|-)\s*$", re.IGNORECASE)
_CLOSING = frozenset({"end", "ends", "close", "closes", "closing", "until", "till", "finish", "finishes", "last"})
_FRONT, _ONE_HOUR = 40, 10
_OF_THING = re.compile(r" of ([^\W\d_]+)")
_SUMMING = frozenset({"make", "come", "total", "add", "amount", "sum"})


@cache
def _comparing_words() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["comparing"]["words"])


def assess(saying: Saying, facets: Sequence[Facet], knowledge: KnowledgeBase, now: datetime) -> list[Point]:
    """What the record says of each value of the claim, and of its other parts."""
    points: list[Point] = []
    covered: list[Span] = []
    for value in saying.values:
        point = _assess_value(saying, value, facets, now)
        points.append(point)
        covered.append(value.span)
    points.extend(_assess_switches(saying, facets))
    points.extend(_assess_nothing(saying, facets))
    points.extend(_assess_states(saying, facets))
    points.extend(assess_otherwise(saying, facets, now) if not saying.read.is_note else ())
    for argument in saying.proposition.arguments if not saying.read.is_note else ():
        if any(s.start < argument.span.end and argument.span.start < s.end for s in covered) or argument.is_time:
            continue
        point = assess_argument(saying, argument, facets, knowledge, now)
        if point is not None:
            points.append(point)
    return [_deny(saying, point) for point in points] if saying.proposition.negated else points


_WITHOUT_EXCEPTION = re.compile(r"\bwithout (?:any )?(?:exceptions?|fail|interruption|delay)\b")


def _deny(saying: Saying, point: Point) -> Point:
    """A denial of what is on record differs from it; a denial of something else says nothing against it."""
    if point.outcome is not Outcome.AGREES or point.facet is None or not point.text:
        return point
    if _WITHOUT_EXCEPTION.search(saying.text, *saying.read.sentence):
        return point  # "closed on Mondays without exception" denies nothing
    framed = frame_meanings(saying.proposition, point.span) & set(point.facet.meanings)
    if point.facet.kind in ("date", "when") and not share_of_words(point.facet, saying.words):
        return replace(point, outcome=Outcome.SILENT)  # "In 2004 he did not stand again" is no news of when he left
    if not framed and share_of_words(point.facet, saying.words) < 1.0:
        return replace(point, outcome=Outcome.SILENT)
    return Point(Outcome.DIFFERS, "", saying.read.claim.span, point.facet, Sureness.FRAMED)


# ── numbers, dates, addresses ───────────────────────────────────────────────────────────────────


def _assess_value(saying: Saying, value: Value, facets: Sequence[Facet], now: datetime) -> Point:
    fitting = [facet for facet in facets if can_hold(facet, value) and not _is_of_other_year(saying, facet)]
    fitting = [facet for facet in fitting if not is_label(saying, value, facet)]
    ranked = sorted(((_rank(saying, value, facet, fitting), k) for k, facet in enumerate(fitting)), reverse=True)
    for rank, k in ranked:
        agreed = holds if rank else says_same
        bare = read_bound(value, fitting[k])
        if bare and agreed(fitting[k], bare, now) and _is_counted_alike(value, fitting[k], saying):
            return Point(Outcome.AGREES, value.text, value.span, fitting[k], rank)
    if point := _assess_free(saying, value, facets):
        return point
    if is_rough(saying, value) or is_yours(saying, value, facets):
        return Point(Outcome.SILENT, value.text, value.span)
    if not ranked or ranked[0][0] == 0 or _is_computed(saying, value):
        return Point(Outcome.SILENT, value.text, value.span)
    best = [fitting[k] for rank, k in ranked if rank == ranked[0][0]]
    if len(best) > 1 and not _are_one(best):
        return Point(Outcome.SILENT, value.text, value.span)
    facet = sorted(best, key=lambda f: f.attribute)[0]
    if is_within_limit(saying, value, facet):
        return Point(Outcome.SILENT, value.text, value.span)
    is_apart = _recurs(facet, value) or _is_end_of_other(saying, value, facet) or _is_longer(facet, value)
    if not may_refute(saying, facet) or is_apart:
        return Point(Outcome.SILENT, value.text, value.span)
    return Point(Outcome.DIFFERS, value.text, value.span, facet, ranked[0][0])


def _is_end_of_other(saying: Saying, value: Value, facet: Facet) -> bool:
    """ "From ten until one", where it is known to be at ten: the hour at which it ends is none at which it is."""
    if value.kind != "clock" or len(facet.shown[0]) > _ONE_HOUR or _CLOSING & set(attribute_words(facet.attribute)):
        return False
    return _UNTIL.search(saying.text, max(0, value.span.start - _FRONT), value.span.start) is not None


def _is_of_other_year(saying: Saying, facet: Facet) -> bool:
    """ "return 2022" is not what is said of 2023."""
    own = _YEAR.findall(facet.attribute)
    if not own:
        return False
    start, end = saying.read.sentence
    said = _YEAR.findall(saying.text[saying.read.claim.span.start : saying.read.claim.span.end])
    return bool(said or _YEAR.findall(saying.text[start:end])) and not set(own) & set(said or own)


def _assess_free(saying: Saying, value: Value, facets: Sequence[Facet]) -> Point | None:
    """What costs something, where the record has it for free."""
    if not value.dimension.startswith("currency") or "price" not in frame_meanings(saying.proposition, value.span):
        return None
    for facet in facets:
        if (
            "free" in read_states(facet.best.value)
            and not facet.kind
            and facet.best.value.casefold().startswith("free")
        ):
            return Point(Outcome.DIFFERS, "", value.span, facet, Sureness.NAMED)
    return None


def _assess_nothing(saying: Saying, facets: Sequence[Facet]) -> list[Point]:
    """What is free, where the record has a price of nothing."""
    start, end = saying.read.claim.span
    if "free" not in read_states(saying.text[start:end]):
        return []
    nothing = [f for f in facets if f.dimension.startswith("currency") and not re.search(r"[1-9]", f.shown[0])]
    return [Point(Outcome.AGREES, "", saying.read.claim.span, facet) for facet in nothing]


def _recurs(facet: Facet, value: Value) -> bool:
    """ "first Tuesday of the month": one date says nothing against a rule for many."""
    return not is_weekday(value.text) and value.kind != "clock" and _RECURRING.match(facet.shown[0]) is not None


def _is_longer(facet: Facet, value: Value) -> bool:
    """ "In 2003", where a day of the week is on record: every year has such days."""
    moment = read_moment(fold_case(value.text)) if value.kind == "date" and is_weekday(facet.shown[0]) else None
    if moment is None or moment.weekday is not None:
        return False
    return moment.day is None and all(first != last for first, last in moment.days)


def _are_one(facets: Sequence[Facet]) -> bool:
    return len({facet.shown for facet in facets}) == 1


def _is_counted_alike(value: Value, facet: Facet, saying: Saying) -> bool:
    """Three nights are not three beds."""
    if value.kind != "amount" or value.dimension != "count":
        return True
    if frame_meanings(saying.proposition, value.span) & set(facet.meanings):
        return True
    counted = {*value.nouns, *saying.words}
    names = facet.words | facet.nouns
    return not names or any(speaks_of(w, c) for w in names for c in counted) or not value.nouns


def _rank(saying: Saying, value: Value, facet: Facet, fitting: Sequence[Facet]) -> int:
    framed = frame_meanings(saying.proposition, value.span)
    if framed & set(facet.meanings) or saying.words == frozenset(attribute_words(facet.attribute)):
        return Sureness.FRAMED
    if (thing := _OF_THING.match(saying.text, value.span.end)) and noun_lemma(thing[1].casefold()) in facet.words:
        return Sureness.FRAMED  # "25 grams of salt"
    if value.kind == "amount" and value.dimension == "count":
        hit = any(speaks_of(w, n) for w in facet.words | facet.nouns for n in value.nouns)
        whole = not value.nouns and share_of_words(facet, saying.words) == 1.0
        if hit or whole:
            return Sureness.NAMED
        return Sureness.ALONE if _counts_people(value, facet, fitting) else 0
    if share_of_words(facet, saying.words) >= 0.5:
        return Sureness.NAMED
    if value.kind == "address":
        return Sureness.NAMED
    weekday = value.kind == "date" and is_weekday(value.text) and is_weekday(facet.shown[0])
    if is_of_something(saying, value, facet):
        return 0
    occurs = value.kind == "date" and facet.kind == "date" and facet.entity.type.casefold() in event_types()
    dated = occurs and any(map(str.isdigit, value.text)) and "date" in facet.meanings
    dated = dated and saying.proposition.predicate in _OCCURRING and saying.read.claim.tense is not Tense.PAST
    if value.kind == "amount" and is_other_measure(saying, value, facet):
        return 0
    specific = value.dimension not in ("", "count", "duration") or value.kind == "clock" or weekday or dated
    same = [f for f in fitting if f.dimension == facet.dimension and f.kind == facet.kind]
    return Sureness.ALONE if specific and len(same) == 1 else 0


def _counts_people(value: Value, facet: Facet, fitting: Sequence[Facet]) -> bool:
    """Children and pupils, people and volunteers: where one number of people is on record, it is that one."""
    if not value.nouns or not is_person_noun(value.nouns[0]) or facet.entity.type.casefold() == "person":
        return False
    counts = [f for f in fitting if any(is_person_noun(word) for word in f.words)]
    return len(counts) == 1 and counts[0] is facet and len(facet.words) == 1


def _is_computed(saying: Saying, value: Value) -> bool:
    """ "Two rolls come to 2.20", "130 euros more": an amount worked out from the record, or set against another."""
    if value.kind != "amount":
        return False
    start, end = saying.read.claim.span
    words = saying.text[start:end].casefold().replace(",", " ").split()
    if is_scaled(saying.text[saying.read.sentence.start : saying.read.sentence.end]) or is_multiple(saying, value):
        return True
    if _comparing_words() & set(words) or any(map(is_comparative, words)):
        return True
    if value.dimension == "count" and _ONWARD & set(words):
        return True
    if value.dimension.startswith("currency") and _ADDED.search(saying.text, *saying.read.sentence):
        return True
    if not value.dimension.startswith("currency"):
        return False
    if saying.proposition.predicate in _SUMMING - {"make"}:
        return True
    if saying.proposition.predicate in _SUMMING:
        start = min(start, saying.read.sentence.start)
    before = saying.text[start : value.span.start]
    counted = [v for v in find_values(before) if v.kind == "amount" and v.text.casefold() not in ("one", "1")]
    return any(v.dimension in ("count", "mass", "duration") for v in counted)


def _assess_switches(saying: Saying, facets: Sequence[Facet]) -> list[Point]:
    """ "has a bathtub" against a record that says no."""
    denies = saying.proposition.negated
    found: list[Point] = []
    for facet in facets:
        if not facet.is_switch or share_of_words(facet, saying.words) < 1.0:
            continue
        is_so = facet.best.value.casefold() in YES
        found.append(
            Point(
                Outcome.AGREES if is_so is not denies else Outcome.DIFFERS,
                "",
                saying.read.claim.span,
                facet,
                Sureness.NAMED,
            )
        )
    return found


_DATED_DEED = re.compile(
    r"\b(?:was|were) (?:\w+ly )?(?:received|submitted|filed|lodged|registered|reported|logged|created|placed|sent"
    r"|handed in|opened|entered|recorded) (?:on|in|at) (?=\d|[A-Z])"
)
""" "Your claim was received on 9 November": what happened on a day says nothing of how things stand."""


def _assess_states(saying: Saying, facets: Sequence[Facet]) -> list[Point]:
    """ "has been cancelled" against a record that says confirmed."""
    start, end = saying.read.claim.span
    said = saying.text[start:end]
    if _DATED_DEED.search(said):
        return []
    if not read_states(said) and len(saying.named) == 1 and not _DATED_DEED.search(saying.text, *saying.read.sentence):
        said = saying.text[saying.read.sentence.start : saying.read.sentence.end]
    found: list[Point] = []
    for facet in facets:
        if "status" not in facet.meanings or facet.kind:
            continue
        stored = facet.best.value
        if agree(said, stored):
            found.append(Point(Outcome.AGREES, "", saying.read.claim.span, facet))
        elif exclude_each_other(said, stored) and saying.read.claim.tense is not Tense.FUTURE:
            found.append(Point(Outcome.DIFFERS, "", saying.read.claim.span, facet, Sureness.NAMED))
    return found
