"""Scripts: what happens to a thing, a person or an order comes in stages, and a later stage has no earlier date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Extent, find_extent, find_yearless, has_year, read_minutes
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import MONTH_NUMBERS
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.tables import read_table
from groundwire.types import Span, TemporalExpression

STAGE = 0.78
_MOST = 24
"""So many dated events are compared; an answer that has more is a chronicle of many things."""
_STOPS = frozenset(
    {
        ",",
        ";",
        ":",
        "(",
        ")",
        "–",
        "—",
        "and",
        "but",
        "before",
        "after",
        "when",
        "while",
        "which",
        "who",
        "where",
        "then",
        "until",
        "although",
        "though",
        "that",
        "having",
    }
)
_UNREAL = frozenset(
    {
        "not",
        "never",
        "n't",
        "will",
        "would",
        "could",
        "should",
        "may",
        "might",
        "must",
        "shall",
        "'ll",
        "plan",
        "plans",
        "planned",
        "expected",
        "scheduled",
        "due",
        "if",
        "to",
    }
)
_PRONOUNS = frozenset({"it", "they", "them", "he", "she", "him", "this", "these", "those", "both"})
_OWNERS = frozenset({"his", "her", "its", "their", "my", "our", "your"})
_ANEW = re.compile(
    r"\b(?:again|another|new|second|third|former|previous|predecessor|original|other|last\s+year|latest|current|present|next)\b"
)


class _Mark(NamedTuple):
    """A word of a stage with its date."""

    seen: Sighting
    place: int
    stages: tuple[tuple[int, int], ...]
    """Number of the script, and of the stage in it."""
    word: str
    span: Span
    time: Span
    extent: Extent | None
    minutes: int | None
    things: frozenset[str]
    """What the words around it name."""
    names: frozenset[str]
    subject: frozenset[str]
    is_owned: bool


@cache
def _stages() -> dict[str, tuple[tuple[int, int], ...]]:
    """Every word of a stage, with where it stands in which scripts."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, script in enumerate(read_table("scripts", "detect")["scripts"]):
        for stage, words in enumerate(script["stages"]):
            for word in words:
                found.setdefault(word, []).append((number, stage))
    return {word: tuple(places) for word, places in found.items()}


@cache
def _is_loose(number: int) -> bool:
    """A script of many turns, such as a visit: only one and the same sentence tells it in order."""
    return bool(read_table("scripts", "detect")["scripts"][number].get("near"))


def find_stage_faults(sightings: Sequence[Sighting]) -> list[tuple[Sighting, TemporalFault]]:
    marks: list[_Mark] = []
    for place, seen in enumerate(sightings):
        if not seen.is_question and seen.times and not seen.is_endless:
            marks += _read_marks(seen, place)
    found: list[tuple[Sighting, TemporalFault]] = []
    for k, mark in enumerate(marks[:_MOST]):
        for earlier in marks[max(0, k - 4) : k]:
            if (fault := _compare(earlier, mark)) is not None:
                found.append((mark.seen, fault))
                break
    return found


def _read_marks(seen: Sighting, place: int) -> Iterator[_Mark]:
    """Each date of a sentence with the stage word of its own part."""
    tokens = seen.tokens
    parts = _split(seen)
    for time in seen.times:
        extent, minutes = find_extent(time) or _find_month(seen, time), read_minutes(time.surface)
        if extent is None and minutes is None:
            continue
        at = seen.index_at(time.span.start)
        number = next((k for k, (start, end) in enumerate(parts) if start <= at < end), None)
        if number is None:
            continue
        chosen = _find_stage(seen, *parts[number], at)
        if chosen is None and number + 1 < len(parts) and _opens(seen, parts[number][0], at):
            number += 1
            chosen = _find_stage(seen, *parts[number], at)
        if chosen is None:
            continue
        word, first, last = chosen
        start, end = parts[number]
        if _ANEW.search(seen.between(tokens[start].start, tokens[end - 1].end)):
            continue
        if any(t.low in _UNREAL for t in tokens[max(start, first - 4) : first]):
            continue
        things, names = _read_things(seen, start, end, range(first, last))
        subject, _ = _read_things(seen, start, first, range(0))
        owned = any(t.low in _OWNERS for t in tokens[start:first])
        span = Span(tokens[first].start, tokens[last - 1].end)
        yield _Mark(seen, place, _stages()[word], word, span, time.span, extent, minutes, things, names, subject, owned)


def _find_month(seen: Sighting, time: TemporalExpression) -> Extent | None:
    """A day or a month without its year, the same year for all of a sentence."""
    day, low = time.resolved_date, time.surface.lower()
    if low in MONTH_NUMBERS and len(low) > 2 and day is not None and not any(has_year(other) for other in seen.times):
        return Extent(date(2000, day.month, 1), date(2000, day.month, 28), "yearless")
    return find_yearless(seen.times, time)


