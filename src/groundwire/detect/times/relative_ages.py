"""Ages told by their distance: "Ida is three years older" than Tom, who is 12, and then "Ida is 13"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.ages import NUMBER, read_age
from groundwire.detect.times.tenses import TemporalFault
from groundwire.types import Span

RELATIVE_AGE = 0.80
_NAME = (
    r"(?P<name>(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Tt]he)\s+[a-z]+(?:\s+[A-Z][a-z]+)?|[A-Z][a-zé]+|[Hh]e|[Ss]he)"
)
_AGED = re.compile(
    rf"\b{_NAME}(?:,\s+who\s+is\s+[^,.;]{{3,30}}\s(?:older|younger),\s+is|,|\s+(?:is|was|turned|turns|just\s+turned|is\s+only|is\s+now|is\s+already))\s+(?P<age>(?i:{NUMBER}))"
    r"(?:\s+years\s+old)?(?=[.,;!]|$|\s+(?:and|but|while|now)\b)"
)
_APART = re.compile(
    rf"\b{_NAME},?\s+(?:is|was|who\s+is)\s+(?:exactly\s+|only\s+)?(?P<years>{NUMBER})\s+years?\s+(?:his\s+|her\s+)?(?P<way>older|younger|senior|junior)"
    r"(?:\s+than\s+(?P<than>[A-Z][a-zé]+|him|her|he|she))?"
)
_LEAP = re.compile(r"\b(?:in\s+[12]\d{3}|ago|then|at\s+the\s+time|will\s+be|next\s+year|back\s+then|when)\b")


def find_relative_age_faults(sightings: Sequence[Sighting]) -> list[tuple[Sighting, TemporalFault]]:
    """All ages of an answer that tells them as of one time, and one distance that misses them."""
    if not any(" older" in seen.low or " younger" in seen.low for seen in sightings):
        return []
    return list(_compare(sightings))


def _compare(sightings: Sequence[Sighting]) -> Iterator[tuple[Sighting, TemporalFault]]:
    ages: dict[str, tuple[int, Span, Sighting]] = {}
    apart: list[tuple[str, str, int, Span, Sighting]] = []
    last = ""
    for seen in sightings:
        if seen.is_question or seen.is_endless or _LEAP.search(seen.low):
            continue
        found = sorted(
            (*_AGED.finditer(seen.text), *_APART.finditer(seen.text)),
            key=lambda match: (match.start(), "age" in match.re.groupindex),
        )
        for match in found:
            name, span = (
                re.sub(r"^(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Tt]he)\s+", "", match["name"]).split()[-1],
                Span(seen.start + match.start(), seen.start + match.end()),
            )
            if "age" in match.re.groupindex:
                age = read_age(match["age"].lower())
                if age is not None and name.lower() not in ("he", "she"):
                    ages.setdefault(name, (age, span, seen))
                    last = name
                continue
            other = match["than"] if match["than"] and match["than"][0].isupper() else last
            years = read_age(match["years"].lower())
            if years is not None and other and other != name and name.lower() not in ("he", "she"):
                sign = 1 if match["way"] in ("older", "senior") else -1
                apart.append((name, other, sign * years, span, seen))
    for name, other, years, span, seen in apart:
        if name in ages and other in ages and abs(ages[name][0] - ages[other][0] - years) > 1:
            later = max((span, seen), ages[name][1:], ages[other][1:], key=lambda place: place[0].start)
            evidence = f"{name} {ages[name][0]}, {other} {ages[other][0]}: not {abs(years)} years apart"
            yield later[1], TemporalFault(later[0], RELATIVE_AGE, evidence, "Check the ages and the distance.")
