"""Sentences cut into the statements that stand side by side in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from groundwire.detect.sightings import Sighting
from groundwire.types import Span

_LONGEST = 440
_LEADING = re.compile(r"(?:because|as|since|given\s+that|seeing\s+that|now\s+that)\s+", re.IGNORECASE)
_PARTING = re.compile(
    r",\s+(?:as|since|given\s+that|seeing\s+that)\s+(?=(?:the|it|he|she|they|you|we|there|this|that|his|her|its|their|our|your)\s)|"
    r";\s+|\s+because\s+|\s+–\s+|\s+—\s+|,\s+(?:and|so|yet)\s+|"
    r"\s+and\s+(?=(?:it|he|she|they|you|we|anyone|everyone|everybody|nobody|his|her|their|its|your|our)\s)"
)


def part(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Sentences, cut where two statements stand side by side in one."""
    found: list[Sighting] = []
    for whole in sightings:
        seen = whole
        if (reason := _find_reason(whole)) is not None:
            found.append(cut(whole, *reason))
            seen = cut(whole, reason[1] + 2, len(whole.text))
        cuts = _find_cuts(seen) if len(seen.text) <= _LONGEST else []
        if not cuts:
            found.append(seen)
            continue
        starts, ends = [0, *(m.end() for m in cuts)], [*(m.start() for m in cuts), len(seen.text)]
        found += [cut(seen, start, end) for start, end in zip(starts, ends, strict=True) if end - start > 8]
    return found


def _find_reason(seen: Sighting) -> tuple[int, int] | None:
    """ "As the desk is closed on Mondays, come on Tuesday": whoever argues from something says that it is so."""
    lead = _LEADING.match(seen.text) if len(seen.text) <= _LONGEST else None
    comma = seen.text.find(", ", lead.end()) if lead is not None else -1
    if lead is None or comma < 0:
        return None
    verbs = [seen.tokens[group.start].start - seen.start for group in seen.groups]
    is_clause = any(lead.end() < v < comma for v in verbs) and any(v > comma for v in verbs)
    return (lead.end(), comma) if is_clause else None


def _find_cuts(seen: Sighting) -> list[re.Match[str]]:
    """Where a statement ends and another begins; "ham, cheese, and olives" is none of these, it has no second verb."""
    cuts: list[re.Match[str]] = []
    verbs = [seen.tokens[group.start].start - seen.start for group in seen.groups]
    found, start = list(_PARTING.finditer(seen.text)), 0
    ends = [*(cut.start() for cut in found[1:]), len(seen.text)]
    for cut, end in zip(found, ends, strict=False):
        is_clause = any(start <= v < cut.start() for v in verbs) and any(cut.end() <= v < end for v in verbs)
        if is_clause or not cut.group().startswith(","):
            cuts.append(cut)
            start = cut.end()
    return cuts


def cut(seen: Sighting, start: int, end: int) -> Sighting:
    """A part of a sentence, with what was read in it."""
    segment, span = seen.segment, Span(seen.start + start, seen.start + end)
    text = seen.text[start:end]
    claims = tuple(c for c in segment.claims if span.start <= c.span.start < span.end)
    times = tuple(t for t in segment.temporals if span.start <= t.span.start < span.end)
    names = tuple(e for e in segment.entities if span.start <= e.span.start < span.end)
    return Sighting(replace(segment, text=text, span=span, claims=claims, temporals=times, entities=names))