def _split(seen: Sighting) -> list[tuple[int, int]]:
    """Parts of a sentence by its commas and conjunctions, dates left whole."""
    inside = [(time.span.start, time.span.end) for time in seen.times]
    parts: list[tuple[int, int]] = []
    start = 0
    for k, token in enumerate(seen.tokens):
        if token.low in _STOPS and not any(a <= token.start < b for a, b in inside):
            parts.append((start, k))
            start = k + 1
    parts.append((start, len(seen.tokens)))
    return [part for part in parts if part[1] > part[0]]


def _opens(seen: Sighting, start: int, at: int) -> bool:
    return all(letter in "ItDRJ" for letter in seen.letters[start:at])


def _find_stage(seen: Sighting, start: int, end: int, at: int) -> tuple[str, int, int] | None:
    """The stage word nearest to the date, rather in front of it."""
    found: list[tuple[str, int, int]] = []
    for k in range(start, end):
        entry = _stage_at(seen, k, end) if not found or found[-1][2] <= k else None
        if entry is not None:
            found.append(entry)
    return min(found, key=lambda entry: at - entry[1] if entry[1] < at else 3 * (entry[1] - at), default=None)


def _stage_at(seen: Sighting, k: int, end: int) -> tuple[str, int, int] | None:
    token, stages = seen.tokens[k], _stages()
    lemma = verb_lemma(token.low) or token.low
    for size in (4, 3, 2):
        if k + size <= end:
            joined = " ".join((lemma, *(t.low for t in seen.tokens[k + 1 : k + size])))
            if joined in stages:
                return joined, k, k + size
    if lemma in stages and (seen.letters[k] not in "NPJ" or (lemma != token.low and not token.low.endswith("s"))):
        return lemma, k, k + 1
    noun = f"the {noun_lemma(token.low)}"
    return (noun, k, k + 1) if noun in stages and seen.letters[k] in "NG" else None


def _read_things(seen: Sighting, start: int, end: int, leave: range) -> tuple[frozenset[str], frozenset[str]]:
    times = [(time.span.start, time.span.end) for time in seen.times]
    things: set[str] = set()
    names: set[str] = set()
    for k in range(start, end):
        token, letter = seen.tokens[k], seen.letters[k]
        if k in leave or any(a <= token.start < b for a, b in times):
            continue
        if letter == "P":
            names.add(token.low)
        if letter in "NP":
            things.add(noun_lemma(token.low))
        elif token.low in _PRONOUNS:
            things.add("it")
    return frozenset(things), frozenset(names)


def _compare(one: _Mark, other: _Mark) -> TemporalFault | None:
    if other.place - one.place > 2 or one.word == other.word or not _are_akin(one, other):
        return None
    told = [
        (one, other) if stage < later else (other, one)
        for script, stage in one.stages
        for also, later in other.stages
        if script == also and stage != later and not (_is_loose(script) and one.place != other.place)
    ]
    # A train departs and arrives, a guest arrives and departs: what one script allows is no fault by another.
    if not told or not all(_is_reversed(first, then) for first, then in told):
        return None
    first, then = told[0]
    evidence = f"{then.word} comes before {first.word} here, by the dates"
    span = Span(min(other.span.start, other.time.start), max(other.span.end, other.time.end))
    return TemporalFault(span, STAGE, evidence, "These stages come in another order: check both dates.")


def _are_akin(one: _Mark, other: _Mark) -> bool:
    """Both are told of one thing, as far as the words go: they share it, or one of them names none."""
    if one.is_owned is not other.is_owned and not (one.things & other.things - {"it"}):
        return False
    mine, yours = one.things - {"it"}, other.things - {"it"}
    if mine & yours:
        return not (one.subject and other.subject and one.names and other.names and not one.names & other.names)
    if one.place == other.place:
        return not one.subject or not other.subject or "it" in other.things or "it" in one.things
    return "it" in other.things and (not other.subject - {"it"} or not yours)


def _is_reversed(first: _Mark, then: _Mark) -> bool:
    if first.extent is not None and then.extent is not None:
        if (first.extent.grain == "yearless") is not (then.extent.grain == "yearless"):
            return False
        days = (first.extent.first - then.extent.last).days
        return 0 < days <= 120 if first.extent.grain == "yearless" else days > 0
    if first.minutes is None or then.minutes is None or first.place != then.place:
        return False
    return (
        then.minutes < first.minutes
        and ((first.minutes < 720) is (then.minutes < 720) or "same day" in first.seen.low)
        and "next" not in first.seen.words
    )
