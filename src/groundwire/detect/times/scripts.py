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
_HAPPENS = frozenset({"begin", "start", "commence", "open", "take", "get under way", "launch"})
_IT = frozenset({"it"})
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
    objects: frozenset[str]
    """Names that the stage is done to: "married Petra"."""
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
def _is_loose(number: int) -> str:
    """A script of many turns, such as a visit: only one and the same sentence tells it in order."""
    script = read_table("scripts", "detect")["scripts"][number]
    return "turns" if script.get("turns") else "near" if script.get("near") else ""


@cache
def _actors() -> frozenset[str]:
    return frozenset(read_table("scripts", "detect")["actors"])


@cache
def _cast(number: int) -> frozenset[str]:
    return frozenset(read_table("scripts", "detect")["scripts"][number].get("cast", ()))


def _parts_too_far(number: int, one: _Mark, other: _Mark) -> bool:
    if one.place == other.place or not (how := _is_loose(number)):
        return False
    goes_on = other.place - one.place == 1 and (other.subject == _IT or _is_doing(other))
    return how == "turns" or not goes_on


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
        behind = next((k for k in range(last, end) if seen.letters[k] not in "DSJNP'"), end)
        objects = frozenset(tokens[k].low for k in range(last, behind) if seen.letters[k] == "P")
        owned = any(t.low in _OWNERS for t in tokens[start:first])
        span = Span(tokens[first].start, tokens[last - 1].end)
        yield _Mark(
            seen, place, _stages()[word], word, span, time.span, extent, minutes, things, names, subject, objects, owned
        )


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
    nearest = min(found, key=lambda entry: at - entry[1] if entry[1] < at else 3 * (entry[1] - at), default=None)
    if nearest is None or nearest[0] not in _HAPPENS or nearest[1] >= at:
        return nearest
    named = [entry for entry in found if seen.letters[entry[1]] not in "VBE" and entry[1] < nearest[1]]
    return named[-1] if named else nearest  # "construction began", "the surgery took place"


@cache
def _openers() -> frozenset[str]:
    """The first words of stages that have several."""
    return frozenset(stage.split(" ")[0] for stage in _stages() if " " in stage)


def _stage_at(seen: Sighting, k: int, end: int) -> tuple[str, int, int] | None:
    token, stages = seen.tokens[k], _stages()
    lemma = verb_lemma(token.low) or token.low
    for size in (4, 3, 2) if lemma in _openers() else ():
        if k + size <= end:
            joined = " ".join((lemma, *(t.low for t in seen.tokens[k + 1 : k + size])))
            if joined in stages:
                return joined, k, k + size
    if lemma in stages and (seen.letters[k] not in "NPJ" or (lemma != token.low and not token.low.endswith("s"))):
        return lemma, k, k + 1
    noun = f"the {noun_lemma(token.low)}"
    return (noun, k, k + 1) if noun in stages and (seen.letters[k] in "NG" or not k) else None


def _read_things(seen: Sighting, start: int, end: int, leave: range) -> tuple[frozenset[str], frozenset[str]]:
    times = [(time.span.start, time.span.end) for time in seen.times]
    things: set[str] = set()
    names: set[str] = set()
    for k in range(start, end):
        token, letter = seen.tokens[k], seen.letters[k]
        if k in leave or any(a <= token.start < b for a, b in times):
            continue
        if letter == "P" and (k or f"the {token.low}" not in _stages()):
            names.add(token.low)
        if letter in "NP":
            things.add(noun_lemma(token.low))
        elif token.low in _PRONOUNS:
            things.add("it")
    return frozenset(things), frozenset(names)


def _compare(one: _Mark, other: _Mark) -> TemporalFault | None:
    if other.place - one.place > 2 or one.word == other.word:
        return None
    if one.objects and other.objects and not one.objects & other.objects:
        return None
    told = [
        (one, other) if stage < later else (other, one)
        for script, stage in one.stages
        for also, later in other.stages
        if script == also
        and stage != later
        and not _parts_too_far(script, one, other)
        and _are_akin(one, other, _cast(script))
    ]
    # A train departs and arrives, a guest arrives and departs: what one script allows is no fault by another.
    if not told or not all(_is_reversed(first, then) for first, then in told):
        return None
    first, then = told[0]
    evidence = f"{then.word} comes before {first.word} here, by the dates"
    span = Span(min(other.span.start, other.time.start), max(other.span.end, other.time.end))
    return TemporalFault(span, STAGE, evidence, "These stages come in another order: check both dates.")


def _is_doing(mark: _Mark) -> bool:
    """A bare doing opens the sentence and has the date: "Filming began in …"."""
    opening = mark.seen.tokens[0]
    is_first = any(opening.end <= mark.span.start <= token.end + 1 for token in mark.seen.tokens[:2])
    return is_first and opening.low.endswith(("ing", "tion", "ment", "work"))


def _are_akin(one: _Mark, other: _Mark, cast: frozenset[str]) -> bool:
    """Both are told of one thing, as far as the words go: they share it, or one of them names none."""
    if other.place - one.place <= 1 and not other.names and (_is_doing(other) or other.things == _IT):
        return True  # "Digging started in 2005"
    rest = other.things - cast - _actors()
    is_acted = bool(other.things & (cast | _actors())) or other.word.startswith("the ") or (other.is_owned and not rest)
    if other.place - one.place == 1 and not other.names and is_acted and rest <= _IT:
        return True  # "The trial opened on … The jury returned its verdict on …"
    if one.is_owned is not other.is_owned and not (one.things & other.things - {"it"}):
        return False
    mine, yours = one.things - {"it"}, other.things - {"it"}
    if mine & yours:
        return not (one.subject and other.subject and one.names and other.names and not one.names & other.names)
    if "it" in other.things - other.subject and other.place - one.place <= 1 and yours <= _actors():
        return True  # "Doctors were already prescribing it in 1915"
    if one.place == other.place:
        return not one.subject or not other.subject or "it" in other.things or "it" in one.things
    return "it" in other.things and (not other.subject - {"it"} or not yours)


def _is_reversed(first: _Mark, then: _Mark) -> bool:
    if first.extent is not None and then.extent is not None:
        if (first.extent.grain == "yearless") is not (then.extent.grain == "yearless"):
            return False
        days = (first.extent.first - then.extent.last).days
        return 0 < days <= 120 if first.extent.grain == "yearless" else days > 0
    if first.minutes is None or then.minutes is None:
        return False
    later = max(first, then, key=lambda mark: mark.span.start)
    if first.place != then.place and not (later.subject == _IT and abs(first.place - then.place) == 1):
        return False
    return (
        then.minutes < first.minutes
        and ((first.minutes < 720) is (then.minutes < 720) or "same day" in first.seen.low)
        and "next" not in first.seen.words
    )
