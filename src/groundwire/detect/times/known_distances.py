"""Distances in time between a date of the answer and what is on record of somebody named: "three years after Ines"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Extent, find_extent, months_between
from groundwire.detect.times.spoken_lengths import LENGTH, allow_for, read_spoken
from groundwire.detect.times.tenses import TemporalFault
from groundwire.evidence.lookups import Entity, KnowledgeBase
from groundwire.text.tables import read_table
from groundwire.types import Span

KNOWN = 0.78
_BESIDE = re.compile(
    rf"{LENGTH}\s+(?P<way>before|after)\s+(?:the\s+)?(?P<name>(?:[\w'’&.-]+\s?){{1,5}})", re.IGNORECASE
)
_LATER = re.compile(
    rf"\b(?P<name>(?:[A-Z][\w'’&.-]*\s?){{1,4}})\s*(?:was|had been|is|has been)?\s*"
    r"(?P<deed>founded|opened|established|launched|started|joined|released|born|came out)\s+"
    rf"{LENGTH}\s+(?P<way>later|earlier)\b"
)
_UNREAL = re.compile(r"\b(?:if|unless|would|could|might|planned|about to)\b")
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$")


def find_known_distances(
    sightings: Sequence[Sighting], known: KnowledgeBase
) -> Iterator[tuple[Sighting, TemporalFault]]:
    """The one date of a sentence, so long before or after something whose own beginning is on record."""
    if known.is_empty:
        return
    for seen in sightings:
        dates = [e for time in seen.times if (e := find_extent(time)) is not None]
        if len(dates) != 1 or seen.is_question or seen.is_endless or _UNREAL.search(seen.low):
            continue
        match = _BESIDE.search(seen.text) or _LATER.search(seen.text)
        begin = _begin_of(match["name"], known) if match is not None else None
        duration = read_spoken(match) if match is not None else None
        if match is None or begin is None or duration is None or duration.measure != "months":
            continue
        told, other = (begin, dates[0]) if match["way"].lower() in ("later", "earlier") else (dates[0], begin)
        sign = 1 if match["way"].lower() in ("after", "later") else -1
        apart = sign * months_between(other.first, told.first)
        slack = duration.unit + allow_for(match, duration.amount) + (12 if "year" in (told.grain, other.grain) else 1)
        if abs(apart - duration.amount) <= slack:
            continue
        span = Span(seen.start + match.start(), seen.start + match.end())
        if not seen.is_quoted(span):
            evidence = f"{match['name'].strip()} is on record with {begin.first:%Y-%m}"
            yield seen, TemporalFault(span, KNOWN, evidence, "The distance does not fit the record: check both dates.")


def _begin_of(words: str, known: KnowledgeBase) -> Extent | None:
    """When somebody or something that the words begin with began; None where more than one day is on record for it."""
    parts = words.split()
    if any(part.endswith(("'s", "’s")) for part in parts):
        return None  # "Mira's promotion"
    for size in range(len(parts), 0, -1):
        name = " ".join(parts[:size]).rstrip(".,;:")
        entity = known.find_entity(name) if name[:1].isupper() or size > 1 else None
        if entity is not None:
            found = list(_read_begins(entity))
            return found[0] if len(set(found)) == 1 else None
    return None


def _read_begins(entity: Entity) -> Iterator[Extent]:
    for name in entity.attribute_names:
        if name.casefold().replace(" ", "_") not in read_table("temporal_faults", "detect")["record"]["since"]:
            continue
        for value in entity.get_attribute(name):
            match = _DAY.match(value.value)
            if match is None:
                continue
            first = date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
            grain = "day" if match[3] else "month" if match[2] else "year"
            yield Extent(
                first, first if grain == "day" else date(first.year, 12 if grain == "year" else first.month, 28), grain
            )
