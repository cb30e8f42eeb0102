"""Rows of a table or a list, each an event with its time: "Order placed | 6 April", "Delivered | 2 April"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Extent, find_extent, read_minutes
from groundwire.detect.times.event_pairs import event_pairs
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.types import TemporalExpression

ORDER = 0.80
_ROW = re.compile(r"[\s*•|-]*\**(?P<event>[a-z][a-z ]{2,40}?)\**\s*(?:[:|–—]|\bat\b|\bon\b)\s*\**\s*$")
_SETTLED = frozenset({"resolve", "fix", "restore", "end", "close", "finish", "complete", "recover", "conclude"})
_YEAR_LAW = re.compile(
    r"\b(?:an?|the)\s+(?P<made>[12]\d{3})\s+(?P<noun>[a-z]+(?:\s[a-z]+)?),?\s+(?:(?:which|that)\s+(?:was|were)\s+)?"
    r"(?P<verb>repealed|abolished|demolished|cancelled|canceled|withdrawn|discontinued|revoked|scrapped|overturned"
    r"|annulled|amended|replaced)\s+(?:in\s+)(?P<gone>[12]\d{3})\b"
)


@dataclass(frozen=True, slots=True)
class _Row:
    seen: Sighting
    lemmas: frozenset[str]
    time: TemporalExpression
    extent: Extent | None
    minutes: int | None


def find_row_faults(sightings: Sequence[Sighting]) -> Iterator[tuple[Sighting, TemporalFault]]:
    """Neighbouring rows whose events have a fixed order, and a way out of an incident before its beginning."""
    rows: list[_Row] = []
    for seen in sightings:
        if (law := _YEAR_LAW.search(seen.low)) is not None and int(law["gone"]) < int(law["made"]):
            yield from _tell_law(seen, law)
        row = _read_row(seen)
        if row is None:
            rows = rows if len(seen.text) <= 40 else []
            continue
        yield from _compare(rows[-12:], row)
        rows.append(row)


def _tell_law(seen: Sighting, law: re.Match[str]) -> Iterator[tuple[Sighting, TemporalFault]]:
    time = next((t for t in seen.times if t.span.start - seen.start == law.start("gone")), None)
    if time is not None and not seen.is_quoted(time.span) and not seen.is_question:
        evidence = f"{law['verb']} in {law['gone']}, but of {law['made']}"
        yield seen, TemporalFault(time.span, ORDER, evidence, "It ended before there was one: check both years.")


def _read_row(seen: Sighting) -> _Row | None:
    """A short line with one time: the event stands in front of it, or behind it as in "09:12 alert fired"."""
    if len(seen.times) != 1 or len(seen.text) > 70 or seen.text.rstrip().endswith((".", "?", "!")):
        return None
    time = seen.times[0]
    extent, minutes = find_extent(time), read_minutes(time.surface)
    front, behind = seen.low[: time.span.start - seen.start], seen.low[time.span.end - seen.start :]
    match = _ROW.fullmatch(front)
    words = match["event"] if match is not None else behind if not front.strip(" *-•|") else ""
    if (extent is None and minutes is None) or not words.strip():
        return None
    found = {lemma for word in re.findall(r"[a-z]+", words) for lemma in (verb_lemma(word), noun_lemma(word)) if lemma}
    return _Row(seen, frozenset(found), time, extent, minutes)


def _compare(rows: Sequence[_Row], row: _Row) -> Iterator[tuple[Sighting, TemporalFault]]:
    for earlier in rows:
        reason = _find_reason(earlier, row)
        if reason:
            evidence = f"{row.time.surface}, but {earlier.time.surface} before it: {reason}"
            suggestion = "These events have a fixed order: check both times."
            yield row.seen, TemporalFault(row.time.span, ORDER, evidence, suggestion)
            return


def _find_reason(earlier: _Row, row: _Row) -> str:
    """Why the later row cannot have the earlier time; empty where it can."""
    if earlier.minutes is not None and row.minutes is not None:
        back = earlier.minutes - row.minutes
        return "over before it began" if row.lemmas & _SETTLED and 0 < back < 600 else ""
    if earlier.extent is None or row.extent is None or row.extent.last >= earlier.extent.first:
        return ""
    for pair in event_pairs():
        firsts, thens = pair.first | pair.first_nouns, pair.then | pair.then_nouns
        if not pair.undated and earlier.lemmas & firsts and row.lemmas & thens and not row.lemmas & firsts:
            return "the end before the beginning"
    return ""
