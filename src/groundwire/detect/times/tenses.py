"""Dates against the tense of their verb: what lies ahead and is told as past, years that no answer can know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from groundwire.detect.sightings import Sighting, read_words
from groundwire.detect.times.dates import find_extent, has_year, is_relative
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.thesaurus import is_kind_of
from groundwire.text.verbs import VerbGroup
from groundwire.types import Span, TemporalExpression, TemporalRelation, Tense

FUTURE_AS_PAST, FAR_YEAR, PAST_AS_FUTURE = 0.85, 0.90, 0.75
_YEARS_AHEAD = 10
_BOUNDARY = frozenset(",;:-(CU.")
_OPENS_SUBJECT = frozenset("DSpNPJ#")
_FUTURE_WORDS = frozenset({"will", "'ll", "won't", "shall", "would", "could", "might", "may", "should", "can", "must"})
_POINTS_AHEAD = frozenset({"for", "until", "till", "to", "towards", "toward", "through", "of", "than", "beyond"})
_ANAPHORIC = re.compile(r"this\s|next\s+(?:day|morning|evening|night|afternoon)")
_HELD = frozenset({"hold", "win", "celebrate", "complete", "stage", "conclude"})
_GONE = re.compile(
    r"yesterday|last\s+(?:week|month|year|night|[a-z]+day|spring|summer|autumn|winter|january|february|march|april|may|june|july"
    r"|august|september|october|november|december)|.*\sago"
)
_GOING_TO = re.compile(r"\bgoing to\b|\babout to\b|\bnext\b|\bset to\b|\bby the year\b")


@dataclass(frozen=True, slots=True)
class TemporalFault:
    """A time that cannot be right, where it stands, and why."""

    span: Span
    confidence: float
    evidence: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class _Governor:
    """The verb that a time belongs to."""

    tense: Tense
    lemma: str
    is_direct: bool
    is_certain: bool = True
    is_fronted: bool = False
    """The time opens the clause and cannot belong to what the verb plans: "tomorrow we agreed"."""


def find_tense_faults(seen: Sighting, today: date, *, is_fiction: bool) -> Iterator[TemporalFault]:
    if is_fiction or seen.is_question:
        return
    yield from _find_farthest(seen, today)
    for time in seen.times:
        day = time.resolved_date
        if (
            day is None
            or _ANAPHORIC.match(time.surface.lower())
            or seen.is_quoted(time.span)
            or (not has_year(time) and not is_relative(time))
        ):
            continue
        evidence = f"{time.surface} resolves to {day:%Y-%m-%d}; the current date is {today:%Y-%m-%d}"
        if (time.year or 0) > today.year + _YEARS_AHEAD and not _looks_ahead(seen, time):
            suggestion = f"The year {time.year} is more than {_YEARS_AHEAD} years ahead: check the date."
            yield TemporalFault(time.span, FAR_YEAR, evidence, suggestion)
        elif day > today and (_is_told_as_past(seen, time) or _is_begun(seen, time)):
            suggestion = f"{time.surface} has not come yet, but is told as past: check the date or the tense."
            yield TemporalFault(time.span, FUTURE_AS_PAST, evidence, suggestion)
        elif day < today and _is_told_as_future(seen, time, today):
            suggestion = f"{time.surface} is over, but is told as still to come: check the date or the tense."
            yield TemporalFault(time.span, PAST_AS_FUTURE, evidence, suggestion)


_FARTHEST = re.compile(
    r"\b(?:the\s+year|(?:in|since|until)(?=\s+\d{4}(?:[.,;:)]|$)))\s+(?P<year>[3-9]\d{3})\b(?!\s*(?:bc|bce|b\.c))"
)


def _find_farthest(seen: Sighting, today: date) -> Iterator[TemporalFault]:
    """The years from 3000 on, which are read as dates nowhere else, where something happened in them."""
    for match in _FARTHEST.finditer(seen.low):
        span = Span(seen.start + match.start("year"), seen.start + match.end())
        is_told = any(_is_past(group) and not group.modal for group in seen.groups)
        is_ahead = any(group.tense is Tense.FUTURE or group.modal for group in seen.groups)
        if is_told and not is_ahead and not seen.is_quoted(span) and not any(_is_plan(word) for word in seen.words):
            evidence = f"{match['year']} lies ahead; the current date is {today:%Y-%m-%d}"
            suggestion = f"The year {match['year']} is more than {_YEARS_AHEAD} years ahead: check the date."
            yield TemporalFault(span, FAR_YEAR, evidence, suggestion)


_SET_IN = re.compile(
    r"\bin\s+(?:the|this|that|a|his|her|your|my|our)\s+(?:[a-z-]+\s+)?(?:game|series|season|show|film|movie|episode)\b|\b(?:set|takes?\s+place|plays?|unfolds?|happens?)\s+in\b|\b(?:plot|protagonist|hero|heroine|characters?|narrator|tells?|follows|imagines?|world)\b"
)


def tells_fiction(seen: Sighting) -> bool:
    """Invented times are no errors; a game that was played is as real as anything."""
    if seen.mentions(read_words("invented")):
        return True
    return seen.mentions(read_words("fiction")) and _SET_IN.search(seen.low) is not None


def _is_told_as_past(seen: Sighting, time: TemporalExpression) -> bool:
    governor = _find_governor(seen, time)
    if governor is None or governor.tense is not Tense.PAST or not governor.is_certain:
        return False
    if governor.lemma in read_words("forward"):
        return governor.is_direct and (governor.lemma in read_words("done") or governor.is_fronted)
    return True


def _is_begun(seen: Sighting, time: TemporalExpression) -> bool:
    """ "has had free entry since 2029": what holds since then has begun."""
    if time.relation is not TemporalRelation.SINCE or _preposition(seen, time) != "since":
        return False
    return any(token.low in ("has", "have", "had", "'ve") for token in seen.tokens) and "if" not in seen.words


def _is_told_as_future(seen: Sighting, time: TemporalExpression, today: date) -> bool:
    if _GONE.fullmatch(time.surface.lower()):
        at = seen.index_at(time.span.start)
        governor = _find_governor(seen, time) if not at or not _is_noun_of(seen, at - 1) else None
        is_will = any(group.tense is Tense.FUTURE for group in seen.groups) and len(seen.groups) == 1
        near = governor is not None and (governor.is_direct or _is_object_between(seen, at))
        return governor is not None and governor.tense is Tense.FUTURE and near and is_will
    extent = find_extent(time)
    if extent is None or extent.last >= today or time.relation not in (TemporalRelation.AT, TemporalRelation.DURING):
        return False
    if _preposition(seen, time) not in ("in", "on", "during") or any(
        group.tense is Tense.PAST for group in seen.groups
    ):
        return False
    governor = _find_governor(seen, time)
    at = seen.index_at(time.span.start)
    is_day = extent.first == extent.last and _preposition(seen, time) == "on"
    near = governor is not None and (governor.is_direct or (is_day and _is_object_between(seen, at - 1)))
    near = near or _is_place_between(seen, at - 1)
    return governor is not None and governor.tense is Tense.FUTURE and near


def _is_noun_of(seen: Sighting, at: int) -> bool:
    """ "the meeting last Thursday", "the notes from last Thursday": the time may belong to the noun."""
    noun = noun_lemma(seen.tokens[at].low)
    is_event = is_kind_of(noun, "event") or noun.endswith(("ing", "tion", "ment"))
    return seen.letters[at] == "I" or (seen.letters[at] == "N" and is_event)


def _is_object_between(seen: Sighting, at: int) -> bool:
    """ "You'll receive the parcel yesterday": nothing but the object stands between the verb and its time."""
    group = next((g for g in reversed(seen.groups) if g.end <= at), None)
    return group is not None and all(letter in "DSJNP#pR" for letter in seen.letters[group.end : at])


def _is_place_between(seen: Sighting, at: int) -> bool:
    """ "will be held in Lyon in March 2025": nothing but the place stands between the verb and its time."""
    group = next((g for g in reversed(seen.groups) if g.end <= at), None)
    letters = seen.letters[group.end : at] if group is not None else ""
    return len(seen.groups) == 1 and re.fullmatch(r"N?I[DJ]*P+,?", letters) is not None


def _find_governor(seen: Sighting, time: TemporalExpression) -> _Governor | None:
    """The verb in front of a time, or the one behind it where the time opens its clause."""
    at = seen.index_at(time.span.start)
    if not seen.tokens or at >= len(seen.tokens):
        return None
    if _is_attributive(seen, time, at):
        return _govern_attributive(seen, at)
    opening = at
    while opening > 0 and seen.letters[opening - 1] in "ItDR":
        opening -= 1
    if _preposition(seen, time) in _POINTS_AHEAD:
        return None
    before = [g for g in seen.groups if g.end <= at]
    if len(before) > 1 and before[-2].end == before[-1].start and seen.tokens[before[-1].start].low == "live":
        before.pop()  # "went live"
    participle = opening - 1
    if (
        participle >= 0
        and seen.letters[participle] == "E"
        and not any(g.start <= participle < g.end for g in seen.groups)
    ):
        return _govern_participle(seen, participle)
    behind = seen.index_at(time.span.end)
    while behind < len(seen.tokens) and seen.letters[behind] in ",)":
        behind += 1
    is_fronted = opening == 0 or seen.letters[opening - 1] in _BOUNDARY
    after = [g for g in seen.groups if g.start >= behind]
    follows = bool(after) and behind < len(seen.tokens) and seen.letters[behind] in _OPENS_SUBJECT
    if is_fronted and follows:
        return _govern(seen, after[0], is_direct=True)
    if not before and follows and is_relative(time) and seen.letters[:1] in ("I", "R") and seen.letters[behind] == "p":
        return replace(_govern(seen, after[0], is_direct=True), is_fronted=True)
    if not before:
        return _govern(seen, after[0], is_direct=False, follows=True) if after else None
    return _govern_across(seen, before[-1], opening)


def _govern_across(seen: Sighting, group: VerbGroup, opening: int) -> _Governor | None:
    """An infinitive, an -ing form or a promise between the verb and its time may have the time for itself."""
    letters, tokens = seen.letters, seen.tokens
    inner = range(group.end, opening)
    if any(letters[k] == "G" or (letters[k] == "t" and letters[k + 1 : k + 2] in ("B", "b", "h", "d")) for k in inner):
        return None
    is_meant = any(tokens[k].low == "for" and letters[k + 1 : k + 2] in ("D", "S", "N", "P") for k in inner)
    nominal = all(letters[k] in "DSJNP#" for k in inner)
    if nominal and group.lemma in read_words("done") and tokens[opening].low == "on" and not group.modal:
        return _govern(seen, group, is_direct=True)  # "adopted the budget on 3 September"
    if is_meant or any(_is_plan(tokens[k].low) or letters[k] in "WU" for k in inner):
        return None
    return _govern(seen, group, is_direct=opening - group.end <= 1)


def _govern(seen: Sighting, group: VerbGroup, *, is_direct: bool, follows: bool = False) -> _Governor:
    past = group.tense is Tense.PAST or group.perfect or _is_bare_past(seen, group)
    words = {token.low for token in seen.tokens[group.start : group.end]}
    certain = not group.modal and not group.negated and words.isdisjoint(_FUTURE_WORDS)
    certain = certain and not any(
        _is_plan(token.low, "" if follows else group.lemma) for token in seen.tokens[: group.start]
    )
    if past and not group.modal:
        return _Governor(Tense.PAST, group.lemma, is_direct, certain)
    return _Governor(group.tense, group.lemma, is_direct, certain)


_ONE_FORM = frozenset(
    {
        "cut",
        "put",
        "set",
        "hit",
        "let",
        "shut",
        "quit",
        "beat",
        "cost",
        "hurt",
        "spread",
        "split",
        "read",
        "burst",
        "cast",
        "bid",
    }
)


def _is_bare_past(seen: Sighting, group: VerbGroup) -> bool:
    """ "The mayor cut the ribbon": with one who does it, the present would have its -s."""
    if group.end - group.start != 1 or seen.tokens[group.start].low not in _ONE_FORM or not group.start:
        return False
    before = seen.tokens[group.start - 1]
    return before.low in ("he", "she", "it") or (
        seen.letters[group.start - 1] in "NP" and noun_lemma(before.low) == before.low and not before.low.endswith("s")
    )


def _govern_participle(seen: Sighting, at: int) -> _Governor | None:
    """ "completed in 2031" behind a noun; "to be completed in 2031" and "expected in 2031" lie ahead."""
    if at and seen.letters[at - 1] in "tbhM":
        return None
    word = seen.tokens[at]
    if _is_plan(word.low):
        return None
    lemma = verb_lemma(word.low) or word.lemma
    is_ahead = any(group.tense is Tense.FUTURE or group.modal for group in seen.groups)
    certain = not is_ahead and not any(_is_plan(token.low) for token in seen.tokens[:at])
    return _Governor(Tense.PAST, lemma, True, certain)


def _is_attributive(seen: Sighting, time: TemporalExpression, at: int) -> bool:
    """ "the 2031 census"."""
    behind = seen.index_at(time.span.end)
    follows = seen.letters[behind : behind + 1]
    return follows in ("N", "P", "J") and at > 0 and seen.letters[at - 1] in "DS'V" and time.surface[:1].isdigit()


def _govern_attributive(seen: Sighting, at: int) -> _Governor | None:
    before = [g for g in seen.groups if g.end <= at and at - g.end <= 2]
    after = [g for g in seen.groups if g.start > at]
    for group in (*before[-1:], *(after[:1] if not before else ())):
        is_held = group.passive and group.lemma in _HELD and group in after
        if is_held or (group.lemma in read_words("results") and not group.passive):
            return _govern(seen, group, is_direct=False)
    return None


def _preposition(seen: Sighting, time: TemporalExpression) -> str:
    at = seen.index_at(time.span.start)
    return seen.tokens[at - 1].low if at > 0 else ""


def _is_plan(word: str, verb: str = "") -> bool:
    """A plan points ahead; a paper does so only with a verb of its term: a lease ends, but it was signed."""
    plans, noun = read_words("plans"), noun_lemma(word)
    if noun in read_words("papers"):
        return not verb or (verb in read_words("timetable") and verb not in ("go", "come", "take", "leave"))
    return word in plans or noun in plans


def _looks_ahead(seen: Sighting, time: TemporalExpression) -> bool:
    """It may speak of a year so far away: future tense, plan, projection, hypothesis, timetable, title."""
    governor = _find_governor(seen, time)
    if governor is not None and governor.tense is Tense.PAST and governor.is_certain and governor.is_direct:
        return governor.lemma in read_words("forward") and governor.lemma not in read_words("done")
    if any(group.tense is Tense.FUTURE or group.modal for group in seen.groups):
        return True
    if _GOING_TO.search(seen.low) or any(_is_plan(word) for word in seen.words):
        return True
    before = _preposition(seen, time)
    if before in ("by", "until", "till", "through", "to", "towards", "toward"):
        return True
    at = seen.index_at(time.span.start)
    if at > 0 and seen.letters[at - 1] in "PN" and seen.tokens[at - 1].text[:1].isupper():
        return True  # Agenda 2063
    if not seen.groups and "E" not in seen.letters:
        return True
    return any(not _is_past(group) and group.lemma in read_words("timetable") for group in seen.groups)


def _is_past(group: VerbGroup) -> bool:
    return group.tense is Tense.PAST or group.perfect
